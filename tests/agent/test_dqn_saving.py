from pathlib import Path

import numpy as np
import pytest

from tests.agent.parts import freeze, play, trio


@pytest.mark.parametrize("options", [{}, {"priority": "0.6", "n_step": "2"}, {"optimiser": "rmsprop-graves"}])
def test_resume_continues_as_if_never_stopped(tmp_path: Path, options: dict[str, str]) -> None:
    glue, agent, _ = trio(directory=tmp_path, more=options)
    play(glue, 25)
    assert (
        glue.RL_agent_message("save middle") == f"message understood, saved {tmp_path / 'middle.safetensors'}"
    )
    rest = play(glue, 25)

    other, resumed, _ = trio(seed=99, directory=tmp_path, more=options)
    other.RL_env_message("seed 1")
    other.RL_env_message("episode 25")
    assert other.RL_agent_message("load middle").startswith("message understood")
    assert play(other, 25) == rest
    assert resumed.stats() == agent.stats()
    for key, array in agent.learner.q.arrays().items():
        assert np.array_equal(array, resumed.learner.q.arrays()[key]), key
    for key, array in agent.learner.replay.arrays.items():
        assert np.array_equal(array, resumed.learner.replay.arrays[key]), key


def test_a_policy_can_be_saved_and_taken_up(tmp_path: Path) -> None:
    glue, _, _ = trio(directory=tmp_path)
    play(glue, 25)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_env_message("episode 0")
    wanted = play(glue, 5)
    other, _, _ = trio(seed=1, directory=tmp_path)
    freeze(other)
    assert other.RL_agent_message("load_policy mine").startswith("message understood")
    assert play(other, 5) == wanted
    assert "policy only" in other.RL_agent_message("load mine")


@pytest.mark.parametrize("name", ["../../x", "/etc/x", "a/b", "..", "", "a\\b", "x y", ".hidden"])
@pytest.mark.parametrize("verb", ["save", "save_policy", "load", "load_policy"])
def test_names_that_leave_the_directory_are_refused(tmp_path: Path, verb: str, name: str) -> None:
    glue, _, _ = trio(directory=tmp_path / "inside")
    assert glue.RL_agent_message(f"{verb} {name}").startswith("error:")
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_of_another_board_or_other_options_are_refused(tmp_path: Path) -> None:
    trio(directory=tmp_path)[0].RL_agent_message("save four")
    six = trio(directory=tmp_path, size=6)[0]
    assert "is for 4x4 boards" in six.RL_agent_message("load four")
    wider = trio(directory=tmp_path, hidden="32")[0]
    assert "other options" in wider.RL_agent_message("load four")
    assert "no checkpoint" in wider.RL_agent_message("load five")


def test_a_policy_taken_up_while_frozen_does_not_begin_to_learn(tmp_path: Path) -> None:
    glue, agent, _ = trio(directory=tmp_path)
    glue.RL_agent_message("save_policy mine")
    freeze(glue)
    glue.RL_agent_message("load_policy mine")
    play(glue, 3)
    assert agent.learner.replay.appended == 0


def test_a_name_too_long_for_a_file_is_answered(tmp_path: Path) -> None:
    glue, _, _ = trio(directory=tmp_path)
    assert glue.RL_agent_message(f"load {'x' * 300}").startswith("error:")
