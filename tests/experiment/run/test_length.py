import json
from collections.abc import Mapping
from csv import DictReader
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from othello_lab.experiment.run.plan import new_plan, resumed_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, TrainingConfig, config_for
from tests.agent.parts import AnyAgent, dqn_agent
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small

pytestmark = pytest.mark.slow


def test_the_default_run_is_as_it_is_and_others_follow_their_length() -> None:
    assert config_for(5000) == TrainingConfig()
    counts = {
        episodes: (config.eval_every, config.eval_games, config.final_games, config.save_every)
        for episodes in (1, 100, 305, 20_000)
        for config in [config_for(episodes)]
    }
    assert counts == {
        1: (1, 50, 200, 1),
        100: (10, 50, 200, 10),
        305: (31, 50, 200, 31),
        20_000: (2000, 100, 1000, 2000),
    }


def test_what_is_given_does_not_follow() -> None:
    config = config_for(300, eval_every=0, eval_games=7, final_games=0, save_every=None)
    assert (config.eval_every, config.eval_games, config.final_games, config.save_every) == (0, 7, 0, 0)


OPTIONS = {"hidden": "16", "batch": "8", "replay": "2000"}


def play(
    runs: Path, name: str, episodes: int, options: Mapping[str, str] = MappingProxyType({})
) -> tuple[AnyAgent, dict[str, Any]]:
    """Train for `episodes` games, or continue a run to this number. Return the agent and config.json."""
    if (runs / name).exists():
        plan = resumed_plan(runs, name, episodes)
    else:
        config = config_for(episodes, eval_games=2, final_games=0)
        plan = new_plan(runs, name, config, 0, AgentPart("dqn"), EnvironmentPart())
    agent = dqn_agent({**OPTIONS, **options}, seed=1, directory=plan.folder.checkpoints)
    carry_out(plan, agent, othello(seed=1))
    return agent, json.loads((plan.folder.path / "config.json").read_text())


def test_the_agent_is_told_the_length_and_a_run_that_goes_on_keeps_its_schedules(tmp_path: Path) -> None:
    agent, record = play(tmp_path, "one", 40)
    assert (agent.config.epsilon_steps, agent.config.warm_up, agent.config.update_every) == (217, 13, 1)
    with (tmp_path / "one" / "episodes.csv").open() as table:
        decisions = sum(int(row["steps"]) for row in DictReader(table))
    assert agent.learner.q.updates > 0.75 * decisions
    assert record["agent_config"]["epsilon_steps"] == 217
    resumed, record = play(tmp_path, "one", 60)
    assert resumed.config == agent.config
    assert (record["experiment"]["episodes"], record["experiment"]["planned_episodes"]) == (60, 40)


@pytest.mark.slow
def test_a_resumed_run_is_the_whole_run_and_its_zero_is_not_played_twice(tmp_path: Path) -> None:
    for episodes in (20, 40):
        play(tmp_path, "parts", episodes, {"episodes": "40"})
    play(tmp_path, "whole", 40)
    parts, whole = ((tmp_path / name / "episodes.csv").read_bytes() for name in ("parts", "whole"))
    assert parts == whole
    assert (tmp_path / "parts" / "evaluations.csv").read_text().count("\n0,") == 1


def test_given_schedules_are_kept_whatever_the_length(tmp_path: Path) -> None:
    agent, _ = play(tmp_path, "one", 30, {"epsilon_steps": "100"})
    assert (agent.config.epsilon_steps, agent.config.warm_up, agent.config.update_every) == (100, 1000, 4)


def test_an_agent_that_has_learned_keeps_its_schedules_in_the_next_run(tmp_path: Path) -> None:
    agent, _ = play(tmp_path, "one", 30)
    before = agent.config
    assert agent.agent_message("episodes 9000") == "message understood, the schedules stay as they began"
    assert agent.config == before


@pytest.mark.parametrize("text", ["", "0", "many", "1.5", "9" * 5000])
def test_a_length_that_is_none_is_refused(text: str) -> None:
    answer = dqn_agent({}).agent_message(f"episodes {text}")
    assert answer.startswith("error: episodes is ")
    assert len(answer) < 120


def test_a_checkpoint_brings_its_schedules_but_not_against_given_ones(tmp_path: Path) -> None:
    play(tmp_path, "one", 40)
    task = othello().env_init()

    def load(**options: str) -> str:
        agent = dqn_agent({**OPTIONS, **options}, directory=tmp_path / "one" / "checkpoints")
        agent.agent_init(task)
        return agent.agent_message("load episode-00000040")

    assert load().startswith("message understood")
    assert load(episodes="700").startswith("message understood")
    assert "other options: warm_up=13, here 1000, epsilon_steps=217, here 300" in load(
        epsilon_steps="300", update_every="1"
    )


def test_a_strangers_agent_may_ignore_it(tmp_path: Path) -> None:
    class Stranger(SavingAgent):
        def agent_message(self, message: str) -> str:
            return "what?" if message.startswith("episodes") else super().agent_message(message)

    report, _ = carry_out(plan_of(tmp_path, config=small(10)), Stranger(), othello())
    assert report.episodes == 10
