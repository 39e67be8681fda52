"""Two whole games, written out ply by ply and compared with files that people reviewed (tests/data).

With OTHELLO_UPDATE_GOLDEN=1 set, the files are written anew: then read the diff.
"""

import os
from pathlib import Path

import pytest

from othello_lab.game import Board, Game
from othello_lab.game.notation import format_squares, square_name

DATA = Path(__file__).parent.parent / "data"
GAMES = {
    6: "c2b4c5d2e4e3d1c1b1d5d6f4b3b2f3f2e2b6a4c6a6a2b5a5e6e5a3a1f5f6e1f1",
    8: "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2"
    "c1h2h1g2b8a8g7h8h7h6",
}


def grid(board: Board) -> list[str]:
    cells = str(board).split()[0]
    return [cells[row : row + board.size] for row in range(0, board.size**2, board.size)]


def page(size: int) -> str:
    """Write a game out: each move, then the position with its legal moves."""
    game = Game.from_transcript(GAMES[size], size)
    lines = []
    for ply, board in enumerate(game.boards):
        if ply:
            lines.append(f"{ply}. {game.boards[ply - 1].turn.value} {square_name(game.moves[ply - 1], size)}")
        black, white = board.counts()
        legal = " ".join(format_squares([move], size) for move in board.legal_moves)
        lines += [
            *grid(board),
            f"black {black}, white {white}; {board.turn.value} to move: {legal or '-'}",
            "",
        ]
    return "\n".join([*lines, str(game.board.outcome()), ""])


@pytest.mark.parametrize("size", GAMES)
def test_a_game_goes_as_it_went_when_it_was_reviewed(size: int) -> None:
    file = DATA / f"playthrough_{size}x{size}.txt"
    if os.environ.get("OTHELLO_UPDATE_GOLDEN"):
        file.write_text(page(size), "utf-8")
    assert page(size) == file.read_text("utf-8")
