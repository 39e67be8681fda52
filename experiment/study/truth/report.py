"""Results of asking a player about positions with known values, for persons and for programs."""

from collections.abc import Iterator, Mapping
from typing import Any

from experiment.study.statistics.shares import wilson
from experiment.study.truth.summary import Kept, Lines, Summary, Values
from game import Colour
from game.notation import square_name
from game.solver.exact_moves import Decision

ByColour = Mapping[Colour, Lines]
"""Every game of the player as that colour, where all positions were asked about; empty for a sample."""


def as_text(summary: Summary, lines: ByColour, worst: int) -> Iterator[str]:
    """Yield the lines that a person reads. Without `lines` the positions are a sample, and have intervals."""
    sampled = not lines
    yield f"{'':22}positions     kept    share" + ("          95 %" if sampled else "")
    for name, values in (("won, drawn or lost", summary.outcome), ("value in discs", summary.discs)):
        yield _row(name, values.everywhere, sampled)
        yield _row("  where it matters", values.where_it_matters, sampled)
    if sampled:
        yield "95 %: interval (Wilson's, over the positions)"
    yield f"given away            {summary.mean_loss:.3f} discs a move"
    for colour, every in lines.items():
        yield (
            f"as {colour.value}, every play of {colour.other.value}: {len(every.boards):,} positions, "
            f"{every.tally.games:,} games: {every.tally}; {every.least:+} discs at least"
        )
    if faults := summary.worst(worst):
        yield "worst faults, for `othello solve`: position, move and its value, best move and its value"
        yield from (_fault(decision) for decision in faults)


def _row(name: str, kept: Kept, sampled: bool) -> str:
    row = f"{name:22}{kept.positions:9,}{kept.kept:9,}{100 * kept.share:7.2f} %"
    if not sampled:
        return row
    low, high = wilson(kept.share, kept.positions)
    return f"{row}  {100 * low:.1f} to {100 * high:.1f} %"


def _fault(decision: Decision[int]) -> str:
    return f'  "{decision.board}"  {_move(decision, decision.move)}  {_move(decision, decision.best)}'


def _move(decision: Decision[int], move: int) -> str:
    return f"{square_name(move, decision.board.size)} {decision.values[move]:+}"


def as_json(summary: Summary, lines: ByColour, worst: int) -> dict[str, Any]:
    """Return the same for programs."""
    sampled = not lines
    return {
        "outcome": _shares(summary.outcome, sampled),
        "discs": _shares(summary.discs, sampled),
        "discs_given_away_per_move": summary.mean_loss,
        **{f"as_{colour.value}": _lines_as_json(every) for colour, every in lines.items()},
        "faults": [_fault_as_json(decision) for decision in summary.worst(worst)],
    }


def _shares(values: Values, sampled: bool) -> dict[str, Any]:
    both = {"everywhere": values.everywhere, "where_it_matters": values.where_it_matters}
    return {name: _kept_as_json(kept, sampled) for name, kept in both.items()}


def _kept_as_json(kept: Kept, sampled: bool) -> dict[str, Any]:
    interval = {"interval": list(wilson(kept.share, kept.positions))} if sampled else {}
    return {"positions": kept.positions, "kept": kept.kept, "share": kept.share, **interval}


def _lines_as_json(every: Lines) -> dict[str, Any]:
    tally = every.tally
    counts = {"games": tally.games, "win": tally.win, "draw": tally.draw, "loss": tally.loss}
    return {"positions": len(every.boards), **counts, "least_discs": every.least}


def _fault_as_json(decision: Decision[int]) -> dict[str, Any]:
    size = decision.board.size
    return {
        "position": str(decision.board),
        "played": square_name(decision.move, size),
        "value": decision.worth,
        "best": square_name(decision.best, size),
        "best_value": decision.value,
    }
