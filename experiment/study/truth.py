"""Compare a player with the exact solver, in all positions of 4x4 or in a sample of late positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from rich.console import Console

from othello_lab.experiment.run.outcomes import Outcome, Tally
from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.study.statistics.intervals import wilson
from othello_lab.game import Board, Colour, Game
from othello_lab.game.errors import FailedError
from othello_lab.game.notation import PASS, square_name
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.player import Player
from othello_lab.game.review import Decision
from othello_lab.game.solver.solver import Solver, solve_all

EVERYWHERE = 4  # The board size with a test of every position.
_POSITIONS = 47_633  # the number of positions on 4x4 with a legal move
TRIES = 200  # The number of games in a batch. The search ends after a batch without a new position.
# The values that a move can keep: the keys in JSON and the labels in the report.
_KINDS = {"outcome": "won, drawn or lost", "discs": "value in discs"}
_WHERE = ("everywhere", "where_it_matters")  # all positions, and positions where some legal move loses value


def on_every_position(player: Player, rng: np.random.Generator) -> Iterator[Decision]:
    """Yield a player's decision in every position of 4x4 with a legal move. Raises IllegalMoveError."""
    values = solve_all()
    for board in values:
        if board.legal_moves:
            after = {move: -values[board.play(move)] for move in board.legal_moves}
            yield Decision(board, _choose(player, Game(board), rng), after)


def on_positions(player: Player, games: Iterable[Game], rng: np.random.Generator) -> Iterator[Decision]:
    """Yield a player's decision in the last position of each game. Raises IllegalMoveError."""
    solver: Solver | None = None
    for game in games:
        solver = solver or Solver(game.size)
        yield Decision(game.board, _choose(player, game, rng), solver.scores(game.board))


def every_game(player: Player, colour: Colour, rng: np.random.Generator) -> Iterator[Game]:
    """Yield a player's 4x4 games against all replies, in one reused Game object. Raises IllegalMoveError."""

    def moves(game: Game) -> list[int]:
        if game.board.must_pass:
            return [PASS]
        return [_choose(player, game, rng)] if game.board.turn is colour else list(game.board.legal_moves)

    def play_on(game: Game) -> Iterator[Game]:
        if game.board.is_over:
            yield game
            return
        for move in moves(game):
            game.play(move)
            yield from play_on(game)
            game.undo()

    return play_on(Game(Board.start(4)))


def _choose(player: Player, game: Game, rng: np.random.Generator) -> int:
    player.start(game)
    move = player.choose(game, rng)
    if move not in game.board.legal_moves:
        game.board.play(move)  # raises IllegalMoveError
    return move


def _losses(decision: Decision) -> tuple[int, float]:
    return decision.turned, decision.lost


class Summary:
    """Counts of a player's decisions."""

    def __init__(self) -> None:
        self.counts = np.zeros((len(_KINDS), len(_WHERE), 2), np.int64)
        """The number of positions, and of positions whose move keeps the value, [kinds, where, 2]."""
        self.discs_lost = 0
        self.faults = list[Decision]()
        """The decisions that lost discs."""

    def add(self, decision: Decision) -> None:
        """Add a decision to the counts."""
        worst = decision._replace(move=min(decision.values, key=decision.values.__getitem__))
        for counts, lost, at_stake in zip(self.counts, _losses(decision), _losses(worst), strict=True):
            counts[: 2 if at_stake else 1] += 1, lost == 0
        self.discs_lost += int(decision.lost)
        if decision.lost:
            self.faults.append(decision)

    def worst(self, count: int) -> list[Decision]:
        """Return the `count` worst faults, sorted by lost outcome, then by lost discs."""
        return sorted(self.faults, key=_losses, reverse=True)[:count]

    @property
    def mean_loss(self) -> float:
        """The mean loss per move, in discs."""
        return self.discs_lost / max(1, int(self.counts[0, 0, 0]))


@dataclass
class Lines:
    """The counts of all possible games of a player."""

    tally: Tally = field(default_factory=Tally)
    least: int | None = None  # The minimum of the player's disc difference, or None without games.
    boards: set[Board] = field(default_factory=set)  # All positions of the games.

    @classmethod
    def of(cls, games: Iterable[Game], colour: Colour) -> Self:
        """Return the counts of finished games in which the player has this colour."""
        lines = cls()
        for game in games:
            outcome = game.board.outcome()
            assert outcome is not None  # noqa: S101  the game is finished
            discs = outcome.disc_diff if colour is Colour.BLACK else -outcome.disc_diff
            lines.tally.add(Outcome.WIN if discs > 0 else Outcome.LOSS if discs < 0 else Outcome.DRAW)
            lines.least = discs if lines.least is None else min(lines.least, discs)
            lines.boards.update(game.boards)
        return lines


ByColour = Mapping[Colour, Lines]  # The counts of games by colour, empty for a sample of positions.


def compared(
    player: Player, size: int, seed: int, terminal: Console, worst: int, empties: int, positions: int, by: str
) -> dict[str, Any]:
    """Compare a player's moves with the exact values, and return the report as a JSON dictionary.

    On 4x4, the player moves in every position and plays every possible game. On larger boards, the
    player moves in distinct positions with `empties` empty squares, from self-play games of `by`. Raises
    the errors of the players, IllegalMoveError, and ValueError if there are too few positions.
    """
    rng = np.random.default_rng(seed)
    if size == EVERYWHERE:
        summary = _counted(on_every_position(player, rng), _POSITIONS, terminal)
        lines = {colour: Lines.of(every_game(player, colour, rng), colour) for colour in Colour}
        return as_json(summary, lines, worst)
    decisions = on_positions(player, sample(size, empties, positions, by, seed), rng)
    return as_json(_counted(decisions, positions, terminal), {}, worst)


def _counted(decisions: Iterator[Decision], total: int, terminal: Console) -> Summary:
    summary = Summary()

    def fact() -> str:
        return f"{100 * _share(*summary.counts[0, 0]):.1f} % kept"

    for decision in counted(decisions, total, terminal, "position", fact):
        summary.add(decision)
    return summary


def sample(size: int, empties: int, count: int, by: str, seed: int) -> Iterator[Game]:
    """Yield self-play games of `by`, each up to a new position. Raises RegistryError and ValueError."""
    pairing, first, boards = Pairing(by, by, size, seed=seed), 0, set[Board]()
    while len(boards) < count:
        played = play_games(pairing, range(first, first + TRIES))
        reached = [_up_to(empties, game.record.game) for game in played]
        new = {game.board: game for game in reached if game and game.board not in boards}
        if not new:
            raise FailedError(
                f"{len(boards)} positions with {empties} empty squares were found on {size}x{size}, "
                f"not {count}: ask for fewer, for other empty squares or for a player with more random moves"
            )
        yield from list(new.values())[: count - len(boards)]
        boards |= new.keys()
        first += TRIES


def _up_to(empties: int, game: Game) -> Game | None:
    """Return a game up to a position with `empties` empty squares and a legal move, or None."""
    for ply, board in enumerate(game.boards):
        if board.empties == empties and board.legal_moves:
            return game.until(ply)
    return None


def _share(positions: int, right: int) -> float:
    """Return the share of positions in which the move loses nothing, or 1 without positions."""
    return right / positions if positions else 1.0


def as_json(summary: Summary, lines: ByColour, worst: int) -> dict[str, Any]:
    """Return the JSON report with the `worst` worst faults. Empty `lines` means a sample of positions."""
    return {
        **{
            name: {where: _count(counts, not lines) for where, counts in zip(_WHERE, kind, strict=True)}
            for name, kind in zip(_KINDS, summary.counts.tolist(), strict=True)
        },
        "discs_given_away_per_move": summary.mean_loss,
        **{
            f"as_{colour.value}": {
                "positions": len(every.boards),
                "games": every.tally.games,
                "win": every.tally.win,
                "draw": every.tally.draw,
                "loss": every.tally.loss,
                "least_discs": every.least,
            }
            for colour, every in lines.items()
        },
        "faults": [
            {
                "position": str(fault.board),
                "played": square_name(fault.move, fault.board.size),
                "value": fault.worth,
                "best": square_name(fault.best, fault.board.size),
                "best_value": fault.value,
            }
            for fault in summary.worst(worst)
        ],
    }


def _count(counts: Sequence[int], sampled: bool) -> dict[str, Any]:
    positions, right = counts
    share = _share(positions, right)
    interval = {"interval": list(wilson(share, positions))} if sampled else {}
    return {"positions": positions, "kept": right, "share": share, **interval}


def as_text(report: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a report from `as_json`."""
    sampled = "interval" in report["outcome"]["everywhere"]
    yield f"{'':22}positions     kept    share" + ("          95 %" if sampled else "")
    for kind, name in _KINDS.items():
        for where, label in zip(_WHERE, (name, "  where it matters"), strict=True):
            row = report[kind][where]
            interval = (
                "  {:.1f} to {:.1f} %".format(*(100 * end for end in row["interval"])) if sampled else ""
            )
            yield f"{label:22}{row['positions']:9,}{row['kept']:9,}{100 * row['share']:7.2f} %{interval}"
    if sampled:
        yield "95 %: interval (Wilson's, over the positions)"
    yield f"given away            {report['discs_given_away_per_move']:.3f} discs a move"
    for colour in Colour:
        if every := report.get(f"as_{colour.value}"):
            tally = Tally(every["win"], every["draw"], every["loss"])
            yield (
                f"as {colour.value}, every play of {colour.other.value}: {every['positions']:,} positions, "
                f"{tally.games:,} games: {tally}; {every['least_discs']:+} discs at least"
            )
    if report["faults"]:
        yield "worst faults, for `othello solve`: position, move and its value, best move and its value"
    for fault in report["faults"]:
        yield '  "{position}"  {played} {value:+}  {best} {best_value:+}'.format(**fault)
