"""Speed of the rules, beside other libraries where they are installed (`othello bench game`).

Figures are for one core: work over the processor time that it took; the one of several threads is over the
time on the wall.
"""

import os
import time
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

import numpy as np

from othello_lab.commands.bench.timing import Task, Work, installed, table
from othello_lab.game.batch.games import BatchGames, legal_moves, planes
from othello_lab.game.batch.positions import Positions, random_games
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.openings import perft
from othello_lab.game.play.loop import play_games, play_out
from othello_lab.game.play.luck import seat_words
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players.one_move import RandomPlayer, pick
from othello_lab.game.search.mcts import TreeLimits, TreeSearch

LIBRARIES: Final = ("open_spiel", "rust-reversi")
_SIMULATIONS: Final = 2000


def tasks() -> Iterator[Task]:
    """Yield what is measured."""
    others = rivals()
    yield Task("perft 8x8, depth 10", "leaves/s", lambda: perft(Board.start(8), 10), others["perft"])
    yield Task("perft 6x6, depth 9", "leaves/s", lambda: perft(Board.start(6), 9))
    yield Task("perft 10x10, depth 7", "leaves/s", lambda: perft(Board.start(10), 7))
    yield Task("random games 8x8", "games/s", lambda: _random_games(4000, 1), others["games"])
    cores = os.cpu_count() or 1
    together = f"random games 8x8, {cores} threads"
    yield Task(together, "games/s", lambda: _random_games(20_000, cores), clock=time.perf_counter)
    for size in (10, 12, 14, 16):
        yield Task(f"random games {size}x{size}", "plies/s", _random_plies(size))
    yield from _tasks_over_arrays()
    yield Task("games of single Boards 8x8", "plies/s", _board_game, others["plies"])
    yield Task("tree search 8x8", "simulations/s", _tree_search(), others["simulations"])


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


def _tree_search() -> Work:
    """Return a search from the start with an empty tree, by playouts."""
    game, rng = Game(Board.start(8)), np.random.default_rng(0)
    search = TreeSearch(8, None, TreeLimits(simulations=_SIMULATIONS))

    def work() -> float:
        search.forget()
        search.think(game, rng)
        return _SIMULATIONS

    return work


def rivals() -> dict[str, dict[str, Work]]:
    """Return, for each kind of work, the libraries that do it too where they are installed, all on 8x8.

    They are driven from Python, as a user of theirs would; `rust-reversi` also plays random games in its
    Monte-Carlo search, without a step in Python.
    """
    perft: dict[str, Work] = {}
    plies: dict[str, Work] = {}
    if spiel := installed("open_spiel"):
        plies["open_spiel"] = partial(_spiel_plies, spiel.load_game("othello"))
    if rust := installed("rust-reversi"):
        perft["rust-reversi"] = lambda: _rust_perft(rust.Board(), 6)
        plies["rust-reversi"] = lambda: _rust_plies(rust.Board())
    games: dict[str, Work] = {name: partial(_one_game, play) for name, play in plies.items()}
    if rust:
        games["rust-reversi's search"] = lambda: _rust_search(rust)
    return {"perft": perft, "games": games, "plies": plies, "simulations": _tree_searches()}


def _tree_searches() -> dict[str, Work]:
    """Return OpenSpiel's two searches: one playout a simulation and proven values, as ours has them."""
    spiel, python = installed("open_spiel"), installed("open_spiel.python.algorithms.mcts")
    if not (spiel and python):
        return {}
    game = spiel.load_game("othello")
    bots = {
        "open_spiel's mcts.py": python.MCTSBot(
            game, 1.4, _SIMULATIONS, python.RandomRolloutEvaluator(), solve=True
        ),
        "its C++": spiel.MCTSBot(
            game, spiel.RandomRolloutEvaluator(1, 0), 1.4, _SIMULATIONS, 0, True, 0, False
        ),
    }
    return {name: partial(_spiel_search, bot, game) for name, bot in bots.items()}


def _spiel_search(bot: Any, game: Any) -> float:  # noqa: ANN401  no types
    bot.step(game.new_initial_state())
    return _SIMULATIONS


def _one_game(play: Work) -> float:
    return bool(play())


def _spiel_plies(game: Any) -> int:  # noqa: ANN401  no types
    state, rng, plies = game.new_initial_state(), np.random.default_rng(0), 0
    while not state.is_terminal():
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
        plies += 1
    return plies


def _rust_plies(board: Any) -> int:  # noqa: ANN401  no types
    plies = 0
    while not board.is_game_over():
        if board.is_pass():
            board.do_pass()
        else:
            board.do_move(board.get_random_move())
        plies += 1
    return plies


def _rust_search(rust: Any) -> float:  # noqa: ANN401  no types
    """Search from the start, each simulation a random game from one of the first moves."""
    rust.MctsSearch(_SIMULATIONS, 1.0, 10 * _SIMULATIONS).get_move(rust.Board())
    return _SIMULATIONS


def _rust_perft(board: Any, depth: int) -> int:  # noqa: ANN401  no types
    # No line that is so short ends or has a pass.
    if depth == 1:
        return int(board.get_legal_moves()).bit_count()
    return sum(_rust_perft(child, depth - 1) for child in board.get_child_boards())


def report(seconds: float, only: str) -> Iterator[str]:
    """Return the lines of the table, of what has `only` in its name; raise ValueError if no name has it.

    Each figure is measured for this many seconds, in each of the rounds.
    """
    every = [*tasks()]
    chosen = [task for task in every if only in task.name]
    if not chosen:
        raise ValueError(f"{only!r} is in no name; the names: {'; '.join(task.name for task in every)}")
    return table(chosen, seconds, *LIBRARIES)
