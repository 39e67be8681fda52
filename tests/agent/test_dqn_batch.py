"""DQN from many games at once: targets by hand, learning, resuming to the byte, and going on over RL-Glue."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.checkpoint import Stored, load, save
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import DQNLearner
from othello_lab.agent.dqn.method import DQN, configure
from othello_lab.agent.learner import BatchLearner, Seeds
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.play import Rules, Shard, by_values
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay, for_batches
from othello_lab.agent.ship import ship
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.evaluators import Evaluator, make_evaluator
from othello_lab.game.players import make
from rlglue.glue import Glue

TINY = {
    "preset": "selfplay",
    "hidden": "24",
    "batch": "32",
    "learning_rate": "0.01",
    "warm_up": "50",
    "epochs": "1",
    "exact": "0",
    "sudden": "0",
}
START = repeated(Board.start(4), 1)


def config(**options: str) -> DQNConfig:
    return configure({**TINY, **options}, 4, 500)


def learner(seed: int = 0, **options: str) -> DQNLearner:
    seeds = Seeds(np.random.SeedSequence(seed), np.random.SeedSequence(seed + 1))
    return DQNLearner(config(**options), 4, seeds)


def played_by(player: DQNLearner, games: int = 64) -> Played:
    as_batch: BatchLearner = player
    rules = Rules(4, random_opening=2, epsilon=0.2)
    return (
        Shard(rules, np.arange(games), by_values(as_batch.move_values, rules.epsilon), (), seed=5)
        .play()
        .played
    )


class Discs(Evaluator):
    """The share of the discs that the side to move is ahead by."""

    def values(self, positions: Positions) -> np.ndarray:
        own, theirs = (to_mask(side, 4).sum(axis=1) for side in (positions.own, positions.opponent))
        found: np.ndarray = (own - theirs) / 16
        return found


def test_it_learns_who_wins_from_the_games() -> None:
    """The last move of a game is worth the result, whatever the network took it for."""
    made = learner(rate_games="0")
    played = played_by(made, games=200)
    last = np.flatnonzero(played.following < 0)
    ends = replace(played, positions=played.positions.take(last), moves=played.moves[last])

    def error() -> float:
        legal = to_mask(legal_moves(ends.positions), 4)
        found = np.zeros(legal.shape)
        found[legal] = made.move_values(ends.positions)
        return float(np.abs(found[np.arange(len(last)), ends.moves] - played.results[last]).mean())

    before = error()
    for _ in range(20):
        made.learn(played)
    assert error() < before * 0.6


def test_a_teacher_says_what_moves_are_worth() -> None:
    made = learner(teacher="positional", rate_games="0")
    played = played_by(made)
    wanted = move_values(played.positions, make_evaluator("positional", 4))

    def error() -> float:
        return float(np.square(made.move_values(played.positions) - wanted).mean())

    before = error()
    for _ in range(10):
        made.learn(played)
    assert error() < before / 4
    with pytest.raises(ValueError, match="no evaluator 'positionel'"):
        learner(teacher="positionel")


def test_the_learning_rate_falls_to_nothing_over_the_run() -> None:
    made = learner(rate_games="128")
    played = played_by(made)
    for wanted in (0.01, 0.005, 0.0, 0.0):
        made.learn(played)
        assert made.q.optimiser.param_groups[0]["lr"] == pytest.approx(wanted, abs=1e-9)


def agent_in(directory: Path, teacher: str = "none") -> LearningAgent[DQNConfig, DQNLearner]:
    agent = LearningAgent(DQN, TINY | {"teacher": teacher}, 1, 4, directory)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")).env_init())
    return agent


def test_selfplay_goes_on_from_a_checkpoint_to_the_byte(tmp_path: Path) -> None:
    """Past selves are in the pool, and the learning rate falls."""
    shares = read_pool("random=0.2,past=0.3", 4)

    def rounds(agent: LearningAgent[DQNConfig, DQNLearner]) -> SelfPlay:
        return SelfPlay(agent, Rules(4, random_opening=2), shares, 5, Pool().in_order)

    whole, parts = agent_in(tmp_path / "whole"), agent_in(tmp_path / "parts")
    for done in (0, 100, 200, 300):
        rounds(whole).play(done, 100)
    for done in (0, 100):
        rounds(parts).play(done, 100)
    parts.save("half")
    again = agent_in(tmp_path / "parts")
    again.load("half")
    for done in (200, 300):
        rounds(again).play(done, 100)
    assert again.save("end").read_bytes() == whole.save("end").read_bytes()


def test_what_selfplay_has_learned_goes_on_over_rlglue(tmp_path: Path) -> None:
    agent = agent_in(tmp_path)
    SelfPlay(agent, Rules(4), (), 5, Pool().in_order).play(0, 50)
    updates = agent.stats()["updates"]
    agent.save("batches")
    again = agent_in(tmp_path)
    again.load("batches")
    glue = Glue(again, OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=3)))
    glue.RL_init()
    for _ in range(5):
        glue.RL_episode(0)
    assert again.games == 55
    assert again.learner.q.optimiser.param_groups[0]["lr"] == 0.01
    assert again.stats()["updates"] > updates
    assert again.stats()["replay"] > 0


def test_it_goes_on_from_its_state(tmp_path: Path) -> None:
    made, other = learner(), learner()
    played = played_by(made)
    made.learn(played)
    save(tmp_path / "one", "dqn", *made.state())
    other.restore(load(tmp_path / "one"))
    for one in (made, other):
        one.learn(played)
    wanted, found = (Stored(tmp_path, "dqn", *one.state()) for one in (made, other))
    assert found.values == wanted.values
    assert all(np.array_equal(found.arrays[name], array) for name, array in wanted.arrays.items())


def test_weights_make_another_learner_judge_alike() -> None:
    made, other = learner(), learner(seed=7)
    before = made.weights()
    other.take_weights(before)
    assert np.array_equal(other.move_values(START), made.move_values(START))
    made.learn(played_by(made))
    assert not np.array_equal(other.move_values(START), made.move_values(START)), "they were copies"


def test_many_games_at_once_begin_with_a_preset_of_their_own() -> None:
    assert for_batches("dqn") == "dqn,preset=selfplay"
    assert for_batches("dqn:lam=0.5") == "dqn:lam=0.5,preset=selfplay"
    assert for_batches("dqn,preset=report") == "dqn,preset=report"
    assert for_batches("ntuple") == "ntuple"


def test_what_ships_is_a_policy_in_halves(tmp_path: Path) -> None:
    policy = agent_in(tmp_path, teacher="positional").save_policy("policy")
    stored = load(ship(policy, "how", tmp_path / "out"))
    assert stored.path == tmp_path / "out" / "dqn" / "pretrained" / "4x4.safetensors"
    assert (stored.values["recipe"], stored.values["config"]["teacher"]) == ("how", "none")
    assert all(array.dtype == np.float16 for array in stored.arrays.values())
    legal = Board.start(4).legal_moves
    assert make(f"dqn:{stored.path}", 4).choose(Game(Board.start(4)), np.random.default_rng(0)) in legal
    again = agent_in(stored.path.parent)
    again.load_policy("4x4")
    wanted = agent_in(tmp_path).learner.move_values(START)
    assert np.allclose(again.learner.move_values(START), wanted, atol=0.01)
