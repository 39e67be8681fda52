"""The options that `run`, `experiment train` and `selfplay` share, and the plan of a run."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from othello_lab.commands import fields
from othello_lab.commands.checks import check_player
from othello_lab.commands.environment import make_environment
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import explicit_options, option, options, refuse, values_of, whole_number
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, TrainingConfig, config_for, table_of

if TYPE_CHECKING:
    from othello_lab.experiment.run.plan import Plan

_LENGTH: Final = ("episodes", "games", "minutes")
# The options allowed with --resume. All other options keep their recorded values.
_ON_RESUME: Final = {
    *("resume", *_LENGTH, "jobs", "ray", "runs_dir"),
    *("host", "port", "connect_timeout", "glue", "in_process"),
}
_DEFAULTS: Final = TrainingConfig()


@options
class TrainingOptions:
    """The training options of a run over RL-Glue."""

    episodes: int = whole_number(
        "Number of training games. Exploration and evaluations are spread over all training games.",
        default=_DEFAULTS.episodes,
        lowest=1,
        section="Training",
    )
    max_steps: int = whole_number(
        "Truncate a game after this number of actions. With 0, do not truncate games.",
        default=_DEFAULTS.max_steps,
    )
    seed: int = fields.seed()


@options
class RunOptions:
    """The evaluation and run-folder options of every run."""

    eval_every: int | None = whole_number(
        "Number of training games between two evaluations. With 0, there are no evaluations during training.",
        show_default="a tenth of the games",
        section="Evaluation",
    )
    eval_games: int | None = whole_number(
        "Number of games in each evaluation.", show_default="a fiftieth of the games, 50 to 100"
    )
    final_games: int | None = whole_number(
        "Number of games in the evaluation at the end of the run. With 0, there is no evaluation at the end.",
        show_default="a fifth of the games, 200 to 1,000",
    )
    eval_opponent: tuple[str, ...] = option(
        "Also evaluate against this player. The option may be given several times.",
        metavar="TEXT",
        shell_complete=fields.complete_player,
    )
    name: str | None = option("Name of the run folder.  [default: date and time]", section="Run folder")
    runs_dir: Path = fields.runs_dir("Run folder")
    resume: str | None = option(
        "Continue this run. The result is the same as without the interruption.",
        metavar="NAME",
        shell_complete=fields.complete_run,
    )
    save_every: int | None = whole_number(
        "Number of training games between two checkpoints. With 0, save only one checkpoint, at the end.",
        show_default="--eval-every",
    )
    keep_policies: bool = option("Keep every policy for `othello evaluate`, not only the newest three.")


@options
class EpisodeOptions(RunOptions, TrainingOptions):
    """The options of a run over RL-Glue, except the options of agent and environment."""


def training_config(options: RunOptions, episodes: int, **others: Any) -> TrainingConfig:
    """Return the configuration of a run with `episodes` games. `others` override the options."""
    return config_for(**{**values_of(options, TrainingConfig), **others, "episodes": episodes})


@contextmanager
def planned(
    options: RunOptions, new: Callable[[], tuple[Any, ...]], selfplay: bool = False
) -> Iterator["Plan"]:
    """Lock the folder of a new or resumed run, and yield the plan. `new` returns arguments of `new_plan`."""
    from othello_lab.experiment.run.plan import held, new_plan, resumed_plan
    from othello_lab.experiment.run.run_folder import RunFolder

    if options.resume:
        may_change = [f"--{name}" for name in (*_LENGTH, "jobs", "ray") if hasattr(options, name)]
        why = f"a resumed run keeps what was recorded; only {', '.join(may_change)} may change"
        refuse(explicit_options() - _ON_RESUME, why)
        length = {name: getattr(options, name) for name in _LENGTH if name in explicit_options()}
        episodes = length.pop("games", None) or length.pop("episodes", None)
        with held(RunFolder.open(options.runs_dir, options.resume)):
            yield resumed_plan(options.runs_dir, options.resume, episodes, selfplay, **length)
    else:
        plan = new_plan(options.runs_dir, options.name, *new())
        with held(plan.folder, is_new=True):
            yield plan


def planned_episodes(
    options: EpisodeOptions, parts: Callable[[], tuple[AgentPart, EnvironmentPart]]
) -> AbstractContextManager["Plan"]:
    """Lock the folder of a run over RL-Glue and yield the plan. `parts` returns agent and environment."""
    return planned(options, lambda: (training_config(options, options.episodes), options.seed, *parts()))


def agent_and_environment(plan: "Plan") -> tuple[Any, Any]:
    """Make a plan's agent and environment in this process. Raises click.BadParameter and RunFolderError."""
    from othello_lab.agent.make import make_agent
    from othello_lab.experiment.run.run_folder import RunFolderError

    if plan.agent.text is None or plan.environment.command or not plan.environment.is_known:
        raise RunFolderError(
            f"the run {plan.folder.path.name} has a program as agent or environment: leave out --in-process"
        )
    for text in plan.config.eval_opponent:
        check_player("--eval-opponent", text, plan.environment.size or 0)
    opponents = tuple(plan.config.eval_opponent)
    values = {**(table_of(plan.environment) or {}), "seed": plan.seeds.environment}
    environment = make_environment(**values, allow_opponent=opponents)
    with blaming("--agent"):
        agent = make_agent(plan.agent.text, plan.seeds.agent, plan.folder.checkpoints, plan.environment.size)
    return agent, environment
