"""The view of a game: what the controller asks of whatever shows it to a person."""

from typing import Any, Protocol

from othello_lab.console.entry import Command, Order
from othello_lab.console.table import Wish
from othello_lab.console.work import Work


class View(Protocol):
    """Whatever shows a game to a person, and is told here what happens."""

    def changed(self, *lines: str) -> None:
        """Show the game as it is now, and lines that say what happened; none where nothing new is said."""

    def start(self, work: Work[Any]) -> None:
        """Have a piece of work done."""

    def obey(self, order: Order) -> None:
        """Carry out a command: here what is only shown, such as the help; `Controller.obey` has the rest."""

    def stuck(self, name: str, why: str) -> None:
        """Ask what now: the player of this name cannot go on."""

    def refused(self, wish: Wish, why: str) -> None:
        """Ask for other players, and say why these cannot play."""

    def called(self, command: Command) -> str:
        """Return what one types, or which key one presses, for a command."""
