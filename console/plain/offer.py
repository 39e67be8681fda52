"""Unfinished games, offered before a new one begins."""

from console import wording
from console.kept_games import KeptGame, Place, Shelf
from console.plain.terminal import Terminal, at_terminal

_LISTED = 9
"""This many games are listed at most."""
Kept = tuple[Place, KeptGame]


def unfinished(shelf: Shelf, terminal: Terminal, newest: bool) -> Kept | None:
    """Return the game to go on with, the newest or the one that the person chooses; None for a new one.

    Its place is held; all others are let go.
    """
    games, complaints = shelf.take()
    try:
        for complaint in complaints:
            terminal.complain(complaint)
        chosen = 0 if games and newest else _choose(games, terminal)
        if chosen is None:
            return None
        terminal.say(f"Going on: {wording.kept_line(games[chosen][1])}.")
        return games.pop(chosen)
    finally:
        for place, _ in games:
            place.close()


def _choose(games: list[Kept], terminal: Terminal) -> int | None:
    """Return which game the person chooses; where nobody can answer, a line says that there are some."""
    if games and not at_terminal():
        terminal.say(f"Not finished: {wording.kept_line(games[0][1])}; --resume goes on with it.")
        return None
    while games:
        _list(games, terminal)
        word, _, number = _read(terminal).partition(" ")
        if not word:
            return None
        chosen = _place(number or word, games, terminal)
        if chosen is not None and word == "drop":
            games.pop(chosen)[0].forget()
        elif chosen is not None and not number:
            return chosen
    return None


def _list(games: list[Kept], terminal: Terminal) -> None:
    terminal.say("Games that are not finished:")
    for number, (_, kept) in enumerate(games[:_LISTED], 1):
        terminal.say(f"  {number}  {wording.kept_line(kept)}")


def _read(terminal: Terminal) -> str:
    try:
        return terminal.ask("Enter begins a new game; a number goes on with that, drop N drops it: ").strip()
    except EOFError:
        return ""


def _place(number: str, games: list[Kept], terminal: Terminal) -> int | None:
    """Return which game is meant; None, with a line, if none is."""
    if number in map(str, range(1, min(len(games), _LISTED) + 1)):
        return int(number) - 1
    terminal.complain(f"{number!r} is none of these games")
    return None
