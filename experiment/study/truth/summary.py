"""The summary of a player's answers in positions with known values, for persons and for programs."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from othello_lab.experiment.run.outcomes import Outcome, Tally
from othello_lab.experiment.study.statistics.intervals import wilson
from othello_lab.game import Board, Colour, Game
from othello_lab.game.decisions import Decision
from othello_lab.game.notation import square_name


@dataclass
class Kept:
    """Positions, of all or of those that matter."""

    positions: int = 0
    kept: int = 0
    """Those in which the player's move gives nothing away."""

    @property
    def share(self) -> float:
        """The part of them in which nothing is given away; 1 without positions."""
        return self.kept / self.positions if self.positions else 1.0

    def add(self, lost: int) -> None:
        """Count one more position."""
        self.positions += 1
        self.kept += lost == 0


@dataclass
class Values:
    """How far one kind of value is kept."""

    everywhere: Kept = field(default_factory=Kept)
    where_it_matters: Kept = field(default_factory=Kept)
    """Where some legal move would give it away."""

    def add(self, lost: int, at_stake: int) -> None:
        """Count one more position."""
        self.everywhere.add(lost)
        if at_stake:
            self.where_it_matters.add(lost)


@dataclass
class Summary:
    """Counts a player's decisions."""

    outcome: Values = field(default_factory=Values)
    """Won, drawn or lost."""
    discs: Values = field(default_factory=Values)
    """The difference of discs at the end."""
    given_away: int = 0
    """Discs, all decisions together."""
    faults: list[Decision[int]] = field(default_factory=list)
    """Decisions that gave something away."""

    @classmethod
    def of(cls, decisions: Iterable[Decision[int]]) -> Self:
        """Return the summary of some decisions."""
        summary = cls()
        for decision in decisions:
            summary.add(decision)
        return summary

    def add(self, decision: Decision[int]) -> None:
        """Count one more decision."""
        lost, at_stake = decision.lost, decision.at_stake
        self.outcome.add(lost[0], at_stake[0])
        self.discs.add(lost[1], at_stake[1])
        self.given_away += lost[1]
        if lost[1]:
            self.faults.append(decision)

    def worst(self, count: int) -> list[Decision[int]]:
        """Return the worst faults first: won to lost before won to drawn, then by discs."""
        return sorted(self.faults, key=lambda decision: decision.lost, reverse=True)[:count]

    @property
    def mean_loss(self) -> float:
        """Discs that a move gives away, the mean of all."""
        return self.given_away / max(1, self.discs.everywhere.positions)


@dataclass
class Lines:
    """Every game that the other side can lead a player into."""

    tally: Tally = field(default_factory=Tally)
    least: int | None = None
    """The player's worst result, in discs."""
    boards: set[Board] = field(default_factory=set)
    """The positions on the way."""

    @classmethod
    def of(cls, games: Iterable[Game], colour: Colour) -> Self:
        """Count finished games, in which the player has a colour."""
        lines = cls()
        for game in games:
            outcome = game.board.outcome()
            assert outcome is not None  # noqa: S101  it is finished
            discs = outcome.disc_diff if colour is Colour.BLACK else -outcome.disc_diff
            lines.tally.add(Outcome.WIN if discs > 0 else Outcome.LOSS if discs < 0 else Outcome.DRAW)
            lines.least = discs if lines.least is None else min(lines.least, discs)
            lines.boards.update(game.boards)
        return lines


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
        for fault in faults:
            yield f'  "{fault.board}"  {_move(fault, fault.move)}  {_move(fault, fault.best)}'


def _row(name: str, kept: Kept, sampled: bool) -> str:
    row = f"{name:22}{kept.positions:9,}{kept.kept:9,}{100 * kept.share:7.2f} %"
    if not sampled:
        return row
    low, high = wilson(kept.share, kept.positions)
    return f"{row}  {100 * low:.1f} to {100 * high:.1f} %"


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
    return {
        name: {**vars(kept), "share": kept.share, **_interval(kept, sampled)} for name, kept in both.items()
    }


def _interval(kept: Kept, sampled: bool) -> dict[str, Any]:
    return {"interval": list(wilson(kept.share, kept.positions))} if sampled else {}


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
