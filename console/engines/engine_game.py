"""The game of an engine, with its player and its clock."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from othello_lab.console.advice import Advice, MoveAdvice, looks, searched
from othello_lab.console.engines.lines import Conversation
from othello_lab.console.seat import Seat
from othello_lab.console.work import interruptible
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.players.mcts import TreePlayer
from othello_lab.game.players.search import DeepeningPlayer

AT_LEAST = 0.5  # Minimum thinking time in seconds before an interrupt. Scripts send all lines at once.
GRACE = 60.0  # Timeout after `stop`, in seconds. Compilation delays the first search by about a minute.
Result = TypeVar("Result")


class LeftError(Exception):
    """Raised if the other program has ended and the player ignores `stop`."""


class GameClock:
    """The remaining time of both sides, as set by the other program."""

    def __init__(self) -> None:
        """Create a clock without a time limit."""
        self._left = dict[Colour, tuple[float, int]]()
        self.set(0.0)

    def set(self, main: float, period: float = 0.0, moves: int = 0) -> None:
        """Give each side `main` seconds of main time, then a byo-yomi of `period` seconds per `moves` moves.

        No time limit if `main` and `period` are 0, or if `period` > 0 and `moves` = 0 (a rule of GTP).
        """
        is_unlimited = (period > 0 and moves == 0) or main == period == 0
        self._main, self._period, self._moves = (0.0, 0.0, 0) if is_unlimited else (main, period, moves)
        self.restart()

    def restart(self) -> None:
        """Reset the clock for a new game with the same settings."""
        has_clock = self._main > 0 or self._period > 0
        self._left = dict.fromkeys(Colour, (self._main, 0)) if has_clock else {}

    def tell(self, side: Colour, seconds: float, moves: int = 0) -> None:
        """Set a side's remaining time in seconds for the next `moves` moves (0: all remaining moves)."""
        self._left[side] = seconds, moves

    def use(self, side: Colour, seconds: float) -> None:
        """Subtract seconds from the remaining time of a side. Without a time limit, a no-op."""
        if side in self._left:
            left, moves = self._left[side]
            self._left[side] = left - seconds, moves

    def left(self, side: Colour) -> tuple[float, int] | None:
        """Return a side's remaining seconds and moves (0: all moves), or None without a time limit."""
        if side not in self._left:
            return None
        seconds, moves = self._left[side]
        if seconds <= 0 and self._moves:
            return self._period / self._moves, 1
        return max(0.0, seconds), moves


class EngineGame:
    """The current game of an engine. Inserts passes that the other program omits.

    The callback `seat_for` makes the player for a board size, or raises ValueError for an unsupported size.
    """

    def __init__(self, seat_for: Callable[[int], Seat], size: int, conversation: Conversation) -> None:
        self.conversation = conversation  # The other program's lines. An urgent line interrupts the player.
        self.seat = seat_for(size)
        self._seat_for = seat_for
        self.game = Game(Board.start(size))
        self.clock = GameClock()  # Runs during `generate`. A search gets a part of the remaining time.
        self._steps: list[Game] = []  # The undo history: the game before each step.

    def set_up(self, game: Game) -> None:
        """Replace the game. Raises ValueError, without a change, for an unsupported board size."""
        if game.size != self.game.size:
            seat = self._seat_for(game.size)
            self.close()
            self.seat = seat
        self.seat.forget()
        self.game, self._steps = game, []

    def play(self, move: int, colour: Colour | None = None) -> None:
        """Play a move for a side, by default the side to move. Raises IllegalMoveError.

        A pass after the end does not change the game, but counts as one step for `undo`.
        """
        if move == PASS and self.game.board.is_over:
            self._steps.append(self.game.until())
            return
        board = self.game.board
        mover = board.turn.other if board.must_pass and move != PASS else board.turn
        with self._step():
            self._turn_to(colour or mover)
            self.game.play(move)

    def generate(self, colour: Colour) -> int:
        """Play and return a move or PASS. Raises Forfeit, or IllegalMoveError if `colour` is not to move."""
        if self.game.board.is_over:
            self.play(PASS)
            return PASS
        with self._step():
            self._turn_to(colour)
            started = time.monotonic()
            move = self.decide()
            self.clock.use(colour, time.monotonic() - started)
            self.game.play(move)
        return move

    def decide(self) -> int:
        """Return the player's move, or PASS without a legal move. The game does not change."""
        board, player = self.game.board, self.seat.player
        if not board.legal_moves:
            return PASS
        if isinstance(player, DeepeningPlayer):
            player.hurry(board, self.clock.left(board.turn))
        return self._interruptible(lambda: self.seat.choose(self.game), time.monotonic())

    def undo(self) -> None:
        """Undo the last move and the passes inserted before it. Raises IndexError if there is no move."""
        self.game = self._steps.pop()

    @property
    def last_search(self) -> MoveAdvice | None:
        """The player's last search, as advice on the chosen move, or None without a search."""
        player = self.seat.player
        if not isinstance(player, DeepeningPlayer | TreePlayer) or not player.last_report:
            return None
        return searched(player.last_report, player.unit)

    def looks(self, depth: int | None = None) -> Iterator[Advice]:
        """Yield advice from iterative deepening up to `depth` plies, until an urgent line comes."""
        started = time.monotonic()
        advices = looks(self.seat.for_hints(self.game), self.game, depth)
        while advice := self._interruptible(lambda: next(advices, None), started):
            yield advice
            if self.is_interrupted(time.monotonic() - started):
                return

    def is_interrupted(self, seconds: float) -> bool:
        """Return whether an urgent line interrupts work that has taken `seconds`."""
        return seconds >= AT_LEAST and self.conversation.has_urgent()

    def close(self) -> None:
        """Close the player."""
        self.seat.player.close()

    def _turn_to(self, colour: Colour) -> None:
        board = self.game.board
        if colour is not board.turn and not self.game.pass_if_forced():
            raise IllegalMoveError(
                "the game is over" if board.is_over else f"it is the turn of {board.turn.value}"
            )

    def _interruptible(self, work: Callable[[], Result], started: float) -> Result:
        """Return the result of `work`. An urgent line, an overdue answer or Ctrl-C interrupts the player."""

        def check(seconds: float) -> None:
            is_overdue = self.conversation.is_overdue
            if is_overdue(seconds - GRACE):  # the player does not react to `stop`
                raise LeftError
            if self.is_interrupted(time.monotonic() - started) or is_overdue(seconds):
                self.seat.player.stop()

        return interruptible(work, self.seat.player.stop, check)

    @contextmanager
    def _step(self) -> Iterator[None]:
        """Group all moves in this context into one `undo` step. On an exception, roll back the moves."""
        before = self.game.until()
        try:
            yield
        except BaseException:
            self.game = before
            raise
        self._steps.append(before)
