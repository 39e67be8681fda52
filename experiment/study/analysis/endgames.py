"""Moves near the end beside the exact solver: how many are best, and what the others give away in discs."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from operator import itemgetter
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.charts import Chart, Look, Series
from othello_lab.experiment.show.tables import Column, Table, Value
from othello_lab.experiment.study.analysis.columns import (
    Row,
    estimate_cells,
    estimate_columns,
    keys,
    number_column,
    text_column,
)
from othello_lab.experiment.study.analysis.findings import Analysis, beside, label_of, look_of, players_in
from othello_lab.experiment.study.analysis.games import AT_START, BOTH, Games
from othello_lab.experiment.study.analysis.squares import ALL
from othello_lab.experiment.study.statistics.units import mean_over, share_over, sums_over
from othello_lab.experiment.workers.shards import Workers
from othello_lab.game import Board
from othello_lab.game.decisions import Decision
from othello_lab.game.solver.solver import Solver

MOST_EMPTIES: Final = 12
_KINDS: Final = ("best", "kept", "loss")
SOLVER: Final = (
    *keys("side"),
    text_column("empty squares", "empties"),
    number_column("moves", "positions"),
    *estimate_columns("best", "best", 2),
    *estimate_columns("result kept", "kept", 2),
    *estimate_columns("discs lost", "loss", 2),
    Column[Row](
        "at random",
        itemgetter("best_at_random"),
        "{0[0]:.2f} {0[1]:5.2f}".format,
        "best_at_random",
        beside=("loss_at_random",),
    ),
    *keys("kept_at_random loss_at_random"),
)
_SHIFT = 0.28
"""Between the markers of two players in the chart."""


class Solved(NamedTuple):
    """A decision of some game, beside the exact values of all its moves."""

    turn: int
    game: int
    decision: Decision[int]

    @property
    def empties(self) -> int:
        """How many squares were empty."""
        return self.decision.board.size**2 - AT_START - self.turn


def sample(games: Games, choices: NDArray[np.int64], count: int, seed: int) -> list[tuple[int, int]]:
    """Return turn and game of about `count` decisions between two moves at least, with 2 to MOST_EMPTIES
    empty squares: as many of each, as far as there are, drawn without looking at the moves.
    """
    found, rng = list[tuple[int, int]](), np.random.default_rng(seed)
    counts = range(2, MOST_EMPTIES + 1)
    for empties in counts:
        turn = games.turns - empties
        there = np.flatnonzero(games.decided[turn] & (choices[turn] > 1))
        wanted = min(len(there), -(-count // len(counts)))
        found += [(turn, int(game)) for game in np.sort(rng.choice(there, wanted, replace=False))]
    return found


def solve(games: Games, wanted: list[tuple[int, int]], workers: Workers) -> Iterator[Solved]:
    """Solve decisions, in their order. Raises WorkersError."""
    boards = [games.board(turn, game) for turn, game in wanted]
    with closing(workers.in_order(partial(_scores, boards), len(boards))) as scores:
        for (turn, game), board, values in zip(wanted, boards, scores, strict=True):
            yield Solved(turn, game, Decision(board, int(games.moves[turn, game]), values))


def _scores(boards: list[Board], numbers: Iterable[int]) -> Iterator[dict[int, int]]:
    solver: Solver | None = None
    for number in numbers:
        solver = solver or Solver(boards[number].size)
        yield solver.scores(boards[number])


def agreement(games: Games, solved: list[Solved]) -> Table:
    """Return, by side and number of empty squares, how many moves were best and kept won, drawn or lost, and
    the discs that were given away; beside what moves at random would have given away in the same positions.
    """
    rows = list[Row]()
    for side, decided in games.groups().items():
        own = [each for each in solved if decided[each.turn, each.game]]
        for empties in sorted({each.empties for each in own}):
            rows.append(_row(games, side, empties, [each for each in own if each.empties == empties]))
        rows += [_row(games, side, ALL, own)] if own else []
    about = (
        "decisions beside the exact solver: shares of best moves and of kept outcomes, discs lost per move"
    )
    return Table.of("solver", SOLVER, rows, about)


def _row(games: Games, side: str, empties: Value, solved: list[Solved]) -> Row:
    lost = np.array([each.decision.lost for each in solved])  # outcomes and discs, [decisions, 2]
    unit = games.unit[[each.game for each in solved]]
    best, kept = (share_over(*sums_over(unit, lost[:, kind] == 0)) for kind in (1, 0))
    loss = mean_over(*sums_over(unit, lost[:, 1]))
    at_random = np.mean([_at_random(each.decision) for each in solved], axis=0)
    row = {"side": side, "empties": empties, "positions": len(solved)}
    for kind, found in zip(_KINDS, (best, kept, loss), strict=True):
        row |= estimate_cells(kind, found)
    return row | dict(zip((f"{kind}_at_random" for kind in _KINDS), at_random.tolist(), strict=True))


def _at_random(decision: Decision[int]) -> tuple[float, float, float]:
    """Return what any legal move does in the mean: is best, keeps the result, loses discs."""
    lost = np.array([decision._replace(move=move).lost for move in decision.values])
    return float((lost[:, 1] == 0).mean()), float((lost[:, 0] == 0).mean()), float(lost[:, 1].mean())


def solver_charts(analysis: Analysis) -> list[Chart]:
    """Return by empty squares how many moves are best, how many keep the result, and what they lose."""
    table, bars = analysis.tables["solver"], "bars: 95 % interval"
    best, kept, loss = (_by_empties(table, kind) for kind in _KINDS)
    says_best = f"share of the moves that lose no disc; {bars}; good: up"
    says_kept = f"share of the moves that keep won, drawn or lost; {bars}; good: up"
    says_loss = f"mean a move, with perfect play after it; {bars}; good: down"
    left = "empty squares"
    return [
        Chart("Best moves", says_best, left, "moves", best, 0, 1, percent=True, backwards=True),
        Chart("Result kept", says_kept, left, "moves", kept, 0, 1, percent=True, backwards=True),
        Chart("Discs lost", says_loss, left, "discs a move", loss, low=0, backwards=True),
    ]


def _by_empties(table: Table, kind: str) -> list[Series]:
    place_of, players = table.place("empties"), players_in(table) or [BOTH]
    rows, series = table.only(lambda row: row[place_of] != ALL), list[Series]()
    for place, side in enumerate(players):
        own = rows.where(side=side)
        at = own.numbers("empties") + beside(len(players), place, _SHIFT)
        value, low, high = (own.numbers(kind + end) for end in ("", "_low", "_high"))
        series.append(Series(label_of(side), at, value, look_of(side, place), low, high, kind="points"))
    every = rows.where(side=table.column("side")[0])
    at_random = every.numbers("empties"), every.numbers(f"{kind}_at_random")
    return [*series, Series("at random, same positions", *at_random, Look("training-1", "", ":"))]
