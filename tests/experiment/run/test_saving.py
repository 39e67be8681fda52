"""What is saved, what is kept, and what is said where that fails."""

from pathlib import Path

import pytest

from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.player_names import find
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.training.plan import Plan, new_plan, resumed_plan
from othello_lab.experiment.workers.interrupts import Interrupts
from tests.agent.table import TABLE
from tests.experiment.parts import SavingAgent, carry_out, othello, small
from tests.experiment.resuming import agent_of, newest, plan_for, play


class Forgetful(PlayerAgent):
    """Saves, but does not know how to load or to remove."""

    def agent_message(self, message: str) -> str:
        if message == "help":
            return "save\n"
        return "?" if message.split()[0] in ("load", "remove") else super().agent_message(message)


def test_an_agent_that_cannot_load_says_so_and_one_that_cannot_remove_is_left_alone(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, "one")
    carry_out(plan, Forgetful("random", directory=plan.folder.checkpoints), othello())
    assert [c.episode for c in plan.folder.saved()] == [10, 20, 30, 40, 50]
    plan = resumed_plan(tmp_path, "one", 60)
    with pytest.raises(ControlError, match="does not understand 'load episode-00000050'"):
        carry_out(plan, Forgetful("random", directory=plan.folder.checkpoints), othello())


def test_the_newest_three_are_kept(tmp_path: Path) -> None:
    run = play(tmp_path, "one")
    assert [c.episode for c in RunFolder(run).saved()] == [30, 40, 50]
    assert sorted((run / "checkpoints").iterdir()) == [newest(run, number) for number in (30, 40, 50)]


def test_a_run_that_went_on_and_was_stopped_is_its_newest_checkpoint_and_not_its_old_policy(
    tmp_path: Path,
) -> None:
    config = small(10, eval_every=0, final_games=0)
    plan = new_plan(tmp_path, "one", config, 0, AgentPart("dqn"), EnvironmentPart(4))

    def played_with(plan: Plan, interrupts: Interrupts) -> str:
        agent = LearningAgent(TABLE, {}, directory=plan.folder.checkpoints)
        carry_out(plan, agent, othello(), interrupts)
        text = find("one", tmp_path, lambda path: 4).text
        return Path(text.removeprefix("trained:")).stem

    stopping = Interrupts()
    stopping.requested = True
    assert played_with(plan, Interrupts()) == "policy"
    assert played_with(resumed_plan(tmp_path, "one", 20), stopping) == "episode-00000011"
    assert played_with(resumed_plan(tmp_path, "one", 20), Interrupts()) == "policy"


def test_a_save_that_fails_is_told(tmp_path: Path) -> None:
    plan = plan_for(tmp_path, "one", 10)
    plan.folder.checkpoints.write_text("in the way")
    _, out = carry_out(plan, agent_of(plan), othello())
    assert "the agent could not save episode-00000010: the checkpoint" in out
    assert plan.folder.saved() == []


STRANGE = [
    "error: unknown",
    "error: I do not know that",
    "ERROR",
    "",
    "{}",
    '{"error": "what?"}',
    "42",
    "\n\n",
]


@pytest.mark.parametrize("answer", STRANGE)
@pytest.mark.parametrize("listed", [True, False])
def test_what_an_agent_lists_tells_a_failed_save_from_an_unknown_message(
    tmp_path: Path, answer: str, listed: bool
) -> None:
    class Stranger(SavingAgent):
        def agent_message(self, message: str) -> str:
            return "save NAME\nsave_policy NAME" if listed and message == "help" else answer

    _, out = carry_out(plan_for(tmp_path, "one", 10), Stranger(), othello())
    assert [name in out for name in ("not save episode-00000010: ", "not save policy: ")] == [listed, listed]


def test_a_save_that_fails_once_is_told_also_of_an_agent_that_lists_nothing(tmp_path: Path) -> None:
    class Full(SavingAgent):
        def agent_message(self, message: str) -> str:
            return "no room" if message[-2:] in ("20", "cy") else super().agent_message(message)

    plan = plan_for(tmp_path, "one", 30)
    _, out = carry_out(plan, Full(), othello())
    assert "the agent could not save episode-00000020: no room\n" in out
    assert "policy" not in out
    assert [checkpoint.episode for checkpoint in plan.folder.saved()] == [10, 30]
