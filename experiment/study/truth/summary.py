"""The summary of a player's answers in positions with known values."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Self

from experiment.run.episodes.outcomes import Outcome, Tally
from game import Board, Colour, Game
from game.solver.exact_moves import Decision


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
            lines.add(game, colour)
        return lines

    def add(self, game: Game, colour: Colour) -> None:
        """Count one more finished game."""
        outcome = game.board.outcome()
        assert outcome is not None  # noqa: S101  it is finished
        discs = outcome.disc_diff if colour is Colour.BLACK else -outcome.disc_diff
        self.tally.add(Outcome.WIN if discs > 0 else Outcome.LOSS if discs < 0 else Outcome.DRAW)
        self.least = discs if self.least is None else min(self.least, discs)
        self.boards.update(game.boards)
