"""Monte-Carlo Q as a learner: its network and updates against plain torch, its symmetries, its seats."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import nn

from agent import checkpoint
from agent.learner import BatchLearner, Seeds
from agent.learning_agent import LearningAgent
from agent.make import make_agent
from agent.mcq.acting import boards_of
from agent.mcq.config import MCQConfig
from agent.mcq.learner import MCQLearner
from agent.mcq.method import MCQ
from agent.mcq.samples import Samples, batches, turned
from agent.memory.frames import pack
from agent.memory.transitions import Transition
from agent.selfplay.played import Played
from environment.config import EnvironmentConfig
from environment.othello import OthelloEnvironment
from game import PASS, Board, Game, observation, symmetry
from game.batch.positions import Positions
from game.evaluators import make_evaluator
from game.players import RegistryError, make
from game.search.batched import children
from rlglue.glue import Glue

MCQAgent = LearningAgent[MCQConfig, MCQLearner]
QUICK = {"games": "5", "batch": "64"}


def trio(
    directory: Path | None = None, seed: int = 1, opponent: str = "self", size: int = 4, **options: str
) -> tuple[Glue, MCQAgent]:
    agent = LearningAgent(MCQ, {**QUICK, **options}, seed, size, directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=size, opponent=opponent, seed=1)))
    glue.RL_init()
    return glue, agent


def play(glue: Glue, games: int) -> list[str]:
    return [(glue.RL_episode(0), glue.RL_env_message("transcript"))[1] for _ in range(games)]


def learner(size: int = 4, seed: int = 0, **options: object) -> MCQLearner:
    draws, weights = np.random.SeedSequence(seed).spawn(2)
    return MCQLearner(MCQConfig(**options), size, Seeds(draws, weights))  # type: ignore[arg-type]  # as written


def plain(of: MCQLearner) -> nn.Sequential:
    """The same network as its layers stand in the source: board and one-hot move in, one tanh out."""
    weights = [weight.detach().clone() for weight in of.training.network.parameters()]
    layers: list[nn.Module] = []
    for matrix, bias in zip(weights[::2], weights[1::2], strict=True):
        layer = nn.Linear(matrix.shape[1], matrix.shape[0])
        layer.weight.data, layer.bias.data = matrix, bias
        layers += [layer, nn.ReLU()]
    return nn.Sequential(*layers[:-1], nn.Tanh())


def inputs(boards: NDArray[np.int8], moves: NDArray[np.int64]) -> torch.Tensor:
    return torch.from_numpy(np.hstack([boards, np.eye(boards.shape[1])[moves]])).float()


def random_samples(n: int, squares: int = 16) -> Samples:
    rng = np.random.default_rng(n)
    boards = rng.integers(-1, 2, (n, squares)).astype(np.int8)
    return Samples(boards, rng.integers(squares, size=n), rng.uniform(-1, 1, n).astype(np.float32))


@pytest.mark.parametrize("network", ["net", "simple"])
def test_updates_are_those_of_adam_on_the_squared_error(network: str) -> None:
    own = learner(network=network, learning_rate=0.01)
    units = {"net": [32, 256, 384, 256, 1], "simple": [32, 192, 256, 1]}[network]
    reference = plain(own)
    assert [layer.in_features for layer in reference if isinstance(layer, nn.Linear)] == units[:-1]
    adam = torch.optim.Adam(reference.parameters(), lr=0.01)
    for n in (7, 12, 9):
        batch = random_samples(n)
        values = reference(inputs(batch.boards, batch.moves))[:, 0]
        loss = ((values - torch.from_numpy(batch.targets)) ** 2).mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        assert own.training.update(batch) == pytest.approx(float(loss.detach()), rel=1e-4)
    for mine, theirs in zip(own.training.network.parameters(), reference.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-3, atol=1e-4)


LAST = Board.parse("-OX-XXXXXXXXXXXX X")
"""Black takes a1, and has all the discs."""


def one_game_played() -> Played:
    """A game of one decision."""
    return Played(
        Positions.of([LAST]),
        moves=np.array([0]),
        best=np.zeros(1),
        greedy=np.ones(1, np.bool_),
        following=np.array([-1]),
        discount=np.zeros(1, np.int8),
        results=np.ones(1, np.int8),
        scores=np.array([16], np.int16),
    )


def some_boards(size: int, number: int) -> list[Board]:
    """Positions of random games in which the side to move has a move."""
    rng, found = np.random.default_rng(size), list[Board]()
    while len(found) < number:
        game = Game(Board.start(size))
        while not game.board.is_over:
            game.play(int(rng.choice([*game.board.legal_moves] or [PASS])))
        found += [board for board in game.boards if board.legal_moves]
    return found[:number]


def test_all_moves_of_many_positions_have_the_values_of_each_alone() -> None:
    own, boards = learner(6), some_boards(6, 1100)
    positions = Positions.of(boards)
    found = own.move_values(positions)
    network, expected = plain(own), []
    for board in boards:
        moves = np.array([*board.legal_moves])
        seen = boards_of(Positions.of([board])).repeat(len(moves), axis=0)
        expected.append(network(inputs(seen, moves))[:, 0].detach().numpy())
    assert len(found) == len(children(positions))
    np.testing.assert_allclose(found, np.concatenate(expected), atol=1e-5)


def test_another_judges_by_its_weights_as_they_were() -> None:
    own: BatchLearner = learner(batch=8)
    other: BatchLearner = learner(seed=1)
    positions = Positions.of(some_boards(4, 5))
    before, weights = own.move_values(positions), own.weights()
    own.learn(one_game_played())
    other.take_weights(weights)
    np.testing.assert_array_equal(other.move_values(positions), before)
    assert not np.array_equal(own.move_values(positions), before)


def test_a_sample_and_its_variants_are_one_game_seen_from_eight_sides() -> None:
    for board in some_boards(6, 20):
        move = max(board.legal_moves)
        one = Samples(boards_of(Positions.of([board])), np.array([move]), np.ones(1, np.float32))
        for k in range(symmetry.SYMMETRIES):
            other = symmetry.transform(board, k)
            seen = turned(one, np.array([k]), 6)
            np.testing.assert_array_equal(seen.boards, boards_of(Positions.of([other])))
            assert other.play(seen.moves[0]) == symmetry.transform(board.play(move), k)


def shown(symmetries: str, seed: int) -> list[tuple[int, int]]:
    """Which of two samples was shown under which symmetry: discs and moves on squares in a class of eight."""
    squares = symmetry.permutations(6)[:, 1]
    samples = Samples(np.eye(36, dtype=np.int8)[[1, 1]], np.array([1, 1]), np.array([0, 1], np.float32))
    config, found = MCQConfig(symmetries=symmetries, batch=3), []
    for batch in batches(samples, 6, config, np.random.default_rng(seed)):
        assert len(batch.moves) <= 3
        assert batch.boards[np.arange(len(batch.moves)), batch.moves].all(), "disc and move turn together"
        found += [(int(t), [*squares].index(m)) for t, m in zip(batch.targets, batch.moves, strict=True)]
    return found


def test_both_symmetry_modes() -> None:
    everything = sorted((sample, k) for sample in range(2) for k in range(8))
    assert sorted(shown("all", 0)) == everything
    assert shown("all", 0) != shown("all", 1), "in an order drawn anew"
    drawn = [shown("one", seed) for seed in range(60)]
    assert all(sorted(sample for sample, _ in once) == [0, 1] for once in drawn)
    assert sorted({pair for once in drawn for pair in once}) == everything


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_it_resumes_to_the_byte(tmp_path: Path, opponent: str) -> None:
    """Also between two times of learning, with games that wait for it."""
    (glue, agent), (again, other) = trio(tmp_path, 1, opponent), trio(tmp_path, 9, opponent)
    play(glue, 13)
    assert json.loads(glue.RL_agent_message("stats"))["waiting"] == 3
    agent.save("middle")
    rest = play(glue, 9)
    again.RL_env_message("episode 13")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 9) == rest
    assert other.stats() == agent.stats()
    assert other.save("b").read_bytes() == agent.save("a").read_bytes()


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio(games="100")
    glue.RL_episode(3)
    play(glue, 1)
    (samples,) = agent.learner._waiting
    assert np.abs(samples.boards[0]).sum() == 4, "the first decision is that of a start"
    assert len(samples.moves) <= 12, "those of one game"


def test_it_learns_to_win_and_plays_the_same_in_every_seat(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random", learning_rate="0.002", batch="16", symmetries="one")
    play(glue, 500)
    path = agent.save_policy("net")
    for message in ("freeze learning", "freeze exploring", "load_policy net"):
        assert glue.RL_agent_message(message).startswith("message understood")
    glue.RL_env_message("episode 5000")
    games, returns = [], []
    for _ in range(100):
        games += play(glue, 1)
        returns.append(glue.RL_return())
    assert np.mean(np.array(returns) > 0) > 0.45, "a random mover wins 35 %"
    seat = Glue(
        make_agent(f"trained:{path}"),
        OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=1)),
    )
    seat.RL_init()
    seat.RL_env_message("episode 5000")
    assert play(seat, 100) == games


def test_a_position_is_worth_its_best_move_and_a_pass_minus_the_other_sides(tmp_path: Path) -> None:
    _, agent = trio(tmp_path)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    after = board.play(PASS)
    positions = Positions.of([board, after])
    best = agent.learner.move_values(positions.take(np.array([1]))).max()
    np.testing.assert_allclose(evaluator.values(positions), [-best, best], atol=1e-6)
    over = Positions.of([Board.parse("XXX-XOXOXXOOXXXO X")])
    assert evaluator.values(over) == [0]


def test_it_learns_the_same_from_games_played_at_once_as_from_the_wire() -> None:
    at_once, wire = learner(games=1), learner(games=1)
    at_once.learn(one_game_played())
    wire.take(Transition(pack(observation.encode(LAST, LAST.turn)), 0, 1.0, 0.0, None))
    wire.end(1)
    assert at_once.numbers == wire.numbers
    assert at_once.numbers["return_mean"] == at_once.numbers["updates"] == 1
    for name, array in at_once.state()[0].items():
        np.testing.assert_array_equal(array, wire.state()[0][name])


def test_wrong_options_and_files_are_refused(tmp_path: Path) -> None:
    for options, reason in [
        ("network=big", "network is 'big', expected net or simple"),
        ("win_weight=0.7,score_weight=0.4", "are above 1 together"),
        ("gamma=1.5", "gamma is 1.5, expected 0 to 1"),
        ("games=0", "games is 0, expected 1 or more"),
        ("symmetries=none", "symmetries is 'none', expected all or one"),
        ("learning_rate=0", "expected a number above 0"),
        ("weight=1", "mcq has no option 'weight'"),
    ]:
        with pytest.raises(ValueError, match=reason):
            make_agent(f"mcq,{options}")
    _, agent = trio(tmp_path)
    path = agent.save("four")
    with pytest.raises(RegistryError, match="is for 4x4 boards, this game is 6x6"):
        make(f"trained:{path}", 6)
    glue, _ = trio(tmp_path, network="net")
    assert "other options" in glue.RL_agent_message("load four")
    assert "holds another network" in glue.RL_agent_message("load_policy four")


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("waiting.moves", 16, "holds decisions that are none"),
        ("waiting.targets", np.nan, "holds decisions that are none"),
        ("waiting.boards", None, "lacks array 'waiting.boards'"),
        ("adam.exp_avg", None, "lacks array 'adam.exp_avg'"),
        ("network.first.bias", None, "lacks array 'network.first.bias'"),
    ],
)
def test_damaged_checkpoints_are_refused(tmp_path: Path, name: str, value: float | None, reason: str) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array.copy() for key, array in stored.arrays.items()}
    if value is None:
        del arrays[name]
    else:
        arrays[name][0] = value
    checkpoint.save(stored.path, "mcq", arrays, stored.values)
    assert reason in glue.RL_agent_message("load one")
