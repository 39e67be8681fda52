from pathlib import Path

import numpy as np
import pytest
import torch

from othello_lab.agent import checkpoint
from othello_lab.agent.dqn.endgame import WIN, Endgame
from othello_lab.agent.dqn.method import DQN
from othello_lab.agent.dqn.policy import DQNPolicy
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board, observation, symmetry
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import is_built_in, make, make_evaluator
from othello_lab.game.registry import RegistryError
from othello_lab.game.search import search
from tests.agent.learners import DQN as DQN_TEXT
from tests.agent.parts import dqn_agent, freeze, games_of_policy, play, trio
from tests.game import plain
from tests.game.plain import as_reference
from tests.game.reference import Reference, as_board
from tests.game.sampling import random_games


def late(size: int, empties: int, count: int) -> list[Board]:
    games = random_games(size, 60)
    near = [[b for b in game.boards if b.legal_moves and _near(b, empties)] for game in games]
    return [boards[0] for boards in near if boards][:count]


def wins(board: Board) -> bool:
    """Return whether the side to move can win, by searching all moves."""
    if board.is_over:
        mine, theirs = board.own.bit_count(), board.opponent.bit_count()
        return mine > theirs
    return any(not holds(board.play(move)) for move in [*board.legal_moves] or [-1])


def holds(board: Board) -> bool:
    if board.is_over:
        return board.own.bit_count() >= board.opponent.bit_count()
    return any(not wins(board.play(move)) for move in [*board.legal_moves] or [-1])


@pytest.mark.parametrize(("size", "empties"), [(4, 6), (6, 6), (8, 5)])
def test_the_highest_move_that_wins_comes_first_and_nothing_else_changes(size: int, empties: int) -> None:
    boards = late(size, empties, 40) + late(size, 16, 2)
    counts = [len(board.legal_moves) for board in boards]
    values = np.random.default_rng(1).uniform(-1.5, 1.5, sum(counts))
    ends = np.cumsum(counts)[:-1]
    judged = Endgame(size, empties).judged_many(Positions.of(boards), values)
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
    assert Endgame(4, 0).judged_many(Positions.of(boards), values) is values


@pytest.mark.slow
@pytest.mark.parametrize("frames", ["1", "2"])
def test_agent_and_saved_player_play_the_same_end(tmp_path: Path, frames: str) -> None:
    """The agent is untrained, so that only the exact endgame decides."""
    with_end, won = frozen_games(tmp_path, "8", frames)
    assert with_end == games_of_policy(tmp_path / "mine.safetensors", 40)
    _, won_without = frozen_games(tmp_path, "0", frames)
    assert won > won_without + 4


def frozen_games(directory: Path, endgame: str, frames: str) -> tuple[list[str], int]:
    glue, _ = trio(DQN_TEXT, directory, endgame=endgame, frames=frames)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_env_message("episode 5000")
    games, won = [], 0
    for _ in range(40):
        games += play(glue, 1)
        won += glue.RL_return() > 0
    return games, won


def network(directory: Path, size: int, **options: str) -> str:
    agent = dqn_agent({"hidden": "24", **options}, seed=3, size=size, directory=directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=size)).env_init())
    return f"dqn:{agent.save_policy('net')}"


def random_boards(size: int, number: int) -> list[Board]:
    """Return positions of random games. In half of the positions, the side to move must pass."""
    boards = [board for game in random_games(size, number) for board in game.boards[:-1]]
    passing = [board for board in boards if board.must_pass][: number // 2]
    return passing + boards[:: len(boards) // (number - len(passing))][: number - len(passing)]


def slow_values(text: str, size: int) -> plain.Evaluation:
    """Return the values of the network without symmetries, one position at a time."""
    policy = DQN.open(checkpoint.load(Path(text.removeprefix("dqn:"))), size)
    assert isinstance(policy, DQNPolicy)
    net = policy.network

    def best(board: Board) -> float:
        state = torch.from_numpy(observation.encode(board, board.turn)).float().view(1, 4, -1)
        with torch.no_grad():
            values = net(state)[0]
        return max(float(values[move]) for move in board.legal_moves)

    def evaluation(position: Reference) -> float:
        board = as_board(position)
        return -best(board.play(PASS)) if board.must_pass else best(board)

    return evaluation


@pytest.mark.parametrize(("size", "depth", "number"), [(4, 1, 40), (4, 4, 20), (6, 2, 20), (6, 3, 4)])
def test_a_slow_negamax_of_positions_agrees(tmp_path: Path, size: int, depth: int, number: int) -> None:
    text = network(tmp_path, size, symmetric_play="false")
    evaluator, evaluation = make_evaluator(text, size), slow_values(text, size)
    for board in random_boards(size, number):
        found = search(board, "negamax", depth, evaluator, np.random.default_rng(0)).value
        assert found == pytest.approx(plain.minimax(as_reference(board), depth, evaluation), abs=1e-5)


def test_many_positions_at_once_have_the_values_of_each_alone(tmp_path: Path) -> None:
    evaluator = make_evaluator(network(tmp_path, 6), 6)
    boards = random_boards(6, 400)
    alone = [evaluator.values(Positions.of([board]))[0] for board in boards]
    together = evaluator.values(Positions.of(boards))
    assert together.dtype == np.float64
    np.testing.assert_allclose(together, alone, atol=1e-5)


def test_a_turned_board_is_worth_the_same_to_a_network_that_acts_on_the_mean(tmp_path: Path) -> None:
    evaluator = make_evaluator(network(tmp_path, 6), 6)
    for board in random_boards(6, 10):
        turned = Positions.of([symmetry.transform(board, turn) for turn in range(symmetry.SYMMETRIES)])
        values = evaluator.values(turned)
        np.testing.assert_allclose(values, values[0], atol=1e-5)


def test_a_finished_game_is_worth_nothing_in_itself(tmp_path: Path) -> None:
    board = Board.start(4)
    evaluator = make_evaluator(network(tmp_path, 4), 4)
    finished = Positions(4, Positions.of([board]).own, np.zeros((1, 1), np.uint64))
    assert evaluator.values(finished) == [0]


def test_a_stranger_may_not_ask_for_it(tmp_path: Path) -> None:
    assert not is_built_in(f"search:depth=2,eval={network(tmp_path, 6)}", 6)


def test_a_network_that_cannot_say_what_a_position_is_worth_is_refused(tmp_path: Path) -> None:
    for path, options, size, reason in [
        ("stack", {"frames": "3"}, 6, r"looks at 3 frames: only a network with frames=1"),
        ("small", {}, 8, r"is for 6x6 boards, this game is 8x8"),
    ]:
        with pytest.raises(RegistryError, match=reason):
            make(f"search:depth=2,eval={network(tmp_path / path, 6, **options)}", size)


def test_a_policy_needs_a_path_and_has_no_options() -> None:
    for text, reason in (("dqn", "dqn:PATH"), ("dqn:nowhere,depth=3", "no option 'depth'")):
        for open_network in (make_evaluator, make):
            with pytest.raises(RegistryError, match=reason):
                open_network(text, 6)
