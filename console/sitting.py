"""A game and who sits at it: people and players, undo and redo, clocks. Nothing here prints."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from othello_lab.console.seat import Clocks, Seat
from othello_lab.game import Colour, Game, IllegalMoveError
from othello_lab.game.players.player import Forfeit
from othello_lab.game.records import Forfeited, Record

PERSON = "person"
"""What a record calls a side that a person plays."""
Seats = Mapping[Colour, Seat | None]
"""Who plays each side; None is a person. Two seats must not share a player."""


@dataclass(frozen=True)
class Question:
    """A player's turn in a position, on a game of its own: `answer` may run in another thread."""

    seat: Seat
    game: Game

    def answer(self, is_wanted: Callable[[], bool] = lambda: True) -> int:
        """Return the player's move; raise Forfeit or UnplayableError where it cannot go on.

        The player may have to end something else first; by then the move may not be wanted any more.
        """
        with self.seat.in_use:
            if not is_wanted():
                raise Forfeit("nobody waits for this move any more")
            return self.seat.choose(self.game)


class Sitting:
    """One game from its start to its end, with whoever plays it.

    `game` is the game as far as it is looked at, `line` all of its moves: what was taken back can be made
    again until another move is made. Passes are made with the move before them, so the side to move always
    has a move until the game is over.
    """

    def __init__(
        self,
        game: Game,
        seats: Seats,
        now: Callable[[], float] = time.monotonic,
        used: Mapping[Colour, float] | None = None,
    ) -> None:
        """`now` is the clock, in seconds; `used` is what each side has used of it before."""
        self._now = now
        self.seats: dict[Colour, Seat | None] = dict.fromkeys(Colour)
        """Who plays each side; None is a person."""
        self.begin(game, used)
        self.sit(seats)

    def begin(self, game: Game, used: Mapping[Colour, float] | None = None) -> None:
        """Put another game in place of the one until now; who sits there plays on."""
        self.clocks = Clocks(self._now, used or {})
        self._take_up(game)
        self.given = self.ply
        """How many plies of the line were there before anybody here moved."""

    def _take_up(self, game: Game) -> None:
        """Make a game the line, with the pass that its end may force, and stand at its end."""
        self._whole = game.until()
        self._whole.pass_if_forced()
        self._resigned: Colour | None = None
        self.go_to(len(self._whole.moves))

    def sit(self, seats: Seats) -> None:
        """Have these play on. A player that leaves is closed; one that stays need not hear the game again."""
        left = {seat for seat in self.seats.values() if seat} - {*seats.values()}
        self.seats = {colour: seats[colour] for colour in Colour}
        for seat in left:
            seat.player.close()
        self._run_clock()

    def close(self) -> None:
        """Stop the clocks and let the players go."""
        self.clocks.run(None)
        for seat in self.seats.values():
            if seat:
                seat.player.close()

    @property
    def people(self) -> list[Colour]:
        """The sides that persons play."""
        return [colour for colour, seat in self.seats.items() if seat is None]

    @property
    def line(self) -> tuple[int, ...]:
        """All moves from the start, also those that can be made again."""
        return tuple(self._whole.moves)

    @property
    def ply(self) -> int:
        """How many moves of the line are made."""
        return len(self.game.moves)

    @property
    def can_redo(self) -> bool:
        """Whether there are moves to be made again."""
        return self.ply < len(self.line)

    @property
    def resigned(self) -> Colour | None:
        """Who gave the game up, at the end of the line."""
        return None if self.can_redo else self._resigned

    @property
    def is_finished(self) -> bool:
        """Whether the line has its end, also where an earlier position is looked at."""
        return self._resigned is not None or self._whole.board.is_over

    @property
    def turn(self) -> Colour | None:
        """Who is to move; None when the game is over."""
        return None if self.game.board.is_over or self.resigned else self.game.board.turn

    @property
    def person_to_move(self) -> bool:
        """Whether a person is to move."""
        return self.turn is not None and self.seats[self.turn] is None

    @property
    def can_resign(self) -> bool:
        """Whether there is a person who can give the game up."""
        return bool(self.people) and not self.is_finished

    @property
    def question(self) -> Question | None:
        """The turn of a player, None where a person is to move or the game is over.

        A player waits while there are moves to be made again: it is asked once `drop_redo` has dropped them.
        """
        seat = self.turn and self.seats[self.turn]
        return Question(seat, self.game.until()) if seat and not self.can_redo else None

    def play(self, move: int) -> list[int]:
        """Make a move and the passes that it forces, and return them; what could be made again is gone.

        Raises IllegalMoveError, and changes nothing, for a move that the rules forbid or after the end.
        """
        if self.resigned:
            raise IllegalMoveError(f"the game is over: {self.resigned.value} resigned")
        before, after = self.ply, self.game.until()
        after.play(move)
        self._take_up(after)
        self.given = min(self.given, before)
        return self.game.moves[before:]

    def accept(self, question: Question, move: int) -> list[int]:
        """Make the answer to a question as `play` does, unless the game has gone another way meanwhile."""
        now = self.question
        if now is None or now.seat is not question.seat or not _is_same(now.game, question.game):
            return []
        return self.play(move)

    def undo(self) -> bool:
        """Go back to the decision before of a person, or of anybody where no person plays.

        Tells whether there was one. A resignation is taken back first.
        """
        if self.resigned:
            self._resigned = None
            self._run_clock()
            return True
        return self._moves_to(max(self._decisions(0, self.ply), default=self.ply))

    def redo(self) -> bool:
        """Go on to the next decision as `undo` goes back, or to the end; tell whether there was one."""
        end = len(self.line)
        return self._moves_to(min(self._decisions(self.ply + 1, end), default=end))

    def step(self, decisions: int) -> bool:
        """Go this many decisions of either side on, or back where it is less than 0, as far as there are any.

        Tells whether there were.
        """
        stops = self._stops()
        goal = stops.index(self.ply) + decisions
        return self._moves_to(stops[min(max(goal, 0), len(stops) - 1)])

    def go_to(self, ply: int) -> None:
        """Go to where this many moves of the line are made, and one more where that is a pass.

        Raises IndexError where the line does not reach.
        """
        if not 0 <= ply <= len(self.line):
            raise IndexError(f"there is no ply {ply}: expected 0 to {len(self.line)}")
        self.game = self._whole.until(ply)
        self.game.pass_if_forced()
        self._run_clock()

    def drop_redo(self) -> None:
        """Have the game go on from here; what could be made again is gone."""
        if self.can_redo:
            self._take_up(self.game)

    def resign(self) -> None:
        """Have a person give the game up here: who is to move, or else the only one.

        Changes nothing where the line has its end, or where no person plays.
        """
        if not self.can_resign:
            return
        self.drop_redo()
        self._resigned = self.turn if self.person_to_move else self.people[0]
        self._run_clock()

    def _run_clock(self) -> None:
        """Have the clock of the side to move run, unless it is a player that waits or the game is over."""
        plays = not self.is_finished and (self.person_to_move or self.question)
        self.clocks.run(self.turn if plays else None)

    def record(self) -> Record:
        """Return the whole line with the names of those who play it."""
        black, white = (seat.text or seat.name if seat else PERSON for seat in map(self.seats.get, Colour))
        forfeit = Forfeited(self._resigned, "resigned") if self._resigned else None
        return Record(self._whole.until(), black, white, forfeit=forfeit)

    def _moves_to(self, ply: int) -> bool:
        """Go to a ply; tell whether the game stood elsewhere."""
        before = self.ply
        self.go_to(ply)
        return self.ply != before

    def _stops(self) -> list[int]:
        """Return the plies at which the game can stand: all but those before a pass."""
        return [ply for ply, board in enumerate(self._whole.boards) if not board.must_pass]

    def _decisions(self, first: int, end: int) -> list[int]:
        """Return the plies from `first` to before `end` at which a person decides, or anybody without one."""
        deciding, boards = self.people or list(Colour), self._whole.boards
        return [ply for ply in self._stops() if first <= ply < end and boards[ply].turn in deciding]


def _is_same(one: Game, other: Game) -> bool:
    """Tell whether two are the same game, not only equal, at the same ply."""
    return one.boards[0] is other.boards[0] and one.moves == other.moves
