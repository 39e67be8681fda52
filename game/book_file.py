"""The file of a book: text, with a line for each position.

Such a line has the cells, the side to move, how many positions the search looked at, and then each move with
its value in discs and the number of games in which it was played.
"""

import os
import re
from math import isqrt
from pathlib import Path
from typing import Final

from othello_lab.game.board import Board
from othello_lab.game.book import SIZES, Book, BookError, BookMove
from othello_lab.game.files import replace
from othello_lab.game.notation import brief, square_name, squares_by_name

MOST: Final = 200_000
"""Positions of a book."""
_LARGEST: Final = 1 << 26
"""Bytes of a file."""
_HEADING: Final = (
    "# othello book: position, side to move, positions searched, then moves with value in discs and games"
)
_MOVE: Final = r"[a-h][1-8] [+-][0-9]{1,2}\.[0-9]{2} [0-9]{1,9}"
_LINE: Final = re.compile(rf"([-XO]+) ([XO]) ([0-9]{{1,10}})((?: {_MOVE})+)", re.ASCII)


def read_book(path: Path) -> Book:
    """Return the book of a file; raises BookError, which names the line that is damaged."""
    book = None
    for number, line in enumerate(_text_of(path).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            try:
                book = book or Book(_parsed(line)[0].size)
                _take(line, book)
            except ValueError as error:
                raise BookError(f"{path}, line {number}: {error}") from None
    if book is None:
        raise BookError(f"{path}: no book: expected a line for each position, as `othello book` writes them")
    return book


def write_book(path: Path, book: Book) -> None:
    """Write a book, all of it or nothing; raises OSError, and BookError for one that is too large."""
    replace(path, _text(book))


def _text(book: Book) -> str:
    if len(book) > MOST:
        raise BookError(f"a book holds {MOST:,} positions at most, not {len(book):,}")
    lines = (
        " ".join(
            [str(board), str(nodes), *(_move(move, said, book.size) for move, said in sorted(moves.items()))]
        )
        for board, nodes, moves in book.positions()
    )
    return "\n".join([_HEADING, *lines, ""])


def _move(square: int, said: BookMove, size: int) -> str:
    return f"{square_name(square, size)} {said.discs:+.2f} {said.games}"


def _take(line: str, book: Book) -> None:
    """Add what a line says; raises ValueError for a damaged one."""
    board, nodes, moves = _parsed(line)
    if board.size != book.size:
        raise BookError(f"a position of {board.size}x{board.size} among those of {book.size}x{book.size}")
    book.add(board, nodes, moves)


def _text_of(path: Path) -> str:
    if not os.path.isfile(path):  # Path's own fails for a very long name
        raise BookError(f"{path}: there is no such book")
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise BookError(f"{path}: cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise BookError(f"{path}: no book: it is larger than {_LARGEST >> 20} MiB")
    return data.decode("utf-8", "replace")


def _parsed(line: str) -> tuple[Board, int, dict[int, BookMove]]:
    """Return the position of a line, how much was searched, and its moves; raises ValueError."""
    found = _LINE.fullmatch(line.strip())
    if not found or isqrt(len(found[1])) ** 2 != len(found[1]) or isqrt(len(found[1])) not in SIZES:
        raise BookError(f"{brief(line)!r} is no position with its moves, as `othello book` writes them")
    board = Board.parse(f"{found[1]} {found[2]}")
    words, squares = found[4].split(), squares_by_name(board.size)
    moves = {
        squares[name]: BookMove(float(discs), int(games))
        for name, discs, games in zip(words[::3], words[1::3], words[2::3], strict=True)
        if name in squares
    }
    if 3 * len(moves) < len(words):
        raise BookError("it names a square twice, or one off the board")
    for move in moves:
        board.play(move)
    return board, int(found[3]), moves
