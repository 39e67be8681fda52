"""The symmetry of a player: how alike it treats positions that differ by a symmetry of the board alone.

R^2 is the part of the spread of its values that a turned or reflected board tells. Of the values of all legal
moves of some positions: 1 - (sum of squared differences between the value of a move and that of its image on
the changed board) / (sum of squared differences from the mean). 1 is full agreement; below 0 the image tells
less than the mean does. `within` takes its own mean off each position and each image first: what is left is
how much better one move is than another, the part that chooses. A player that only chooses has no R^2; its
moves agree where the one that it chooses on the changed board is the image of the one that it chooses here.
"""

from collections.abc import Callable, Iterable, Iterator
from math import nan
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Look, Series
from othello_lab.experiment.show.tables import Table
from othello_lab.experiment.study.analysis.findings import (
    TURNS,
    Analysis,
    Row,
    beside,
    estimate_cells,
    estimate_columns,
    keys,
    look_of,
    number_column,
    text_column,
)
from othello_lab.experiment.study.analysis.games import Games
from othello_lab.experiment.study.analysis.squares import ALL
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.experiment.study.statistics.units import mean_over, share_over, sums_over
from othello_lab.game import Board, Game
from othello_lab.game.players.player import Player
from othello_lab.game.symmetry import SYMMETRIES, permutations, transform
from othello_lab.game.values import is_certain

NAMES: Final = (
    *("as it is", "quarter turn left", "half turn", "quarter turn right"),
    *("main diagonal", "top to bottom", "other diagonal", "left to right"),
)
"""What each symmetry of `game.symmetry` does to the board."""
SYMMETRY: Final = (
    *keys("player"),
    text_column("symmetry"),
    *keys("turn"),
    number_column("pairs"),
    *estimate_columns("R²", "r2"),
    *estimate_columns("R² within", "within"),
    *estimate_columns("same best move", "agrees"),
)
INTERVALS = (
    "95 % intervals over positions, each with its seven images: Student's t of a ratio for R², Wilson's"
)
_LOWEST = -1.0
"""What lies lower is not drawn by turn."""
_MEASURES = {
    "r2": ("R² of the values", "of moves and of their images under a symmetry", "R²"),
    "within": ("R² within positions", "each board's mean taken off: the part that chooses", "R²"),
    "agrees": ("Same best move", "share of the positions", "share"),
}
Values = NDArray[np.float64]


class Compared(NamedTuple):
    """A position and its image under a symmetry."""

    number: int
    """Of the position."""
    turn: int
    symmetry: int
    here: NDArray[np.float64]
    """The values of its legal moves, [moves]."""
    there: NDArray[np.float64]
    """Those of the same moves on the changed board."""
    valued: bool = True
    """Whether they are what the player says; else 1 for the move that it chose and 0 for the others."""

    @property
    def agrees(self) -> bool:
        """Whether a move that is best here is best there."""
        return bool(((self.here == self.here.max()) & (self.there == self.there.max())).any())


def sample(games: Games, decided: NDArray[np.bool_], most: int, seed: int) -> list[tuple[int, Board]]:
    """Return at most this many positions of each turn, those of some decisions, no two of a turn alike."""
    rng, found = np.random.default_rng(seed), list[tuple[int, Board]]()
    for turn in np.flatnonzero(decided.any(axis=1)).tolist():
        drawn = rng.permutation(np.flatnonzero(decided[turn]))[: 4 * most].tolist()
        boards = dict.fromkeys(games.board(turn, game) for game in drawn)
        found += [(turn, board) for board in list(boards)[:most]]
    return found


def compare(player: Player, boards: Iterable[tuple[int, Board]], seed: int) -> list[Compared]:
    """Ask a player about positions and all their images: what moves are worth, or else which it chooses.

    Positions in which a search knows the result are left out: what it writes there is no measure. The player
    is asked about each position without the moves before. Raises as `values` and `choose` do.
    """
    found, rng = list[Compared](), np.random.default_rng(seed)
    for number, (turn, board) in enumerate(boards, 1):
        found += _images(player, number, turn, board, rng)
    return found


def _images(
    player: Player, number: int, turn: int, board: Board, rng: np.random.Generator
) -> Iterator[Compared]:
    here, valued = _asked(player, board, rng)
    for symmetry in range(1, SYMMETRIES):
        there, also = _asked(player, transform(board, symmetry), rng)
        image = permutations(board.size)[symmetry].tolist()
        known = valued and any(map(is_certain, (*here.values(), *there.values())))
        if valued == also and there.keys() == {image[move] for move in here} and not known:
            values = np.array([(here[move], there[image[move]]) for move in here])
            yield Compared(number, turn, symmetry, values[:, 0], values[:, 1], valued)


def _asked(player: Player, board: Board, rng: np.random.Generator) -> tuple[dict[int, float], bool]:
    """Return what each legal move is worth to a player, and whether it says so; else 1 for its choice."""
    game = Game(board)
    player.start(game)
    if (found := player.values(game, rng)) is not None:
        return dict(zip(board.legal_moves, found.values.tolist(), strict=True)), True
    chosen = player.choose(game, rng)
    return {move: float(move == chosen) for move in board.legal_moves}, False


def table(name: str, compared: list[Compared]) -> Table:
    """Return R^2 and agreement of a player, overall and by turn, for each symmetry and all together."""
    rows = list[Row]()
    turns = sorted({each.turn for each in compared})
    for symmetry in range(SYMMETRIES):
        own = [each for each in compared if symmetry in (0, each.symmetry)]
        label = NAMES[symmetry] if symmetry else ALL
        rows += [{"player": name, "symmetry": label, "turn": ALL, **_numbers(own)}] if own else []
        for turn in turns:
            of_turn = [each for each in own if each.turn == turn]
            rows += (
                [{"player": name, "symmetry": label, "turn": turn, **_numbers(of_turn)}] if of_turn else []
            )
    about = "how alike a player takes a position and its image: R^2, R^2 within positions, same best move"
    return Table.of("symmetry", SYMMETRY, rows, about)


def _numbers(compared: list[Compared]) -> Row:
    """Return how many pairs there are, and each estimate with its interval."""
    overall = float(np.concatenate([each.here for each in compared]).mean())
    unit = np.array([each.number for each in compared])
    return {
        "pairs": len(compared),
        **estimate_cells("r2", _r_squared(compared, lambda values: values - overall)),
        **estimate_cells("within", _r_squared(compared, lambda values: values - values.mean())),
        **estimate_cells(
            "agrees", share_over(*sums_over(unit, np.array([each.agrees for each in compared])))
        ),
    }


def _r_squared(compared: list[Compared], centred: Callable[[Values], Values]) -> Estimate:
    """Return R^2 of values less some mean, with its interval: a position with all its images is the unit."""
    unit = np.array([each.number for each in compared])
    apart = np.array([((centred(each.here) - centred(each.there)) ** 2).sum() for each in compared])
    spread = np.array([(centred(each.here) ** 2).sum() for each in compared])
    if not (spread.any() and all(each.valued for each in compared)):
        return Estimate(nan, Interval(nan, nan))
    missing, (low, high) = mean_over(sums_over(unit, apart)[0], sums_over(unit, spread)[0])
    return Estimate(1 - missing, Interval(1 - high, min(1.0, 1 - low)))


def symmetry_charts(analysis: Analysis) -> list[Chart]:
    """Return each measure by symmetry, then each by turn, of the players that have it."""
    table = analysis.tables["symmetry"]
    players = table.distinct("player")
    looks = {player: look_of(player, place) for place, player in enumerate(players)}
    found = {kind: own for kind in _MEASURES if (own := _known(table, kind)).rows}
    return [
        *(_by_symmetry(own.where(turn=ALL), kind, looks) for kind, own in found.items()),
        *(_by_turn(own.where(symmetry=ALL), kind, looks) for kind, own in found.items()),
    ]


def _known(table: Table, kind: str) -> Table:
    """Return the rows of the players that have a measure: one that only chooses has no R²."""
    known = {
        player
        for player in table.distinct("player")
        if np.isfinite(table.where(player=player).numbers(kind)).any()
    }
    place = table.place("player")
    return table.only(lambda row: row[place] in known)


def _by_symmetry(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    names, players = [str(name) for name in table.distinct("symmetry")], table.distinct("player")
    series = list[Series]()
    for place, player in enumerate(players):
        value, low, high = (table.where(player=player).numbers(kind + end) for end in ("", "_low", "_high"))
        at = np.arange(len(value)) + beside(len(players), place, 0.2)
        series.append(Series(player, at, value, looks[player]._replace(dashes=""), low, high, kind="points"))
    title, says, axis = _MEASURES[kind]
    says = f"{says}; bars: 95 % interval; good: right, 1 is full agreement"
    least = min(0.0, *(min(each.low) for each in series))
    return Chart(title, says, "", axis, series, low=least, high=1, names=names, lying=True)


def _by_turn(table: Table, kind: str, looks: dict[str, Look]) -> Chart:
    place, series = table.place("turn"), list[Series]()
    for player in table.distinct("player"):
        own = table.where(player=player).only(lambda row: row[place] != ALL)
        turns, value, low, high = (
            own.numbers(name) for name in ("turn", kind, f"{kind}_low", f"{kind}_high")
        )
        series.append(Series(player, turns, value, looks[player], np.maximum(low, _LOWEST), high))
    title, _, axis = _MEASURES[kind]
    says = "all symmetries together; band: 95 % interval; good: up"
    least = max(_LOWEST, min(0.0, *(min(each.y) for each in series)))
    return Chart(f"{title}, by turn", says, TURNS, axis, series, low=least, high=1)
