"""The games of all browser tabs, and the actions of their pages."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock, RLock, Thread
from typing import Any, Final
from zlib import crc32

import msgspec
from filelock import Timeout

from othello_lab.console import files, wording
from othello_lab.console.controller import Controller
from othello_lab.console.entry import COMMANDS, Order
from othello_lab.console.page import messages
from othello_lab.console.page.messages import first_state, state_of
from othello_lab.console.saving import SUFFIX, SavedGame, SaveFile, read, saved_games
from othello_lab.console.seat import Settings, Wish
from othello_lab.console.work import PACE, Failure, Work
from othello_lab.game import Board, Colour, Game
from othello_lab.game.records import RecordError, of_text, suffix_of
from othello_lab.game.short_names import short_name

MOST = 16  # The maximum number of games with players in memory. The least recently used game is closed first.
_MOST_OFFERED = 9
# A slow callback that creates a controller. Raises ValueError if a player cannot be created.
Make = Callable[[SaveFile, SavedGame | None], Controller]
File = tuple[str, bytes]  # The name and the content of a file that the browser saves.


class Tab:
    """The view of one game for a page. Any thread may call the methods of a tab."""

    control: Controller | None = None  # The controller of the game, or None until the players are ready.
    failure = ""  # The one-line error message if the game could not be created, or "".

    def __init__(self, make: Callable[[], Controller], offered: Collection[str], file: SaveFile) -> None:
        """Create the game in a thread. `offered` are the players that a person may choose."""
        self.lock = RLock()  # Guards the game against concurrent access.
        self.file = file
        self.offered, self._is_closed = offered, False
        self.start(Work("", make, self._begin))

    def _begin(self, control: Controller | Failure) -> None:
        if isinstance(control, Failure):
            self.failure = control.why
        elif self._is_closed:
            control.close()
        else:
            self.control = control
            control.connect(self, PACE)
            control.go_on()

    def close(self) -> None:
        """Close the players. The game stays on disk."""
        with self.lock:
            self._is_closed = True
            if self.control:
                self.control.close()

    def changed(self, *lines: str) -> None:
        """No-op, because the page polls the state."""

    def start(self, work: Work[Any]) -> None:
        """Run work in a daemon thread."""
        Thread(target=self._work_off, args=(work,), daemon=True).start()

    def _work_off(self, work: Work[Any]) -> None:
        result = work.result()
        with self.lock:
            work.done(result)

    def obey(self, order: Order) -> None:
        """Delegate a command to the controller, if ready."""
        if self.control:
            self.control.obey(order)

    def act(self, action: messages.Action) -> File | None:
        """Execute an action. Return a file for `Save`, otherwise None."""
        with self.lock:
            if self.control is None:
                return None
            try:
                return _ACTIONS[type(action)](self, self.control, action)
            except (ValueError, IndexError) as error:
                self.control.say(wording.complaint(error))
                return None


def _obey(control: Controller, name: str) -> None:
    match name:
        case "values":
            control.hints.toggle_values()
        case "review":
            if control.open_review():
                control.say()
        case _:
            control.obey(Order(COMMANDS[name]))


def _looking(control: Controller) -> Controller:
    """Return `control`. If the game is finished, open the review, so that the graph stays visible."""
    review = control.hints.reviewed
    if review and control.sitting.is_finished:
        review.is_opened = True
    return control


def _seat(control: Controller, wish: messages.Seat, offered: Collection[str]) -> None:
    """Request new players. Raises ValueError if a new player is not offered."""
    now = control.settings
    players = {Colour.BLACK: wish.black, Colour.WHITE: wish.white}
    if {*players.values(), wish.adviser} - {*offered, *now.players.values(), now.adviser}:
        raise ValueError("no such player is offered here: name it to `othello play --web`")
    begins = wish.is_new or wish.size != now.size
    settings = Settings(wish.size, players, wish.adviser)
    control.seat(Wish(settings, Game(Board.start(wish.size)) if begins else None))


def _game_in(file: messages.Load, size: int) -> Game:
    """Return the requested game of an uploaded file. Raises RecordError if there is no such game."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"game{Path(file.name).suffix.lower()}"
        try:
            suffix_of(path)  # without a suffix, `load` would parse the path as a game
            path.write_bytes(file.content)
            return files.load(str(path), file.number, size).game
        except RecordError as error:
            raise RecordError(str(error).replace(str(path), "the file")) from None


def _file_of(control: Controller, suffix: str) -> File:
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"othello{suffix}"
        control.write(path)
        return path.name, path.read_bytes()


_ACTIONS: Final[dict[type[messages.Action], Callable[[Tab, Controller, Any], File | None]]] = {
    messages.Play: lambda _, at, action: at.choose(action.square),
    messages.Command: lambda _, at, action: _obey(at, action.name),
    messages.GoTo: lambda _, at, action: _looking(at).go_to(action.ply),
    messages.Step: lambda _, at, action: _looking(at).step(action.decisions),
    messages.Seat: lambda tab, at, action: _seat(at, action, tab.offered),
    messages.Open: lambda _, at, action: at.open(of_text(action.text, at.size).game),
    messages.SetUp: lambda _, at, action: at.open(files.from_position(action.text)),
    messages.Load: lambda _, at, action: at.open(_game_in(action, at.size)),
    messages.Save: lambda _, at, action: _file_of(at, action.suffix),
}


class Tabs:
    """The games of all tabs, by ID. The method `answer` handles the requests of the pages."""

    def __init__(self, make: Make, folder: Path, start: Board, players: Mapping[str, str]) -> None:
        """Create the tabs. `start` is shown until a game is ready. `players` maps player texts to labels."""
        self._make, self._folder, self._start, self._players = make, folder, start, players
        self._tabs: dict[str, Tab] = {}  # The tabs by game ID, least recently used first.
        self._lock = Lock()

    def answer(self, body: bytes) -> bytes:
        """Handle a message. Return the state as JSON, or b"" if unchanged. Raises ValueError if invalid."""
        message = msgspec.json.decode(body, type=messages.Message)
        tab = self._tab(message.game, not message.version)
        file = tab.act(message.action) if message.action else None
        with tab.lock:
            state = state_of(tab.control) if tab.control else first_state(self._start, tab.failure)
        is_new = tab.control is None or not tab.file.exists
        more = {"unfinished": self._offers() if is_new else [], "file": file, "players": self._labels(state)}
        version = f"{crc32(msgspec.json.encode(state | more)):x}"
        if message.action is None and message.version == version:
            return b""
        return msgspec.json.encode(state | more | {"version": version})

    def _labels(self, state: dict[str, Any]) -> dict[str, str]:
        settings = state.get("settings") or {}
        texts = [settings[role] for role in ("black", "white", "adviser") if role in settings]
        players = dict(self._players)
        return players | {text: short_name(text) for text in texts if text not in players}

    def close(self) -> None:
        """Close all players. The games stay on disk."""
        for tab in [*self._tabs.values()]:
            tab.close()

    def _tab(self, name: str, is_new_page: bool) -> Tab:
        """Return the tab of a game, or create the tab. A new page also replaces the tab of a failed game."""
        with self._lock:
            tab = self._tabs.pop(name, None)
            if tab is None or (tab.failure and is_new_page):
                file = SaveFile(self._folder / f"{name}{SUFFIX}")
                tab = Tab(lambda: self._make_control(file), self._players, file)
            self._tabs[name] = tab
            while len(self._tabs) > MOST:
                self._tabs.pop(next(iter(self._tabs))).close()
            return tab

    def _make_control(self, file: SaveFile) -> Controller:
        if not file.exists:
            return self._make(file, None)
        try:
            saved = file.open()
        except Timeout:
            raise ValueError("this game is played in another program") from None
        try:
            return self._make(file, saved)
        except ValueError:
            file.release()
            raise

    def _offers(self) -> list[dict[str, str]]:
        """Return the unfinished games in open tabs and on disk, newest first."""
        games, _ = saved_games(self._folder)
        for tab in [*self._tabs.values()]:
            with suppress(RecordError):
                games.append((tab.file, read(tab.file.path)))
        games.sort(key=lambda item: item[1].saved, reverse=True)
        return [
            {"game": file.path.stem, "says": wording.saved_line(saved)}
            for file, saved in games[:_MOST_OFFERED]
        ]
