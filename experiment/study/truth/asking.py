"""A player asked about many positions: all of 4x4, or some near the end, reached by playing."""

from collections.abc import Iterator

import numpy as np
from rich.console import Console

from othello_lab.experiment.show.progress import counted
from othello_lab.experiment.study.truth.summary import Lines, Summary
from othello_lab.game import Board, Colour, Game
from othello_lab.game.decisions import Decision, every_game, on_every_position, on_positions
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players import Player
from othello_lab.game.solver.solver import empties

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


TRIES = 200
"""Games in a row without a new position after which there are held to be no more."""


def sample(size: int, left: int, count: int, by: str, seed: int) -> Iterator[Game]:
    """Yield `count` games from the start, which a player of this text plays on both sides, up to different
    positions with `left` empty squares and a legal move.

    Raises RegistryError, and ValueError where the player's games do not reach this many.
    """
    pairing, first, seen = Pairing(by, by, size, seed=seed), 0, set[Board]()
    while len(seen) < count:
        played = play_games(pairing, range(first, first + TRIES))
        reached = [_up_to(left, each.record.game) for each in played]
        new = {game.board: game for game in reached if game and game.board not in seen}
        if not new:
            raise ValueError(
                f"{len(seen)} positions with {left} empty squares were found on {size}x{size}, not {count}: "
                "ask for fewer, for other empty squares or for a player with more random moves"
            )
        yield from list(new.values())[: count - len(seen)]
        seen |= new.keys()
        first += TRIES


def _up_to(left: int, game: Game) -> Game | None:
    """Return a game up to this many empty squares; None if it ended sooner."""
    for ply, board in enumerate(game.boards):
        if empties(board) == left and board.legal_moves:
            return game.until(ply)
    return None
