"""The end of a game in which a Q-network plays what wins for certain, beside all that can happen there."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.dqn.policy import WIN, Endgame
from othello_lab.game.batch.positions import Positions
from othello_lab.game.board import Board
from tests.agent.learners import DQN
from tests.agent.parts import freeze, games_of_policy, play, trio


def late(size: int, empties: int, count: int) -> list[Board]:
    """Return positions of random games in which the side to move has a move."""
    rng, found = np.random.default_rng(size), list[Board]()
    while len(found) < count:
        board = Board.start(size)
        while not board.is_over:
            moves = [*board.legal_moves]
            if moves and size * size - sum(board.counts()) <= empties:
                found.append(board)
                break
            board = board.play(moves[int(rng.integers(len(moves)))] if moves else -1)
    return found


def wins(board: Board) -> bool:
    """Tell whether the side to move can win whatever the other does, by looking at everything."""
    if board.is_over:
        mine, theirs = board.own.bit_count(), board.opponent.bit_count()
        return mine > theirs
    return any(not holds(board.play(move)) for move in [*board.legal_moves] or [-1])


def holds(board: Board) -> bool:
    """Tell whether the side to move can win or draw."""
    if board.is_over:
        return board.own.bit_count() >= board.opponent.bit_count()
    return any(not wins(board.play(move)) for move in [*board.legal_moves] or [-1])


@pytest.mark.parametrize(("size", "empties"), [(4, 6), (6, 6), (8, 5)])
def test_the_highest_move_that_wins_for_certain_comes_first_and_nothing_else_changes(
    size: int, empties: int
) -> None:
    boards = late(size, empties, 40) + late(size, 16, 2)
    counts = [len(board.legal_moves) for board in boards]
    values = np.random.default_rng(1).uniform(-1.5, 1.5, sum(counts))
    ends = np.cumsum(counts)[:-1]
    judged = Endgame(size, empties).judged(Positions.of(boards), values)
    seen = set()
    for board, own, before in zip(boards, np.split(judged, ends), np.split(values, ends), strict=True):
        won = [not holds(board.play(move)) for move in board.legal_moves] if _near(board, empties) else []
        if any(won):
            assert own.argmax() == np.where(won, before, -9).argmax()
            assert own.max() == WIN
        else:
            assert np.array_equal(own, before)
        seen.add(any(won))
    assert seen == {True, False}


def _near(board: Board, empties: int) -> bool:
    return board.size**2 - sum(board.counts()) <= empties


def test_zero_is_never() -> None:
    boards = late(4, 3, 5)
    values = np.zeros(sum(len(board.legal_moves) for board in boards))
    assert Endgame(4, 0).judged(Positions.of(boards), values) is values


@pytest.mark.parametrize("frames", ["1", "2"])
def test_agent_and_saved_player_play_the_same_end(tmp_path: Path, frames: str) -> None:
    """Untrained, so that nothing but the end decides."""
    with_end, won = frozen_games(tmp_path, "10", frames)
    assert with_end == games_of_policy(tmp_path / "mine.safetensors")
    _, won_without = frozen_games(tmp_path, "0", frames)
    assert won > won_without + 10


def frozen_games(directory: Path, endgame: str, frames: str) -> tuple[list[str], int]:
    """Return 100 games of an agent whose policy is saved, and how many it won."""
    glue, _ = trio(DQN, directory, endgame=endgame, frames=frames)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_env_message("episode 5000")
    games, won = [], 0
    for _ in range(100):
        games += play(glue, 1)
        won += glue.RL_return() > 0
    return games, won
