"""The controller of a game: execute a person's actions, run the players and update the view."""

import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from othello_lab.console import files, reviewing, wording
from othello_lab.console.entry import Command, Order, parse_entry
from othello_lab.console.hints import Hints, Review
from othello_lab.console.saving import SavedGame, SaveFile
from othello_lab.console.seat import HUMAN, Seat, SeatFor, Seats, Settings, Wish, close
from othello_lab.console.sitting import Sitting
from othello_lab.console.work import Failure, Work
from othello_lab.game import Board, Colour, Game, IllegalMoveError
from othello_lab.game.drawing import Marks
from othello_lab.game.notation import square_name
from othello_lab.game.players.player import Forfeit
from othello_lab.game.program_trust import trust
from othello_lab.game.registry import nested
from othello_lab.game.safe_files import what_failed

_WIDE: Final = 1000  # The line width for views that wrap lines themselves, in characters.
SEATING: Final = "The players are being made ready ..."


class View(Protocol):
    """A display of a game for a person."""

    def changed(self, *lines: str) -> None:
        """Show the current game and new messages."""

    def start(self, work: Work[Any]) -> None:
        """Run `work` in the foreground or in a thread, and pass the result to `work.done`."""

    def obey(self, order: Order) -> None:
        """Execute a typed command. Delegate commands that change the game to `Controller.obey`."""


class Side(NamedTuple):
    """The data of one side, for display."""

    colour: Colour
    name: str
    discs: int
    is_turn: bool
    is_thinking: bool


class Move(NamedTuple):
    """An entry of the move list, for display."""

    colour: Colour
    name: str
    loss: str  # The loss as text if an open review marks the move as a mistake, otherwise "".


class Controller:
    """Runs consecutive games, and saves the unfinished game."""

    view: View  # The display of the game, which `connect` sets.
    wished: Wish | None = None  # The pending request for new players, or None.

    def __init__(
        self,
        sitting: Sitting,
        adviser: Seat,
        seat_for: SeatFor,
        save_file: SaveFile,
        draw: files.Draw | None = None,
    ) -> None:
        """Create a controller. The callback `draw` saves a position as a picture."""
        self.sitting, self.save_file = sitting, save_file
        self.hints = Hints(sitting, adviser, self._start, self.say)
        self._seat_for, self._draw, self._pace = seat_for, draw, 0.0
        self._question: tuple[Seat, Game] | None = None  # The thinking player and its game, or None.
        self._messages: tuple[str, ...] = ()
        self._before = sitting.record()
        self._left: list[str] = []  # The moves that the last action removed, as lines of text.
        self._save_error = ""

    def connect(self, view: View, pace: float = 0.0) -> None:
        """Set the view. `pace` is the minimum duration of a player's move, in seconds."""
        self.view, self._pace = view, pace

    def _start(self, work: Work[Any]) -> None:
        self.view.start(work)

    @property
    def game(self) -> Game:
        """The game up to the shown position."""
        return self.sitting.game

    @property
    def size(self) -> int:
        """The board size."""
        return self.game.size

    @property
    def is_thinking(self) -> bool:
        """Whether a player is thinking about its move."""
        return self._question is not None

    @property
    def settings(self) -> Settings:
        """The board size, the players and the adviser."""
        players = {colour: seat.text if seat else HUMAN for colour, seat in self.sitting.seats.items()}
        return Settings(self.size, players, self.hints.adviser.text)

    @property
    def opponent(self) -> Colour:
        """The opponent's colour. With two persons, the side not to move. Without persons, white."""
        people = self.sitting.people
        if len(people) == 1:
            return people[0].other
        return self.game.board.turn.other if people else Colour.WHITE

    @property
    def marks(self) -> Marks:
        """The marks on the board. Legal moves are unmarked if a player is to move and no hint is shown."""
        at = self.sitting
        return Marks.of(at.game, at.person_to_move or at.can_redo or self.hints.displayed is not None)

    def sides(self) -> list[Side]:
        """Return both sides, black first."""
        at, sides = self.sitting, list[Side]()
        names, counts = wording.names(at.seats).items(), at.game.board.counts()
        for (colour, name), discs in zip(names, counts, strict=True):
            is_turn = at.turn is colour
            sides.append(Side(colour, name, discs, is_turn, is_turn and self.is_thinking))
        return sides

    def moves(self) -> list[Move]:
        """Return all moves, including the moves to redo."""
        game, judged = self.sitting.record().game, self.hints.judged
        return [
            Move(board.turn, square_name(move, game.size), reviewing.loss_mark(judged.get(ply)))
            for ply, (move, board) in enumerate(zip(game.moves, game.boards, strict=False))
        ]

    def notice(self, how: str) -> str:
        """Return the last messages. Without messages, name the side to move and explain `how` to move."""
        if self.wished:
            return SEATING
        decision = self.hints.judged.get(self.sitting.ply)
        turn = reviewing.judged(decision) if decision else wording.turn_line(self.sitting, how)
        return ". ".join(dict.fromkeys([*self._messages, *self._left])) or turn

    def hint_lines(self) -> list[str]:
        """Return the current hint as unwrapped lines, or [] without a hint."""
        if self.hints.is_asked:
            return [f"{self.hints.adviser.name} thinks about a hint"]
        advice = self.hints.displayed
        return wording.advice_lines(advice, advice.board.turn.value, _WIDE) if advice else []

    def ended(self) -> list[str]:
        """Return lines with the result of a finished game and, after its review, the biggest mistake."""
        game, lines = self.sitting.record().game, wording.result(self.sitting)
        if not game.moves:
            return lines
        review = self.hints.review(game)
        if review.failure or review.is_done:
            return [*lines, review.failure or wording.costliest(self.sitting, review.decisions)]
        return [*lines, f"What cost most? {review.progress} are reviewed ..."]

    def open_review(self) -> Review | None:
        """Open the review of the game. If the game has no moves, show a message and return None."""
        game = self.sitting.record().game
        if not game.moves:
            self.say("There is no move to review.")
            return None
        review = self.hints.review(game)
        review.is_opened = True
        self.hints.forget()
        return review

    def say(self, *lines: str) -> None:
        """Redraw the game. If `lines` is not empty, replace the messages first."""
        self._messages = lines or self._messages
        self.view.changed(*lines)

    def go_on(self, *lines: str) -> None:
        """Show `lines` after a person's action, and start the player to move, if any."""
        self._left = wording.left_lines(self._before, self.sitting.record().game)
        self._proceed(*self._left, *lines)

    def _proceed(self, *lines: str) -> None:
        self._stop_thinking()
        self.hints.forget()
        self._before, self._messages, warnings = self.sitting.record(), (), self._save()
        if seat := self.sitting.player_to_move:
            question = self._question = seat, self.game.until()
            choose, done = partial(self._choose, question), partial(self._answered, question)
            self.view.start(Work(f"{seat.name} is thinking", choose, done, seat.player.stop))
        elif self.hints.shows_values and not self.hints.judged_here:
            self.hints.ask()
        self.say(*lines, *warnings)

    def _choose(self, question: tuple[Seat, Game]) -> int:
        """Return the player's move. Raises Forfeit if the game changed during the wait for the lock."""
        (seat, game), due = question, time.monotonic() + self._pace
        with seat.in_use:
            if question is not self._question:
                raise Forfeit("nobody waits for this move any more")
            move = seat.choose(game)
        time.sleep(max(0.0, due - time.monotonic()))
        return move

    def _answered(self, question: tuple[Seat, Game], move: int | Failure) -> None:
        if question is not self._question:
            return
        self._question = None
        if isinstance(move, Failure):
            self.say(f"{question[0].name} cannot go on: {move.why}", wording.STUCK)
        else:
            self._proceed(*wording.move_lines(self.sitting, self.sitting.play(move)))

    def _stop_thinking(self) -> None:
        question, self._question = self._question, None
        if question:
            question[0].player.stop()

    def _save(self) -> list[str]:
        """Save the game, or delete the file if the game is over or has not begun. Return any new error."""
        before, self._save_error = self._save_error, ""
        try:
            self._write()
        except OSError as error:
            self._save_error = f"The game is not kept: {what_failed(error)}"
        return [self._save_error] if self._save_error not in ("", before) else []

    def _write(self) -> None:
        record = self.sitting.record()
        if record.is_over or not self.sitting.has_begun:
            self.save_file.delete()
            return
        seats = {colour: seat.text if seat else None for colour, seat in self.sitting.seats.items()}
        adviser = self.hints.adviser.text
        self.save_file.write(SavedGame(record.game, self.sitting.ply, seats, adviser, datetime.now(UTC)))

    def enter(self, text: str) -> None:
        """Play a typed square or execute a typed command. If the text is invalid, show an error message."""
        try:
            entry = parse_entry(text, self.size)
        except ValueError as error:
            return self.say(wording.complaint(error))
        return self.view.obey(entry) if isinstance(entry, Order) else self.choose(entry)

    def obey(self, order: Order) -> None:
        """Execute a command that changes the game or its players. On failure, show an error message."""
        try:
            _ORDERS[order.command](self, order)
        except (ValueError, IndexError) as error:
            self.say(wording.complaint(error))

    def choose(self, square: int) -> None:
        """Play a person's move. If the move is illegal or no person is to move, show a message."""
        if not self.sitting.person_to_move:
            return self.say(wording.no_move_now(self.sitting, self.is_thinking))
        try:
            moves = self.sitting.play(square)
        except IllegalMoveError as error:
            return self.say(str(error), wording.legal_line(self.game.board))
        return self.go_on(*wording.move_lines(self.sitting, moves))

    def _walk(self, walk: Callable[[], bool], title: str, nothing: str) -> None:
        """Call `walk` to undo or redo moves, and list the moves after `title`. On failure, show `nothing`."""
        before = self.game.moves
        if not walk():
            return self.say(nothing)
        least, moves = min(len(before), self.sitting.ply), max(before, self.game.moves, key=len)
        return self.go_on(*([wording.moves_line(title, moves[least:], self.size)] if moves[least:] else []))

    def step(self, decisions: int) -> None:
        """Step `decisions` decisions forward, or backward if negative."""
        if self.sitting.step(decisions):
            self.go_on()

    def go_to(self, ply: int) -> None:
        """Show the position after `ply` moves. Raises IndexError if the game has fewer moves."""
        self.sitting.go_to(ply)
        self.go_on()

    def _go_on_if(self, is_done: bool, nothing: str) -> None:
        return self.go_on() if is_done else self.say(nothing)

    def seat(self, wish: Wish) -> None:
        """Create players in the background, then replace the current players. Cancel any earlier request."""
        self.wished = wish
        make = partial(self._cast, wish.settings)
        self.view.start(Work("the players are being made ready", make, partial(self._seated, wish)))
        self.view.changed()

    def _cast(self, settings: Settings) -> tuple[Seats, Seat]:
        """Create the players and the adviser. Raises ValueError if a player cannot be created."""
        seats = {
            colour: None if text == HUMAN else self._seat_for(text, settings.size)
            for colour, text in settings.players.items()
        }
        return seats, self._seat_for(settings.adviser, settings.size)

    def _seated(self, wish: Wish, cast: tuple[Seats, Seat] | Failure) -> None:
        if wish is not self.wished:
            return None if isinstance(cast, Failure) else close([*cast[0].values(), cast[1]])
        self.wished = None
        if isinstance(cast, Failure):
            return self.say(wording.complaint(cast.why))
        self.sitting.sit(cast[0])
        close([self.hints.adviser])
        self.hints.adviser = cast[1]
        return self.begin(wish.game) if wish.game else self.go_on()

    def _oppose(self, text: str) -> None:
        trust(nested(text))
        trust([text], is_command=True)
        players = {**self.settings.players, self.opponent: text}
        self.seat(Wish(replace(self.settings, players=players), None))

    def begin(self, game: Game) -> None:
        """Start another game of the same board size with the same players."""
        self.hints.drop_review()
        self.sitting.begin(game)
        self.go_on(*wording.move_lines(self.sitting, self.game.moves[len(game.moves) :]))

    def write(self, path: Path) -> None:
        """Write the game, or a picture of the position, to a new file. Raises RecordError on failure."""
        record = replace(self.sitting.record(), date=f"{datetime.now():%Y-%m-%d}")
        if path.suffix.lower() in files.PICTURES:
            record = replace(record, game=self.game.until())
        files.save(path, record, self._draw)

    def _save_as(self, name: str) -> None:
        path = files.path_of(name)
        self.write(path)
        self.say(f"saved: {path}")

    def open(self, game: Game) -> None:
        """Continue a loaded game. If the board size differs, first create players for the new size."""
        if game.size == self.size:
            self.begin(game)
        else:
            self.seat(Wish(replace(self.settings, size=game.size), game))

    def leave(self) -> None:
        """Delete the saved game. If a player has failed on its turn, keep the game, so that it can go on."""
        if self.is_thinking or not self.sitting.player_to_move:
            self.save_file.delete()

    def close(self) -> None:
        """Close the players, and unlock the saved game for other programs."""
        self._stop_thinking()
        self.wished = None
        self.hints.forget()
        self.hints.drop_review()
        close([*self.sitting.seats.values(), self.hints.adviser])
        self.save_file.release()


_ORDERS: Final[dict[Command, Callable[[Controller, Order], None]]] = {
    Command.UNDO: lambda at, _: at._walk(at.sitting.undo, "taken back", "There is nothing to take back."),
    Command.REDO: lambda at, _: at._walk(at.sitting.redo, "made again", "There is nothing to make again."),
    Command.GOTO: lambda at, order: at.go_to(order.number),
    Command.GO: lambda at, _: at._go_on_if(at.sitting.drop_redo(), "There is nothing after this position."),
    Command.HINT: lambda at, _: at.hints.toggle(),
    Command.MOVES: lambda at, _: at.say(wording.legal_line(at.game.board)),
    Command.SETUP: lambda at, _: at.say(f"Change this, and type it: load {at.game.board}"),
    Command.OPPONENT: lambda at, order: at._oppose(order.argument),
    Command.NEW: lambda at, _: at.begin(Game(Board.start(at.size))),
    Command.SAVE: lambda at, order: at._save_as(order.argument),
    Command.LOAD: lambda at, order: at.open(files.load(order.argument, size=at.size).game),
    Command.RESIGN: lambda at, _: at._go_on_if(at.sitting.resign(), "There is nothing to resign."),
}
