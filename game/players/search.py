"""The player `search`, which uses iterative deepening, a transposition table and a solver."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.catalogue import EVALUATORS, FOR_SEARCH, PRETRAINED, Entry, make_evaluator
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator
from othello_lab.game.game import Game
from othello_lab.game.kernels.bits import ONE_WORD
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.registry import RegistryError, Spec
from othello_lab.game.search.deepening import DeepeningSearch, Ranking
from othello_lab.game.search.endgame import ENDGAME, solvable_in
from othello_lab.game.search.limits import Limits, Report
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.values import DISCS

# The default depth in plies if the text has no limit. On 8x8 a move takes at most half a second.
DEFAULT_DEPTH = 10
DEFAULT_DEPTH_BEYOND_8X8 = 8
DEFAULT_HINT_SECONDS = 1.0  # The default time limit for the values of all moves.
# The depth in plies with an evaluator that is not compiled, such as a deep network.
DEFAULT_BATCHED_DEPTH = 2
# The best evaluators of this package by board size. For one ply, PRETRAINED is better.
SHIPPED = {6: PRETRAINED, 8: FOR_SEARCH}
# The evaluator for other sizes, which is stronger than `positional` on 6x6 and larger boards.
DEFAULT_EVALUATOR = "mobility"
MOST_NODES = 10**9 - 1


class DeepeningPlayer(Player):
    """A player with iterative deepening, a transposition table and an exact endgame solver."""

    def __init__(self, size: int, evaluator: Evaluator, limits: Limits, hints: Limits, timed: Limits) -> None:
        """Use `limits` for moves without a clock, `timed` for moves with a clock, and `hints` in `looks`."""
        self._search = DeepeningSearch(size, evaluator, limits)
        self._evaluator, self._limits, self._hints, self._timed = evaluator, limits, hints, timed
        self._ranking = Ranking(evaluator, hints)
        self.unit = evaluator.unit
        """The unit of the values of unsolved moves."""
        self.last_report: Report | None = None
        """The report of the last search, or None before the first search."""

    def start(self, game: Game) -> None:
        """Begin a game at the current position of `game`."""
        self._search.forget()

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best move that the search finds within the limits."""
        self.last_report = self._search.think(game.board, rng)
        return self.last_report.move

    def hurry(self, board: Board, left: tuple[float, int] | None) -> None:
        """Set the time limit of the next move from a clock. If `left` is None, there is no clock.

        `left` is (seconds left, number of moves to play in this time). 0 means all remaining moves.
        """
        self._search.limits = limited(self._timed, *left, board) if left else self._limits

    def looks(
        self, game: Game, rng: np.random.Generator, depth: int | None = None
    ) -> Iterator[tuple[list[Report], int]]:
        """Yield the results of `Ranking.looks`. `depth` overrides the depth limit of the player."""
        limits = self._hints if depth is None else replace(self._limits, depth=depth)
        self._ranking = Ranking(self._evaluator, limits)
        return self._ranking.looks(game.board, rng)

    def stop(self) -> None:
        """Interrupt a search in another thread. The search then returns the best move so far."""
        self._search.stop()
        self._ranking.stop()

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the values of the last ranking of `looks`, which are exact if all moves are solved."""
        *_, (reports, _) = self.looks(game, rng)
        reports.sort(key=lambda report: report.move)
        if all(report.solved for report in reports):
            return MoveValues(np.array([report.value for report in reports]), DISCS)
        return MoveValues(np.array([report.on_one_scale for report in reports]), self.unit)


_RESERVE = 3  # The number of shares of the time that are reserved for the solver.
_LAG = 0.1  # The seconds that are reserved for the communication between two programs.


def limited(limits: Limits, left: float, moves: int, board: Board) -> Limits:
    """Return the limits of a move if `left` seconds remain for the next `moves` moves of the side to move.

    With 0 moves, the time is for the rest of the game. _RESERVE shares of the time are for the solver.
    """
    usable = max(0.0, left - _LAG)
    solvable = solvable_in(left) if board.size <= ONE_WORD else ENDGAME
    shares = max(0, board.empties - max(ENDGAME, solvable)) / 2 + _RESERVE
    share = usable / (min(shares, moves) if moves else shares)
    return replace(limits, seconds=share if limits.seconds is None else min(share, limits.seconds))


def _make(spec: Spec, size: int) -> Player:
    evaluator = make_evaluator(_evaluator_text(spec, size), size)
    is_compiled = isinstance(evaluator, CompiledEvaluator)
    limits = _limits(spec, _default_depth(size) if is_compiled else DEFAULT_BATCHED_DEPTH)
    is_limited = not {"depth", "time", "nodes"}.isdisjoint(spec.options)
    hints = limits if is_limited else replace(limits, seconds=DEFAULT_HINT_SECONDS)
    timed = limits if is_limited else replace(limits, depth=DEEPEST)
    if is_limited and limits.seconds is limits.nodes is limits.endgame is None:
        timed = replace(limits, endgame=ENDGAME)  # the clock must not start the solver earlier
    return DeepeningPlayer(size, evaluator, limits, hints, timed)


def _default_depth(size: int) -> int:
    return DEFAULT_DEPTH if size <= ONE_WORD else DEFAULT_DEPTH_BEYOND_8X8


def _limits(spec: Spec, default_depth: int) -> Limits:
    limits = limits_of(spec, Limits().hash_mib)
    free = limits.seconds is limits.nodes is None
    depth = spec.whole("depth", default_depth if free else DEEPEST, 1, DEEPEST)
    return replace(limits, depth=depth, probcut=spec.whole("probcut", 1, 0, 1) == 1)


def limits_of(spec: Spec, hash_mib: int) -> Limits:
    """Return the limits in the options `time`, `nodes`, `endgame` and `hash`. Raises RegistryError."""

    def whole(key: str, low: int, high: int) -> int | None:
        return spec.whole(key, low, low, high) if key in spec.options else None

    nodes, endgame = whole("nodes", 1, MOST_NODES), whole("endgame", 0, DEEPEST)
    hash_mib = spec.whole("hash", hash_mib, 1, 1 << 16)
    return Limits(seconds=_seconds(spec), nodes=nodes, endgame=endgame, hash_mib=hash_mib)


def _seconds(spec: Spec) -> float | None:
    text = spec.options.get("time")
    if text is None:
        return None
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,6})?", text) or float(text) <= 0:
        raise RegistryError(f"{spec.name}: time is {text!r}, expected seconds a move such as 0.5")
    return float(text)


def _evaluator_text(spec: Spec, size: int) -> str:
    return spec.options.get("eval") or best_evaluator(size, _limits(spec, _default_depth(size)).depth)


def best_evaluator(size: int, depth: int = DEEPEST) -> str:
    """Return the registry text of the best evaluator for a board size and a search depth."""
    if size not in SHIPPED:
        return DEFAULT_EVALUATOR
    return SHIPPED[size] if depth > 1 else PRETRAINED


SEARCH: Entry[Player] = Entry(
    _make,
    "iterative deepening with an exact search at the end; the strongest player here",
    options={
        "depth": f"plies to look ahead, from 1 to {DEEPEST} ({DEFAULT_DEPTH}; no limit with time= or nodes=)",
        "time": "seconds for each move (no limit)",
        "nodes": "positions for each move before the endgame (no limit)",
        "eval": f"the evaluator (on 8x8 {FOR_SEARCH}, or {PRETRAINED} for one ply; on 6x6 {PRETRAINED}; "
        f"on other sizes {DEFAULT_EVALUATOR})",
        "endgame": "solve positions with this many empty squares or fewer "
        f"({ENDGAME}; more if time= or nodes= allows)",
        "probcut": "1: cut branches that shallow searches predict to be useless; 0: cut none (1)",
        "hash": f"MiB of memory for the table of positions ({Limits().hash_mib})",
    },
    files=lambda spec, size: EVALUATORS.files(_evaluator_text(spec, size), size),
)
