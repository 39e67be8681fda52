"""Speed of the rules, beside other libraries where they are installed (`othello bench game`).

Figures are for one core: work over the processor time that it took, the median of some rounds; the one of
several threads is over the time on the wall. Ours and the others' rounds take turns, so that a noisy machine
disturbs them alike.
"""

import os
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from game.batch.games import BatchGames, legal_moves, planes
from game.batch.playouts import random_games
from game.batch.positions import Positions
from game.board import Board
from game.notation import PASS
from game.perft import perft
from game.play.loop import play_games, play_out
from game.play.luck import seat_words
from game.play.pairing import Pairing
from game.players.simple import RandomPlayer, pick
from othello.bench import game_libraries as rivals
from othello.bench.game_libraries import Work
from othello.bench.libraries import not_compared

ROUNDS = 3
OURS = "othello-lab"


@dataclass(frozen=True)
class Task:
    """One row of the table."""

    name: str
    unit: str
    ours: Work
    others: dict[str, Work] = field(default_factory=dict)
    clock: Callable[[], float] = time.thread_time


def tasks() -> Iterator[Task]:
    """Yield what is measured."""
    yield Task("perft 8x8, depth 10", "leaves/s", lambda: perft(Board.start(8), 10), rivals.perft())
    yield Task("perft 6x6, depth 9", "leaves/s", lambda: perft(Board.start(6), 9))
    yield Task("perft 10x10, depth 7", "leaves/s", lambda: perft(Board.start(10), 7))
    yield Task("random games 8x8", "games/s", lambda: _random_games(4000, 1), rivals.random_games())
    cores = os.cpu_count() or 1
    together = f"random games 8x8, {cores} threads"
    yield Task(together, "games/s", lambda: _random_games(20_000, cores), clock=time.perf_counter)
    for size in (10, 12, 14, 16):
        yield Task(f"random games {size}x{size}", "plies/s", _random_plies(size))
    yield from _tasks_over_arrays()
    yield Task("games of single Boards 8x8", "plies/s", _board_game, rivals.board_game())


def _tasks_over_arrays() -> Iterator[Task]:
    positions = sample(8, 500)
    yield Task("planes 8x8, uint8", "positions/s", lambda: len(planes(positions, np.uint8)))
    yield Task("planes 8x8, float32", "positions/s", lambda: len(planes(positions, np.float32)))
    yield Task("legal moves 8x8, arrays", "positions/s", lambda: len(legal_moves(positions)))
    yield Task("games of policies 8x8", "games/s", _histories)


def sample(size: int, games: int) -> Positions:
    """Return the positions of random games, about one per square of the board and game."""
    played = play_games(Pairing("random", "random", size, repeat=games // 2), range(games))
    lines = [Positions.along(each.record.game) for each in played]
    return Positions(
        size,
        np.concatenate([line.own[:-1] for line in lines]),
        np.concatenate([line.opponent[:-1] for line in lines]),
    )


def _random_games(games: int, threads: int) -> float:
    return len(random_games(8, games, seed=1, threads=threads).discs)


def _random_plies(size: int) -> Work:
    def work() -> float:
        played = random_games(size, 100, seed=1)
        return float(played.placements.sum() + played.passes.sum())

    return work


def _histories() -> float:
    games, policy = BatchGames.start(8, 1000), RandomPlayer()
    luck = seat_words(0, np.arange(1000), 0)
    play_out(games, lambda turn: policy.choose_many(turn.positions, luck[turn.games]))
    return len(games)


def _board_game() -> float:
    """Play a random game on single Boards and return its plies."""
    board, rng, plies = Board.start(8), np.random.default_rng(0), 0
    while True:
        moves = board.legal_moves
        if moves:
            board = board.play(pick(moves, rng))
        elif board.must_pass:
            board = board.play(PASS)
        else:
            return plies
        plies += 1


def rate(work: Work, clock: Callable[[], float], seconds: float) -> float:
    """Repeat the work for at least so long and return how much of it was done in a second."""
    work()  # compiles, fills the caches
    start, done = clock(), 0.0
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed


def measure(task: Task, seconds: float) -> dict[str, float]:
    """Return the rate of each contestant, ours first."""
    contestants = {OURS: task.ours, **task.others}
    rounds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            rounds[name].append(rate(work, task.clock, seconds))
    return {name: statistics.median(rates) for name, rates in rounds.items()}


def report(seconds: float, only: str) -> Iterator[str]:
    """Return the lines of the table, of what has `only` in its name; raise ValueError if no name has it.

    Each figure is measured for this many seconds, in each of the rounds.
    """
    chosen = [task for task in tasks() if only in task.name]
    if not chosen:
        raise ValueError(f"{only!r} is in no name; the names: {_names()}")
    return _lines(chosen, seconds)


def _lines(chosen: list[Task], seconds: float) -> Iterator[str]:
    for task in chosen:
        yield line(task, measure(task, seconds))
    yield from not_compared(*rivals.NAMES)


def _names() -> str:
    return "; ".join(task.name for task in tasks())


def line(task: Task, rates: dict[str, float]) -> str:
    """Return a row of the table."""
    ours = rates.pop(OURS)
    others = (f"   {name} {other:,.0f}, x{ours / other:,.2f}" for name, other in rates.items())
    return f"{task.name:28}{ours:>15,.0f} {task.unit:12}{''.join(others)}".rstrip()
