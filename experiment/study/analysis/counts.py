"""Count results, discs, legal moves, squares and chances for the tables of an analysis."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf, log10
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from othello_lab.experiment.show.tables import Table, keyed
from othello_lab.experiment.study.analysis.games import BOTH, PERCENTILES, Games
from othello_lab.experiment.study.statistics.units import Cells, mean_cells, mean_over, share_cells, sums_over
from othello_lab.game.batch import legal_moves, to_mask
from othello_lab.game.board import corners
from othello_lab.game.notation import square_name

SCORE, WON, DRAWN, LOST = "score", "won", "drawn", "lost"
SIDES: Final = (BOTH, "black", "white")
# The kinds of squares. C and X are next to a corner, C on the edge and X on the diagonal.
KINDS: Final = ("corner", "C", "X", "edge", "inside")
# The outcomes of a side's first chance to play a square.
FATES: Final = ("at_once", "later", "by_the_other", "never")
NEVER: Final = -1
Row = tuple[Any, ...]


def result_tables(games: Games, choices: NDArray[np.int64]) -> list[Table]:
    """Return the tables of results. `choices` is the number of legal moves, [turns + 1, games]."""
    about = "means and shares with their 95 % intervals; `of` counts the games or decisions"
    figures = [*_figures_of_games(games), *_figures_of_decisions(games, choices)]
    return [
        keyed("headline", "figure value low high of", figures, about),
        _results(games),
        _scores(games),
        *_discs(games),
        _corners_owned(games),
    ]


def _figures_of_games(games: Games) -> Iterator[Row]:
    """Yield a row per statistic of the complete games: name, mean or share, interval, count."""
    whole = games.complete
    unit = games.unit[whole]
    if not len(unit):
        return
    black, white = (discs[whole] for discs in games.final_discs())
    passed, black_next = games.passed[:, whole], games.black_to_move[:, whole]
    owners = corner_owners(games)
    figures: tuple[tuple[str, Callable[..., Cells], NDArray[Any]], ...] = (
        ("games won by black", share_cells, black > white),
        ("games won by white", share_cells, black < white),
        ("drawn games", share_cells, black == white),
        ("games that end with empty squares", share_cells, black + white < games.size**2),
        ("games that end with one colour only", share_cells, np.minimum(black, white) == 0),
        ("black's discs minus white's", mean_cells, black - white),
        ("black's discs", mean_cells, black),
        ("white's discs", mean_cells, white),
        ("corners of black at the end", mean_cells, owners["black"]),
        ("corners of white at the end", mean_cells, owners["white"]),
        ("discs placed in a game", mean_cells, games.decided[:, whole].sum(axis=0)),
        ("passes in a game", mean_cells, passed.sum(axis=0)),
        ("passes of black in a game", mean_cells, (passed & ~black_next).sum(axis=0)),
        ("passes of white in a game", mean_cells, (passed & black_next).sum(axis=0)),
        ("games with a pass", share_cells, passed.sum(axis=0) > 0),
    )
    for name, estimate, values in figures:
        yield (name, *estimate(unit, values), len(values))


def _figures_of_decisions(games: Games, choices: NDArray[np.int64]) -> Iterator[Row]:
    for side, decided in games.groups().items():
        if decided.any() and not side.endswith((" as black", " as white")):
            name = "legal moves of a decision" + ("" if side == BOTH else f" of {side}")
            legal = np.where(decided, choices, 0).sum(axis=0)
            estimate = mean_cells(games.unit, legal, decided.sum(axis=0))
            yield (name, *estimate, int(decided.sum()))
    decided, forced = games.decided, (choices == 1).sum(axis=0)
    estimate = share_cells(games.unit, forced, decided.sum(axis=0))
    yield ("decisions with one legal move", *estimate, int(decided.sum()))


def _results(games: Games) -> Table:
    black, white = games.final_discs()
    rows = list[Row]()
    for side, seat in games.seats().items():
        which = games.complete & seat.any(axis=0) & (side not in (BOTH, "white"))
        difference, unit = np.where(seat[0], black - white, white - black)[which], games.unit[which]
        if len(unit):
            score = (np.sign(difference) + 1) / 2
            values = {SCORE: score, WON: difference > 0, DRAWN: difference == 0, LOST: difference < 0}
            rows += [(side, name, len(unit), *share_cells(unit, points)) for name, points in values.items()]
    about = "share of the games that a side won, drew and lost, and its score: wins and half the draws"
    return keyed("results", "side result games share low high", rows, about)


def _scores(games: Games) -> Table:
    """Count games by disc difference, with and without the empty squares for the winner."""
    black, white = games.final_discs()
    plain = (black - white)[games.complete]
    final = plain + np.sign(plain) * (games.size**2 - black - white)[games.complete]
    squares = games.size**2
    counts = [np.bincount(kind + squares, minlength=2 * squares + 1).tolist() for kind in (plain, final)]
    rows = zip(range(-squares, squares + 1), *counts, strict=True)
    about = (
        "games by black's discs minus white's at the end, plain and with empty squares given to the winner"
    )
    return keyed("scores", "difference games games_final_score", rows, about)


def _discs(games: Games) -> tuple[Table, Table]:
    """Return a table of each side's discs by turn (mean, interval, percentiles), and a histogram by turn."""
    sides, points, histogram = games.sides(), list[Row](), list[Row]()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        which = games.reached[turn]
        own, other = games.positions(turn, which).counts()
        for side, is_black in sides.items():
            discs = np.where(games.black_to_move[turn, which] == is_black[which], own, other)
            percentiles = np.percentile(discs, PERCENTILES).tolist()
            points.append((turn, side, len(discs), *mean_cells(games.unit[which], discs), *percentiles))
            counts = np.bincount(discs)
            histogram += [(turn, side, n, int(counts[n])) for n in np.flatnonzero(counts).tolist()]
    about = "discs of a side after each number of discs was placed: mean, 95 % interval, percentiles"
    of_counts = "games by the discs of a side, after each number of discs was placed"
    return (
        keyed("points", "turn side games mean low high p5 p25 p50 p75 p95", points, about),
        keyed("points_histogram", "turn side discs games", histogram, of_counts),
    )


def _corners_owned(games: Games) -> Table:
    unit, rows = games.unit[games.complete], []
    for owner, count in corner_owners(games).items() if len(unit) else ():
        shares = np.bincount(count, minlength=5) / len(count)
        rows.append((owner, len(count), *mean_cells(unit, count), *shares.tolist()))
    keys = "owner games mean low high share_0 share_1 share_2 share_3 share_4"
    return keyed("corners_owned", keys, rows, "corners owned at the end: mean, 95 % interval, share of games")


def corner_owners(games: Games) -> dict[str, NDArray[np.int64]]:
    """Return each owner's number of corners at the end of each complete game. An owner may be `nobody`."""
    ends, black_next = games.at_the_end()
    squares = list(corners(games.size))
    own, other = (to_mask(side, games.size)[:, squares].sum(axis=1) for side in (ends.own, ends.opponent))
    black, white = np.where(black_next, own, other), np.where(black_next, other, own)
    owners = {"black": black, "white": white, "nobody": 4 - black - white}
    if games.first_is_black is not None:
        owners[games.players[0]] = np.where(games.first_is_black, black, white)
        owners[games.players[1]] = np.where(games.first_is_black, white, black)
    return {name: count[games.complete] for name, count in owners.items()}


# Moves


@dataclass(frozen=True)
class Counts:
    """The counts from one pass over the turns."""

    choices: NDArray[np.int64]  # Legal moves of each decision, [turns + 1, games]. 0 without a decision.
    corner: NDArray[np.bool_]  # Whether the side to move could take a corner, [turns + 1, games].
    by_turn: NDArray[np.int64]  # How often a square was legal and was played, [2, sides, turns + 1, squares].
    by_game: NDArray[np.uint8]  # The counts of `by_turn`, by game, [2, sides, games, squares].
    first: NDArray[np.int16]  # A side's turns before a square was first legal, or NEVER, [games, 2, squares].
    taken: NDArray[np.int16]  # A side's turns before it played a square, or NEVER, [games, 2, squares].


def count(games: Games) -> Counts:
    """Count legal moves and played squares in one pass over the turns."""
    groups, squares, shape = list(games.groups().values()), games.size**2, games.moves.shape
    first = np.full((len(games), 2, squares), NEVER, np.int16)
    counts = Counts(
        np.zeros(shape, np.int64),
        np.zeros(shape, np.bool_),
        np.zeros((2, len(groups), len(games.moves), squares), np.int64),
        np.zeros((2, len(groups), len(games), squares), np.uint8),
        first,
        np.full_like(first, NEVER),
    )
    own_turn = np.zeros((len(games), 2), np.int16)
    for turn, decided in enumerate(games.decided):
        game = np.flatnonzero(decided)
        legal = to_mask(legal_moves(games.positions(turn, decided)), games.size)
        move = games.moves[turn, game]
        counts.choices[turn, game] = legal.sum(axis=1)
        counts.corner[turn, game] = legal[:, list(corners(games.size))].any(axis=1)

        both = np.stack([legal, move[:, None] == np.arange(squares)])
        for place, group in enumerate(groups):
            of_side = both[:, group[turn, game]]
            counts.by_turn[:, place, turn] = of_side.sum(axis=1)
            # Each game has at most one decision per turn, so no index occurs twice.
            counts.by_game[:, place, np.flatnonzero(group[turn])] += of_side

        side = np.where(games.black_to_move[turn, game], 0, 1)
        now, before = own_turn[game, side], first[game, side]
        first[game, side] = np.where(legal & (before == NEVER), now[:, None], before)
        counts.taken[game, side, move] = now
        own_turn[game, side] += 1
    return counts


def move_tables(games: Games, counts: Counts) -> list[Table]:
    """Return the tables of moves, except `all_games`."""
    return [
        *_decisions(games, counts),
        _tree(games, counts.choices),
        *_turns(games),
        *square_tables(games, counts),
        *_chances(games, counts),
    ]


def _decisions(games: Games, counts: Counts) -> tuple[Table, Table, Table]:
    moves, histogram, corner = list[Row](), list[Row](), list[Row]()
    for turn, side, which in games.each_turn():
        choices, unit = counts.choices[turn, which], games.unit[which]
        deviation = float(choices.std(ddof=1)) if len(choices) > 1 else 0.0
        percentiles = np.percentile(choices, [0, *PERCENTILES, 100]).tolist()
        moves.append((turn, side, len(choices), *mean_cells(unit, choices), deviation, *percentiles))
        number = np.bincount(choices)
        histogram += [(turn, side, n, int(number[n])) for n in np.flatnonzero(number).tolist()]
        corner.append((turn, side, len(choices), *share_cells(unit, counts.corner[turn, which])))
    about = "legal moves of a decision: mean with its 95 % interval, standard deviation, percentiles"
    keys = "turn side decisions mean low high sd least p5 p25 p50 p75 p95 most"
    of_corner = "share of a side's decisions in which it could take a corner"
    return (
        keyed("moves", keys, moves, about),
        keyed(
            "moves_histogram",
            "turn side moves decisions",
            histogram,
            "how many decisions had each number of legal moves",
        ),
        keyed("corner_chances", "turn side decisions share low high", corner, of_corner),
    )


def _tree(games: Games, choices: NDArray[np.int64]) -> Table:
    """Return log10 of the game tree's size from each turn on, and of each colour's part, as a table.

    The size is the product of the mean numbers of legal moves (Shannon, "Programming a computer for playing
    chess", 1950). The exponent of a colour's part is the colour's share of the decisions.
    """
    rows, decisions = list[Row](), np.maximum(games.decided.sum(axis=1), 1)
    for side in SIDES:
        decided = games.groups()[side]
        number = decided.sum(axis=1)
        part = number / decisions
        means = np.maximum(np.where(decided, choices, 0).sum(axis=1) / np.maximum(number, 1), 1.0)
        logs = part * np.log10(means)
        # This is the delta method. If a share s of the games decides at a turn, with mean m, then a game with
        # x moves changes the logarithm by (x / m - 1) / s. [turns + 1, games]
        of_games = np.maximum(number / len(games), 1e-9)[:, None]
        moved = np.where(decided, choices / means[:, None] - 1, 0) / of_games
        influence = part[:, None] * moved / np.log(10)
        for turn in range(int(games.decided.any(axis=1).argmax()), len(games.moves) - 1):
            reach = mean_over(*sums_over(games.unit, influence[turn:].sum(axis=0))).reach
            size = float(logs[turn:].sum())
            rows.append((turn, side, size, size - reach, size + reach))
    about = "log10 of the product of the mean numbers of legal moves from a turn on, with its 95 % interval"
    return keyed("tree", "turn side log10 low high", rows, about)


def all_games(games: Games, choices: NDArray[np.int64]) -> Table:
    """Estimate log10 of the number of possible games, from games with uniformly random moves.

    The estimate is the mean product of the numbers of legal moves (Knuth, "Estimating the efficiency of
    backtrack programs", 1975). A few games dominate this mean, so its interval is too narrow.
    """
    logs = np.log10(np.maximum(choices, 1)).sum(axis=0)
    scale = float(logs.max())  # prevents overflow
    size, low, high = mean_cells(games.unit, 10 ** (logs - scale))
    ends = [scale + (log10(number) if number > 0 else -inf) for number in (size, low, high)]
    about = "log10 of the number of all games that follow, by Knuth's estimate, with its 95 % interval"
    return keyed("all_games", "log10 low high", [ends], about)


def _turns(games: Games) -> tuple[Table, Table]:
    """Return a table of games, positions and passes by turn, and a table of the passes of each side."""
    flow, passes = list[Row](), list[Row]()
    for turn in np.flatnonzero(games.reached.any(axis=1)).tolist():
        which = games.reached[turn]
        skipped = share_cells(games.unit[which], games.passed[turn, which])
        number = int(which.sum()), int(games.decided[turn].sum())
        flow.append((turn, *number, *skipped, _different(games, turn)))
    for side, is_black in games.sides().items():
        for turn in np.flatnonzero(games.decided.any(axis=1)).tolist():
            which = games.reached[turn]
            passed = games.passed[turn] & (games.black_to_move[turn] != is_black)
            passes.append((turn, side, int(which.sum()), *share_cells(games.unit[which], passed[which])))
    about = (
        "games that came to a turn, share in which a side had to pass there, 95 % interval, different boards"
    )
    of_sides = (
        "share of the games that came to a turn in which a side had to pass there, with its 95 % interval"
    )
    return (
        keyed("flow", "turn games decisions skipped low high boards", flow, about),
        keyed("passes", "turn side games share low high", passes, of_sides),
    )


def _different(games: Games, turn: int) -> int:
    """Count the distinct positions at a turn. Positions with different sides to move are distinct."""
    which = games.reached[turn]
    positions = games.positions(turn, which)
    columns = [*positions.own.T, *positions.opponent.T, games.black_to_move[turn, which]]
    order = np.lexsort(columns)
    changes = [column[order][1:] != column[order][:-1] for column in columns]
    return int(np.any(changes, axis=0).sum()) + bool(len(order))


def square_tables(games: Games, counts: Counts) -> tuple[Table, Table]:
    """Return tables of how often each square was legal and was played, overall and by turn."""
    names = [square_name(square, games.size) for square in range(games.size**2)]
    overall, by_turn, sides = list[Row](), list[Row](), list(games.groups())
    for place, (side, decided) in enumerate(games.groups().items()):
        decisions = decided.sum(axis=0)
        for square, name in enumerate(names):
            row: Row = (side, name, int(decisions.sum()))
            for kind in counts.by_game[:, place, :, square]:
                row += share_cells(games.unit, kind, decisions)
            overall.append(row)
    for turn, side, which in games.each_turn():
        number = int(which.sum())
        shares = (counts.by_turn[:, sides.index(side), turn] / number).tolist()
        by_turn += [(turn, side, name, number, *pair) for name, *pair in zip(names, *shares, strict=True)]
    keys = "side square decisions possible possible_low possible_high played played_low played_high"
    about = "share of a side's decisions in which a square could be played and was, 95 % intervals"
    of_turn = "share of a side's decisions at a turn in which a square could be played, and in which it was"
    return (
        keyed("squares", keys, overall, about),
        keyed("squares_by_turn", "turn side square decisions possible played", by_turn, of_turn),
    )


def kinds(size: int) -> NDArray[np.int64]:
    """Return the kind of each square as an index into KINDS, int64 [squares]."""
    distance = np.minimum(np.arange(size), np.arange(size)[::-1])
    near = np.minimum.outer(distance, distance).ravel()
    far = np.maximum.outer(distance, distance).ravel()
    special = [(near == 0) & (far == 0), (near == 0) & (far == 1), (near == 1) & (far == 1), near == 0]
    return np.select(special, range(4), 4)


def _chances(games: Games, counts: Counts) -> tuple[Table, Table]:
    """Return tables of the outcomes of first chances, and of the delays until the move, in own turns."""
    taken = counts.taken != NEVER
    delay = np.where(taken, counts.taken - counts.first, NEVER)  # [games, 2, squares]
    lost = taken[:, ::-1]
    fates = delay == 0, delay > 0, ~taken & lost, ~taken & ~lost
    captures, delays = list[Row](), list[Row]()
    for side in (BOTH, *games.sides()):
        which = games.seats()[side].T
        for place, kind in enumerate(KINDS):
            here = kinds(games.size) == place
            had = (counts.first != NEVER) & which[:, :, None] & here
            chances = had.sum(axis=(1, 2))
            row: Row = (side, kind, int(chances.sum()))
            for fate in fates:
                row += share_cells(games.unit, (had & fate).sum(axis=(1, 2)), chances)
            waited = delay[had & taken]
            captures.append((*row, float(waited.mean()) if len(waited) else float("nan")))
            delays += [(side, kind, turns, int(n)) for turns, n in enumerate(np.bincount(waited))]
    keys = " ".join(f"{fate} {fate}_low {fate}_high" for fate in FATES)
    about = "what became of squares that a side could play: shares of chances, mean delay in its own turns"
    of_delays = "squares that a side took this many of its own turns after it first could"
    return (
        keyed("captures", f"side kind chances {keys} mean_delay", captures, about),
        keyed("delays", "side kind delay squares", delays, of_delays),
    )
