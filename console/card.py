"""The card at the end of a game: how it ended, what cost most, what can come next. Nothing here prints."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from othello_lab.console import reviewing, wording
from othello_lab.console.entry import Command
from othello_lab.console.sitting import Sitting
from othello_lab.console.table import Table
from othello_lab.game import Colour
from othello_lab.game.players.noisy import STRONGEST
from othello_lab.game.review import Reviewed

LEVELS_UP = {Command.HARDER: 1, Command.EASIER: -1}
"""The words that begin a game against another level, with how far it is from this one."""
_LEVEL: Final = re.compile(r"level(?::([0-9]+))?")
"""The registry text of a level."""


@dataclass(frozen=True)
class Choice:
    """Something that can be done after a game."""

    command: Command
    label: str

    @property
    def words(self) -> str:
        """What is typed for it, with what that is where the word does not say it."""
        is_said = self.label.lower() == self.command.word
        return self.command.usage if is_said else f"{self.command.usage} ({self.label.lower()})"


def result(at: Sitting) -> list[str]:
    """Return who won and by how much, in both score conventions where they differ."""
    outcome, (black, white) = at.game.board.outcome(), at.game.board.counts()
    if at.resigned:
        return [f"{_verdict(at, at.resigned.other)}: {at.resigned.value} resigned."]
    if outcome is None:
        return []
    if outcome.winner is None:
        return [f"Draw, {black} to {white}."]
    discs = f"{max(black, white)} to {min(black, white)}"
    lines = [f"{_verdict(at, outcome.winner)}: {outcome.winner.value} wins, {discs}."]
    if outcome.final_score != outcome.disc_diff:
        lines.append(
            f"Disc difference {abs(outcome.disc_diff)}; "
            f"final score {abs(outcome.final_score)}, the empty squares going to the winner."
        )
    return lines


def costliest(at: Sitting, found: Iterable[Reviewed]) -> str:
    """Return which mistake cost most, of the only person's where there is one; the review has to be whole."""
    sides = at.people if len(at.people) == 1 else list(Colour)
    mistakes = reviewing.worst(each for each in found if each.side in sides)
    whom = " you" if len(sides) == 1 else ""
    if not mistakes:
        return f"No move cost{whom} anything that a review finds."
    most = mistakes[0]
    sure = "" if most.exact else " (estimated)"
    return f"What cost{whom} most: move {most.ply + 1}, {reviewing.loss_text(most, 1)}{sure}."


def choices(table: Table) -> list[Choice]:
    """Return what can be done next, what most people want first."""
    seats = table.sitting.seats
    found = [Choice(Command.REVIEW, "Review"), Choice(Command.NEW, "Rematch")]
    if any(seats.values()):
        found.append(Choice(Command.SWAP, "Other colour"))
    for command in LEVELS_UP:
        if level := _level_beside(table, command):
            found.append(Choice(command, f"Level {level}"))
    return [*found, Choice(Command.SAVE, "Save")]


def other_level(table: Table, command: Command) -> str:
    """Return the text of the level that HARDER or EASIER asks for; raise ValueError where there is none."""
    if level := _level_beside(table, command):
        return f"level:{level}"
    opponent = wording.names(table.sitting.seats)[table.theirs]
    raise ValueError(
        f"no level is known to be {command.word} than {opponent}: `opponent level:5` plays on against level 5"
    )


def _level_beside(table: Table, command: Command) -> int:
    """Return the level next to the opponent's; 0 if there is none."""
    opponent = table.sitting.seats[table.theirs]
    found = _LEVEL.fullmatch(opponent.text) if opponent and len(table.sitting.people) == 1 else None
    if not found:
        return 0
    wanted = int(found[1] or STRONGEST) + LEVELS_UP[command]
    return wanted if 1 <= wanted <= STRONGEST else 0


def _verdict(at: Sitting, winner: Colour) -> str:
    """Return how the game ended for the only person, or for whoever won."""
    if len(at.people) == 1:
        return "You win" if at.people == [winner] else "You lose"
    name = wording.names(at.seats)[winner]
    return f"{name[:1].upper()}{name[1:]} wins"
