"""A player compared with the exact solver: its moves in all positions of 4x4, or in some near the end."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from rich.console import Console

from othello_lab.experiment.run.outcomes import Outcome, Tally
from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.study.statistics.intervals import wilson
from othello_lab.game import Board, Colour, Game
from othello_lab.game.notation import square_name
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.player import Player
from othello_lab.game.review import Decision, every_game, on_every_position, on_positions

EVERYWHERE = 4
"""The board of which all positions are asked about."""
_POSITIONS = 47_633
"""Those of it in which there is a legal move."""
TRIES = 200
"""Games in a row without a new position after which there are held to be no more."""


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


def ask_everywhere(player: Player, seed: int, terminal: Console) -> tuple[Summary, dict[Colour, Lines]]:
    """Ask about all of 4x4: every position, and every game from the start as either colour.

    Raises as the player does, and IllegalMoveError.
    """
    rng = np.random.default_rng(seed)
    summary = _watched(on_every_position(player, rng), _POSITIONS, terminal)
    return summary, {colour: Lines.of(every_game(player, colour, rng), colour) for colour in Colour}


def ask_a_sample(
    player: Player, size: int, seed: int, terminal: Console, empties: int, positions: int, by: str
) -> Summary:
    """Ask about this many positions with this many empty squares, reached by the player of the text `by`.

    Which they are depends on nothing about the player that is asked. Raises as `ask_everywhere` does, and
    ValueError where there are too few positions.
    """
    games = sample(size, empties, positions, by, seed)
    return _watched(on_positions(player, games, np.random.default_rng(seed)), positions, terminal)


def _watched(decisions: Iterator[Decision[int]], total: int, terminal: Console) -> Summary:
    summary = Summary()
    kept = summary.outcome.everywhere
    for decision in counted(decisions, total, terminal, "position", lambda: f"{100 * kept.share:.1f} % kept"):
        summary.add(decision)
    return summary


def sample(size: int, left: int, count: int, by: str, seed: int) -> Iterator[Game]:
    """Yield `count` games from the start, which a player of this text plays on both sides, up to different
    positions with `left` empty squares and a legal move.

    Raises RegistryError, and ValueError where the player's games do not reach this many.
    """
    pairing, first, seen = Pairing(by, by, size, seed=seed), 0, set[Board]()
    while len(seen) < count:
        played = play_games(pairing, range(first, first + TRIES))
        reached = [_up_to(left, each.record.game) for each in played]
        new = {game.board: game for game in reached if game and game.board not in seen}
        if not new:
            raise ValueError(
                f"{len(seen)} positions with {left} empty squares were found on {size}x{size}, not {count}: "
                "ask for fewer, for other empty squares or for a player with more random moves"
            )
        yield from list(new.values())[: count - len(seen)]
        seen |= new.keys()
        first += TRIES


def _up_to(left: int, game: Game) -> Game | None:
    """Return a game up to this many empty squares; None if it ended sooner."""
    for ply, board in enumerate(game.boards):
        if board.empties == left and board.legal_moves:
            return game.until(ply)
    return None


ByColour = Mapping[Colour, Lines]
"""Every game of the player as that colour, where all positions were asked about; empty for a sample."""


def as_text(summary: Summary, lines: ByColour, worst: int) -> Iterator[str]:
    """Yield the lines of the report. Without `lines` the positions are a sample, with intervals."""
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
