from collections.abc import Callable

import click
import pytest
from click.testing import CliRunner, Result

from othello_lab.game.catalogue import PLAYERS, Entry
from othello_lab.game.players.player import Player


def caller(command: click.Command, *words: str) -> Callable[..., Result]:
    """Return a function that calls a command with these words and its own arguments, of any type."""

    def call(*arguments: object) -> Result:
        return CliRunner().invoke(command, [*words, *map(str, arguments)], catch_exceptions=False)

    return call


def add_player(monkeypatch: pytest.MonkeyPatch, name: str, player: Callable[[], Player]) -> None:
    """Add a player to the catalogue for one test."""
    add_entry(monkeypatch, name, Entry(lambda spec, size: player(), name))


def add_entry(monkeypatch: pytest.MonkeyPatch, name: str, added: Entry[Player]) -> None:
    before = PLAYERS.entry
    monkeypatch.setitem(PLAYERS.entries, name, "")
    monkeypatch.setattr(PLAYERS, "entry", lambda wanted: added if wanted == name else before(wanted))
