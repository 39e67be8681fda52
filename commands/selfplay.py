"""`othello selfplay`: train a learner by self-play, in thousands of games at once."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from othello_lab.commands import fields
from othello_lab.commands.checks import check_player, named
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import (
    Number,
    ProgramText,
    explicit_options,
    option,
    options,
    takes,
    whole_number,
)
from othello_lab.commands.training import RunOptions, agent_and_environment, planned, training_config
from othello_lab.commands.workers import interruptible, workers
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, SelfPlayConfig
from othello_lab.experiment.workers.pool import Workers
from othello_lab.game.safe_files import WEIGHTS, read_bytes

if TYPE_CHECKING:
    from othello_lab.agent.selfplay.training import SelfPlay
    from othello_lab.experiment.run.plan import Plan

_VARIED: Final = 4  # The maximum number of random plies at the start of an evaluation game.
EVALUATED_WITH: Final = ("corner-greedy", "weights:swh")  # The opponents in every evaluation.


@options
class _Games:
    learner: str = option(
        "The learner with its options, such as ntuple,lam=0.5. Learners are dqn, ntuple, td, mcq, "
        "alphazero and ppo.",
        default="ntuple",
        type=ProgramText(),
        metavar="TEXT",
        shell_complete=fields.complete_player,
        section="Training",
    )
    games: int = whole_number(
        "Number of training games. Schedules and evaluations are spread over all training games.",
        default=200_000,
        lowest=1,
    )
    minutes: float | None = option(
        "Train for this number of minutes, instead of --games. The time of evaluations is not counted.",
        type=Number(0, min_open=True),
    )
    start: str | None = fields.player(
        "Begin with the policy of this run or checkpoint. The policy must come from the same learner.",
        "--from",
        metavar="RUN|PATH",
    )
    jobs: int = fields.jobs()
    ray: str | None = fields.ray()
    seed: int = fields.seed()
    size: int = fields.size(section="Games")
    games_at_once: int = whole_number(
        "Number of games in a round of self-play. The learner learns after each round. A process plays 512 "
        "games at a time.",
        default=1024,
        lowest=1,
    )
    random_opening: int = whole_number(
        "Maximum number of random plies at the start of a game.", default=10, highest=60
    )
    opponents: str | None = option(
        "Opponents of the learner, each with its share of the games. NAME is random, corner-greedy, "
        "random-weights, past, or an evaluator that looks one ply ahead. The opponent random-weights draws "
        "new square weights for each game. The opponent past is an earlier policy of the learner. In all "
        "games without an opponent, the learner plays against itself. With `none`, the learner has no "
        "opponents.  [default: opponents in 60 % of the games]",
        metavar="NAME=SHARE,...",
    )


@options
class SelfPlayOptions(RunOptions, _Games):
    """The options of `othello selfplay`."""

    config: None = fields.config()


@takes(SelfPlayOptions, one_thread=True)
def command(options: SelfPlayOptions) -> None:
    """Train a learner by self-play, in thousands of games at once.

    The command writes the same run folder and checkpoints as `othello run`. A policy from self-play can also
    learn over RL-Glue, and a policy from RL-Glue can learn by self-play.
    """
    if {"games", "minutes"} <= explicit_options():
        raise click.UsageError("--games and --minutes: expected one of them")
    with (
        interruptible() as interrupts,
        workers(options.jobs, options.ray) as processes,
        planned_games(options) as plan,
    ):
        from othello_lab.experiment.run import launch

        agent, environment = agent_and_environment(plan)
        parts, rounds = launch.in_process(agent, environment), rounds_of(plan, agent, processes)
        launch.carry_out(plan, parts, interrupts, "selfplay", rounds=rounds)


def planned_games(options: SelfPlayOptions) -> AbstractContextManager["Plan"]:
    """Lock the folder of a new or resumed run, and yield the plan."""

    def new() -> tuple[Any, ...]:
        learner, selfplay, start = checked(options)
        environment = EnvironmentPart(options.size, "self", "alternate", _VARIED)
        opponents = tuple(dict.fromkeys([*EVALUATED_WITH, *options.eval_opponent]))
        config = training_config(options, 0 if options.minutes else options.games, eval_opponent=opponents)
        return config, options.seed, learner, environment, selfplay, start and read_bytes(start, WEIGHTS)

    return planned(options, new, selfplay=True)


def rounds_of(plan: "Plan", agent: Any, processes: Workers) -> "SelfPlay":
    """Create the SelfPlay of a plan."""
    from othello_lab.agent.selfplay.play import GameSettings
    from othello_lab.agent.selfplay.pool import read_pool
    from othello_lab.agent.selfplay.training import SelfPlay

    selfplay, size = plan.selfplay, plan.environment.size
    assert selfplay and size  # noqa: S101, PT018  always set for self-play
    settings, shares = GameSettings(size, selfplay.random_opening), read_pool(selfplay.opponents, size)
    return SelfPlay(agent, settings, shares, plan.seeds.environment, processes.in_order)


def checked(options: SelfPlayOptions) -> tuple[AgentPart, SelfPlayConfig, Path | None]:
    """Return learner, self-play settings and first checkpoint. Raises BadParameter for an invalid option."""
    from othello_lab.agent.make import check_learner
    from othello_lab.agent.selfplay.pool import STANDARD, read_pool
    from othello_lab.agent.selfplay.training import check_batches, for_batches

    size, opponents = options.size, options.opponents or STANDARD
    with blaming("--learner"):
        learner = for_batches(options.learner)
        check_learner(learner, size)
        check_batches(learner, size)
    with blaming("--opponents"):
        read_pool(opponents, size)
    for text in options.eval_opponent:
        check_player("--eval-opponent", text, size)
    start = _start(options, learner)
    selfplay = SelfPlayConfig(options.games_at_once, options.random_opening, opponents, start is not None)
    return AgentPart(learner), selfplay, start


def _start(options: SelfPlayOptions, learner: str) -> Path | None:
    from othello_lab.agent import checkpoint
    from othello_lab.agent.learner import find_method
    from othello_lab.game.registry import parse

    if not options.start:
        return None
    player = parse(named(options.start, options.runs_dir, "--from").text)
    with blaming("--from"):
        if player.argument is None:
            raise ValueError(f"{options.start!r} is a player, but no run or checkpoint")
        method = find_method(parse(learner).name)
        stored = checkpoint.load(Path(player.argument), method.name)
        method.open(stored, options.size)
    return stored.path
