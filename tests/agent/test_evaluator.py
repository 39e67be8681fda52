"""A network as the evaluator of a search: `search:depth=4,eval=dqn:PATH`."""

from pathlib import Path

import numpy as np
import pytest
import torch
from click.testing import CliRunner

from othello_lab.agent import checkpoint
from othello_lab.agent.dqn.method import DQN
from othello_lab.agent.dqn.policy import DQNPolicy
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import PASS, Board, Game, observation, symmetry
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.catalogue import is_built_in
from othello_lab.game.search import search
from tests.agent.parts import dqn_agent
from tests.game import plain
from tests.game.plain import as_reference
from tests.game.reference import Reference, as_board


def network(directory: Path, size: int, **options: str) -> str:
    """Save an untrained network and return its registry text."""
    agent = dqn_agent({"hidden": "24", **options}, seed=3, size=size, directory=directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=size)).env_init())
    return f"dqn:{agent.save_policy('net')}"


def random_boards(size: int, number: int) -> list[Board]:
    """Return positions of random games; in half of them the side to move must pass."""
    rng, passing, others = np.random.default_rng(size), list[Board](), list[Board]()
    while len(passing) < number // 2:
        game = Game(Board.start(size))
        while not game.board.is_over:
            (passing if game.board.must_pass else others).append(game.board)
            game.play(int(rng.choice(list(game.board.legal_moves) or [PASS])))
    few = rng.choice(len(others), number - number // 2)
    return passing[: number // 2] + [others[index] for index in few]


def slow_values(text: str, size: int) -> plain.Evaluation:
    """Return the evaluation by the network without symmetries, one position at a time."""
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
def test_a_slow_negamax_over_single_positions_agrees(
    tmp_path: Path, size: int, depth: int, number: int
) -> None:
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


def test_it_plays_matches(tmp_path: Path) -> None:
    text = f"search:depth=2,eval={network(tmp_path, 6)}"
    result = CliRunner().invoke(cli, ["match", text, "greedy", "--size", "6", "--openings", "2"])
    assert result.exit_code == 0, result.output
    assert result.output.startswith(text)


def test_the_command_players_lists_it() -> None:
    evaluators = CliRunner().invoke(cli, ["players"]).output.partition("Evaluators")[2]
    assert "search:depth=4,eval=trained:PATH" in evaluators


def test_a_stranger_may_not_ask_for_it(tmp_path: Path) -> None:
    assert not is_built_in(f"search:depth=2,eval={network(tmp_path, 6)}", 6)


def test_a_network_that_cannot_say_what_a_position_is_worth_is_refused(tmp_path: Path) -> None:
    for path, options, size, reason in [
        ("stack", {"frames": "3"}, 6, r"looks at 3 frames: only a network with frames=1"),
        ("small", {}, 8, r"is for 6x6 boards, this game is 8x8"),
    ]:
        with pytest.raises(RegistryError, match=reason):
            make(f"search:depth=2,eval={network(tmp_path / path, 6, **options)}", size)


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.safetensors").write_bytes(b"not a checkpoint")
    with pytest.raises(RegistryError, match="no readable checkpoint"):
        make_evaluator(f"dqn:{tmp_path / 'other.safetensors'}", 6)
    with pytest.raises(RegistryError, match="there is no checkpoint"):
        make_evaluator("dqn:nowhere", 6)
    with pytest.raises(RegistryError, match="dqn:PATH"):
        make_evaluator("dqn", 6)
    with pytest.raises(RegistryError, match="no option 'depth'"):
        make_evaluator("dqn:nowhere,depth=3", 6)
