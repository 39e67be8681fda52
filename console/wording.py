"""What is said about a game, as text. Nothing here prints."""

from textwrap import wrap

from console.advice import Advice, MoveAdvice
from game import Board, Colour, Game, Outcome
from game.drawing import Symbols
from game.notation import format_squares, square_name
from game.players.values import DISCS

YOU = "you"
_WIDTH = 80
"""Columns of a line that lists moves."""
_TIE = "\N{NO-BREAK SPACE}"
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


def advice_lines(advice: Advice) -> list[str]:
    """Return the legal moves with what they are worth, the best first, and how the game goes on after it."""
    best, size = advice.moves[0], advice.board.size
    if not best.text:
        return [f"{advice.adviser} would play {square_name(best.move, size)}"]
    worth = [(move.move, _marked(move, advice.exact)) for move in advice.moves]
    lines = _listed("best", worth, f"for you, {_unit(advice)}", size)
    if advice.exact and best.own_text:
        own = [(move.move, move.own_text) for move in advice.moves]
        lines += _listed("own", own, f"{advice.unit}; {advice.adviser}", size)
    if best.line:
        line = [square_name(move, size) for move in best.line]
        more = " ..." if len(line) > _LINE else ""
        lines.append(f"line: {' '.join(line[:_LINE])}{more}")
    return lines


def _listed(title: str, worth: list[tuple[int, str]], remark: str, size: int) -> list[str]:
    """Return moves with their values and a remark, in lines that fit a terminal, no pair broken."""
    pairs = ", ".join(f"{square_name(move, size)} {text}".replace(" ", _TIE) for move, text in worth)
    tied = f"{title}: {pairs} " + f"  ({remark})".replace(" ", _TIE)
    lines = wrap(tied, _WIDTH, subsequent_indent="      ", break_long_words=False)
    return [line.replace(_TIE, " ") for line in lines]


def _marked(move: MoveAdvice, all_exact: bool) -> str:
    """Return a move's value; an exact one among others says so."""
    return move.text if all_exact or move.exact is None else f"exact {move.text}"


def _unit(advice: Advice) -> str:
    """Return what the values of a piece of advice are, and whose."""
    if advice.exact:
        return DISCS
    plies = "ply" if advice.depth == 1 else "plies"
    ahead = f"{advice.depth} {plies} ahead, in " if advice.depth else ""
    return f"{ahead}{advice.unit}; {advice.adviser}"


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
