"""Checks of what was typed: players and agents, which are looked up, sizes and files."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello_lab.commands.ending import blaming
from othello_lab.game.notation import USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.experiment.run.record import AgentPart
    from othello_lab.game.records import Record, RecordError


def chosen_size(said: int | None, *players: "Named") -> int:
    """Return the size that is said, else that of the first player who has one, else the usual one."""
    from othello_lab.experiment.run.player_names import board_for

    with blaming("--size"):
        return board_for(players, said)


def check_player(word: str, text: str, size: int) -> None:
    """See to it that a player, named by that option or argument, can play on boards of `size`."""
    from othello_lab.game.players.catalogue import make

    with blaming(word):
        make(text, size).close()


def check_new_file(path: Path, option: str) -> None:
    """See to it that a file is not there yet, and its folder is."""
    if os.path.exists(path):  # Path's own fails for a very long name
        raise click.BadParameter(f"{path} exists: name a new file", param_hint=option)
    check_folder(path, option)


def check_folder(path: Path, option: str) -> None:
    """See to it that the folder of a file is there."""
    if not os.path.isdir(path.parent):
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint=option)


def check_new_records(path: Path, option: str, size: int | None = None) -> None:
    """See to it that games can be written to a new file, of boards of `size` where that is known."""
    from othello_lab.game.records import check_suffix, files_of

    with blaming(option):
        check_suffix(path, size)
    for file in files_of(path):
        check_new_file(file, option)


def write_records(path: Path, records: "Iterable[Record]") -> None:
    """Write games to a file; raise click.ClickException where they cannot be."""
    from othello_lab.game.records import RecordError, write

    try:
        write(path, records)
    except (OSError, RecordError) as error:
        raise click.ClickException(f"the games were not written: {error}") from None


def tell_left_out(faults: "Sequence[RecordError]") -> None:
    """Say on stderr which games of files are left out."""
    from othello_lab.game.records.record import first_few

    for line in first_few(faults):
        click.echo(line, err=True)


def named(text: str, runs_dir: Path, argument: str) -> "Named":
    """Return the player that a text names, as `find` does; raise click.BadParameter about that argument."""
    from othello_lab.agent.trained import board_size
    from othello_lab.experiment.run.player_names import find

    with blaming(argument):
        return find(text, runs_dir, board_size)


def agent_part_of(text: str, runs_dir: Path) -> "AgentPart":
    """Return the agent that a text names as a run records it; raise click.BadParameter for any other text.

    A run or a checkpoint is the player that it was trained to be.
    """
    from othello_lab.experiment.run.record import AgentPart, agent_part

    part = agent_part(text)
    if part.text is not None:
        return part
    found = named(text, runs_dir, "--agent")
    return part if found.command else AgentPart(found.text)


ARGUMENT = "AGENT"


@dataclass(frozen=True)
class Candidate:
    """Somebody to be judged."""

    name: str
    """What to call it."""
    text: str = ""
    """A registry text, or the command line of an agent; "" for one that connects by itself."""
    size: int | None = None
    """The only board that it plays on, None if it plays on several."""
    plays_here: bool = False
    """Whether it is a player of the registry, or an agent in a process of its own."""

    def check(self, size: int) -> None:
        """Raise click.BadParameter if it cannot play on boards of `size`."""
        if self.plays_here:
            check_player(ARGUMENT, self.text, size)


CONNECTED = Candidate("the agent that connected")


def candidate(text: str, runs_dir: Path) -> Candidate:
    """Return the candidate that a text names; raise click.BadParameter for a text that names none."""
    found = named(text, runs_dir, ARGUMENT)
    if found.command:
        return Candidate(found.name, found.command)
    return Candidate(found.name, found.text, found.size, plays_here=True)


def common_size(candidates: Sequence[Candidate]) -> int:
    """Return the size of the board that all can play on; raise ValueError if there is none."""
    sizes = {one.size for one in candidates if one.size}
    if len(sizes) > 1:
        boards = " and ".join(f"{size}x{size}" for size in sorted(sizes))
        raise ValueError(f"the agents are for different boards, {boards}: evaluate them one by one")
    return sizes.pop() if sizes else USUAL_SIZE


def opponents(texts: Sequence[str], size: int, runs_dir: Path) -> dict[str, str]:
    """Return names and registry texts of the opponents, the usual ones where none are given.

    Raises click.BadParameter.
    """
    from othello_lab.experiment.compare.judging.trial import OPPONENTS
    from othello_lab.experiment.run.player_names import called

    found = [named(text, runs_dir, "--opponent") for text in texts]
    for each in found:
        check_player("--opponent", each.text, size)
    return {name: each.text for name, each in called(found).items()} or dict(OPPONENTS)
