"""The game that another program sets up and changes, and the player of ours that it asks."""

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from threading import Thread
from typing import TypeVar

from othello_lab.console.advice import Advice, MoveAdvice, looks, searched
from othello_lab.console.engines.lines import Conversation
from othello_lab.console.seat import GameClock, Seat
from othello_lab.console.work import interruptible
from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.players.engines.process import restore, state_of
from othello_lab.game.players.mcts import TreePlayer
from othello_lab.game.players.player import Player, Policy
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.search.limits import Report

_WAIT = 0.01
"""Seconds between two orders to stop: a search that has hardly begun does not heed one."""


@contextmanager
def pondering(player: Player, game: Game) -> Iterator[None]:
    """Have a search think meanwhile about the position after the reply that it expects, if there is one."""
    board = _expected(game, player.last_report) if isinstance(player, DeepeningPlayer) else None
    if board is None or not isinstance(player, DeepeningPlayer):
        yield
        return
    thread = Thread(target=player.ponder, args=(board,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        while thread.is_alive():
            player.stop()
            thread.join(_WAIT)


def _expected(game: Game, report: Report | None) -> Board | None:
    """Return the position after the best reply to the move just made; None where it knows of none."""
    if report is None or len(report.variation) < 2 or game.moves[-1:] != [report.move]:
        return None
    reply = report.variation[1]
    if reply not in game.board.legal_moves:
        return None
    after = game.board.play(reply)
    return None if after.is_over or after.must_pass else after


AT_LEAST = 0.5
"""Seconds that a player may think though more lines wait: a script that sends them all is answered."""
GRACE = 60.0
"""Seconds between `stop` and LeftError: the first search on a machine compiles for about a minute."""
Result = TypeVar("Result")


class LeftError(Exception):
    """Raised where the other program went while the player thought: nobody waits for an answer."""


class Session:
    """One game at a time. A pass that was left out is put in; the player hears of moves when it is asked.

    `seat_for(size)` makes the player of a board; it raises ValueError for a size that is not played.
    """

    def __init__(self, seat_for: Callable[[int], Seat], size: int, conversation: Conversation) -> None:
        """What comes in the conversation meanwhile ends what the player thinks about."""
        self._conversation = conversation
        self._seat_for = seat_for
        self._seat = seat_for(size)
        self._adviser: Seat | None = None
        """Another player of the same kind, for `consider`; made at its first call."""
        self.game = Game(Board.start(size))
        self.clock = GameClock()
        """Runs while the player moves in `generate`. A search takes no more than its part of what is left."""
        self._steps: list[int] = []

    @property
    def name(self) -> str:
        """What the player is called."""
        return self._seat.name

    @property
    def randomness(self) -> str | None:
        """The state of the player's randomness, None of one that has no words."""
        return state_of(self._seat.rng)

    @randomness.setter
    def randomness(self, words: str) -> None:
        """Set it; raise ValueError."""
        restore(self._seat.rng, words)

    def set_up(self, game: Game) -> None:
        """Go on with another game; raise ValueError, and change nothing, for a size that is not played."""
        if game.size != self.game.size:
            seat = self._seat_for(game.size)
            self.close()
            self._seat = seat
        self._seat.forget()
        self.game, self._steps = game, []

    def play(self, move: int, colour: Colour | None = None) -> None:
        """Make a move of a side, by default of whoever can make it; raise IllegalMoveError.

        A pass after the end of the game changes nothing, and `undo` takes it back.
        """
        if move == PASS and self.game.board.is_over:
            self._steps.append(len(self.game.moves))
            return
        with self._step():
            self._turn_to(colour or self._mover(move))
            self.game.play(move)

    def generate(self, colour: Colour) -> int:
        """Have the player move for a side and return the move; PASS where it must, and when the game is over.

        Raises IllegalMoveError where it is the other's turn, Forfeit where the player cannot go on.
        """
        if self.game.board.is_over:
            self.play(PASS)
            return PASS
        with self._step():
            self._turn_to(colour)
            with self.clock.running(colour):
                move = self._choose(self._seat)
            self.game.play(move)
        return move

    def consider(self, colour: Colour | None = None) -> int:
        """Return a move of a side, by default of the side to move, without playing it.

        Another player of the same kind chooses it, with a copy of the random generator: later moves do not
        depend on this call.
        """
        before = len(self.game.moves)
        try:
            self._turn_to(colour or self.game.board.turn)
            if self.game.board.is_over:
                return PASS
            adviser = self._adviser = self._adviser or self._seat_for(self.game.size)
            adviser.rng = deepcopy(self._seat.rng)
            adviser.forget()
            return self._choose(adviser)
        finally:
            self._back_to(before)

    def decide(self) -> int:
        """Return the player's move in the position now, without making it; PASS where there is none."""
        return PASS if self.game.board.is_over else self._choose(self._seat)

    def undo(self) -> None:
        """Take back the last move with the passes put in before it; raise IndexError where there is none."""
        self._back_to(self._steps.pop())

    @property
    def last_found(self) -> MoveAdvice | None:
        """What a search found out about the move that it chose last; None from other players."""
        player = self._seat.player
        if not isinstance(player, DeepeningPlayer | TreePlayer) or not player.last_report:
            return None
        return searched(player.last_report, player.unit)

    @property
    def answers_at_once(self) -> bool:
        """Whether the player needs no more than the position, and no time, to value its moves."""
        return isinstance(self._seat.player, Policy)

    def looks(self, depth: int | None = None) -> Iterator[Advice]:
        """Yield what is known of each legal move, ever deeper, see `console.advice.looks`."""
        started = time.monotonic()
        found = looks(self._seat.for_hints(self.game), self.game, depth)
        while advice := self._thinking(lambda: next(found, None), self._seat.player, started):
            yield advice
            if self.is_called_away(time.monotonic() - started):
                return

    def is_called_away(self, seconds: float) -> bool:
        """Tell whether to stop work after so many seconds; less than AT_LEAST is always finished.

        Raises LeftError where nobody waits any more.
        """
        if self._conversation.has_left(seconds):
            raise LeftError
        return seconds >= AT_LEAST and self._conversation.has_urgent()

    def pondering(self) -> AbstractContextManager[None]:
        """Have the player think meanwhile about what it expects, see `pondering.py`."""
        return pondering(self._seat.player, self.game)

    def close(self) -> None:
        """Close the player."""
        self._seat.player.close()
        if self._adviser:
            self._adviser.player.close()
            self._adviser = None

    def _mover(self, move: int) -> Colour:
        board = self.game.board
        return board.turn.other if board.must_pass and move != PASS else board.turn

    def _turn_to(self, colour: Colour) -> None:
        turn = self.game.board.turn
        if colour is not turn and not self.game.pass_if_forced():
            over = self.game.board.is_over
            raise IllegalMoveError("the game is over" if over else f"it is the turn of {turn.value}")

    def _choose(self, seat: Seat) -> int:
        board, player = self.game.board, seat.player
        if board.must_pass:
            return PASS
        if isinstance(player, DeepeningPlayer):
            player.hurry(board, self.clock.left(board.turn))
        return self._thinking(lambda: seat.choose(self.game), player)

    def _thinking(self, work: Callable[[], Result], player: Player, started: float | None = None) -> Result:
        """Return what the player finds, the best so far where it is called away.

        An interrupt ends it too, and the other program's going, which raises LeftError.
        """
        stop = player.stop
        begun = time.monotonic() if started is None else started

        def meanwhile(seconds: float) -> None:
            is_overdue = self._conversation.is_overdue
            if is_overdue(seconds - GRACE):  # and does not listen
                raise LeftError
            if self.is_called_away(time.monotonic() - begun) or is_overdue(seconds):
                stop()

        return interruptible(work, stop, meanwhile)

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
