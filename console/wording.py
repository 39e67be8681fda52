"""Words for a game, as text. Nothing here prints."""

from collections.abc import Callable, Mapping
from textwrap import wrap

from othello_lab.console.advice import Advice, MoveAdvice
from othello_lab.console.entry import Command
from othello_lab.console.saving import KeptGame
from othello_lab.console.sitting import PERSON, Seats, Sitting
from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.drawing import Symbols
from othello_lab.game.notation import brief, format_squares, square_name
from othello_lab.game.openings import opening_name
from othello_lab.game.records import Record
from othello_lab.game.values import DISCS

YOU = "you"
WIDTH = 80
"""Columns of a line that lists moves."""
_INDENT = " " * 6
_TIE = "\N{NO-BREAK SPACE}"
_LONGEST = 300
"""Characters of a complaint that are shown."""
_LINE = 8
"""How many moves of the principal variation it shows at most."""


def names(seats: Seats) -> dict[Colour, str]:
    """Return what each side is called."""
    person = YOU if [*seats.values()].count(None) == 1 else PERSON
    return {colour: seat.name if seat else person for colour, seat in seats.items()}


def welcome(seats: Seats, symbols: Symbols) -> str:
    """Return who has which discs, and what can be typed."""
    who = ", ".join(
        f"{'You have' if name == YOU else f'{name} has'} {symbols.disc(colour)} ({colour.value})"
        for colour, name in sorted(names(seats).items(), key=lambda side: side[1] != YOU)
    )
    return f"{who}. Type a square such as d3, or help."


def prompt(at: Sitting, symbols: Symbols) -> str:
    """Return what a person is asked with."""
    turn, seats = at.turn, at.seats
    if turn is None:
        return "the game is over (review, new, undo, quit; help): "
    side = f"{symbols.disc(turn)} {turn.value}"
    if not at.person_to_move:
        return f"{names(seats)[turn]} is to move ({side}; go, undo, redo, quit; help): "
    return f"{'your' if len(at.people) == 1 else 'a'} move ({side}): "


def no_move_now(at: Sitting, is_thinking: bool, called: Callable[[Command], str]) -> str:
    """Return why no person may move now; `called` says how one gives a command."""
    turn = at.turn
    if turn is None:
        return f"The game is over: {called(Command.NEW)} begins another, {called(Command.UNDO)} takes back."
    who, go, undo = names(at.seats)[turn], called(Command.GO), called(Command.UNDO)
    if is_thinking:
        return f"{who} is to move: wait for it, or take your move back with {undo}."
    return f"It is the turn of {who}: {go} has it move, {undo} goes to your own move."


STUCK = (
    "The game stays as it is. `go` asks it again, `opponent WHO` has another player play on "
    "(level:3, greedy, human), `quit` leaves."
)
"""What can be done when a player cannot move."""


def score_line(board: Board, symbols: Symbols, called: Mapping[Colour, str]) -> str:
    """Return the disc counts with each side's disc and name."""
    sides = zip(Colour, board.counts(), strict=True)
    return "   ".join(f"{symbols.disc(side)} {side.value} ({called[side]}) {discs}" for side, discs in sides)


def opening_lines(game: Game) -> list[str]:
    """Return a line with the name of the opening; nothing where it has none."""
    name = opening_name(game)
    return [f"opening: {name}"] if name else []


def legal_line(board: Board) -> str:
    """Return the names of the legal moves."""
    return "legal: " + " ".join(square_name(move, board.size) for move in board.legal_moves)


def set_up_line(board: Board) -> str:
    """Return how one plays on from another position, where lines are typed."""
    return f"Change this, and type it: load {board}"


def moves_line(title: str, moves: list[int], size: int) -> str:
    """Return moves with what was done with them."""
    return f"{title}: " + " ".join(square_name(move, size) for move in moves)


def left_lines(before: Record, now: Game) -> list[str]:
    """Return the game that is left for another, or for other moves; nothing where `now` has all of it.

    A game that is over is not left by beginning another.
    """
    game = before.game
    is_another = now.boards[0] is not game.boards[0]
    has_all = now.start == game.start and now.moves[: len(game.moves)] == game.moves
    if has_all or (is_another and before.is_over):
        return []
    start = [] if game.start == Board.start(game.size) else [f"left: {game.start}"]
    moves = [moves_line("then" if start else "left", game.moves, game.size)] if game.moves else []
    return [", ".join([*start, *moves])] if start or moves else []


def moved(at: Sitting, moves: list[int]) -> list[str]:
    """Return what the moves made last were, but for a person's own: of players, and passes."""
    said = (_played(at, move, ply) for ply, move in enumerate(moves, at.ply - len(moves)))
    return [line for line in said if line]


def _played(at: Sitting, move: int, ply: int) -> str:
    mover = at.game.boards[ply].turn
    if move == PASS:
        return _pass_line(mover, at.seats)
    seat = at.seats[mover]
    return f"{seat.name} ({mover.value}) plays {square_name(move, at.game.size)}" if seat else ""


def _pass_line(mover: Colour, seats: Seats) -> str:
    called = names(seats)
    if called[mover] == YOU:
        return f"You ({mover.value}) have no legal move: you pass."
    again = "you move" if called[mover.other] == YOU else f"{mover.other.value} moves"
    return f"{called[mover]} ({mover.value}) has no legal move: it passes, and {again} again."


TYPED = "arrow keys and Enter, a click, or type a square such as d3"
"""How one moves on the whole screen."""
TYPED_BRIEFLY = "arrows, or type d3"
"""The same where lines have 40 characters."""


def to_move(at: Sitting, how: str) -> str:
    """Return whose turn it is, and at first how one moves; "" when the game is over."""
    if at.turn is None:
        return ""
    who = names(at.seats)[at.turn]
    turn = f"Your move, {at.turn.value}" if who == YOU else f"{at.turn.value.capitalize()} is to move"
    is_new = at.person_to_move and at.ply <= at.given + 1
    return f"{turn}: {how}." if is_new else f"{turn}."


def complaint(why: object) -> str:
    """Return what was wrong, as a line of bounded length: what was typed may stand in it."""
    return brief(str(why), _LONGEST)


def advice_lines(advice: Advice, whom: str = YOU, width: int = WIDTH) -> list[str]:
    """Return the legal moves with what they are worth, the best first, and how the game goes on after it.

    `whom` is the name of the side to move, `width` the columns that a line has room for.
    """
    best, size = advice.moves[0], advice.board.size
    if not best.text:
        return [f"{advice.adviser} would play {square_name(best.move, size)}"]
    worth = [(move.move, _marked(move, advice.exact)) for move in advice.moves]
    lines = _listed("best", worth, f"for {whom}, {_unit(advice)}", size, width)
    if advice.exact and best.own_text:
        own = [(move.move, move.own_text) for move in advice.moves]
        lines += _listed("own", own, f"{advice.unit}; {advice.adviser}", size, width)
    if best.line:
        line = [square_name(move, size) for move in best.line]
        more = " ..." if len(line) > _LINE else ""
        lines.append(f"line: {' '.join(line[:_LINE])}{more}")
    return lines


def _listed(title: str, worth: list[tuple[int, str]], remark: str, size: int, width: int) -> list[str]:
    """Return moves with their values and a remark, in lines that fit a terminal, no pair broken."""
    pairs = ", ".join(f"{square_name(move, size)} {text}".replace(" ", _TIE) for move, text in worth)
    lines = [line.replace(_TIE, " ") for line in wrap(f"{title}: {pairs}", width, subsequent_indent=_INDENT)]
    whole = f"{lines[-1]}   ({remark})"
    if len(whole) <= width:
        return [*lines[:-1], whole]
    return [*lines, *wrap(f"({remark})", width, initial_indent=_INDENT, subsequent_indent=_INDENT)]


def _marked(move: MoveAdvice, all_exact: bool) -> str:
    """Return a move's value; an exact one among others says so."""
    return move.text if all_exact or move.exact is None else f"exact {move.text}"


def _unit(advice: Advice) -> str:
    """Return what the values of a piece of advice are, and whose."""
    if advice.exact:
        return DISCS
    plies = "ply" if advice.depth == 1 else "plies"
    ahead = f"{advice.depth} {plies} ahead, in " if advice.depth else ""
    chance = advice.moves[0].chance
    odds = "" if chance is None else f"; {chance:.0%} to win"
    return f"{ahead}{advice.unit}{odds}; {advice.adviser}"


def kept_line(kept: KeptGame) -> str:
    """Return which game it is that was not finished."""
    game = kept.record.game
    white, black = (kept.seats[colour] or PERSON for colour in (Colour.WHITE, Colour.BLACK))
    when = f"{kept.saved.astimezone():%Y-%m-%d %H:%M}"
    return f"{black} (black) - {white} (white), {game.size}x{game.size}, {len(game.moves)} moves, {when}"


def transcript_lines(game: Game, command: str) -> list[str]:
    """Return the moves so far and what plays on from there: `command` without the moves."""
    moves = format_squares(game.moves, game.size)
    if game.start != Board.start(game.size):
        return [f"Start: {game.start}", *([f"Moves: {moves}"] if moves else [])]
    if not moves:
        return []
    return [f"Transcript: {moves}", f"See it again or play on: {command} --transcript={moves}"]
