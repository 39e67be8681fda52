"""A player as an agent: what it saves, and how it goes on."""

from pathlib import Path
from typing import Any

import pytest

from agent import checkpoint
from agent.player_agent import PlayerAgent
from environment.config import EnvironmentConfig


def player(directory: Path, text: str = "random") -> PlayerAgent:
    agent = PlayerAgent(text, seed=1, directory=directory)
    agent.agent_init(EnvironmentConfig(size=4).task_spec())
    return agent


def test_a_player_goes_on_from_its_checkpoint_and_removes_it(tmp_path: Path) -> None:
    agent = player(tmp_path)
    assert agent.agent_message("save one").startswith("message understood")
    path = tmp_path / "one.safetensors"
    assert agent.agent_message("load one").startswith("message understood")
    assert agent.agent_message("remove one") == f"message understood, removed {path}"
    assert not path.exists()
    assert agent.agent_message("remove one").startswith("message understood"), "it is gone, as wanted"
    assert agent.agent_message("remove ../one").startswith("error: '../one' is no checkpoint name")
    assert agent.agent_message("load one") == f"error: there is no checkpoint {path}"


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "missing required field `player`"),
        ({"player": 3}, "Expected `str`, got `int`"),
        ({"player": "greedy", "random": {}}, "is of another agent"),
        ({"player": "random"}, "missing required field `random`"),
        ({"player": "random", "random": {"bit_generator": "MT19937"}}, "holds no valid random state"),
    ],
)
def test_a_player_refuses_a_checkpoint_and_stays_as_it_was(
    tmp_path: Path, values: dict[str, Any], complaint: str
) -> None:
    agent = player(tmp_path)
    agent.agent_message("save before")
    checkpoint.save(tmp_path / "odd.safetensors", "player", {}, values)
    answer = agent.agent_message("load odd")
    assert answer.startswith("error: ")
    assert complaint in answer
    agent.agent_message("save after")
    assert (tmp_path / "after.safetensors").read_bytes() == (tmp_path / "before.safetensors").read_bytes()
