"""The n-tuple learner with descents: what it explores and learns, and that it is resumed to the byte."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.ntuple.descent import ordinal
from othello_lab.agent.ntuple.learner import NTupleLearner
from othello_lab.agent.ntuple.method import NTUPLE, NTupleConfig, configure
from othello_lab.agent.selfplay.play import Rules, Shard
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.batch.games import legal_moves
from othello_lab.game.batch.positions import Positions
from tests.agent.parts import play
from tests.agent.test_ntuple import SEEDS, with_opponent

Agent = LearningAgent[NTupleConfig, NTupleLearner]


def agent_in(directory: Path, **options: str) -> Agent:
    return LearningAgent(NTUPLE, {"descents": "2", **options}, 1, 4, directory)


def for_selfplay(directory: Path, **options: str) -> Agent:
    agent = agent_in(directory, **options)
    agent.agent_init(OthelloEnvironment(EnvironmentConfig(size=4, opponent="self")).env_init())
    return agent


def rounds(agent: Agent, pool: Pool) -> SelfPlay:
    return SelfPlay(agent, Rules(size=4, random_opening=2), read_pool("random=0.2", 4), 5, pool.in_order)


def test_the_ordinal_distribution_by_hand() -> None:
    # Two positions of three and two moves; of the first the third move is best, then the first of two equals.
    values, choices = np.array([0.25, 0.25, 0.5, -1.0, 1.0]), np.array([3, 2])
    chances = 100_000
    for position, (order, expected) in enumerate([([2, 0, 1], [0.8, 0.17, 0.03]), ([4, 3], [0.85, 0.15])]):
        # epsilon 0.3: 1 - 0.3 + 0.3 / 3 for the best; of the rest 1 - 0.3 + 0.3 / 2 for the second.
        draws = np.linspace(0, 1, chances, endpoint=False)
        chosen = np.empty(chances, np.int64)
        own = values[:3] if position == 0 else values[3:]
        ordinal(np.tile(own, chances), np.full(chances, len(own)), draws, 0.3, chosen)
        counted = np.bincount(chosen - len(own) * np.arange(chances), minlength=len(own))
        places = np.array(order) - (0 if position == 0 else 3)
        assert counted[places] / chances == pytest.approx(expected, abs=0.001)
    best = np.empty(2, np.int64)
    ordinal(values, choices, np.array([0.999, 0.999]), 0.0, best)
    assert best.tolist() == [2, 4]


def played_by(learner: NTupleLearner, epsilon: float = 0.1) -> Played:
    deciding = learner.deciding(20, epsilon)
    shard = Shard(Rules(4, random_opening=2), np.arange(20), deciding.decide, (), seed=5)
    played, found = shard.play().played, deciding.lesson()
    assert found
    assert legal_moves(found.positions).any(1).all()
    return replace(played, lesson=found)


def test_all_positions_of_its_games_are_in_the_lesson_and_many_more() -> None:
    learner = NTupleLearner(configure({"descents": "1"}, 4), 4, SEEDS)
    played = played_by(learner)
    assert played.lesson is not None
    states, decided = told_apart(played.lesson.positions), told_apart(played.positions)
    assert decided <= states
    assert len(states) > 2 * len(decided)
    before = learner.numbers["updates"]
    learner.learn(played)
    assert learner.numbers["updates"] - before == len(played.lesson.targets)


def told_apart(positions: Positions) -> set[tuple[int, int]]:
    return set(zip(positions.own[:, 0].tolist(), positions.opponent[:, 0].tolist(), strict=True))


def test_without_descents_nobody_searches() -> None:
    assert NTupleLearner(configure({}, 4), 4, SEEDS).deciding(1, 0.1).lesson() is None


def test_it_learns_to_win_by_self_play(tmp_path: Path) -> None:
    agent = for_selfplay(tmp_path)
    with Pool() as pool:
        for done in range(0, 1200, 200):
            results = rounds(agent, pool).play(done, 200).results
    won, drawn, lost = np.array([results["random", colour] for colour in ("black", "white")]).sum(axis=0)
    assert (won + drawn / 2) / (won + drawn + lost) > 0.8


def test_the_same_seed_gives_the_same_learner_on_any_number_of_processes(tmp_path: Path) -> None:
    saved = []
    for jobs in (1, 2):
        agent = for_selfplay(tmp_path / str(jobs))
        with Pool(jobs) as pool:
            told = [rounds(agent, pool).play(done, 600) for done in (0, 600)]
        saved.append((agent.save("end").read_bytes(), told))
    assert saved[0] == saved[1]


def test_selfplay_goes_on_from_a_checkpoint_to_the_byte(tmp_path: Path) -> None:
    agent, again = for_selfplay(tmp_path), for_selfplay(tmp_path)
    with Pool() as pool:
        rounds(agent, pool).play(0, 60)
        agent.save("middle")
        rounds(agent, pool).play(60, 60)
        again.load("middle")
        rounds(again, pool).play(60, 60)
    assert again.save("again").read_bytes() == agent.save("end").read_bytes()


@pytest.mark.parametrize("opponent", ["random", "self"])
def test_over_rl_glue_it_searches_learns_and_resumes_to_the_byte(tmp_path: Path, opponent: str) -> None:
    agent, other = agent_in(tmp_path), agent_in(tmp_path)
    glue, again = with_opponent(agent, opponent), with_opponent(other, opponent)
    play(glue, 20)
    assert agent.learner.numbers["updates"] > 20 * 12, "more positions than a game has"
    agent.save("middle")
    rest = play(glue, 20)
    again.RL_env_message("episode 20")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 20) == rest
    assert other.save("other").read_bytes() == agent.save("end").read_bytes()


def test_frozen_it_plays_as_its_policy_does(tmp_path: Path) -> None:
    agent = agent_in(tmp_path, average="0")
    glue = with_opponent(agent)
    play(glue, 20)
    updates = agent.learner.numbers["updates"]
    for message in ("freeze learning", "freeze exploring"):
        glue.RL_agent_message(message)
    play(glue, 5)
    assert agent.learner.numbers["updates"] == updates
    assert agent.learner._tree is not None
    assert len(agent.learner._tree.taken()[0]) == 0
