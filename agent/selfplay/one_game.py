"""A game over RL-Glue as self-play sees games: put together from its transitions when it is over."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.memory.frames import unpack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.selfplay.played import Decisions
from othello_lab.game import observation
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS


def one_game(transitions: Sequence[Transition], size: int, draw: float) -> Decisions:
    """Put a game together: at least one transition, the last one to the end.

    `draw` is the reward of a drawn game: more is a win, less a loss. What was on the board at the end is not
    told to an agent, so the score is taken from what it knows; see `_score`.
    """
    boards = [_board(transition, size) for transition in transitions]
    discount = np.array([np.sign(transition.discount) for transition in transitions], np.int8)
    views = _views(discount)
    result = int(np.sign(transitions[-1].reward - draw))
    score = _score(boards[-1].play(transitions[-1].action), result)
    following = np.append(np.arange(1, len(boards)), -1)
    moves = np.array([transition.action for transition in transitions])
    results, scores = (result * views).astype(np.int8), (score * views).astype(np.int16)
    return Decisions(Positions.of(boards), moves, following, discount, results, scores)


def _board(transition: Transition, size: int) -> Board:
    """Return the board of a decision, whoever decides taken for black."""
    _, own, opponent = observation.sides(unpack(transition.state[None], size * size).ravel())
    return Board(size, own, opponent, Colour.BLACK)


def _views(discount: NDArray[np.int8]) -> NDArray[np.int64]:
    """Return 1 for the decisions of the side that decided last, -1 for the other side's, [n]."""
    signs = np.append(discount[:-1], 1)
    return np.cumprod(signs[::-1])[::-1]


def _score(board: Board, result: int) -> int:
    """Return the final score for black, who has made its last decision here; the empties go to the winner.

    In self-play the game is over here. Against an opponent that nobody asked, it may have gone on: what can
    have been played in one way only is played, and the discs are counted where the opponent had a choice,
    with a lead of one at least for the winner.
    """
    while not board.is_over and len(board.legal_moves) < 2:
        board = board.play(next(iter(board.legal_moves), PASS))
    black, white = board.counts()
    return result * max(result * (black - white) + board.size**2 - black - white, 1)
