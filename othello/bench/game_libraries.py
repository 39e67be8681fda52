"""The same work by other libraries' rules, for comparison: nothing where they are not installed.

Both are driven from Python, as a user of theirs would; `rust-reversi` also plays random games in its
Monte-Carlo search, without a step in Python.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from othello.bench.libraries import installed

NAMES: Final = ("open_spiel", "rust-reversi")
Work = Callable[[], float]
"""Does a piece of work and returns how much: leaves, games, positions."""
_SIMULATIONS = 2000


def perft() -> dict[str, Work]:
    """Return who counts move paths of 8x8: rust-reversi, to depth 6."""
    rust = installed("rust-reversi")
    return {"rust-reversi": lambda: _rust_perft(rust.Board(), 6)} if rust else {}


def random_games() -> dict[str, Work]:
    """Return who plays random games on 8x8."""
    contestants: dict[str, Work] = {}
    if spiel := installed("open_spiel"):
        game = spiel.load_game("othello")
        contestants["open_spiel"] = lambda: bool(_spiel_plies(game))
    if rust := installed("rust-reversi"):
        contestants["rust-reversi"] = lambda: bool(_rust_plies(rust.Board()))
        contestants["rust-reversi's search"] = lambda: _rust_search(rust)
    return contestants


def board_game() -> dict[str, Work]:
    """Return who plays random games on 8x8, counted in plies."""
    contestants: dict[str, Work] = {}
    if spiel := installed("open_spiel"):
        game = spiel.load_game("othello")
        contestants["open_spiel"] = lambda: _spiel_plies(game)
    if rust := installed("rust-reversi"):
        contestants["rust-reversi"] = lambda: _rust_plies(rust.Board())
    return contestants


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
