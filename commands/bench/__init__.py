"""`othello bench`: the speed of parts of the lab, measured in a file for each."""

from collections.abc import Iterable
from typing import Any

import click

from othello_lab.commands.agent import AgentText
from othello_lab.commands.cli import LazyGroup
from othello_lab.commands.ending import blaming
from othello_lab.commands.options import Number, option, options, takes, whole_number
from othello_lab.commands.selfplay import DEFAULT_LEARNER
from othello_lab.commands.shared_options import a_size
from othello_lab.commands.workers import pools, ray_option


def _seconds(default: float) -> Any:  # noqa: ANN401  a float
    text = "Seconds for each figure, in each of three rounds."
    return option(text, default=default, type=Number(min=0.001))


@options
class _Env:
    seconds: float = _seconds(1.0)
    games: int = whole_number("Games that are played together.", default=4096, lowest=1)


@takes(_Env)
def _env(said: _Env) -> None:
    """Measure steps a second in Gymnasium: a random legal action on 8x8 and the opponent's answer.

    Gymnasium's vector environment, beside OpenSpiel and PGX where they are installed. Every figure is over
    the processor time of all threads.
    """
    from othello_lab.commands.bench.env import report

    _print(report(said.seconds, said.games))


@options
class _Game:
    seconds: float = _seconds(0.3)
    only: str = option(
        "Measure only what has this text in its name.", default="", metavar="TEXT", show_default=False
    )


@takes(_Game)
def _game(said: _Game) -> None:
    """Measure moves, games and positions a second, beside other libraries where they are installed."""
    from othello_lab.commands.bench.game import report

    with blaming("--only"):
        lines = report(said.seconds, said.only)
    _print(lines)


@options
class _Glue:
    seconds: float = option("Seconds to measure.", default=10.0, type=Number(min=0.1))


@takes(_Glue)
def _glue(said: _Glue) -> None:
    """Measure steps a second over TCP, and what a step costs each process.

    First with a trivial agent and environment, beside bare sockets that exchange the same bytes; then with
    the experiment in a process of its own; then with a random agent in the Othello environment on 8x8.
    """
    from othello_lab.commands.bench.glue import report

    _print(report(said.seconds))


@options
class _Learn:
    repetitions: int = whole_number(
        "Updates in each round; the rest is measured this often.", default=100, lowest=1
    )
    transitions: int = whole_number(
        "Transitions in the replay memory that large batches are drawn from.", default=1_000_000, lowest=2000
    )


@takes(_Learn)
def _learn(said: _Learn) -> None:
    """Measure the DQN on 8x8 in one thread: updates and decisions a second, and its replay memory.

    Where stable-baselines3 is installed, its DQN is measured too, with the same network, batch and kind of
    optimiser.
    """
    from othello_lab.commands.bench.learn import report

    _print(report(said.repetitions, said.transitions))


@options
class _Solver:
    empties: int = whole_number("Empty squares of each position.", default=20, lowest=2, highest=30)
    positions: int = whole_number("Number of positions, one of each game.", default=20, lowest=1)


@takes(_Solver)
def _solver(said: _Solver) -> None:
    """Measure the exact solver on 8x8: processor time of a position, and the values that it finds.

    The positions stay the same from one version to the next.
    """
    from othello_lab.commands.bench.solver import report

    _print(report(said.empties, said.positions))


@options
class _Workers:
    learner: str = option(
        "The learner that learns from the games.", default=DEFAULT_LEARNER, type=AgentText(), metavar="TEXT"
    )
    jobs: int = whole_number("Number of workers to compare with one.", default=2, lowest=2)
    ray: str | None = ray_option()
    size: int = a_size()
    rounds: int = whole_number("Rounds that are played with each number of workers.", default=5, lowest=1)
    shards: int = whole_number("Parts of 512 games that each worker plays in a round.", default=4, lowest=1)


@takes(_Workers, one_thread=True)
def _workers(said: _Workers) -> None:
    """Measure self-play with one worker and with several, and estimate it for up to 1,000 workers.

    It prints games a second, the time that the learner needs for them, and the bytes that travel. The two
    take turns, so that a noisy machine disturbs both. Have as many free processors as workers.
    """
    from othello_lab.commands.bench.workers import report

    with pools(1, said.jobs, ray=said.ray) as (one, several):
        _print(report(said.learner, said.size, one, (several, said.jobs), said.rounds, said.shards))


def _print(lines: Iterable[str]) -> None:
    """Print each line as soon as it is there."""
    for line in lines:
        click.echo(line)


command = LazyGroup(
    "othello_lab.commands.bench",
    {
        "Commands": {
            "env": "steps a second of thousands of games, as Gymnasium has them",
            "game": "moves, games and positions a second",
            "glue": "steps a second over TCP",
            "learn": "updates of the DQN a second, and its replay memory",
            "solver": "the exact solver on many empty squares",
            "workers": "games a second of self-play on several processes or machines",
        }
    },
    commands={
        "env": _env,
        "game": _game,
        "glue": _glue,
        "learn": _learn,
        "solver": _solver,
        "workers": _workers,
    },
    help="Measure speed on this machine.",
)
