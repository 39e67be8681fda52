"""Games, transitions and learners of TD(lambda) as its tests need them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.learner import Seeds
from othello_lab.agent.memory.frames import Frame, pack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.td.learner import TDLearner
from othello_lab.agent.td.method import TDConfig
from othello_lab.game import Board, Game, observation

PASSING = "c4b4a2d4a1"
"""A game of 4x4: after white's d4 black must pass, and no move ends the game yet."""


def learner(**options: object) -> TDLearner:
    config = replace(TDConfig(), **options)  # type: ignore[arg-type]  # whatever a test asks for
    return TDLearner(config, 4, Seeds(*np.random.SeedSequence(0).spawn(2)))


def linear(**options: object) -> TDLearner:
    """No hidden layer and no knowledge: the gradients are the discs themselves, and 1 for the bias."""
    made = learner(**{"hidden": (), **options})
    made.values.weights[:] = 0
    return made


def frame(board: Board) -> Frame:
    return pack(observation.encode(board, board.turn))


def decisions(game: Game) -> list[tuple[Board, int]]:
    """The positions in which somebody had a move, and the moves."""
    played = zip(game.boards[:-1], game.moves, strict=True)
    return [(board, move) for board, move in played if board.legal_moves]


def transitions(game: Game, result: float) -> list[Transition]:
    """What self-play hands on of a game; `result` is that of the side that has moved last."""
    made = decisions(game)
    found = [
        Transition(frame(board), move, 0.0, 1.0 if after.turn is board.turn else -1.0, frame(after))
        for (board, move), (after, _) in pairwise(made)
    ]
    board, move = made[-1]
    return [*found, Transition(frame(board), move, result, 0.0, None)]


def seen(board: Board, move: int) -> NDArray[np.float32]:
    """The afterstate as the side sees it that has just moved: its discs, then the other side's."""
    after = board.play(move)
    own, other = (after.black, after.white) if board.turn.value == "black" else (after.white, after.black)
    squares = range(board.size**2)
    return np.array([own >> s & 1 for s in squares] + [other >> s & 1 for s in squares], np.float32)
