"""A protocol as a player sees it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from game.board import Board
from game.notation import PASS, NotationError, parse_square, square_name
from game.players.engine.conversation import Conversation
from game.players.randomness import restore
from game.players.values import MoveValues


class Engine(Protocol):
    """A program with a game set up. Its methods raise Forfeit where it fails; then it is to be closed."""

    @property
    def start(self) -> Board | None:
        """Where its game began, None before there is one."""

    @property
    def moves(self) -> Sequence[int]:
        """The moves since then that it knows, passes included."""

    def set_up(self, start: Board) -> None:
        """Begin a game; raises UnplayableError for one that it cannot play."""

    def tell(self, move: int) -> None:
        """Say which move or pass comes next."""

    def choose(self, board: Board, rng: np.random.Generator) -> int:
        """Return its move in a position, the one that it has been told of; a legal one.

        A program of ours draws from `rng`, any other has randomness of its own.
        """

    def values(self, board: Board) -> MoveValues | None:
        """Return what it says that the legal moves there are worth, None if it does not say so of each."""

    def close(self) -> None:
        """End the program."""


def read_randomness(words: str, rng: np.random.Generator, program: Conversation) -> None:
    """Have a generator go on from where a program has answered that it is; raises its Forfeit for rubbish."""
    try:
        restore(rng, words)
    except ValueError as error:
        raise program.forfeit(f"gave no randomness back: {error}") from None


def read_move(text: str, board: Board, program: Conversation) -> int:
    """Return the move that a program has answered; raises its Forfeit for any that is not legal."""
    word = text.strip().lower()
    if word == "resign":
        raise program.forfeit("resigned")
    try:
        move = PASS if word in ("pass", "pa") else parse_square(word, board.size)
    except NotationError:
        raise program.forfeit(f"answered {text.strip()[:60]!r}, which is no move") from None
    if move not in board.legal_moves:
        raise program.forfeit(f"played {square_name(move, board.size)}, which is not legal in {board}")
    return move
