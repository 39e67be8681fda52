"""`othello selfplay`: a learner trained by thousands of its own games at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from othello_lab.commands.agent import AgentText
from othello_lab.commands.checks import named
from othello_lab.commands.ending import blaming
from othello_lab.commands.options import Number, given, option, options, takes, whole_number
from othello_lab.commands.reporting import interruptible
from othello_lab.commands.shared_options import a_config, a_player, a_player_text, a_seed, a_size
from othello_lab.commands.training import (
    RunOptions,
    agent_and_environment,
    check_opponents,
    planned,
    resumed,
    training_config,
)
from othello_lab.commands.workers import jobs_option, ray_option, workers
from othello_lab.experiment.run.record import (
    TENTHS,
    AgentPart,
    EnvironmentPart,
    SelfPlayConfig,
    TrainingConfig,
)
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game.files import WEIGHTS, read_bytes, replace

if TYPE_CHECKING:
    from othello_lab.agent.selfplay.training import SelfPlay
    from othello_lab.experiment.run.plan import Plan

_VARIED: Final = 4
"""Most random plies before a game of an evaluation: without them two players that never vary would play one
game over and over."""
DEFAULT_LEARNER: Final = "ntuple"
LENGTHS: Final = {"games", "minutes", "plies"}
"""The options that say how long a run is."""
EVALUATED_WITH: Final = ("corner-greedy", "weights:swh")
"""Whom a learner of self-play is always evaluated with, as black and as white."""


@options
class _Games:
    learner: str = option(
        "The learner: dqn, ntuple, td, mcq, alphazero or ppo, with options such as ntuple,lam=0.5.",
        default=DEFAULT_LEARNER,
        type=AgentText(),
        metavar="TEXT",
        shell_complete=a_player,
        section="Training",
    )
    games: int = whole_number(
        "Number of training games. Schedules, and how often it is evaluated, follow from it.",
        default=200_000,
        lowest=1,
    )
    minutes: float | None = option(
        "Instead of --games: minutes of training, without the evaluations.",
        type=Number(0, min_open=True),
    )
    plies: int | None = whole_number(
        "Instead of --games: decisions of both sides; the round that reaches this number is the last.",
        lowest=1,
    )
    from_: str | None = a_player_text(
        "Begin with the policy of this run or checkpoint; it must be of the same learner.", metavar="RUN|PATH"
    )
    jobs: int = jobs_option()
    ray: str | None = ray_option()
    seed: int = a_seed()
    size: int = a_size(section="Games")
    games_at_once: int = whole_number(
        "Games of a round: they are played, then learned from. A process takes 512 at a time.",
        default=1024,
        lowest=1,
    )
    random_opening: int = whole_number(
        "Begin games with random plies: a random number of them, 0 to this.", default=10, highest=60
    )
    opponents: str | None = option(
        "Opponents of the learner, each with its share of the games: random, corner-greedy, "
        "random-weights (new square weights in each game), past (earlier policies of the learner), or an "
        "evaluator, which looks one ply ahead. In the rest of the games the learner plays itself; none: in "
        "all.  [default: opponents in three games of five]",
        metavar="NAME=SHARE,...",
    )


@options
class SelfPlayOptions(_Games, RunOptions):
    """Options of `othello selfplay`."""

    length = "--games"
    config: None = a_config()


@takes(SelfPlayOptions, one_thread=True)
def command(said: SelfPlayOptions) -> None:
    """Train a learner by self-play, thousands of games at once.

    It makes the same run folder and checkpoints as `othello run`: what it has trained can play and go on
    learning over RL-Glue, and the other way round.
    """
    if len(LENGTHS & given()) > 1:
        raise click.UsageError("--games, --minutes and --plies: expected one of them")
    with (
        interruptible() as interrupts,
        workers(said.jobs, said.ray) as playing_on,
        planned_games(said) as plan,
    ):
        from othello_lab.experiment.run import launch

        agent, environment = agent_and_environment(plan)
        parts, rounds = launch.in_process(agent, environment), rounds_of(plan, agent, playing_on)
        launch.carry_out(plan, parts, interrupts, "selfplay", rounds=rounds)


@contextmanager
def planned_games(said: SelfPlayOptions) -> Iterator["Plan"]:
    """Make the plan of a new run, or of the one that --resume names, and hold its folder."""
    from othello_lab.experiment.run.names import START, SUFFIX

    if said.resume:
        games = said.games if "games" in given() else None
        what_may = "only --games, --minutes, --plies, --jobs and --ray may change"
        length = {"minutes": said.minutes, "plies": said.plies}
        with resumed(said, what_may, True, selfplay=True, episodes=games, **length) as plan:
            yield plan
        return
    learner, own, start = checked(said)
    environment = EnvironmentPart(said.size, "self", "alternate", _VARIED)
    with planned(said, said.seed, _config(said), learner, environment, own) as plan:
        if start:
            plan.folder.checkpoints.mkdir()
            replace(plan.folder.checkpoints / (START + SUFFIX), read_bytes(start, WEIGHTS))
        yield plan


def rounds_of(
    plan: "Plan",
    agent: Any,  # noqa: ANN401  imported late
    playing_on: Workers,
) -> "SelfPlay":
    """Return the rounds of self-play of a run."""
    from othello_lab.agent.selfplay.play import GameSettings
    from othello_lab.agent.selfplay.pool import read_pool
    from othello_lab.agent.selfplay.training import SelfPlay

    own, size = plan.selfplay, plan.environment.size
    assert own and size  # noqa: S101, PT018  of any such run
    settings, shares = GameSettings(size, own.random_opening), read_pool(own.opponents, size)
    return SelfPlay(agent, settings, shares, plan.seeds.environment, playing_on.in_order)


def checked(said: SelfPlayOptions) -> tuple[AgentPart, SelfPlayConfig, Path | None]:
    """Return the learner of a new run, its games and its first checkpoint; raise click.BadParameter."""
    from othello_lab.agent.make import check_learner
    from othello_lab.agent.selfplay.pool import STANDARD, read_pool
    from othello_lab.agent.selfplay.training import check_batches, for_batches

    size, opponents = said.size, said.opponents or STANDARD
    with blaming("--learner"):
        learner = for_batches(said.learner)
        check_learner(learner, size)
        check_batches(learner, size)
    with blaming("--opponents"):
        read_pool(opponents, size)
    check_opponents(said, size)
    start = _start(said, learner)
    own = SelfPlayConfig(said.games_at_once, said.random_opening, opponents, start is not None)
    return AgentPart(learner), own, start


def _start(said: SelfPlayOptions, learner: str) -> Path | None:
    """Return the checkpoint that --from names, None without it; raise click.BadParameter for a wrong one."""
    from othello_lab.agent import checkpoint
    from othello_lab.agent.learner import find_method
    from othello_lab.game.registry import RegistryError, parse

    if not said.from_:
        return None
    found = parse(named(said.from_, said.runs_dir, "--from").text)
    with blaming("--from"):
        if found.argument is None:
            raise RegistryError(f"{said.from_!r} is a player, but no run or checkpoint")
        method = find_method(parse(learner).name)
        stored = checkpoint.load(Path(found.argument), method.name)
        method.read(stored, said.size)
    return stored.path


def _config(said: SelfPlayOptions) -> TrainingConfig:
    """Return how long a run is, and how often it evaluates and saves."""
    opponents = tuple(dict.fromkeys([*EVALUATED_WITH, *said.eval_opponent]))
    if not (said.minutes or said.plies):
        return training_config(said, said.games, eval_opponent=opponents)
    every = TENTHS if said.eval_every is None else said.eval_every
    games = 100 if said.eval_games is None else said.eval_games
    final = 1000 if said.final_games is None else said.final_games
    return training_config(
        said, 0, eval_every=every, eval_games=games, final_games=final, eval_opponent=opponents
    )
