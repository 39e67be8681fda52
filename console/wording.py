"""What is said about a game, as text. Nothing here prints."""

from collections.abc import Sequence

from game import Board, Colour, Game, Outcome
from game.drawing import Symbols
from game.notation import format_squares, square_name
from game.players.values import MoveValues, is_certain, value_text
from game.search.deepening import Report

YOU = "you"
_HINTS = 4
"""How many moves a hint lists at most."""
_LINE = 8
"""How many moves of the principal variation it shows at most."""


def seats(colour: Colour, opponent: str) -> dict[Colour, str]:
    """Return who plays which side."""
    return {colour: YOU, colour.other: opponent}


def welcome(colour: Colour, symbols: Symbols, opponent: str) -> str:
    """Return what is said before the first move."""
    return (
        f"You have {symbols.disc(colour)} ({colour.value}), {opponent} has {symbols.disc(colour.other)}. "
        "Type a square such as d3, or help."
    )


def score_line(board: Board, symbols: Symbols, names: dict[Colour, str]) -> str:
    """Return the disc counts with each side's disc and name."""
    sides = zip(Colour, board.counts(), strict=True)
    return "   ".join(f"{symbols.disc(side)} {side.value} ({names[side]}) {discs}" for side, discs in sides)


def legal_line(board: Board) -> str:
    """Return the names of the legal moves."""
    return "legal: " + " ".join(square_name(move, board.size) for move in board.legal_moves)


def move_line(mover: Colour, name: str, move: int, size: int) -> str:
    """Return what the opponent did."""
    return f"{name} ({mover.value}) plays {square_name(move, size)}"


def pass_line(mover: Colour, names: dict[Colour, str]) -> str:
    """Return that a side had to pass."""
    if names[mover] == YOU:
        return f"You ({mover.value}) have no legal move: you pass."
    return f"{names[mover]} ({mover.value}) has no legal move: it passes, and you move again."


def hint_lines(name: str, ranked: Sequence[Report], size: int) -> list[str]:
    """Return the best moves with their values, and how the game goes on after the best one."""
    best = ranked[0]
    moves = [f"{square_name(report.move, size)} {_value(report)}" for report in ranked[:_HINTS]]
    line = [square_name(move, size) for move in best.variation]
    more = " ..." if len(line) > _LINE else ""
    how = "solved, in discs" if best.solved else f"{best.depth} plies ahead, in points of its evaluation"
    return [
        f"best: {', '.join(moves)}   (for you, {how})",
        f"line: {' '.join(line[:_LINE])}{more}   ({name})",
    ]


def value_lines(name: str, found: MoveValues, board: Board) -> list[str]:
    """Return the best moves with their values, of a player that looks no line ahead."""
    worth = found.by_square(board.legal_moves)
    best = sorted(worth, key=lambda square: -worth[square])[:_HINTS]
    moves = [f"{square_name(square, board.size)} {value_text(worth[square])}" for square in best]
    return [f"best: {', '.join(moves)}   (for you, {found.unit}; {name})"]


def _value(report: Report) -> str:
    if report.solved:
        return f"{report.value:+.0f}"
    if is_certain(report.value):
        return "wins" if report.value > 0 else "loses"
    return f"{round(report.value, 1) + 0.0:+.1f}"  # without the sum -0.01 were -0.0


def result_lines(game: Game, outcome: Outcome, colour: Colour) -> list[str]:
    """Return who won and by how much, in both score conventions where they differ."""
    black, white = game.board.counts()
    if outcome.winner is None:
        return [f"Draw, {black} to {white}."]
    verdict = "You win" if outcome.winner is colour else "You lose"
    lines = [f"{verdict}: {outcome.winner.value} wins, {max(black, white)} to {min(black, white)}."]
    if outcome.final_score != outcome.disc_diff:
        lines.append(
            f"Disc difference {abs(outcome.disc_diff)}; "
            f"final score {abs(outcome.final_score)}, the empty squares going to the winner."
        )
    return lines


def transcript_lines(game: Game, command: str) -> list[str]:
    """Return the moves so far and what plays on from there: `command` without the moves."""
    moves = format_squares(game.moves, game.size)
    if not moves:
        return []
    return [f"Transcript: {moves}", f"See it again or play on: {command} --transcript={moves}"]
