"""Options that `run`, `experiment train` and `selfplay` share, and the plan of a run that they make."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from othello_lab.commands.agent import an_agent
from othello_lab.commands.checks import agent_part_of, check_player
from othello_lab.commands.ending import blaming
from othello_lab.commands.environment import EnvironmentOptions, make_environment
from othello_lab.commands.options import given, option, options, refuse, values_of, whole_number
from othello_lab.commands.shared_options import a_player, a_run, a_runs_dir, a_seed
from othello_lab.experiment.run.record import (
    AgentPart,
    EnvironmentPart,
    SelfPlayConfig,
    TrainingConfig,
    config_for,
    table_of,
)
from othello_lab.game.registry import parse, starts_a_program

if TYPE_CHECKING:
    from othello_lab.experiment.run.plan import Plan


ON_RESUME = {
    *("resume", "episodes", "games", "minutes", "plies", "jobs", "ray", "watch", "runs_dir"),
    *("host", "port", "connect_timeout", "glue", "in_process"),
}
"""What may be said together with --resume; all else is as it was recorded."""

_DEFAULTS = TrainingConfig()


def _share(words: str) -> "Callable[[type[RunOptions]], str]":
    """Return the words of a default that follows from the option that says how long a run is."""
    return lambda declared: words.format(declared.length)


@options
class TrainingOptions:
    """How a run over RL-Glue is trained."""

    episodes: int = whole_number(
        "Number of training games. How long the agent explores and how often it is evaluated follow from it.",
        default=_DEFAULTS.episodes,
        lowest=1,
        section="Training",
    )
    max_steps: int = whole_number(
        "Cut a game off after this many actions; 0: never.", default=_DEFAULTS.max_steps
    )
    seed: int = a_seed()
    watch: bool = option("Show the board in play.")


@options
class RunOptions:
    """How any run is evaluated and written down."""

    length = "--episodes"
    """The option that says how many games it has."""

    eval_every: int | None = whole_number(
        "Training games from one evaluation to the next; 0: no evaluations.",
        show_default=_share("a tenth of {}"),
        section="Evaluation",
    )
    eval_games: int | None = whole_number(
        "Games of each evaluation.", show_default=_share("a fiftieth of {}, 50 to 100")
    )
    final_games: int | None = whole_number(
        "Games of the evaluation at the end; 0: no evaluation.",
        show_default=_share("a fifth of {}, 200 to 1,000"),
    )
    eval_opponent: tuple[str, ...] = option(
        "Evaluate against this player too; may be given several times.",
        metavar="TEXT",
        shell_complete=a_player,
    )
    name: str | None = option("Name of the run folder.  [default: date and time]", section="Run folder")
    runs_dir: Path = a_runs_dir("Where run folders are made.", section="Run folder")
    resume: str | None = option(
        "Go on with this run as if it had never stopped.", metavar="NAME", shell_complete=a_run
    )
    save_every: int | None = whole_number(
        "Training games from one checkpoint to the next; 0: only at the end.", show_default="--eval-every"
    )
    keep_policies: bool = option(
        "Keep all policies, not only the newest three, for `experiment compare --opponent`."
    )
    keep_lost_games: bool = option("Write the games that the agent loses to lost.jsonl.")


@options
class _Agent:
    agent: str = an_agent("The agent that learns or plays.", section="Agent")


@options
class EpisodeOptions(TrainingOptions, RunOptions, _Agent, EnvironmentOptions):
    """Options of a run over RL-Glue."""


def training_config(said: RunOptions, episodes: int, **others: Any) -> TrainingConfig:  # noqa: ANN401  its fields
    """Return the configuration of a run of this many games; `others` override the options."""
    return config_for(**{**values_of(said, TrainingConfig), **others, "episodes": episodes})


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
    from othello_lab.experiment.run.lifecycle import held
    from othello_lab.experiment.run.plan import new_plan

    plan = new_plan(said.runs_dir, said.name, config, seed, agent, environment, selfplay)
    with held(plan.folder):
        yield plan


@contextmanager
def resumed(
    said: RunOptions,
    what_may: str,
    starts: bool,
    **length: Any,  # noqa: ANN401  what `resumed_plan` takes
) -> Iterator["Plan"]:
    """Make the plan of the run that --resume names; refuse options that would change it, but for `length`.

    `starts`: agent and environment start here, so the recorded programs and players are checked first.
    """
    from othello_lab.experiment.run.lifecycle import held
    from othello_lab.experiment.run.plan import resumed_plan
    from othello_lab.experiment.run.run_folder import RunFolder

    assert said.resume  # noqa: S101  by which the caller has chosen
    refuse(given() - ON_RESUME, f"a resumed run keeps what was recorded; {what_may}")
    with held(RunFolder.open(said.runs_dir, said.resume)):
        plan = resumed_plan(said.runs_dir, said.resume, **length)
        if starts:
            _check_recorded(plan)
        yield plan


def _check_recorded(plan: "Plan") -> None:
    """Raise click.BadParameter if a resumed run would start a program that nobody has allowed."""
    from othello_lab.experiment.workers.trio import split_command

    size, agent = plan.environment.size, plan.agent.text
    with blaming("--resume"):
        for command in (plan.agent.command, plan.environment.command):
            if command is not None:
                split_command(command)
    if size:
        for text in (agent, plan.environment.opponent, *plan.config.eval_opponent):
            if text and starts_a_program(text):
                check_player("--resume", text, size)


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
    config = training_config(said, said.episodes)
    with planned(said, said.seed, config, agent, environment) as plan:
        yield plan


def parts_of(said: EpisodeOptions, environment: str | None = None) -> tuple[AgentPart, EnvironmentPart]:
    """Return agent and environment as a run records them; raise click.BadParameter for a wrong command line.

    Our own check their options when they start. `environment`: the command line of one that is not ours.
    """
    from othello_lab.experiment.workers.trio import split_command

    agent = agent_part_of(said.agent, said.runs_dir)
    if starts_a_program(said.opponent):
        check_player("--opponent", said.opponent, said.size)
    for text in filter(starts_a_program, said.eval_opponent):
        check_player("--eval-opponent", text, said.size)
    if environment is None:
        return agent, EnvironmentPart(**values_of(said, EnvironmentPart))
    with blaming("--environment"):
        split_command(environment)
    return agent, EnvironmentPart(command=environment)


def checked_parts(said: EpisodeOptions) -> tuple[AgentPart, EnvironmentPart]:
    """Return the same for a run in this process; raise click.BadParameter for what cannot be made."""
    agent, environment = parts_of(said)
    if agent.text is not None:
        _check_agent(agent.text, said.size)
    make_environment(**table_of(environment) or {}).env_cleanup()
    check_opponents(said, said.size)
    return agent, environment


def _check_agent(text: str, size: int) -> None:
    """Raise click.BadParameter for a learner or player that cannot be on that board; torch is not loaded."""
    from othello_lab.agent.make import check_learner, learns
    from othello_lab.game.players import catalogue as registry

    with blaming("--agent"):
        if learns(parse(text)):
            check_learner(text, size)
        else:
            registry.make(text, size).close()


def check_opponents(said: RunOptions, size: int) -> None:
    """Raise click.BadParameter for an --eval-opponent that cannot be made."""
    for text in said.eval_opponent:
        check_player("--eval-opponent", text, size)


def agent_and_environment(plan: "Plan") -> tuple[Any, Any]:
    """Make the parts of a plan; raise RunFolderError if they are not ours to make."""
    from othello_lab.agent.make import make_agent
    from othello_lab.experiment.run.run_folder import RunFolderError

    if plan.agent.text is None or not plan.environment.is_ours:
        raise RunFolderError(
            f"the run {plan.folder.path.name} had an agent or environment of its own: leave --in-process out"
        )
    own = table_of(plan.environment) or {}
    environment = make_environment(
        **own, seed=plan.seeds.environment, allow_opponent=tuple(plan.config.eval_opponent)
    )
    with blaming("--agent"):
        agent = make_agent(plan.agent.text, plan.seeds.agent, plan.folder.checkpoints)
    return agent, environment
