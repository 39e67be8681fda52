from pathlib import Path

import pytest

from tests.agent.learners import DQN
from tests.agent.parts import freeze, play, trio


def test_a_policy_can_be_saved_and_taken_up(tmp_path: Path) -> None:
    glue, _ = trio(DQN, tmp_path)
    play(glue, 25)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_env_message("episode 0")
    wanted = play(glue, 5)
    other, _ = trio(DQN, tmp_path)
    freeze(other)
    assert other.RL_agent_message("load_policy mine").startswith("message understood")
    assert play(other, 5) == wanted
    assert "policy only" in other.RL_agent_message("load mine")


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/b", "..", "", "a\\b", "x y", ".hidden"])
@pytest.mark.parametrize("verb", ["save", "save_policy", "load", "load_policy"])
def test_names_that_leave_the_directory_are_refused(tmp_path: Path, verb: str, name: str) -> None:
    glue, _ = trio(DQN, tmp_path / "inside")
    assert glue.RL_agent_message(f"{verb} {name}").startswith("error:")
    assert list(tmp_path.iterdir()) == []


def test_a_policy_taken_up_while_frozen_does_not_begin_to_learn(tmp_path: Path) -> None:
    glue, agent = trio(DQN, tmp_path)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_agent_message("load_policy mine")
    play(glue, 3)
    assert agent.learner.replay.appended == 0


def test_a_name_too_long_for_a_file_is_answered(tmp_path: Path) -> None:
    glue, _ = trio(DQN, tmp_path)
    assert glue.RL_agent_message(f"load {'x' * 300}").startswith("error:")
