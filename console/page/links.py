"""A game as the end of a link, such as `f5d6c3`: its moves, behind where it began unless that is usual."""

from othello_lab.game import Board, Game
from othello_lab.game.game import STANDARD, format_start, parse_start, replay
from othello_lab.game.notation import format_squares, parse_moves
from othello_lab.game.records import SIZE

_BREAK = "/"


def link_of(game: Game) -> str:
    """Return what `game_of` reads: no character that an address cannot have."""
    moves = format_squares(game.moves, game.size)
    if game.start == Board.start(SIZE):
        return moves or STANDARD
    start = format_start(game.start)
    size = f"{game.size}x{game.size}"
    return f"{size if start == STANDARD else start.replace(' ', '')}{_BREAK}{moves}"


def game_of(text: str) -> Game:
    """Return the game of a link; raise ValueError for what is none."""
    start, is_long, moves = text.partition(_BREAK)
    size = SIZE
    if not is_long:
        return parse_start(start, size)
    across, _, down = start.partition("x")
    if across == down and across.isdecimal() and len(across) <= 2:
        start, size = STANDARD, int(across)
    board = parse_start(start, size).board
    return replay(board, parse_moves(moves, board.size))
