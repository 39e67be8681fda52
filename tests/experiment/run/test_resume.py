import json
import pickle
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.agent import checkpoint
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.run import command as run_command
from othello_lab.experiment.run import run_folder
from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.launch import explaining_how_to_resume
from othello_lab.experiment.run.plan import Plan, new_plan, resumed_plan
from othello_lab.experiment.run.player_names import find
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.workers.interrupts import Interrupts
from rlglue.errors import GlueError, PeerLost
from tests.agent.table import TABLE
from tests.cases import cases
from tests.experiment.parts import MuteAgent, SavingAgent, StrangersEnvironment, carry_out, othello, small
from tests.experiment.resuming import Killed, agent_of, newest, plan_for, play, results, resume

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 50 games, and the run of 60 games that a resumed run must equal."""
    runs = tmp_path_factory.mktemp("played")
    play(runs, "one")
    play(runs, "whole", 60)
    return runs


@pytest.fixture
def run(played: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played / "one", tmp_path / "one")


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[data.index(b"digest") + 20] ^= 1
    path.write_bytes(data)


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def make_newer(path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(checkpoint, "VERSION", 99)
        checkpoint.save(path, "player", {}, {})


def make_anothers(path: Path) -> None:
    checkpoint.save(path, "player", {}, {"player": "greedy", "random": {}})


DAMAGE: list[tuple[Callable[[Path], Any], str]] = [
    (flip, "is damaged"),
    (halve, "is no readable checkpoint"),
    (Path.unlink, "there is no checkpoint"),
    (lambda path: path.write_bytes(b""), "is no readable checkpoint"),
    (lambda path: path.write_bytes(pickle.dumps([1])), "is no readable checkpoint"),
    (make_newer, "has checkpoint version 99"),
    (make_anothers, "is of another agent"),
]


@pytest.mark.parametrize(("damage", "complaint"), DAMAGE)
def test_a_bad_newest_checkpoint_is_reported_and_the_one_before_it_used(
    played: Path, run: Path, damage: Callable[[Path], Any], complaint: str
) -> None:
    damage(newest(run))
    out = resume(run.parent, "one")
    line = next(line for line in out.splitlines() if complaint in line)
    assert line.startswith("checkpoint episode-00000050 cannot be used: ")
    assert line.endswith("going on from episode-00000040 instead")
    assert results(run) == results(played / "whole")


def test_the_newest_three_are_kept(run: Path) -> None:
    assert [c.episode for c in RunFolder(run).saved()] == [30, 40, 50]
    assert sorted((run / "checkpoints").iterdir()) == [newest(run, number) for number in (30, 40, 50)]


def test_without_a_good_checkpoint_all_stays_as_it_is(run: Path) -> None:
    flip(newest(run, 50))
    halve(newest(run, 40))
    newest(run, 30).unlink()
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(ControlError) as error:
        resume(run.parent, "one")
    message = str(error.value)
    assert "\n" not in message
    for part in ("episode-00000050", "is damaged", "episode-00000040", "no readable", "episode-00000030"):
        assert part in message
    assert message.endswith("start the agent as before or put the files back, else start a new run")
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(("name", "tail"), cases("crash_tails"))
def test_what_a_crash_wrote_last_is_dropped(played: Path, run: Path, name: str, tail: bytes) -> None:
    with (run / name).open("ab") as file:
        file.write(tail)
    resume(run.parent, "one")
    assert results(run) == results(played / "whole")
    assert all(json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines())


@pytest.mark.parametrize("next_kept", [51, 47], ids=["all after 45", "episode 46 alone"])
def test_episodes_that_were_lost_are_played_again(played: Path, run: Path, next_kept: int) -> None:
    lines = (run / "episodes.csv").read_text().splitlines(keepends=True)
    (run / "episodes.csv").write_text("".join(lines[:46] + lines[next_kept:]))
    assert "episodes.csv holds 45 games before it; going on from episode-00000040" in resume(
        run.parent, "one"
    )
    assert results(run) == results(played / "whole")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        '{"run": "one", "ver',
        "null",
        "[]",
        "{}",
        '{"experiment": {"episodes": "x"}, "seeds": {}}',
    ],
)
def test_a_config_that_is_none_ends_with_one_line(run: Path, text: str) -> None:
    (run / "config.json").write_text(text)
    done = CliRunner().invoke(run_command, ["--resume", "one", "--runs-dir", str(run.parent)])
    assert done.exit_code == 2
    assert "config.json" in done.output.splitlines()[-1]
    assert "Traceback" not in done.output


def test_a_run_that_begins_again_refuses_an_agent_that_has_learned(tmp_path: Path) -> None:
    class Learned(SavingAgent):
        def agent_message(self, message: str) -> str:
            return '{"steps": 7}' if message == "stats" else super().agent_message(message)

    plan = plan_for(tmp_path, "one", 5)
    carry_out(plan, MuteAgent(), othello())
    with pytest.raises(ControlError, match="the agent has learned since the run began"):
        carry_out(resumed_plan(tmp_path, "one", 5), Learned(), othello())
    assert (plan.folder.path / "episodes.csv").read_bytes().count(b"\n") == 6


@pytest.mark.parametrize("error", [PeerLost("the agent has left"), OSError("the disk is full")])
@pytest.mark.parametrize(("episodes", "says"), [(9, "go on with: --resume"), (50, "start a new run")])
def test_a_crash_tells_to_resume_where_allowed(
    tmp_path: Path, episodes: int, says: str, error: Exception
) -> None:
    plan = plan_for(tmp_path, "one")
    carry_out(replace(plan, config=small(episodes)), MuteAgent(), StrangersEnvironment())
    with pytest.raises(GlueError, match=f"^{error}; .*{says}$"), explaining_how_to_resume(plan, "--resume"):
        raise error


SHORT: dict[str, Any] = {"episodes": 20, "save_every": 4, "eval_every": 6, "eval_games": 3}


class Clock:
    """Counts the moments at which a run may be killed, and kills the run at one of them."""

    def __init__(self, last: int = -1) -> None:
        self.now, self.last = 0, last

    def tick(self) -> None:
        self.now += 1
        if self.now == self.last:
            raise Killed


def killed_at(clock: Clock, runs: Path, name: str, patch: pytest.MonkeyPatch) -> None:
    """Run with a moment before and after each write, and each message to the agent."""

    def surround(owner: type | ModuleType, method: str) -> None:
        original = getattr(owner, method)

        def surrounded(*arguments: Any) -> Any:  # noqa: ANN401  stands for any method
            clock.tick()
            answer = original(*arguments)
            clock.tick()
            return answer

        patch.setattr(owner, method, surrounded)

    for function in ("replace", "replace_or_remove"):
        surround(run_folder, function)
    for method in ("_append", "add_metrics"):
        surround(RunFolder, method)
    for method in ("agent_message", "agent_start"):
        surround(PlayerAgent, method)
    if (runs / name).exists():
        resume(runs, name, None, seed=3)
    else:
        play(runs, name, **SHORT)


@pytest.mark.slow
def test_killed_at_every_moment_and_resumed_it_is_the_same_run(tmp_path: Path) -> None:
    whole, clock = results(play(tmp_path, "whole", **SHORT)), Clock()
    with pytest.MonkeyPatch.context() as patch:
        killed_at(clock, tmp_path, "counted", patch)
    # The first two moments are before the folder exists, so there is no run.
    for moment in range(3, clock.now, 17):
        name = f"run-{moment}"
        for last in (moment, 40):  # killed, and killed again, unless it has ended, after it was taken up
            with pytest.MonkeyPatch.context() as patch, suppress(Killed):
                killed_at(Clock(last), tmp_path, name, patch)
        resume(tmp_path, name, None, seed=3)  # it may begin again, and then the seeds are given by hand
        assert results(tmp_path / name) == whole, moment


class Forgetful(PlayerAgent):
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


def test_a_run_that_was_stopped_again_is_its_newest_checkpoint_and_not_its_policy(tmp_path: Path) -> None:
    config = small(10, eval_every=0)
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


@pytest.mark.parametrize("answer", ["error: unknown", "ERROR", "", '{"error": "what?"}', "42", "\n\n"])
@pytest.mark.parametrize("listed", [True, False])
def test_a_failed_save_is_told_from_an_unknown_message(tmp_path: Path, answer: str, listed: bool) -> None:
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
