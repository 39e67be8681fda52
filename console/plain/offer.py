"""Unfinished games, offered before a new one begins."""

from typing import Self

from console import wording
from console.kept_games import KeptGame, Place, Shelf
from console.plain.terminal import Terminal, at_terminal

_LISTED = 9
"""This many games are listed at most."""


class Offer:
    """The unfinished games, held while they are offered; as a context it lets go of all but the one taken."""

    def __init__(self, shelf: Shelf, terminal: Terminal) -> None:
        self._terminal = terminal
        self._games, complaints = shelf.take()
        for complaint in complaints:
            terminal.complain(complaint)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        for place, _ in self._games:
            place.close()

    def newest(self) -> tuple[Place, KeptGame] | None:
        """Return the game that was played last, None without one."""
        return self._taken(0) if self._games else None

    def ask(self) -> tuple[Place, KeptGame] | None:
        """Return the game that the person chooses, None for a new one.

        Where nobody can answer, a line says that there are such games.
        """
        if not self._games:
            return None
        if not at_terminal():
            self._terminal.say(
                f"Not finished: {wording.kept_line(self._games[0][1])}; --resume goes on with it."
            )
            return None
        return self._ask()

    def _ask(self) -> tuple[Place, KeptGame] | None:
        while self._games:
            self._list()
            word, _, number = self._read().partition(" ")
            if not word:
                return None
            place = self._place(number or word)
            if place is not None and word == "drop":
                self._games.pop(place)[0].forget()
            elif place is not None and not number:
                return self._taken(place)
        return None

    def _list(self) -> None:
        self._terminal.say("Games that are not finished:")
        for number, (_, kept) in enumerate(self._games[:_LISTED], 1):
            self._terminal.say(f"  {number}  {wording.kept_line(kept)}")

    def _read(self) -> str:
        try:
            return self._terminal.ask(
                "Enter begins a new game; a number goes on with that, drop N drops it: "
            ).strip()
        except EOFError:
            return ""

    def _place(self, number: str) -> int | None:
        """Return which game is meant; None, with a line, if none is."""
        if number in map(str, range(1, min(len(self._games), _LISTED) + 1)):
            return int(number) - 1
        self._terminal.complain(f"{number!r} is none of these games")
        return None

    def _taken(self, place: int) -> tuple[Place, KeptGame]:
        self._terminal.say(f"Going on: {wording.kept_line(self._games[place][1])}.")
        return self._games.pop(place)
