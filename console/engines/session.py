"""The game that another program sets up and changes, and the player of ours that it asks."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import replace

from console.opponent import Seat
from game.board import Board, Colour, IllegalMoveError
from game.game import Game
from game.notation import PASS
from game.players.base import Forfeit


class Session:
    """One game at a time. A pass that was left out is put in; the player hears of moves when it is asked.

    `seat_for(size)` makes the player of a board; it raises ValueError for a size that is not played.
    """

    def __init__(self, seat_for: Callable[[int], Seat], size: int) -> None:
        self._seat_for = seat_for
        self._seat = seat_for(size)
        self.game = Game(Board.start(size))
        self._steps: list[int] = []
        self._told: int | None = None

    @property
    def name(self) -> str:
        """What the player is called."""
        return self._seat.name

    def set_up(self, game: Game) -> None:
        """Go on with another game; raise ValueError, and change nothing, for a size that is not played."""
        if game.size != self.game.size:
            seat = self._seat_for(game.size)
            self.close()
            self._seat = seat
        self.game, self._steps, self._told = game, [], None

    def play(self, move: int, colour: Colour | None = None) -> None:
        """Make a move of a side, by default of whoever can make it; raise IllegalMoveError."""
        with self._step():
            self._turn_to(colour or self._mover(move))
            self.game.play(move)

    def generate(self, colour: Colour) -> int:
        """Have the player move for a side and return the move; PASS where it must, and when the game is over.

        Raises IllegalMoveError where it is the other's turn, Forfeit where the player cannot go on.
        """
        if self.game.board.is_over:
            return PASS
        with self._step():
            self._turn_to(colour)
            self.game.play(move := self._choose(self._seat))
        return move

    def consider(self, colour: Colour | None = None) -> int:
        """Return what `generate` would play and leave all as it is; by default of the side to move."""
        before = len(self.game.moves)
        try:
            self._turn_to(colour or self.game.board.turn)
            return PASS if self.game.board.is_over else self._choose(self.aside())
        finally:
            self._back_to(before)

    def decide(self) -> int:
        """Return the player's move in the position now, without making it; PASS where there is none."""
        return PASS if self.game.board.is_over else self._choose(self._seat)

    def undo(self) -> None:
        """Take back the last move with the passes put in before it; raise IndexError where there is none."""
        self._back_to(self._steps.pop())

    def aside(self) -> Seat:
        """Return the player with a copy of its randomness: what is asked of it changes no later move."""
        self._tell()
        return replace(self._seat, rng=deepcopy(self._seat.rng))

    def close(self) -> None:
        """Let the player go."""
        self._seat.player.close()

    def _mover(self, move: int) -> Colour:
        board = self.game.board
        return board.turn.other if board.must_pass and move != PASS else board.turn

    def _turn_to(self, colour: Colour) -> None:
        turn = self.game.board.turn
        if colour is not turn and not self.game.pass_if_forced():
            over = self.game.board.is_over
            raise IllegalMoveError("the game is over" if over else f"it is the turn of {turn.value}")

    def _choose(self, seat: Seat) -> int:
        if self.game.board.must_pass:
            return PASS
        self._tell()
        try:
            move = seat.choose(self.game)
            self.game.board.play(move)
        except IllegalMoveError as error:
            raise Forfeit(f"{seat.name} made a wrong move: {error}") from None
        except Forfeit:
            self._told = None
            raise
        return move

    def _tell(self) -> None:
        """Tell the player of the moves since it was told last."""
        told, self._told = self._told, None  # should it fail, all is told again
        if told is None:
            self._seat.player.start(self.game)
        else:
            for move in self.game.moves[told:]:
                self._seat.player.observe(move)
        self._told = len(self.game.moves)

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Make what happens within one step for `undo`, and nothing of it if it fails."""
        before = len(self.game.moves)
        try:
            yield
        except BaseException:
            self._back_to(before)
            raise
        self._steps.append(before)

    def _back_to(self, length: int) -> None:
        while len(self.game.moves) > length:
            self.game.undo()
        if self._told is not None and self._told > length:
            self._told = None
