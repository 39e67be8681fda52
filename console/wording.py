"""The messages about a game, for all views."""

from collections.abc import Iterable, Mapping
from textwrap import wrap

from othello_lab.console import reviewing
from othello_lab.console.advice import Advice, MoveAdvice
from othello_lab.console.saving import SavedGame
from othello_lab.console.seat import Seats
from othello_lab.console.sitting import PERSON, Sitting
from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.drawing import Symbols
from othello_lab.game.notation import brief, square_name
from othello_lab.game.openings import opening_name
from othello_lab.game.records import Record
from othello_lab.game.review import Decision
from othello_lab.game.short_names import short_name
from othello_lab.game.transcripts import format_squares
from othello_lab.game.values import DISCS

YOU = "you"
WIDTH = 80  # The default width of lines with moves, in characters.
# The message with the person's options after a player has failed.
STUCK = (
    "The game stays as it is. `go` asks it again, `opponent WHO` has another player play on "
    "(level:3, greedy, human)"
)
# The message with the person's options at the end of a game.
NEXT = "Next: review, new, save FILE, or first `opponent WHO` for another player (level:3)."
_INDENT = " " * 6
_TIE = "\N{NO-BREAK SPACE}"
_LONGEST_COMPLAINT = 300
_LINE = 8  # The maximum number of moves shown from a principal variation.


def names(seats: Seats) -> dict[Colour, str]:
    """Return the name of each side. A single person is called `you`, and two persons `person`."""
    person = YOU if [*seats.values()].count(None) == 1 else PERSON
    return {colour: seat.name if seat else person for colour, seat in seats.items()}


def welcome(seats: Seats, symbols: Symbols) -> str:
    """Return a welcome line with each side's disc symbol and examples of input."""
    sides = ", ".join(
        f"{'You have' if name == YOU else f'{name} has'} {symbols.disc(colour)} ({colour.value})"
        for colour, name in sorted(names(seats).items(), key=lambda side: side[1] != YOU)
    )
    return f"{sides}. Type a square such as d3, or help."


def prompt(at: Sitting, symbols: Symbols) -> str:
    """Return the plain terminal's prompt, which names the side to move."""
    turn, seats = at.turn, at.seats
    if turn is None:
        return "the game is over (review, new, undo, quit; help): "
    side = f"{symbols.disc(turn)} {turn.value}"
    if not at.person_to_move:
        return f"{names(seats)[turn]} is to move ({side}; go, undo, redo, quit; help): "
    return f"{'your' if len(at.people) == 1 else 'a'} move ({side}): "


def no_move_now(at: Sitting, is_thinking: bool) -> str:
    """Return a message that explains why no person can move, and suggests commands."""
    if at.turn is None:
        return "The game is over: `new` begins another, `undo` takes back."
    name = names(at.seats)[at.turn]
    if is_thinking:
        return f"{name} is to move: wait for it, or take your move back with `undo`."
    return f"It is the turn of {name}: `go` has it move, `undo` goes to your own move."


def score_line(board: Board, symbols: Symbols, players: Mapping[Colour, str]) -> str:
    """Return a line with each side's disc symbol, name and number of discs."""
    sides = zip(Colour, board.counts(), strict=True)
    return "   ".join(f"{symbols.disc(side)} {side.value} ({players[side]}) {discs}" for side, discs in sides)


def opening_lines(game: Game) -> list[str]:
    """Return a line with the name of the opening, or [] for an unnamed opening."""
    name = opening_name(game)
    return [f"opening: {name}"] if name else []


def legal_line(board: Board) -> str:
    """Return a line with the legal moves."""
    return "legal: " + " ".join(square_name(move, board.size) for move in board.legal_moves)


def moves_line(title: str, moves: list[int], size: int) -> str:
    """Return a line with a title and moves."""
    return f"{title}: " + " ".join(square_name(move, size) for move in moves)


def left_lines(before: Record, now: Game) -> list[str]:
    """Return the moves of `before` as a line, or [] if `now` extends `before` or starts after its end."""
    game = before.game
    is_another = now.boards[0] is not game.boards[0]
    contains_it = now.start == game.start and now.moves[: len(game.moves)] == game.moves
    if contains_it or (is_another and before.is_over):
        return []
    start = [] if game.start == Board.start(game.size) else [f"left: {game.start}"]
    moves = [moves_line("then" if start else "left", game.moves, game.size)] if game.moves else []
    return [", ".join([*start, *moves])] if start or moves else []


def move_lines(at: Sitting, moves: list[int]) -> list[str]:
    """Return a line for each of the last `moves` that is a pass or a player's move, not a person's."""
    lines = (_move_line(at, move, ply) for ply, move in enumerate(moves, at.ply - len(moves)))
    return [line for line in lines if line]


def _move_line(at: Sitting, move: int, ply: int) -> str:
    mover = at.game.boards[ply].turn
    if move == PASS:
        return _pass_line(mover, at.seats)
    seat = at.seats[mover]
    return f"{seat.name} ({mover.value}) plays {square_name(move, at.game.size)}" if seat else ""


def _pass_line(mover: Colour, seats: Seats) -> str:
    players = names(seats)
    if players[mover] == YOU:
        return f"You ({mover.value}) have no legal move: you pass."
    again = "you move" if players[mover.other] == YOU else f"{mover.other.value} moves"
    return f"{players[mover]} ({mover.value}) has no legal move: it passes, and {again} again."


def turn_line(at: Sitting, how: str) -> str:
    """Return the turn as text, with `how` to move at a person's first turn, or "" after the game."""
    if at.turn is None:
        return ""
    is_you = names(at.seats)[at.turn] == YOU
    turn = f"Your move, {at.turn.value}" if is_you else f"{at.turn.value.capitalize()} is to move"
    is_new = at.person_to_move and at.ply <= at.first_ply + 1
    return f"{turn}: {how}." if is_new else f"{turn}."


def complaint(why: object) -> str:
    """Return an error, which may contain typed text, as one line of limited length."""
    return brief(str(why), _LONGEST_COMPLAINT)


def advice_lines(advice: Advice, side: str = YOU, width: int = WIDTH) -> list[str]:
    """Return lines with each legal move's value for `side`, best first, and the principal variation."""
    best, size = advice.moves[0], advice.board.size
    if not best.text:
        return [f"{advice.adviser} would play {square_name(best.move, size)}"]
    values = [(move.move, _marked(move, advice.exact)) for move in advice.moves]
    lines = _listed(values, f"for {side}, {_unit(advice)}", size, width)
    if best.line:
        line = [square_name(move, size) for move in best.line]
        more = " ..." if len(line) > _LINE else ""
        lines.append(f"line: {' '.join(line[:_LINE])}{more}")
    return lines


def _listed(values: list[tuple[int, str]], remark: str, size: int, width: int) -> list[str]:
    """Return moves with their values, and a remark, in lines of at most `width` characters."""
    pairs = ", ".join(f"{square_name(move, size)} {text}".replace(" ", _TIE) for move, text in values)
    lines = [line.replace(_TIE, " ") for line in wrap(f"best: {pairs}", width, subsequent_indent=_INDENT)]
    last = f"{lines[-1]}   ({remark})"
    if len(last) <= width:
        return [*lines[:-1], last]
    return [*lines, *wrap(f"({remark})", width, initial_indent=_INDENT, subsequent_indent=_INDENT)]


def _marked(move: MoveAdvice, all_exact: bool) -> str:
    """Return the value of a move as text. Mark an exact value unless all values are exact."""
    return move.text if all_exact or move.exact is None else f"exact {move.text}"


def _unit(advice: Advice) -> str:
    if advice.exact:
        return DISCS
    plies = "ply" if advice.depth == 1 else "plies"
    ahead = f"{advice.depth} {plies} ahead, in " if advice.depth else ""
    chance = advice.moves[0].chance
    odds = "" if chance is None else f"; {chance:.0%} to win"
    return f"{ahead}{advice.unit}{odds}; {advice.adviser}"


def result(at: Sitting) -> list[str]:
    """Return lines with the winner and the score, or [] during a game."""
    outcome, (black, white) = at.game.board.outcome(), at.game.board.counts()
    if at.resigned:
        return [f"{_verdict(at, at.resigned.other)}: {at.resigned.value} resigned."]
    if outcome is None:
        return []
    if outcome.winner is None:
        return [f"Draw, {black} to {white}."]
    discs = f"{max(black, white)} to {min(black, white)}"
    lines = [f"{_verdict(at, outcome.winner)}: {outcome.winner.value} wins, {discs}."]
    if outcome.final_score != outcome.disc_diff:
        lines.append(
            f"Disc difference {abs(outcome.disc_diff)}; "
            f"final score {abs(outcome.final_score)}, the empty squares going to the winner."
        )
    return lines


def _verdict(at: Sitting, winner: Colour) -> str:
    if len(at.people) == 1:
        return "You win" if at.people == [winner] else "You lose"
    name = names(at.seats)[winner]
    return f"{name[:1].upper()}{name[1:]} wins"


def costliest(at: Sitting, decisions: Iterable[Decision]) -> str:
    """Return a sentence about the biggest mistake of the game or, if one person plays, of the person."""
    sides = at.people if len(at.people) == 1 else list(Colour)
    mistakes = reviewing.worst(it for it in decisions if it.side in sides)
    you = " you" if len(sides) == 1 else ""
    if not mistakes:
        return f"No move cost{you} anything that a review finds."
    sure = "" if mistakes[0].exact else " (estimated)"
    return f"What cost{you} most: move {mistakes[0].ply + 1}, {reviewing.loss_text(mistakes[0], 1)}{sure}."


def saved_line(saved: SavedGame) -> str:
    """Return a line about an unfinished game: players, board size, number of moves and date."""
    game = saved.game
    black, white = (short_name(saved.seats[colour] or PERSON) for colour in (Colour.BLACK, Colour.WHITE))
    when = f"{saved.saved.astimezone():%Y-%m-%d %H:%M}"
    return f"{black} (black) - {white} (white), {game.size}x{game.size}, {len(game.moves)} moves, {when}"


def transcript_lines(game: Game, command: str) -> list[str]:
    """Return lines with the moves so far, and with a `command` that continues the game."""
    moves = format_squares(game.moves, game.size)
    if game.start != Board.start(game.size):
        return [f"Start: {game.start}", *([f"Moves: {moves}"] if moves else [])]
    if not moves:
        return []
    return [f"Transcript: {moves}", f"See it again or play on: {command} --load={moves}"]
