"""The games of a page, a game for each tab: kept as those of a terminal, and found again by their names."""

from collections.abc import Mapping
from contextlib import suppress
from threading import Lock
from typing import Any, Protocol

import msgspec
from filelock import Timeout

from othello_lab.console import saving, wording
from othello_lab.console.page.actions import BEGINS, Drop, Message
from othello_lab.console.page.state import first_state, state_of
from othello_lab.console.page.tab import Tab
from othello_lab.console.saving import PATIENCE, SUFFIX, KeptGame, Place, Shelf
from othello_lab.console.table import Table
from othello_lab.game import Board
from othello_lab.game.records import RecordError

MOST = 16
"""This many games have players at once; of more, who was looked at longest ago waits on disk."""
_OFFERED = 9
"""Of the games that are not finished."""


class Seating(Protocol):
    """Whoever makes tables for new games and for kept ones; both raise ValueError, and take a while."""

    def new(self, place: Place) -> Table:
        """Return the table of a new game."""

    def resumed(self, place: Place, kept: KeptGame) -> Table:
        """Return the table of a game that was kept."""


class Tabs:
    """All games that pages of this server show."""

    def __init__(self, seating: Seating, shelf: Shelf, start: Board, players: Mapping[str, str]) -> None:
        """`start` is shown until a game is ready; `players` are those to choose from, labels by texts."""
        self._seating, self._shelf, self._start, self._players = seating, shelf, start, players
        self._tabs: dict[str, Tab] = {}
        """By name, who was looked at last the last."""
        self._unfinished: dict[str, list[dict[str, str]]] = {}
        """What is offered in a tab whose game is new."""
        self._lock = Lock()

    def answer(self, body: bytes) -> bytes:
        """Do what a page asks for and return the state of its game; b"" where it has seen that already.

        Raises ValueError for what no page of ours says.
        """
        message = msgspec.json.decode(body, type=Message)
        tab, file = self._tab(message.game, message.seen == BEGINS), None
        if isinstance(message.action, Drop):
            self._drop(message.action.other, message.game)
        elif message.action:
            file = tab.act(message.action)
        with tab.lock:
            state = state_of(tab, tab.control) if tab.control else first_state(tab, self._start)
            if message.action is None and message.seen == state["version"] and not state["is_busy"]:
                return b""
        is_new = tab.control is None or not tab.place.is_keeping
        more = {"unfinished": self._unfinished.get(message.game, []) if is_new else [], "file": file}
        return msgspec.json.encode(state | more | {"players": self._players})

    def close(self) -> None:
        """Let all players go; the games stay on disk."""
        for tab in [*self._tabs.values()]:
            tab.close()

    def _tab(self, name: str, is_new_page: bool) -> Tab:
        """Return the tab of that name: open here, or kept on disk, or else with a new game.

        A page that begins tries again what failed.
        """
        with self._lock:
            tab = self._tabs.pop(name, None)
            if tab is None or (tab.failure and is_new_page):
                tab = self._opened(name)
            self._tabs[name] = tab
            while len(self._tabs) > MOST:
                oldest = next(iter(self._tabs))
                self._tabs.pop(oldest).close()
                self._unfinished.pop(oldest, None)
            return tab

    def _drop(self, name: str, asking: str) -> None:
        """Have a game not be offered again, unless another program plays it."""
        with self._lock:
            tab, place = self._tabs.get(name), self._place(name)
            if tab and name != asking:
                self._tabs.pop(name).close()
            with suppress(Timeout, OSError):
                place.hold()
                place.forget()
            self._unfinished[asking] = self._offers()

    def _place(self, name: str) -> Place:
        return Place(self._shelf.folder / f"{name}{SUFFIX}")

    def _opened(self, name: str) -> Tab:
        place = self._place(name)
        if not place.is_keeping:
            self._unfinished[name] = self._offers()
        return Tab(lambda: self._made(place), self._players, place)

    def _made(self, place: Place) -> Table:
        if not place.is_keeping:
            return self._seating.new(place)
        try:
            place.hold(PATIENCE)
        except Timeout:
            raise ValueError("this game is played in another program") from None
        try:
            return self._seating.resumed(place, saving.read(place.path))
        except ValueError:
            place.close()
            raise

    def _offers(self) -> list[dict[str, str]]:
        """Return which games are not finished, here or on disk, the newest first, by their names."""
        found, _ = self._shelf.take()
        for place, _ in found:
            place.close()
        for tab in self._tabs.values():
            with suppress(RecordError):
                found.append((tab.place, saving.read(tab.place.path)))
        found.sort(key=lambda each: each[1].saved, reverse=True)
        return [_offer(place, kept) for place, kept in found[:_OFFERED]]


def _offer(place: Place, kept: KeptGame) -> dict[str, Any]:
    return {"game": place.path.stem, "says": wording.kept_line(kept)}
