"""The symmetry of a player: whether it treats a position and its image under a symmetry of the board alike.

R² of the values of all legal moves: 1 - (sum of squared differences between the value of a move and the value
of its image on the changed board) / (sum of squared differences from the mean). 1 is full agreement; below 0
the image predicts less than the mean does. `within` subtracts the mean of each board first, and so compares
moves. A player without values has no R²; its moves agree if the move that it chooses on the changed board is
the image of the move that it chooses here.
"""

from collections.abc import Callable, Iterable, Iterator
from math import nan
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.tables import Table, keyed
from othello_lab.experiment.study.analysis.games import Games
from othello_lab.experiment.study.statistics.units import Cells, mean_over, share_cells, sums_over
from othello_lab.game import Board, Game
from othello_lab.game.players.player import Player
from othello_lab.game.symmetry import SYMMETRIES, permutations, transform
from othello_lab.game.values import is_certain

ALL: Final = "all"
"""In place of a turn or a symmetry: all of them."""
NAMES: Final = (
    *("as it is", "quarter turn left", "half turn", "quarter turn right"),
    *("main diagonal", "top to bottom", "other diagonal", "left to right"),
)
"""The symmetries of `game.symmetry`."""
_KEYS = (
    "player symmetry turn pairs r2 r2_low r2_high within within_low within_high agrees agrees_low agrees_high"
)
Values = NDArray[np.float64]


class Compared(NamedTuple):
    """A position and its image under a symmetry."""

    number: int
    """The number of the position."""
    turn: int
    symmetry: int
    here: Values
    """The values of the legal moves, [moves]."""
    there: Values
    """The values of the same moves on the changed board."""
    valued: bool = True
    """Whether these are values of the player; else they are 1 for its choice and 0 for other moves."""

    @property
    def agrees(self) -> bool:
        """Whether both boards have a best move in common."""
        return bool(((self.here == self.here.max()) & (self.there == self.there.max())).any())


def sample(games: Games, decided: NDArray[np.bool_], most: int, seed: int) -> list[tuple[int, Board]]:
    """Return at most this many different positions of each turn from some decisions, with their turns."""
    rng, positions = np.random.default_rng(seed), list[tuple[int, Board]]()
    for turn in np.flatnonzero(decided.any(axis=1)).tolist():
        drawn = rng.permutation(np.flatnonzero(decided[turn]))[: 4 * most].tolist()
        boards = dict.fromkeys(games.board(turn, game) for game in drawn)
        positions += [(turn, board) for board in list(boards)[:most]]
    return positions


def compare(player: Player, boards: Iterable[tuple[int, Board]], seed: int) -> list[Compared]:
    """Ask a player for its values, or its choice, in positions and all their images.

    Positions with a known result are left out: their values are no estimates. The player does not see the
    moves before a position. Raises as `values` and `choose` do.
    """
    compared, rng = list[Compared](), np.random.default_rng(seed)
    for number, (turn, board) in enumerate(boards, 1):
        compared += _images(player, number, turn, board, rng)
    return compared


def _images(
    player: Player, number: int, turn: int, board: Board, rng: np.random.Generator
) -> Iterator[Compared]:
    here, valued = _values(player, board, rng)
    for symmetry in range(1, SYMMETRIES):
        there, also_valued = _values(player, transform(board, symmetry), rng)
        image = permutations(board.size)[symmetry].tolist()
        certain = valued and any(map(is_certain, (*here.values(), *there.values())))
        if valued == also_valued and there.keys() == {image[move] for move in here} and not certain:
            values = np.array([(here[move], there[image[move]]) for move in here])
            yield Compared(number, turn, symmetry, values[:, 0], values[:, 1], valued)


def _values(player: Player, board: Board, rng: np.random.Generator) -> tuple[dict[int, float], bool]:
    """Return the values of the legal moves and True; without values 1 for the player's choice and False."""
    game = Game(board)
    player.start(game)
    if (values := player.values(game, rng)) is not None:
        return dict(zip(board.legal_moves, values.values.tolist(), strict=True)), True
    chosen = player.choose(game, rng)
    return {move: float(move == chosen) for move in board.legal_moves}, False


def symmetry_table(name: str, compared: list[Compared]) -> Table:
    """Return R² and agreement of a player, for each symmetry and all, overall and by turn."""
    rows, turns = list[tuple[Any, ...]](), sorted({each.turn for each in compared})
    for symmetry, label in enumerate((ALL, *NAMES[1:])):
        of_symmetry = [each for each in compared if symmetry in (0, each.symmetry)]
        for turn in (ALL, *turns):
            pairs = [each for each in of_symmetry if turn in (ALL, each.turn)]
            rows += [(name, label, turn, len(pairs), *_measures(pairs))] if pairs else []
    about = "how alike a player takes a position and its image: R^2, R^2 within positions, same best move"
    return keyed("symmetry", _KEYS, rows, about)


def _measures(pairs: list[Compared]) -> tuple[float, ...]:
    overall = float(np.concatenate([each.here for each in pairs]).mean())
    unit, agrees = np.array([each.number for each in pairs]), np.array([each.agrees for each in pairs])
    r2 = _r_squared(pairs, unit, lambda values: values - overall)
    within = _r_squared(pairs, unit, lambda values: values - values.mean())
    return (*r2, *within, *share_cells(unit, agrees))


def _r_squared(pairs: list[Compared], unit: NDArray[np.int64], centred: Callable[[Values], Values]) -> Cells:
    """Return R² of centred values with its interval; the units are positions with all their images."""
    apart = np.array([((centred(each.here) - centred(each.there)) ** 2).sum() for each in pairs])
    spread = np.array([(centred(each.here) ** 2).sum() for each in pairs])
    if not (spread.any() and all(each.valued for each in pairs)):
        return nan, nan, nan
    missing, (low, high) = mean_over(sums_over(unit, apart)[0], sums_over(unit, spread)[0])
    return 1 - missing, 1 - high, min(1.0, 1 - low)
