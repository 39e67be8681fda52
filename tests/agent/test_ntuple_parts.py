"""The n-tuple learner in parts: put together by hand, and the same bytes on any number of processes."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.ntuple.learner import NTupleLearner
from othello_lab.agent.ntuple.method import configure
from othello_lab.agent.ntuple.network import LearningNetwork
from othello_lab.agent.ntuple.parts import Difference, Learned, Merger
from othello_lab.agent.selfplay.play import Rules, Shard
from othello_lab.agent.selfplay.played import Played
from othello_lab.agent.selfplay.pool import make_pool, read_pool
from othello_lab.agent.selfplay.training import SelfPlay
from othello_lab.experiment.workers.pool import Pool
from tests.agent.parts import AnyAgent, for_selfplay, selfplay
from tests.agent.test_ntuple import CORNER, SEEDS

RULES = Rules(size=4, random_opening=2)
PARTS = "ntuple,parts=3"
POOL = "random=0.2,past=0.1"


def rounds(agent: AnyAgent, pool: Pool) -> SelfPlay:
    return selfplay(agent, pool, POOL)


def learner(parts: int = 3) -> NTupleLearner:
    return NTupleLearner(configure({"parts": str(parts)}, 4), 4, SEEDS)


def games_of(own: NTupleLearner, first: int, games: int = 20) -> Played:
    decide = own.deciding(games, 0.1).decide
    return Shard(RULES, np.arange(first, first + games), decide, [], seed=3).play().played


def part(places: list[int], weights: list[float], errors: list[list[float]]) -> Difference:
    found = np.array(places, np.int32), np.array(weights, np.float32), np.array(errors, np.float32)
    return Difference(*found, Learned(2, 1, 0.5))


def test_parts_are_put_together_by_hand() -> None:
    network = LearningNetwork(CORNER, 4)
    network.weights[0], network.errors[0, :, 1] = [0.5, 0.5, 0.5], 1.0
    merger = Merger(network)
    merger.add(part([0, 1], [0.5, 0.25], [[3.0, 4.0], [2.0, 2.0]]))
    merger.add(part([0], [-0.125], [[-1.0, 1.0]]))
    merger.end()
    # Sizes 4 and 1: the mean of the moves is (4 * 0.5 - 1 * 0.125) / 5, that of the sizes (16 + 1) / 5.
    times = (1 - np.exp(-0.1 * 5)) / (1 - np.exp(-0.1 * 3.4))
    assert network.weights[0].tolist() == pytest.approx([0.5 + 0.375 * times, 0.75, 0.5])
    assert network.errors[0].tolist() == pytest.approx(np.array([[2.0, 6.0], [2.0, 3.0], [0.0, 1.0]]))
    assert merger.learned == (4, 2, 1.0)


@pytest.mark.parametrize(("size", "times"), [(1e-4, 4.0), (1e4, 1.0)])
def test_four_equal_parts_add_up_where_errors_are_few_and_are_averaged_where_they_are_many(
    size: float, times: float
) -> None:
    network = LearningNetwork(CORNER, 4)
    merger = Merger(network)
    for _ in range(4):
        merger.add(part([2], [0.25], [[size, size]]))
    merger.end()
    assert network.weights[0].tolist() == pytest.approx([0.0, 0.0, 0.25 * times], rel=1e-3)


def test_learning_apart_changes_nothing_and_one_part_is_what_would_have_been_learned() -> None:
    alone, apart = learner(), learner()
    for number in range(2):
        played = games_of(alone, 20 * number)
        found, before = apart.learn_apart(played), apart.network.weights.copy()
        assert (apart.network.weights == before).all()
        alone.learn(played)
        apart.join([found])
        for name, array in alone.network.arrays.items():
            assert apart.network.arrays[name] == pytest.approx(array, rel=1e-5, abs=1e-6), name
    assert apart.progress == alone.progress


def test_an_order_has_all_that_a_part_learns_by() -> None:
    taught, other = learner(), learner()
    taught.learn(games_of(taught, 0))
    other.take_weights(taught.weights())
    played = games_of(taught, 20)
    theirs, own = other.learn_apart(played), taught.learn_apart(played)
    assert all(np.array_equal(a, b) for a, b in zip(theirs[:3], own[:3], strict=True))
    assert learner(1).weights().keys() == {"plays"}


def test_a_part_is_a_shard_and_a_round_may_have_fewer_games(tmp_path: Path) -> None:
    with Pool() as pool:
        course = rounds(for_selfplay(PARTS, tmp_path), pool)
        assert [course._round(0, games).shards for games in (2, 100, 5000)] == [2, 3, 3]
        assert course.play(0, 2).decisions > 2


def test_the_same_bytes_on_any_number_of_processes_and_after_a_resume(tmp_path: Path) -> None:
    saved = []
    for jobs in (1, 2):
        agent = for_selfplay(PARTS, tmp_path / str(jobs))
        with Pool(jobs) as pool:
            told = [rounds(agent, pool).play(0, 90)]
            agent.save("middle")
            told.append(rounds(agent, pool).play(90, 90))
            saved.append((agent.save("end").read_bytes(), told))
    assert saved[0] == saved[1]
    assert agent.games == 180
    with Pool() as pool:
        again = for_selfplay(PARTS, tmp_path / "2")
        again.load("middle")
        assert rounds(again, pool).play(90, 90) == told[1]
        assert again.save("again").read_bytes() == saved[0][0]


def test_one_part_is_the_learning_of_one_learner(tmp_path: Path) -> None:
    with Pool() as pool:
        agents = [for_selfplay("ntuple", tmp_path / parts, parts=parts) for parts in ("1", "2")]
        for agent in agents:
            rounds(agent, pool).play(0, 60)
    by_hand = learner(1)
    by_hand.learn(_first_round())
    assert (agents[0].learner.network.weights == by_hand.network.weights).all()
    assert (agents[1].learner.network.weights != by_hand.network.weights).any()


def _first_round() -> Played:
    """The games of a learner that knows nothing."""
    decide, numbers = learner(1).deciding(60, 0.05).decide, np.arange(60)
    rivals = list(make_pool(read_pool(POOL, 4), [], 4))
    return Shard(RULES, numbers, decide, rivals, seed=5).play().played


def test_parts_need_coherent_steps() -> None:
    with pytest.raises(ValueError, match="leave step out"):
        configure({"parts": "2", "step": "falling"}, 4)
    assert replace(configure({}, 4), parts=2) == configure({"parts": "2"}, 4)
