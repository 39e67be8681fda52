import math
from pathlib import Path

import numpy as np
import pytest
import torch

from othello_lab.agent import checkpoint
from othello_lab.agent.network_learner import join_columns
from othello_lab.agent.policy_value.network import NetworkGuide, Outputs, ResidualNetwork
from othello_lab.agent.policy_value.options import NetworkOptions
from othello_lab.agent.ppo.learner import (
    TrainingBatch,
    advantages,
    experience_of,
    losses_of,
    policies_of,
    sample_moves,
)
from othello_lab.agent.selfplay.games import Decisions
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch import Positions, planes, repeated
from othello_lab.game.catalogue import make, make_evaluator
from tests.agent.learners import PPO
from tests.agent.parts import for_selfplay, play, selfplay, trio

ALL = np.ones(7, np.bool_)
BLACK = np.array([True, True, False, False, True, True, False])


def two_games() -> Decisions:
    """Black wins the first game, in which white must pass once. The second is drawn after two moves."""
    return Decisions(
        positions=repeated(Board.start(4), 7),
        moves=np.array([1, 1, 2, 2, 3, 4, 5]),
        next_index=np.array([2, 3, 4, -1, 5, 6, -1]),
        discount=np.array([-1, -1, -1, 0, 1, -1, 0], np.int8),
        results=np.array([1, 0, -1, 0, 1, 1, -1], np.int8),
        scores=np.zeros(7, np.int16),
    )


def test_the_advantages_of_two_games_by_hand() -> None:
    values = np.array([0.2, 0.1, -0.3, 0.4, 0.5, 0.6, -0.5])
    computed = advantages(values, experience_of(two_games(), ALL), gamma=0.9, lam=0.5)
    last_of_black = 1 - 0.6
    before_it = (0.9 * 0.6 - 0.5) + 0.45 * last_of_black  # white passed in between
    first_of_black = (0.9 * 0.5 - 0.2) + 0.45 * before_it
    last_of_white = -1 - -0.5
    first_of_white = (0.9 * -0.5 - -0.3) + 0.45 * last_of_white
    wanted = [first_of_black, -0.1, first_of_white, -0.4, before_it, last_of_black, last_of_white]
    assert computed.tolist() == pytest.approx(wanted)


def test_with_lambda_1_the_advantage_is_the_result_minus_the_value_and_with_0_one_step() -> None:
    values = np.array([0.2, 0.1, -0.3, 0.4, 0.5, 0.6, -0.5])
    experience = experience_of(two_games(), ALL)
    to_the_end = advantages(values, experience, gamma=1.0, lam=1.0)
    assert to_the_end.tolist() == pytest.approx((two_games().results - values).tolist())
    one_step = advantages(values, experience, gamma=1.0, lam=0.0)
    assert one_step[[0, 2]].tolist() == pytest.approx([0.5 - 0.2, -0.5 - -0.3])


def test_the_decisions_of_an_opponent_are_left_out() -> None:
    both, black = experience_of(two_games(), ALL), experience_of(two_games(), BLACK)
    assert black.moves.tolist() == [1, 1, 3, 4]
    assert both.ahead.tolist() == [4, 0, 4, 0, 1, 0, 0]
    twice = join_columns([both, black])
    values = np.array([0.2, 0.1, -0.3, 0.4, 0.5, 0.6, -0.5, 0.2, 0.1, 0.5, 0.6])
    computed = advantages(values, twice, 0.9, 0.5)
    assert computed[7:].tolist() == pytest.approx(computed[:7][BLACK].tolist())


def batch(board: Board, move: int, ratio: float, advantage: float, value: float = 0.0) -> TrainingBatch:
    """Return a decision whose move is now `ratio` times as likely under a uniform policy as before."""
    inputs = torch.from_numpy(planes(Positions.of([board]), np.float32)).flatten(2)
    before = math.log(1 / len(board.legal_moves)) - math.log(ratio)
    numbers = (torch.tensor([number], dtype=torch.float32) for number in (before, advantage, value))
    return TrainingBatch(inputs, torch.tensor([move]), *numbers)


@pytest.mark.parametrize(
    ("ratio", "advantage", "loss", "goes_on"),
    [
        (1.0, 2.0, -2.0, True),
        (1.5, 2.0, -2.4, False),  # already much more likely, and good: enough
        (1.5, -2.0, 3.0, True),  # much more likely, but bad
        (0.5, -2.0, 1.6, False),  # already much less likely, and bad: enough
        (0.5, 2.0, -1.0, True),
    ],
)
def test_outside_the_clip_is_no_gradient(ratio: float, advantage: float, loss: float, goes_on: bool) -> None:
    board = Board.start(4)
    logits = torch.zeros((1, 16), requires_grad=True)
    outputs = Outputs(logits, torch.zeros(1), torch.zeros(1))
    losses = losses_of(outputs, batch(board, board.legal_moves[0], ratio, advantage), clip=0.2)
    assert float(losses.policy.detach()) == pytest.approx(loss)
    losses.policy.backward()  # type: ignore[no-untyped-call]  # torch does not type it
    assert logits.grad is not None
    legal = [*board.legal_moves]
    assert bool(logits.grad[0, legal].any()) == goes_on
    assert not np.delete(logits.grad[0].numpy(), legal).any(), "illegal moves have no gradient"
    assert float(losses.clipped) == (abs(ratio - 1) > 0.2)


def test_value_and_entropy_by_hand() -> None:
    board = Board.start(4)
    first, *rest = board.legal_moves
    logits = torch.full((1, 16), 9.0)  # illegal squares have the highest, and count for nothing
    logits[0, [first, *rest]] = torch.tensor([math.log(3), 0.0, 0.0, 0.0])
    outputs = Outputs(logits, torch.tensor([0.5]), torch.zeros(1))
    losses = losses_of(outputs, batch(board, first, 1.0, 0.0, value=-0.25), clip=0.2)
    assert float(losses.value) == pytest.approx(0.75**2)
    assert float(losses.entropy) == pytest.approx(-0.5 * math.log(1 / 2) - 3 / 6 * math.log(1 / 6))


def guide(logits: torch.Tensor) -> NetworkGuide:
    network = ResidualNetwork(NetworkOptions(width=4, blocks=0), 4)
    network.forward = lambda inputs: Outputs(  # type: ignore[method-assign]  # nothing is computed
        logits.expand(len(inputs), -1), torch.zeros(len(inputs)), torch.zeros(len(inputs))
    )
    return NetworkGuide(network)


def test_illegal_squares_have_probability_0_and_are_never_drawn() -> None:
    positions, n = repeated(Board.start(4), 4000), 4000
    legal = [*Board.start(4).legal_moves]
    logits = torch.full((16,), 50.0)
    logits[legal] = torch.tensor([math.log(5), 0.0, 0.0, math.log(3)])
    policies = policies_of(guide(logits), positions)
    assert policies[0, legal].tolist() == pytest.approx([0.5, 0.1, 0.1, 0.3])
    assert not np.delete(policies[0], legal).any()
    moves = sample_moves(policies, np.random.default_rng(1).random(n))
    shares = np.bincount(moves, minlength=16) / n
    assert shares[legal].tolist() == pytest.approx([0.5, 0.1, 0.1, 0.3], abs=0.03)
    assert not np.delete(shares, legal).any()
    edges = sample_moves(policies[:2], np.array([0.0, np.nextafter(1.0, 0.0)]))
    assert edges.tolist() == [legal[0], legal[-1]]


def test_by_all_symmetries_alike_moves_are_equally_likely() -> None:
    logits = torch.arange(16.0)  # prefers later squares
    policies = policies_of(guide(logits), Positions.of([Board.start(4)]), symmetric=True)
    assert policies[0, [*Board.start(4).legal_moves]].tolist() == pytest.approx([0.25] * 4)


@pytest.mark.slow
def test_it_learns_to_beat_random_within_seconds(tmp_path: Path) -> None:
    agent = for_selfplay(PPO, tmp_path, learning_rate="0.003", batch="256")
    with Pool() as pool:
        rounds = selfplay(agent, pool, "random=0.9", random_opening=4)
        for done in range(0, 6000, 300):
            played = rounds.play(done, 300)
    won, drawn, lost = np.sum([played.results["random", colour] for colour in ("black", "white")], axis=0)
    assert (won + drawn / 2) / (won + drawn + lost) > 0.75


def test_its_network_judges_positions_and_guides_a_search(tmp_path: Path) -> None:
    glue, agent = trio(PPO, tmp_path)
    play(glue, 60)
    path, board = agent.save_policy("net"), Board.start(4).play(1)
    assert 0 < abs(make_evaluator(f"trained:{path}", 4).values(Positions.of([board]))[0]) < 1
    guided, alone = (make(f"mcts:simulations={n},eval=trained:{path}", 4) for n in (4, 0))
    assert guided.choose(Game(board), np.random.default_rng(1)) in board.legal_moves
    shares = policies_of(agent.learner.guide, Positions.of([board]))
    assert alone.choose(Game(board), np.random.default_rng(1)) == shares.argmax()


def test_only_what_its_own_policy_has_drawn_is_learned_from(tmp_path: Path) -> None:
    glue, agent = trio(PPO, tmp_path, opponent="self")
    glue.RL_episode(3)
    assert agent.learner.numbers["waiting"] == 0, "a game that was cut off"
    play(glue, 1)
    waiting = agent.learner.numbers["waiting"]
    assert 4 < waiting <= 12, "the decisions of one game"
    glue.RL_agent_message("freeze exploring")
    play(glue, 1)
    assert agent.learner.numbers["waiting"] == waiting, "a game without chance"
    agent.save_policy("net")
    glue.RL_agent_message("load_policy net")
    assert agent.learner.numbers["waiting"] == 0, "another policy from here on"


def test_it_explores_by_its_policy_alone() -> None:
    glue, agent = trio(PPO, opponent="self")
    assert agent.epsilon == 0
    assert len(set(play(glue, 20))) > 10


@pytest.mark.parametrize(
    ("name", "value"), [("moves", 16), ("moves", 0), ("ahead", 1000), ("ahead", -1), ("results", 2)]
)
def test_decisions_of_no_game_are_refused(tmp_path: Path, name: str, value: int) -> None:
    glue, agent = trio(PPO, tmp_path, opponent="self")
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    before = agent.save("before").read_bytes()
    stored.arrays[f"memory.{name}"][0] = value
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, stored.arrays, stored.values)
    assert "holds decisions that are those of no game" in glue.RL_agent_message("load one")
    assert agent.save("after").read_bytes() == before
