"""Observations as positions, and actions from moves."""

import numpy as np

from othello_lab.game import observation
from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS
from othello_lab.game.observation import Planes
from rlglue.testing.rules import BrokenRule
from rlglue.types import Action, Observation


def action_of(*moves: int) -> Action:
    """An action of these ints; a legal one has exactly one."""
    action = Action()
    action.intArray = list(moves)
    return action


def legal_of(seen: Observation) -> list[int]:
    """The legal moves of the side that is asked: squares, or a pass alone."""
    return [int(square) for square in np.flatnonzero(planes_of(seen).legal)] or [PASS]


def planes_of(seen: Observation) -> Planes:
    """The four planes; BrokenRule if there are not four."""
    try:
        return observation.decode(seen.intArray)
    except ValueError as error:
        raise BrokenRule(str(error)) from None


def board_of(seen: Observation) -> Board:
    """The position as if the side that is asked were black and to move; BrokenRule for any other."""
    try:
        return Board(*observation.sides(seen.intArray), Colour.BLACK)
    except ValueError as error:
        raise BrokenRule(f"an observation is no position: {error}") from None


def pass_position(size: int) -> Board:
    """A position in which the side to move must pass, from random play that is always the same."""
    rng = np.random.default_rng(size)
    board = Board.start(size)
    while not board.must_pass:
        moves = list(board.legal_moves)
        board = board.play(int(rng.choice(moves))) if moves else Board.start(size)
    return board
