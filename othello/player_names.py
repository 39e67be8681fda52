"""From what was typed for a player, a run or a checkpoint to the player."""

from pathlib import Path
from typing import TYPE_CHECKING

from othello.ending import blaming

if TYPE_CHECKING:
    from experiment.results.player_names import Named


def named(text: str, runs_dir: Path, argument: str) -> "Named":
    """Return the player of that name; raise click.BadParameter about that argument if there is none."""
    from agent.trained import board_size
    from experiment.results.player_names import find

    with blaming(argument):
        return find(text, runs_dir, board_size)
