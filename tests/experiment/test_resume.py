"""How a run goes on: from the newest good checkpoint, whatever a kill or a disk has done to its files."""

import json
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from agent import checkpoint
from agent.player_agent import PlayerAgent
from experiment.episodes.control import ControlError
from experiment.results.run_folder import RunFolder, RunFolderError
from experiment.training.plan import Plan
from experiment.training.planning import new_plan, resumed_plan
from othello.run import command as run_command
from rlglue.types import Action, Observation
from tests.experiment.parts import MuteAgent, SavingAgent, StrangersEnvironment, carry_out, othello, small

RESULTS = ("episodes.csv", "evaluations.csv")


class Killed(BaseException):
    """Stands for a kill -9: nobody catches it."""


def agent_of(plan: Plan, seed: int = 3) -> PlayerAgent:
    return PlayerAgent("random", seed, directory=plan.folder.checkpoints)


def plan_for(runs: Path, name: str, episodes: int = 50) -> Plan:
    config = small(episodes, eval_every=15, final_games=0)
    return new_plan(runs, name, config, 0, {"text": "random"}, None)


def play(runs: Path, name: str, episodes: int = 50) -> Path:
    """A run of 50 games from its beginning: checkpoints after 30, 40 and 50 of them are left."""
    plan = plan_for(runs, name, episodes)
    carry_out(plan, agent_of(plan), othello(seed=3))
    return plan.folder.path


def resume(runs: Path, name: str, episodes: int | None = 60, seed: int = 99) -> str:
    """Go on to 60 games with agent and environment of other seeds; what is printed."""
    plan = resumed_plan(runs, name, episodes)
    return carry_out(plan, agent_of(plan, seed), othello(seed=seed))[1]


def results(run: Path) -> dict[str, bytes]:
    files = [run / name for name in RESULTS] + sorted((run / "checkpoints").iterdir())
    return {path.name: path.read_bytes() for path in files}


def newest(run: Path, number: int = 50) -> Path:
    return run / "checkpoints" / f"episode-{number:08d}.safetensors"


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
    tmp_path: Path, damage: Callable[[Path], Any], complaint: str
) -> None:
    run = play(tmp_path, "one")
    damage(newest(run))
    out = resume(tmp_path, "one")
    line = next(line for line in out.splitlines() if complaint in line)
    assert line.startswith("checkpoint episode-00000050 cannot be used: ")
    assert line.endswith("going on from episode-00000040 instead")
    assert results(run) == results(play(tmp_path, "whole", 60))


def test_without_a_good_checkpoint_all_stays_as_it_is(tmp_path: Path) -> None:
    run = play(tmp_path, "one")
    flip(newest(run, 50))
    halve(newest(run, 40))
    newest(run, 30).unlink()
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    with pytest.raises(ControlError) as error:
        resume(tmp_path, "one")
    message = str(error.value)
    assert "\n" not in message
    for part in ("episode-00000050", "is damaged", "episode-00000040", "no readable", "episode-00000030"):
        assert part in message
    assert message.endswith("start the agent as before or put the files back, else start a new run")
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    ("name", "tail"),
    [
        ("checkpoints.jsonl", b'{"episode": 60, "na'),
        (
            "checkpoints.jsonl",
            b'nonsense\n[1]\n{"episode": "60"}\n{"episode": 60, "name": "../x"}\n\xff\xfe\n',
        ),
        ("episodes.csv", b"51,win,1,6,9,7,bl"),
        ("episodes.csv", b'51,victory,1,6,9,7,black,0\n"\n\0\0\0\n\xff\n'),
        ("evaluations.csv", b"60,corner-greedy,black,5,1,1"),
        ("evaluations.csv", b"sixty,corner-greedy,black,5,1,1,3\n1,2\n"),
        ("metrics.jsonl", b'{"time": 1, "episode": 51}\n{"ti'),
        ("metrics.jsonl", b"{}\nnull\n"),
    ],
)
def test_what_a_crash_wrote_last_is_dropped(tmp_path: Path, name: str, tail: bytes) -> None:
    run = play(tmp_path, "one")
    with (run / name).open("ab") as file:
        file.write(tail)
    resume(tmp_path, "one")
    assert results(run) == results(play(tmp_path, "whole", 60))
    assert all(json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines())


def test_episodes_that_were_lost_are_played_again(tmp_path: Path) -> None:
    run = play(tmp_path, "one")
    lines = (run / "episodes.csv").read_text().splitlines(keepends=True)
    (run / "episodes.csv").write_text("".join(lines[:46]))
    assert "episodes.csv holds 45 games before it; going on from episode-00000040" in resume(tmp_path, "one")
    assert results(run) == results(play(tmp_path, "whole", 60))


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
def test_a_config_that_is_none_ends_with_one_line(tmp_path: Path, text: str) -> None:
    run = play(tmp_path, "one")
    (run / "config.json").write_text(text)
    done = CliRunner().invoke(run_command, ["--resume", "one", "--runs-dir", str(tmp_path)])
    assert done.exit_code == 2
    assert "config.json" in done.output.splitlines()[-1]
    assert "Traceback" not in done.output


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


def test_without_a_checkpoint_yet_the_run_begins_again(tmp_path: Path) -> None:
    class Ends(PlayerAgent):
        starts = 0

        def agent_start(self, observation: Observation) -> Action:
            self.starts += 1
            if self.starts == 9:
                raise Killed
            return super().agent_start(observation)

    plan = plan_for(tmp_path, "one")
    with pytest.raises(Killed):
        carry_out(plan, Ends("random", 3, directory=plan.folder.checkpoints), othello(seed=3))
    plan = resumed_plan(tmp_path, "one", None)
    carry_out(plan, agent_of(plan), othello(seed=3))
    assert results(plan.folder.path) == results(play(tmp_path, "whole"))


def test_a_run_that_begins_again_refuses_an_agent_that_has_learned(tmp_path: Path) -> None:
    class Learned(SavingAgent):
        def agent_message(self, message: str) -> str:
            return '{"steps": 7}' if message == "stats" else super().agent_message(message)

    plan = plan_for(tmp_path, "one", 5)
    carry_out(plan, MuteAgent(), othello())
    with pytest.raises(ControlError, match="the agent has learned since the run began"):
        carry_out(resumed_plan(tmp_path, "one", 5), Learned(), othello())
    assert (plan.folder.path / "episodes.csv").read_bytes().count(b"\n") == 6


def test_a_run_whose_agent_saves_nothing_is_not_begun_again(tmp_path: Path) -> None:
    carry_out(plan_for(tmp_path, "one"), MuteAgent(), StrangersEnvironment())
    with pytest.raises(RunFolderError, match="its agent saved none"):
        resumed_plan(tmp_path, "one", None)


class Clock:
    """Counts the moments at which a run may be killed, and kills it at one of them."""

    def __init__(self, last: int = -1) -> None:
        self.now, self.last = 0, last

    def tick(self) -> None:
        self.now += 1
        if self.now == self.last:
            raise Killed


def killed_at(clock: Clock, runs: Path, name: str, patch: pytest.MonkeyPatch) -> None:
    """A run with a moment before and after each write and each message to the agent."""

    def surround(owner: type, method: str) -> None:
        original = getattr(owner, method)

        def surrounded(*arguments: Any) -> Any:  # noqa: ANN401  stands for any method
            clock.tick()
            answer = original(*arguments)
            clock.tick()
            return answer

        patch.setattr(owner, method, surrounded)

    for method in ("_replace", "_replace_or_remove", "_append_row", "add_metrics"):
        surround(RunFolder, method)
    for method in ("agent_message", "agent_start"):
        surround(PlayerAgent, method)
    if (runs / name).exists():
        resume(runs, name, None, seed=3)
    else:
        play(runs, name)


def test_killed_at_every_moment_and_resumed_it_is_the_same_run(tmp_path: Path) -> None:
    whole, clock = results(play(tmp_path, "whole")), Clock()
    with pytest.MonkeyPatch.context() as patch:
        killed_at(clock, tmp_path, "counted", patch)
    for moment in range(
        3, clock.now, 17
    ):  # the first two are in the making of the folder: then there is no run
        name = f"run-{moment}"
        for last in (moment, 40):  # killed, and killed again, unless it has ended, after it was taken up
            with pytest.MonkeyPatch.context() as patch, suppress(Killed):
                killed_at(Clock(last), tmp_path, name, patch)
        resume(tmp_path, name, None, seed=3)  # it may begin again, and then the seeds are given by hand
        assert results(tmp_path / name) == whole, moment
