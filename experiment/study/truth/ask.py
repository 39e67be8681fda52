"""A player asked about many positions, shown as it goes on."""

from collections.abc import Iterator

import numpy as np
from rich.console import Console

from experiment.show.progress import counted
from experiment.study.truth.positions import sample
from experiment.study.truth.summary import Lines, Summary
from game import Colour
from game.players import Player
from game.solver.exact_moves import Decision, every_game, on_every_position, on_positions

EVERYWHERE = 4
"""The board of which all positions are asked about."""
_POSITIONS = 47_633
"""Those of it in which there is a legal move."""


def ask_everywhere(player: Player, seed: int, terminal: Console) -> tuple[Summary, dict[Colour, Lines]]:
    """Ask about all of 4x4: every position, and every game from the start as either colour.

    Raises as the player does, and IllegalMoveError.
    """
    rng = np.random.default_rng(seed)
    summary = _watched(on_every_position(player, rng), _POSITIONS, terminal)
    return summary, {colour: Lines.of(every_game(player, colour, rng), colour) for colour in Colour}


def ask_a_sample(
    player: Player, size: int, seed: int, terminal: Console, empties: int, positions: int, by: str
) -> Summary:
    """Ask about this many positions with this many empty squares, reached by the player of the text `by`.

    Which they are depends on nothing about the player that is asked. Raises as `ask_everywhere` does, and
    ValueError where there are too few positions.
    """
    games = sample(size, empties, positions, by, seed)
    return _watched(on_positions(player, games, np.random.default_rng(seed)), positions, terminal)


def _watched(decisions: Iterator[Decision[int]], total: int, terminal: Console) -> Summary:
    summary = Summary()
    kept = summary.outcome.everywhere
    for decision in counted(decisions, total, terminal, "position", lambda: f"{100 * kept.share:.1f} % kept"):
        summary.add(decision)
    return summary
