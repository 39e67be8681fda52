"""Train an agent in this process, in one game at a time or in simultaneous games of self-play."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from othello_lab.environment.config import SELF, EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.run.launch import in_process
from othello_lab.experiment.run.outcomes import Evaluation
from othello_lab.experiment.run.plan import Plan
from othello_lab.experiment.run.player_names import of_folder
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.train import RoundPlayer
from othello_lab.experiment.run.train import train as train_plan
from othello_lab.experiment.show.run_end import notes_of
from othello_lab.experiment.study.statistics.intervals import wilson
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.game.short_names import short_name
from othello_lab.matches import Progress, display_of
from othello_lab.players import RUNS, named
from othello_lab.results import Rows

T = TypeVar("T")


@dataclass(frozen=True, repr=False)
class Run(Rows):
    """A finished or stopped run. The table has one row for each evaluation, opponent and colour."""

    folder: Path
    notes: tuple[str, ...] = ()  # Notes on the results, for example on skipped games.

    @property
    def player(self) -> str:
        """The registry text of the trained player, for other functions, such as `match`."""
        return of_folder(self.folder).text

    @property
    def evaluations(self) -> list[Evaluation]:
        """The results of all evaluations, in the order of play."""
        return RunFolder.open(self.folder.parent, self.folder.name).evaluations()

    def rows(self) -> list[dict[str, Any]]:
        """Return one dictionary for each result."""
        return [
            {
                "episode": one.episode,
                "opponent": one.opponent,
                "colour": one.colour,
                **asdict(one.tally),
                "score": one.tally.score,
                "interval": tuple(wilson(one.tally.score, one.tally.games)),
            }
            for one in self.evaluations
        ]

    def __str__(self) -> str:
        every = self.evaluations
        last = [one for one in every if one.episode == every[-1].episode]
        lines = (f"{short_name(one.opponent)} {one.colour}: {one.tally}" for one in last)
        return "\n".join([str(self.folder), *lines, *self.notes])


def make_environment(
    size: int = 8,
    opponent: object = "corner-greedy",
    first: str = "agent",
    random_opening: int = 0,
    seed: int = 0,
    rewards: tuple[float, float, float] = (1.0, -0.5, -1.0),
    illegal_action: str = "loses",
) -> OthelloEnvironment:
    """Return the Othello environment, for `rlglue.glue.Glue` or for a server.

    `opponent` is any player that `match` accepts, or "self". `rewards` are for a win, a draw and a loss.
    `illegal_action` is "loses" or "ignored". Raises ValueError for an invalid argument.
    """
    game = size, _opponent(opponent), first, random_opening, seed, illegal_action
    return OthelloEnvironment(EnvironmentConfig(*game, ",".join(map(str, rewards))))


def train(
    agent: str = "dqn",
    episodes: int = 5000,
    size: int = 8,
    opponent: object = "corner-greedy",
    first: str = "agent",
    random_opening: int = 0,
    seed: int = 0,
    name: str | None = None,
    runs_dir: str | Path = RUNS,
    eval_every: int | None = None,
    eval_games: int | None = None,
    final_games: int | None = None,
    eval_opponents: Sequence[object] = (),
    progress: Progress = False,
) -> Run:
    """Train an agent in this process and evaluate it, like `othello run`. Ctrl-C stops and keeps the run.

    `agent` is a learner with its options, such as "dqn,preset=classic". The opponents are any players that
    `match` accepts. By default, the run has ten evaluations, with more games if the run is longer.
    `eval_every=0` or `eval_games=0` disables the evaluations during training, and `final_games=0` disables
    the final evaluation. Raises ValueError for an invalid argument, and RunFolderError if a run with this
    name exists.
    """
    parameters = {**locals(), "opponent": _opponent(opponent)}
    from othello_lab.commands.run import TrioOptions, command, parts_of
    from othello_lab.commands.training import planned_episodes

    options = _parsed(command, TrioOptions, parameters, "--in-process")
    with options as read, planned_episodes(read, lambda: parts_of(read)) as plan:
        return _carry_out(plan, progress)


def selfplay(
    learner: str = "ntuple",
    games: int = 200_000,
    size: int = 8,
    opponents: str | None = None,
    random_opening: int = 10,
    games_at_once: int = 1024,
    seed: int = 0,
    jobs: int = 1,
    name: str | None = None,
    runs_dir: str | Path = RUNS,
    eval_every: int | None = None,
    eval_games: int | None = None,
    final_games: int | None = None,
    eval_opponents: Sequence[object] = (),
    progress: Progress = False,
) -> Run:
    """Train a learner by self-play, `games_at_once` games at a time, like `othello selfplay`.

    `opponents`, such as "random=0.1,past=0.2", gives opponents a share of the games. In all other games, the
    learner plays against itself. "none" means only self-play, and None the default opponents. The evaluations
    are against corner-greedy, weights:swh and `eval_opponents`. The number of processes, `jobs`, does not
    change the result. `progress` is as in `match`, but with one report for each round of games. The other
    arguments and the errors are the same as in `train`.
    """
    parameters = {**locals()}
    from othello_lab.commands.selfplay import SelfPlayOptions, command, planned_games, rounds_of
    from othello_lab.commands.workers import workers

    options = _parsed(command, SelfPlayOptions, parameters)
    with options as read, workers(jobs, None) as processes, planned_games(read) as plan:
        return _carry_out(plan, progress, partial(rounds_of, plan, processes=processes))


def _opponent(who: object) -> str:
    return SELF if who == SELF else named(who).text


def _parsed(
    command: Any,  # noqa: ANN401  a click command
    of: type[T],
    parameters: dict[str, Any],
    *arguments: str,
) -> AbstractContextManager[T]:
    """Parse the parameters of a function as the options of `command` with the same names."""
    from othello_lab.commands.options import parsed

    opponents = [f"--eval-opponent={named(who).text}" for who in parameters.pop("eval_opponents")]
    del parameters["progress"]
    return parsed(command, of, [*arguments, *opponents], **parameters)


def _carry_out(plan: Plan, progress: Progress, rounds: Callable[[Any], RoundPlayer] | None = None) -> Run:
    from othello_lab.commands.training import agent_and_environment

    agent, environment = agent_and_environment(plan)
    display = display_of(progress, plan.config.episodes, "episode")
    with Interrupts() as interrupts, in_process(agent, environment) as glue, plan.folder:
        report = train_plan(glue, plan, display, interrupts, rounds=rounds(agent) if rounds else None)
    return Run(plan.folder.path, notes_of(report))
