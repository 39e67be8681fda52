"""A sitting, who makes its players, who gives hints, and how the game is kept. Nothing here prints."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from othello_lab.console.files import PICTURES, Draw, save, save_picture
from othello_lab.console.saving import KeptGame, Place
from othello_lab.console.seat import Seat, SeatFor
from othello_lab.console.sitting import Seats, Sitting
from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.files import what_failed
from othello_lab.game.players.noisy import STRONGEST
from othello_lab.game.records import Record, RecordError

HUMAN = "human"
"""The text of an opponent that is a person too."""
ADVISER = "search:time=1"
"""The adviser unless another is named."""
_LEVELS = {1: ", near-random", STRONGEST: ", the strongest"}
Cast = tuple[Seats, Seat]
"""Who plays, and who gives hints."""


def offered(people: bool) -> dict[str, str]:
    """Return the players that anybody can choose, as labels by their texts; with `people` a person too."""
    first = {HUMAN: "a person"} if people else {ADVISER: "search, a second a move"}
    return first | {
        f"level:{level}": f"level {level}{_LEVELS.get(level, '')}" for level in range(1, STRONGEST + 1)
    }


@dataclass(frozen=True)
class Settings:
    """The board and who sits at it, as texts that can be typed."""

    size: int
    players: Mapping[Colour, str]
    """The texts of the players, HUMAN for a person."""
    adviser: str
    """The text of who gives hints."""


@dataclass(frozen=True)
class Wish:
    """What is to be played, by whom."""

    settings: Settings
    game: Game | None
    """Where to begin; None to go on with the game that is played."""
    was_brought: bool = False
    """As in `Table`."""


def from_the_start(size: int) -> Game:
    """Return a game that begins at the standard start."""
    return Game(Board.start(size))


def from_position(text: str) -> Game:
    """Return a game that begins at a position that was set up; raise ValueError where nobody can move."""
    board = Board.parse(text)
    if board.is_over:
        raise ValueError("nobody could move in that position")
    return Game(board)


def dismiss(cast: Cast) -> None:
    """Let players go that nobody wants to play with any more."""
    seats, adviser = cast
    for seat in (*seats.values(), adviser):
        if seat:
            seat.player.close()


def no_picture(record: Record, path: Path) -> None:
    """Draw nothing, where nobody draws; raises RecordError."""
    raise RecordError(f"{path}: no pictures are drawn here")


@dataclass
class Table:
    """One game after another: who plays, who gives hints, and the way to other players."""

    sitting: Sitting
    adviser: Seat
    seat_for: SeatFor
    place: Place
    """Where the game is kept."""
    new_game: Callable[[int], Game] = from_the_start
    """Makes a game to begin on a board of this size."""
    draw: Draw = no_picture
    """Draws the last position of a game."""
    was_brought: bool = False
    """Whether the game was loaded, set up or resumed: then it is kept before anybody moves."""
    _complaint: str = ""
    """Why the game is not kept, as it was said last."""

    @property
    def size(self) -> int:
        """The length of a side of the board."""
        return self.sitting.game.size

    @property
    def settings(self) -> Settings:
        """What is played with now."""
        players = {colour: seat.text if seat else HUMAN for colour, seat in self.sitting.seats.items()}
        return Settings(self.size, players, self.adviser.text)

    @property
    def theirs(self) -> Colour:
        """The side of the opponent: of two persons the one that is not to move, of two players white."""
        people = self.sitting.people
        if len(people) == 1:
            return people[0].other
        return self.sitting.game.board.turn.other if people else Colour.WHITE

    def cast(self, settings: Settings) -> Cast:
        """Return players of these texts; raise ValueError where there is none."""
        seats = {
            colour: None if text == HUMAN else self.seat_for(text, settings.size)
            for colour, text in settings.players.items()
        }
        return seats, self.seat_for(settings.adviser, settings.size)

    def seat(self, seats: Seats, adviser: Seat) -> None:
        """Have these take the place of all who played, and of who gave hints."""
        self.sitting.sit(seats)
        self.adviser.player.close()
        self.adviser = adviser

    def swap(self) -> None:
        """Have each side played by who played the other."""
        seats = self.sitting.seats
        self.sitting.sit({colour: seats[colour.other] for colour in Colour})

    def keep(self) -> list[str]:
        """Have the game on disk as it stands, while there is something to lose: call it after every change.

        That is from the first move of a person on, or of anybody where no person plays, or at once where the
        game was brought, until it is over. Returns why it cannot be written, once.
        """
        why, before = "", self._complaint
        try:
            self._write()
        except OSError as error:
            why = f"The game is not kept: {what_failed(error)}"
        self._complaint = why
        return [why] if why != before and why else []

    def _write(self) -> None:
        record = self.sitting.record()
        if record.is_over or not (self.was_brought or self._has_begun(record.game)):
            self.place.drop()
            return
        seats = {colour: seat.text if seat else None for colour, seat in self.sitting.seats.items()}
        used = {colour: self.sitting.clocks.used(colour) for colour in Colour}
        adviser = self.adviser.text
        self.place.keep(KeptGame(record, self.sitting.ply, seats, adviser, used, datetime.now(UTC)))

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Write the game to a file, or the position that is looked at to a picture; raise RecordError."""
        today = datetime.now(UTC).astimezone().date().isoformat()
        record = replace(self.sitting.record(), date=today)
        if path.suffix.lower() in PICTURES:
            seen = replace(record, game=self.sitting.game.until())
            save_picture(path, seen, self.draw, overwrite)
        else:
            save(path, record, overwrite)

    def _has_begun(self, game: Game) -> bool:
        """Tell whether a move was made that somebody would miss."""
        at, played = self.sitting, zip(game.boards, game.moves, strict=False)
        people = at.people or list(Colour)
        return any(move != PASS and board.turn in people for board, move in [*played][at.given :])

    def close(self) -> None:
        """Let all players go, and others have what is kept of the game."""
        self.sitting.close()
        self.adviser.player.close()
        self.place.close()
