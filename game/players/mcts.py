"""The player `mcts`, which uses Monte-Carlo tree search, or Gumbel search with a deep network."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import EVALUATORS, make_evaluator
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator
from othello_lab.game.game import Game
from othello_lab.game.luck import SeatSeeds
from othello_lab.game.players.player import Player, Policy
from othello_lab.game.players.search import MOST_NODES, seconds_of, whole_or_none
from othello_lab.game.registry import Entry, RegistryError, Spec
from othello_lab.game.search.gumbel import Guide, GuidedLimits, guide_of, search_many
from othello_lab.game.search.limits import ENDGAME, Report
from othello_lab.game.search.mcts import MOST_SIMULATIONS, SIMULATIONS, SOLVE, TreeLimits, TreeSearch
from othello_lab.game.search.textbook import DEEPEST
from othello_lab.game.values import DISCS, EXPECTED_RESULT, WON, MoveValues


class TreePlayer(Player):
    """A player that plays the most visited move in a search tree. The tree is kept between moves."""

    unit = EXPECTED_RESULT
    """The unit of the values of moves that are not solved."""

    def __init__(self, search: TreeSearch) -> None:
        self._search = search
        self.last_report: Report | None = None
        """The report of the last search, or None before the first search."""

    def start(self, game: Game) -> None:
        """Forget the last game."""
        self._search.forget()

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return the best move that the search finds within the limits."""
        report = self.last_report = self._search.think(game, rng)
        return report.move

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the expected results of the moves. Near the end, return the exact disc differences."""
        scores = self._search.scores(game.board)
        found = scores or self._search.rank(game, rng)
        numbers = [found[move] for move in game.board.legal_moves]
        return MoveValues(np.array(numbers, float), DISCS if scores else self.unit)

    def stop(self) -> None:
        """Interrupt a search in another thread. The search then returns the best move so far."""
        self._search.stop()


GUIDED_SIMULATIONS = 64
"""The default number of simulations for each move."""
_MOST_SIMULATIONS = 100_000
_MOST_SOLVED = 10
"""The largest value of `endgame`, with which the solver needs less than a millisecond for a leaf."""
_NOT_GUIDED = ("time", "nodes", "hash")
"""Options that a search with a network does not support."""


class GuidedPolicy(Policy):
    """A policy that searches before each move. A network guides the search, which uses no noise."""

    def __init__(self, guide: Guide, limits: GuidedLimits) -> None:
        self._guide, self._limits = guide, limits

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """Return the move that a search finds in each position, int64 [n]. `luck` is not used."""
        return search_many(self._guide, positions, self._limits, None).moves

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        """Return the expected results of the moves. A certain result is WON or -WON. `rng` is not used."""
        found = search_many(self._guide, Positions.of([game.board]), self._limits, None)
        worths = found.worths[0, [*game.board.legal_moves]]
        return MoveValues(np.where(np.abs(worths) == 1.0, WON * worths, worths), EXPECTED_RESULT)


def _make_guided(spec: Spec, evaluator: Evaluator, size: int) -> GuidedPolicy:
    for name in _NOT_GUIDED:
        if name in spec.options:
            raise RegistryError(f"{spec.name}: {name}= is not for this search, which counts simulations=")
    simulations = spec.whole("simulations", GUIDED_SIMULATIONS, 0, _MOST_SIMULATIONS)
    solve = spec.whole("endgame", GuidedLimits(0).solve, 0, _MOST_SOLVED)
    return GuidedPolicy(guide_of(evaluator, size), GuidedLimits(simulations, solve=solve))


def _make(spec: Spec, size: int) -> Player:
    text = spec.options.get("eval")
    if text is None:
        return TreePlayer(TreeSearch(size, None, _limits(spec)))
    evaluator = make_evaluator(text, size)
    if isinstance(evaluator, CompiledEvaluator):
        return TreePlayer(TreeSearch(size, evaluator, _limits(spec)))
    return _make_guided(spec, evaluator, size)


def _limits(spec: Spec) -> TreeLimits:
    seconds, nodes = seconds_of(spec), whole_or_none(spec, "nodes", 1, MOST_NODES)
    free = seconds is None and nodes is None
    simulations = None
    if free or "simulations" in spec.options:
        simulations = spec.whole("simulations", SIMULATIONS, 1, MOST_SIMULATIONS)
    endgame = whole_or_none(spec, "endgame", 0, DEEPEST)
    return TreeLimits(
        simulations,
        seconds,
        nodes,
        endgame,
        solve=SOLVE if endgame is None else min(SOLVE, endgame),
        hash_mib=spec.whole("hash", TreeLimits().hash_mib, 1, 1 << 16),
    )


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    evaluator = spec.options.get("eval")
    return EVALUATORS.files(evaluator, size) if evaluator else ()


MCTS: Entry[Player] = Entry(
    _make,
    "Monte-Carlo tree search with random playouts or an evaluator; strong without training",
    options={
        "simulations": f"simulations for each move ({SIMULATIONS}; with a network {GUIDED_SIMULATIONS}; "
        "with time= or nodes= no limit)",
        "time": "seconds for each move (no limit)",
        "nodes": "positions for each move, including playouts (no limit)",
        "eval": "an evaluator instead of playouts, or a network that guides the search (none)",
        "endgame": "solve positions with this many empty squares or fewer "
        f"({ENDGAME}; more if the limits allow; with a network {GuidedLimits(0).solve})",
        "hash": f"MiB of memory for the tree ({TreeLimits().hash_mib})",
    },
    files=_files,
)
