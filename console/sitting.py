"""A game with its players: moves, undo, redo and resignation."""

from othello_lab.console.seat import Seat, Seats, close
from othello_lab.game import Board, Colour, Game, IllegalMoveError
from othello_lab.game.records import Forfeited, Record

PERSON = "person"  # The name of a person in records.


class Sitting:
    """A game from start to end, with the players of both sides.

    `game` ends at the shown position, and `line` has all moves. A new move deletes the moves to redo. A
    forced pass is played automatically.
    """

    def __init__(self, game: Game, seats: Seats) -> None:
        # The seat of each side, or None for a person.
        self.seats: dict[Colour, Seat | None] = {colour: seats[colour] for colour in Colour}
        self.begin(game)

    def begin(self, game: Game) -> None:
        """Replace the game and keep the players."""
        self._set_line(game)
        self.first_ply = self.ply  # The number of loaded moves, or fewer if a loaded move was replaced.

    def _set_line(self, game: Game) -> None:
        """Replace all moves, add a forced pass at the end, and show the last position."""
        self._whole = game.until()
        self._whole.pass_if_forced()
        self._resigned: Colour | None = None
        self.go_to(len(self._whole.moves))

    def sit(self, seats: Seats) -> None:
        """Replace the players, and close the old players that are no longer used."""
        leaving = {*self.seats.values()} - {*seats.values()}
        self.seats = {colour: seats[colour] for colour in Colour}
        close(leaving)

    @property
    def people(self) -> list[Colour]:
        """The sides that persons play."""
        return [colour for colour, seat in self.seats.items() if seat is None]

    @property
    def line(self) -> tuple[int, ...]:
        """All moves of the game, including moves to redo."""
        return tuple(self._whole.moves)

    @property
    def ply(self) -> int:
        """The number of moves before the shown position."""
        return len(self.game.moves)

    @property
    def can_redo(self) -> bool:
        """Whether there are moves after the shown position."""
        return self.ply < len(self.line)

    @property
    def resigned(self) -> Colour | None:
        """The side that resigned, or None. Always None while an earlier position is shown."""
        return None if self.can_redo else self._resigned

    @property
    def has_begun(self) -> bool:
        """Whether the game was loaded, or a person (without persons, either side) has moved."""
        is_loaded = self.first_ply > 0 or self._whole.start != Board.start(self._whole.size)
        return is_loaded or bool(self._decisions(0, len(self.line)))

    @property
    def is_finished(self) -> bool:
        """Whether the game has ended, even if an earlier position is shown."""
        return self._resigned is not None or self._whole.board.is_over

    @property
    def turn(self) -> Colour | None:
        """The side to move in the shown position, or None if the game is over."""
        return None if self.game.board.is_over or self.resigned else self.game.board.turn

    @property
    def person_to_move(self) -> bool:
        """Whether it is a person's turn."""
        return self.turn is not None and self.seats[self.turn] is None

    @property
    def can_resign(self) -> bool:
        """Whether a person plays and the game has not ended."""
        return bool(self.people) and not self.is_finished

    @property
    def player_to_move(self) -> Seat | None:
        """The seat of the player to move. None: a person moves, the game is over, or a redo is possible."""
        seat = self.turn and self.seats[self.turn]
        return None if self.can_redo else seat

    def play(self, move: int) -> list[int]:
        """Play a move and any forced pass, and return the played moves. Delete the moves to redo.

        Raises IllegalMoveError, without a change, for an illegal move and for a move after the end.
        """
        if self.resigned:
            raise IllegalMoveError(f"the game is over: {self.resigned.value} resigned")
        before, after = self.ply, self.game.until()
        after.play(move)
        self._set_line(after)
        self.first_ply = min(self.first_ply, before)
        return self.game.moves[before:]

    def undo(self) -> bool:
        """Undo a resignation or the last decision of a person (without persons, any side). Return success."""
        if self.resigned:
            self._resigned = None
            return True
        return self._moves_to(max(self._decisions(0, self.ply), default=self.ply))

    def redo(self) -> bool:
        """Redo the moves up to a person's next decision or the end. Return whether the position changed."""
        end = len(self.line)
        return self._moves_to(min(self._decisions(self.ply + 1, end), default=end))

    def step(self, decisions: int) -> bool:
        """Step `decisions` decisions forward (backward if negative). Return whether the position changed."""
        stops = self._stops()
        goal = stops.index(self.ply) + decisions
        return self._moves_to(stops[min(max(goal, 0), len(stops) - 1)])

    def go_to(self, ply: int) -> None:
        """Show the position after `ply` moves and any forced pass. Raises IndexError for a shorter game."""
        if not 0 <= ply <= len(self.line):
            raise IndexError(f"there is no ply {ply}: expected 0 to {len(self.line)}")
        self.game = self._whole.until(ply)
        self.game.pass_if_forced()

    def drop_redo(self) -> bool:
        """Delete the moves to redo. Return whether moves were deleted or a player is to move."""
        if not self.can_redo:
            return self.player_to_move is not None
        self._set_line(self.game)
        return True

    def resign(self) -> bool:
        """Resign for the person to move, or for the first person. Return whether a person can resign."""
        if not self.can_resign:
            return False
        self.drop_redo()
        self._resigned = self.turn if self.person_to_move else self.people[0]
        return True

    def record(self) -> Record:
        """Return the record of the game, with all moves and the texts of the players."""
        black, white = (seat.text or seat.name if seat else PERSON for seat in map(self.seats.get, Colour))
        forfeit = Forfeited(self._resigned, "resigned") if self._resigned else None
        return Record(self._whole.until(), black, white, forfeit=forfeit)

    def _moves_to(self, ply: int) -> bool:
        before = self.ply
        self.go_to(ply)
        return self.ply != before

    def _stops(self) -> list[int]:
        """Return the plies of the positions without a forced pass."""
        return [ply for ply, board in enumerate(self._whole.boards) if not board.must_pass]

    def _decisions(self, first: int, end: int) -> list[int]:
        """Return the plies in range(first, end) at which a person decides. Without persons: any side."""
        deciding, boards = self.people or list(Colour), self._whole.boards
        return [ply for ply in self._stops() if first <= ply < end and boards[ply].turn in deciding]
