"""Rounds of self-play on a device: what they count, what an agent has of them, and how they go on."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch

from othello_lab.agent.device.pool import Pool
from othello_lab.agent.device.rules import Rules
from othello_lab.agent.device.selfplay import DeviceSelfPlay, check_opponents, learner_for
from othello_lab.agent.dqn.policy import DQNPolicy
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.make import make_agent
from othello_lab.agent.selfplay import training
from othello_lab.agent.selfplay.pool import Share, read_shares
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game.registry import parse

CPU = torch.device("cpu")
TINY = "dqn,hidden=16,batch=32,replay=800,n_step=2,average_rate=0.01,preset=device"
POOL = "random=0.1,corner-greedy=0.1,positional=0.2,random-weights=0.1,past=0.1"


def trained(folder: Path, games: int = 0, text: str = TINY, load: str = "") -> tuple[Any, DeviceSelfPlay]:
    """An agent on 4x4 and what trains it, 40 games side by side, after a round of some games."""
    agent = make_agent(text, 5, folder, size=4)
    assert isinstance(agent, LearningAgent)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    if load:
        assert agent.agent_message(f"load {load}").startswith("message understood")
    player = DeviceSelfPlay(agent, read_shares(POOL), 3, CPU, 40, 2)
    if games:
        player.play(agent.games, games)
    return agent, player


def test_a_round_ends_about_as_many_games_as_are_asked_for(tmp_path: Path) -> None:
    agent, player = trained(tmp_path)
    for games, plies in ((100, 30), (40, 12)):
        before = agent.games, agent.steps, agent.learner.q.updates
        summary = player.play(agent.games, games)
        ended = sum(map(sum, summary.results.values()))
        assert games <= ended <= 1.4 * games
        assert summary.decisions == plies * 40
        after = agent.games, agent.steps, agent.learner.q.updates
        # An update of 32 for 40 decisions: as many as there are plies.
        assert [new - old for new, old in zip(after, before, strict=True)] == [ended, plies * 40, plies]
    names = Counter(name for name, _ in summary.results)
    assert names == {**dict.fromkeys(share.name for share in read_shares(POOL)), "self": 1} | dict.fromkeys(
        [share.name for share in read_shares(POOL)], 2
    )
    assert agent.learner.numbers["loss"] > 0
    assert player.decisions == agent.steps


def test_a_round_of_one_game_ends_one(tmp_path: Path) -> None:
    _, player = trained(tmp_path)
    for _ in range(5):
        assert sum(map(sum, player.play(0, 1).results.values())) >= 1


def test_the_agent_has_all_that_a_resume_needs(tmp_path: Path) -> None:
    agent, _ = trained(tmp_path, 100)
    agent.save("here")
    again, player = trained(tmp_path, load="here")
    assert (again.games, again.steps) == (agent.games, agent.steps)
    assert torch.equal(again.learner.q.weights, agent.learner.q.weights)
    state = again.learner.q.optimiser.state_dict()["state"][0]
    assert float(state["step"]) == again.learner.q.updates == agent.learner.q.updates > 0
    player.play(again.games, 40)
    assert again.games > agent.games
    assert not torch.equal(again.learner.q.weights, agent.learner.q.weights)


def test_the_same_seed_plays_the_same_rounds(tmp_path: Path) -> None:
    weights = [trained(tmp_path, 100)[0].learner.q.average_weights for _ in range(2)]
    assert torch.equal(*weights)


def test_past_selves_play_as_they_were(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 50)
    agent, player = trained(tmp_path, 100)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["past-00000050", "past-00000100"]
    kept = agent.learner.policy()
    stream = player._stream
    assert stream
    networks = [judge.network.state_dict() for judge in stream.past]
    for network in networks:
        for name, weight in network.items():
            assert torch.equal(weight, torch.from_numpy(kept[DQNPolicy.prefix + name]))
    again, resumed = trained(tmp_path)
    resumed.play(agent.games, 1)
    assert resumed._stream
    for judge, network in zip(resumed._stream.past, networks, strict=True):
        for name, weight in judge.network.state_dict().items():
            assert torch.equal(weight, network[name])
    assert again.games < agent.games


def test_a_share_of_the_games_is_a_seat_of_its_size() -> None:
    pool = Pool([Share("random", 0.25), Share("positional", 0.5)], Rules(4), 40)
    assert [(seat.name, seat.first, seat.last) for seat in pool.seats] == [
        ("random", 0, 10),
        ("positional", 10, 30),
    ]
    assert Pool([], Rules(4), 40).opposed == 0


@pytest.mark.parametrize(("device", "preset"), [("cpu", "device"), ("cuda", "gpu")])
def test_a_learner_gets_what_suits_the_device(device: str, preset: str) -> None:
    found = parse(learner_for("dqn,hidden=16", 8, torch.device(device), 1024))
    assert found.options == {"hidden": "16", "preset": preset}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("dqn,frames=2", "dqn on a device has no option 'frames'; it has preset, network, hidden"),
        ("dqn,preset=classic", "preset=classic is not for games on a device: expected device or gpu"),
        ("dqn,optimiser=sgd", "optimiser is sgd, expected here adam, adamw"),
        ("dqn,gamma=0", "gamma must be above 0"),
        ("dqn,replay=2000", "replay=2000 is 1 plies of 1024 games: too few for n_step"),
    ],
)
def test_a_learner_that_cannot_be_there_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        learner_for(text, 4, CPU, 1024)


def test_an_opponent_that_cannot_be_there_is_refused() -> None:
    check_opponents("past=0.1,weights:heur=0.2", 4)
    with pytest.raises(ValueError, match="'greedy' does not play on a device"):
        check_opponents("greedy=0.1", 4)
