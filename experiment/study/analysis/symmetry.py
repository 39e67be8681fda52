"""The symmetry of a player: how similarly the player values a position and its images.

The images of a position are its rotations and reflections. R² compares the value of each move with the value
of the move's image. R² is 1 - (sum of the squared differences between these values) / (sum of the squared
differences from the mean value). R² = 1 is full agreement. The measure `within` first subtracts the mean of
each board. A player without values has no R².
"""

from collections.abc import Callable, Iterable
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

ALL: Final = "all"  # The label of a row for all turns or all symmetries.
# The names of the symmetries, in the order of `game.symmetry`.
NAMES: Final = (
    *("as it is", "quarter turn left", "half turn", "quarter turn right"),
    *("main diagonal", "top to bottom", "other diagonal", "left to right"),
)
_KEYS = (
    "player symmetry turn pairs r2 r2_low r2_high within within_low within_high agrees agrees_low agrees_high"
)
Values = NDArray[np.float64]


class Compared(NamedTuple):
    """The values of the moves in a position and in its image under a symmetry."""

    number: int  # The index of the position, from 1.
    turn: int
    symmetry: int
    here: Values  # The values of the legal moves in the position, [moves].
    there: Values  # The values of the moves' images on the transformed board, [moves].
    valued: bool = True  # If False, the chosen move has value 1, and other moves have value 0.

    @property
    def agrees(self) -> bool:
        """Whether a best move of the position is also a best move of the image."""
        return bool(((self.here == self.here.max()) & (self.there == self.there.max())).any())


def sample(games: Games, decided: NDArray[np.bool_], most: int, seed: int) -> list[tuple[int, Board]]:
    """Draw at most `most` distinct positions per turn from the mask `decided`, as (turn, position)."""
    rng, positions = np.random.default_rng(seed), list[tuple[int, Board]]()
    for turn in np.flatnonzero(decided.any(axis=1)).tolist():
        drawn = rng.permutation(np.flatnonzero(decided[turn]))[: 4 * most].tolist()
        boards = dict.fromkeys(games.board(turn, game) for game in drawn)
        positions += [(turn, board) for board in list(boards)[:most]]
    return positions


def compare(player: Player, boards: Iterable[tuple[int, Board]], seed: int) -> list[Compared]:
    """Query a player's values or choices in positions and their images. Raises the player's errors."""
    compared, rng = list[Compared](), np.random.default_rng(seed)
    for number, (turn, board) in enumerate(boards, 1):
        here, valued = _values(player, board, rng)
        for symmetry in range(1, SYMMETRIES):
            there, also_valued = _values(player, transform(board, symmetry), rng)
            image = permutations(board.size)[symmetry].tolist()
            # Skip a pair with a certain win or loss, because its value is not an estimate.
            certain = valued and any(map(is_certain, (*here.values(), *there.values())))
            if valued == also_valued and there.keys() == {image[move] for move in here} and not certain:
                values = np.array([(here[move], there[image[move]]) for move in here])
                compared.append(Compared(number, turn, symmetry, values[:, 0], values[:, 1], valued))
    return compared


def _values(player: Player, board: Board, rng: np.random.Generator) -> tuple[dict[int, float], bool]:
    """Return (move values, True), or (1 for the player's choice and 0 for other moves, False)."""
    game = Game(board)
    player.start(game)
    if (values := player.values(game, rng)) is not None:
        return dict(zip(board.legal_moves, values.values.tolist(), strict=True)), True
    chosen = player.choose(game, rng)
    return {move: float(move == chosen) for move in board.legal_moves}, False


def symmetry_table(name: str, compared: list[Compared]) -> Table:
    """Return a table of a player's R² and agreement by symmetry and turn, with totals."""
    rows, turns = list[tuple[Any, ...]](), sorted({pair.turn for pair in compared})
    for symmetry, label in enumerate((ALL, *NAMES[1:])):
        of_symmetry = [pair for pair in compared if symmetry in (0, pair.symmetry)]
        for turn in (ALL, *turns):
            pairs = [pair for pair in of_symmetry if turn in (ALL, pair.turn)]
            rows += [(name, label, turn, len(pairs), *_measures(pairs))] if pairs else []
    about = "how alike a player takes a position and its image: R^2, R^2 within positions, same best move"
    return keyed("symmetry", _KEYS, rows, about)


def _measures(pairs: list[Compared]) -> tuple[float, ...]:
    overall = float(np.concatenate([pair.here for pair in pairs]).mean())
    unit, agrees = np.array([pair.number for pair in pairs]), np.array([pair.agrees for pair in pairs])
    r2 = _r_squared(pairs, unit, lambda values: values - overall)
    within = _r_squared(pairs, unit, lambda values: values - values.mean())
    return (*r2, *within, *share_cells(unit, agrees))


def _r_squared(pairs: list[Compared], unit: NDArray[np.int64], centred: Callable[[Values], Values]) -> Cells:
    """Return R² of centred values with its interval over positions, each with all its images."""
    apart = np.array([((centred(pair.here) - centred(pair.there)) ** 2).sum() for pair in pairs])
    spread = np.array([(centred(pair.here) ** 2).sum() for pair in pairs])
    if not (spread.any() and all(pair.valued for pair in pairs)):
        return nan, nan, nan
    missing, (low, high) = mean_over(sums_over(unit, apart)[0], sums_over(unit, spread)[0])
    return 1 - missing, 1 - high, min(1.0, 1 - low)
