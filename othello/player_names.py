"""The player that was typed: a registry text, a run or a checkpoint."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.ending import blaming
from othello.permission import permit

if TYPE_CHECKING:
    from experiment.run.record import AgentPart
    from experiment.run.results.player_names import Named


def named(text: str, runs_dir: Path, argument: str) -> "Named":
    """Return the player of that name; raise click.BadParameter about that argument if there is none.

    Raises NotPermittedError for a run that names programs which nobody has agreed to.
    """
    from agent.trained import board_size
    from experiment.run.results.player_names import find

    with blaming(argument):
        return find(text, runs_dir, board_size, permit)


def player_or_command(text: str, runs_dir: Path, argument: str) -> "Named | None":
    """Return the player of that name, None for the command line of an agent.

    Raises click.BadParameter about that argument for a text that is neither, NotPermittedError.
    """
    from experiment.workers.command import CommandError, split_command

    try:
        return named(text, runs_dir, argument)
    except click.BadParameter as error:
        try:
            split_command(text)
        except CommandError as why:
            raise click.BadParameter(f"{error.message}; and {why}", param_hint=error.param_hint) from None
        return None


def agent_part_of(text: str, runs_dir: Path) -> "AgentPart":
    """Return the agent that a text names as a run records it.

    A run or a checkpoint is the player that it was trained to be. Raises as `player_or_command` does.
    """
    from experiment.run.record import AgentPart, agent_part

    part = agent_part(text)
    found = player_or_command(text, runs_dir, "--agent") if part.text is None else None
    return AgentPart(found.text) if found else part
