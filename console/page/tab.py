"""A tab of a browser: the view of a game that a page shows, what a person does there, and links to games."""

from collections.abc import Callable, Collection
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock, Thread
from typing import Any, Final

from othello_lab.console import files, saving, wording
from othello_lab.console.controller import Controller
from othello_lab.console.entry import WORDS, Command, Order
from othello_lab.console.page import actions
from othello_lab.console.page.actions import Action
from othello_lab.console.table import Settings, Table, Wish, from_position
from othello_lab.console.work import PACE, Work
from othello_lab.game import Board, Colour, Game
from othello_lab.game.game import STANDARD, format_start, parse_start, replay
from othello_lab.game.notation import format_squares, parse_moves
from othello_lab.game.records import SIZE, RecordError, of_text, suffix_of

_BUTTONS = {Command.NEW: "Rematch", Command.UNDO: "Undo", Command.GO: "Go on from here"}


class Tab:
    """The view of a game for a page that asks for it. Its methods may be called by any thread."""

    control: Controller | None = None
    """The game, once who plays it is ready."""
    failure = ""
    """Why there will be none."""
    stuck_by = ""
    """Why a player could not go on that was asked last."""
    refusal: tuple[Settings, str] | None = None
    """Players that were asked for last and cannot play, and why."""

    def __init__(self, make: Callable[[], Table], offered: Collection[str], place: saving.Place) -> None:
        """`make` takes a while; `offered` are the texts of the players that a person may choose here."""
        self.lock = RLock()
        """Held by whoever looks at the game or changes it."""
        self.version = 0
        """Another number after every change."""
        self.place = place
        self._make, self.offered, self._is_closed = make, offered, False
        Thread(target=self._begin, daemon=True).start()

    def _begin(self) -> None:
        """Have the game made, behind the page."""
        work = Work("", self._make, lambda _: None)
        found = work.result()
        with self.lock:
            if not isinstance(found, Table):
                self.failure = found.why
            elif self._is_closed:
                found.close()
            else:
                self.control = Controller(found, self, PACE)
                self.control.go_on()
            self.version += 1

    def close(self) -> None:
        """Let the players go; the game stays on disk."""
        with self.lock:
            self._is_closed = True
            if self.control:
                self.control.close()

    def changed(self, *lines: str) -> None:
        """Have the page show something new."""
        self.version += 1

    def start(self, work: Work[Any]) -> None:
        """Have it done in a thread, which ends with the program."""
        self.version += 1
        Thread(target=self._work_off, args=(work,), daemon=True).start()

    def _work_off(self, work: Work[Any]) -> None:
        result = work.result()
        with self.lock:
            self.version += 1
            work.done(result)

    def obey(self, order: Order) -> None:
        """Do what a word says."""
        if self.control:
            self.control.obey(order)

    def stuck(self, name: str, why: str) -> None:
        """Have the page ask what now."""
        self.stuck_by = f"{name} cannot go on: {why}"
        self.changed()

    def refused(self, wish: Wish, why: str) -> None:
        """Have the page ask for other players."""
        self.refusal = wish.settings, why
        self.changed()

    def called(self, command: Command) -> str:
        """Return which button one presses for a command."""
        return _BUTTONS[command]

    def act(self, action: Action) -> tuple[str, bytes] | None:
        """Do what a person did; return the name and the bytes of a file to be saved, if that was it."""
        with self.lock:
            if self.control is None:
                return None
            self.refusal = None
            try:
                return _DEEDS[type(action)](self, self.control, action)
            except (ValueError, IndexError) as error:
                self.control.say(wording.complaint(error))
                return None


def _review(control: Controller) -> None:
    game = control.sitting.record().game
    if not game.moves:
        return control.say("There is no move to review.")
    control.hints.review(game).is_opened = True
    return control.say()


def _looking(control: Controller) -> Controller:
    """Return it with the review opened that the card of a finished game began: its graph stays in sight."""
    review = control.hints.reviewed
    if review and control.sitting.is_finished:
        review.is_opened = True
    return control


def _seat(control: Controller, wished: actions.Seat, offered: Collection[str]) -> None:
    """Have others play: those that are offered, or that sit here already, and no text of a page's own."""
    now = control.table.settings
    players = {Colour.BLACK: wished.black, Colour.WHITE: wished.white}
    if {*players.values(), wished.adviser} - {*offered, *now.players.values(), now.adviser}:
        raise ValueError("no such player is offered here: name it to `othello play --web`")
    begins = wished.is_new or wished.size != now.size
    settings = Settings(wished.size, players, wished.adviser)
    control.seat(Wish(settings, control.table.new_game(wished.size) if begins else None))


def _game_in(file: actions.Load, size: int) -> Game:
    """Return a game of a file that a browser sent; raise RecordError."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"game{Path(file.name).suffix.lower()}"
        try:
            suffix_of(path)  # else it were a text
            path.write_bytes(file.content)
            return files.load(str(path), file.number, size).game
        except RecordError as error:
            raise RecordError(str(error).replace(str(path), "the file")) from None


def _file_of(control: Controller, suffix: str) -> tuple[str, bytes]:
    """Return the game, or a picture of its position, as a file of this kind: its name and its bytes."""
    name = f"othello{suffix}"
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        control.table.save(path)
        return name, path.read_bytes()


_DEEDS: Final[dict[type[Action], Callable[[Tab, Controller, Any], tuple[str, bytes] | None]]] = {
    actions.Play: lambda tab, at, it: at.choose(it.square),
    actions.Word: lambda tab, at, it: at.obey(Order(WORDS[it.word], "")),
    actions.Values: lambda tab, at, it: at.hints.toggle_values(),
    actions.Review: lambda tab, at, it: _review(at),
    actions.GoTo: lambda tab, at, it: _looking(at).go_to(it.ply),
    actions.Step: lambda tab, at, it: _looking(at).step(it.decisions),
    actions.Seat: lambda tab, at, it: _seat(at, it, tab.offered),
    actions.Again: lambda tab, at, it: at.go_on(),
    actions.Open: lambda tab, at, it: at.open(of_text(it.text, at.table.size).game),
    actions.Follow: lambda tab, at, it: at.open(game_of(it.link)),
    actions.SetUp: lambda tab, at, it: at.open(from_position(it.text)),
    actions.Load: lambda tab, at, it: at.open(_game_in(it, at.table.size)),
    actions.Save: lambda tab, at, it: _file_of(at, it.suffix),
}


_BREAK = "/"
"""Stands in a link between where a game began and its moves."""


def link_of(game: Game) -> str:
    """Return a game as the end of a link, such as `f5d6c3`: its moves, after its start if unusual.

    `game_of` reads it. It has no character that an address cannot have.
    """
    moves = format_squares(game.moves, game.size)
    if game.start == Board.start(SIZE):
        return moves or STANDARD
    start = format_start(game.start)
    size = f"{game.size}x{game.size}"
    return f"{size if start == STANDARD else start.replace(' ', '')}{_BREAK}{moves}"


def transcript_of(game: Game) -> str:
    """Return a game as text that `othello play` loads: its moves, after its start if unusual."""
    moves = game.transcript()
    return moves if game.start == Board.start(SIZE) else f"{game.start};{moves}"


def game_of(text: str) -> Game:
    """Return the game of a link; raise ValueError for what is none."""
    start, is_long, moves = text.partition(_BREAK)
    size = SIZE
    if not is_long:
        return parse_start(start, size)
    across, _, down = start.partition("x")
    if across == down and across.isdecimal() and len(across) <= 2:
        start, size = STANDARD, int(across)
    board = parse_start(start, size).board
    return replay(board, parse_moves(moves, board.size))
