"""The plan of a run from its options, its parts looked at before anything is started, its folder held."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from experiment.run.record import AgentPart, EnvironmentPart, SelfPlayConfig, TrainingConfig, table_of
from othello.checks import check_player
from othello.ending import blaming
from othello.environment import EnvironmentOptions, make_environment
from othello.options import given, refuse, values_of
from othello.permission import permit
from othello.training_options import ON_RESUME, EpisodeOptions, RunOptions, training_config

if TYPE_CHECKING:
    from experiment.run.training.plan import Plan


@contextmanager
def planned(
    said: RunOptions,
    seed: int,
    config: TrainingConfig,
    agent: AgentPart,
    environment: EnvironmentPart,
    selfplay: SelfPlayConfig | None = None,
) -> Iterator["Plan"]:
    """Make the plan of a new run and hold its folder."""
    from experiment.run.results.lifecycle import held
    from experiment.run.training.plan import new_plan

    plan = new_plan(said.runs_dir, said.name, config, seed, agent, environment, selfplay)
    with held(plan.folder):
        yield plan


@contextmanager
def resumed(
    said: RunOptions,
    what_may: str,
    starts: bool = True,
    **length: Any,  # noqa: ANN401  what `resumed_plan` takes
) -> Iterator["Plan"]:
    """Make the plan of the run that --resume names; refuse options that would change it, but for `length`.

    `starts`: agent and environment are started here, with the programs that they may need.
    """
    from experiment.run.results.lifecycle import held
    from experiment.run.results.run_folder import RunFolder
    from experiment.run.training.plan import resumed_plan

    assert said.resume  # noqa: S101  by which the caller has chosen
    refuse(given() - ON_RESUME, f"a resumed run keeps what was recorded; {what_may}")
    with held(RunFolder.open(said.runs_dir, said.resume)):
        plan = resumed_plan(said.runs_dir, said.resume, **length)
        if starts:
            permit(plan.programs, plan.folder.path)
        yield plan


@contextmanager
def planned_episodes(
    said: EpisodeOptions, starts: bool, parts: Callable[[], tuple[AgentPart, EnvironmentPart]]
) -> Iterator["Plan"]:
    """Make the plan of a new run over RL-Glue, or of the one that --resume names, and hold its folder.

    `parts` returns agent and environment of a new one, looked at. `starts` is that of `resumed`.
    """
    if said.resume:
        episodes = said.episodes if "episodes" in given() else None
        with resumed(said, "only --episodes may change", starts, episodes=episodes) as plan:
            yield plan
        return
    agent, environment = parts()
    # An environment that we do not make takes no program for its opponent.
    yardstick = environment.is_ours if said.yardstick is None else said.yardstick
    config = training_config(said, said.episodes, yardstick=yardstick)
    with planned(said, said.seed, config, agent, environment) as plan:
        yield plan


def own_environment(said: EnvironmentOptions) -> EnvironmentPart:
    """Return our own environment as a run records it."""
    return EnvironmentPart(**values_of(said, EnvironmentPart))


def check_environment(part: EnvironmentPart) -> None:
    """Raise click.BadParameter for options of our own environment that cannot be carried out."""
    make_environment(**table_of(part) or {}).env_cleanup()


def check_agent(text: str, size: int) -> None:
    """Raise click.BadParameter for a learner or player that cannot be on that board; torch is not loaded."""
    from agent.make import check_learner, learns
    from game.players import catalogue as registry

    with blaming("--agent"):
        if learns(registry.parse(text)):
            check_learner(text, size)
        else:
            registry.make(text, size).close()


def check_opponents(said: RunOptions, size: int) -> None:
    """Raise click.BadParameter for an --eval-opponent that cannot be made."""
    for text in said.eval_opponent:
        check_player("--eval-opponent", text, size)


def agent_and_environment(plan: "Plan", device: str = "cpu") -> tuple[Any, Any]:
    """Make the parts of a plan; raise RunFolderError if they are not ours to make.

    `device`: where the agent computes.
    """
    from agent.make import make_agent
    from experiment.run.results.run_folder import RunFolderError
    from experiment.run.training.commands import opponents_to_allow

    if plan.agent.text is None or not plan.environment.is_ours:
        raise RunFolderError(
            f"the run {plan.folder.path.name} had an agent or environment of its own: leave --in-process out"
        )
    allowed = opponents_to_allow(plan.config, plan.environment.size)
    own = table_of(plan.environment) or {}
    environment = make_environment(**own, seed=plan.seeds.environment, allow_opponent=allowed)
    with blaming("--agent"):
        agent = make_agent(plan.agent.text, plan.seeds.agent, plan.folder.checkpoints, device=device)
    return agent, environment
