import shlex
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from othello_lab.experiment.run.outcomes import Checkpoint, Evaluation, RunResult, Tally, TrainingWork
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.run_end import print_report
from tests.experiment.show.pages import reported

LONG = "alphabeta:depth=4,eval=[weights:swh,fade=1],name=a-player-with-a-long-name"


def evaluated(opponent: str, colour: str, won: int, episode: int = 300) -> Evaluation:
    return Evaluation(episode, opponent, colour, Tally(won, 4, 96 - won))


def folder_of(path: Path) -> RunFolder:
    stats = {"opponent": "corner-greedy", "size": 6, "first": "agent"}
    return reported.folder_of(path, 0, [], ["100,corner-greedy,black,100,9,4,87\n"], **stats)


def report_of(folder: RunFolder) -> RunResult:
    return RunResult(
        episodes=300,
        checkpoint=Checkpoint(300, "episode-300"),
        policy=str(folder.checkpoints / "policy.safetensors"),
        evaluations=[
            evaluated("corner-greedy", "black", 80),
            evaluated("corner-greedy (openings)", "white", 50),
            evaluated(LONG, "black", 50),
        ],
        held_out=[evaluated("random (openings)", colour, 90) for colour in ("black", "white")],
        work=TrainingWork(200, 4000, 20.0),
        seconds=95.0,
    )


def printed(report: RunResult, folder: RunFolder, width: int = 80) -> list[str]:
    out = StringIO()
    resume = "othello run --resume one"
    print_report(Console(file=out, width=width), report, folder, folder.plots / "training.png", resume)
    return out.getvalue().splitlines()


def test_one_table_says_it_all_in_80_columns(here: Path) -> None:
    folder = folder_of(Path("runs", "one"))
    lines = printed(report_of(folder), folder)
    assert max(map(len, lines)) <= 80
    assert lines[1] == "dqn as black against corner-greedy on 6x6"
    assert "200 training games in 0:20: 10.0 games and 200 decisions a second" in lines
    assert "wall time 1:35, evaluations included; seed 3; 100 games before it was resumed" in lines
    table = [line.split() for line in lines]
    assert ["against", "as", "games", "won", "%", "95", "%", "drawn", "lost", "before"] in table
    # The intervals are by Wilson.
    assert ["corner-greedy", "black", "100", "80.0", "71.1-86.7", "4", "16", "9.0"] in table
    assert ["corner-greedy,", "openings", "white", "100", "50.0", "40.4-59.6", "4", "46"] in table
    assert ["never", "met:", "random", "both", "200", "90.0", "85.1-93.4", "8", "12"] in table
    assert "before: won % after 100 training games" in lines
    assert any(line.startswith("won %: with its 95 % interval (Wilson") for line in lines)
    assert lines[2].split(" and ")[0] == "Verdict: beats random, is even with corner-greedy"
    assert [line.split()[0] for line in lines[-6:]] == ["200", "wall", "picture", "curves", "play", "train"]
    assert not lines[-7]
    assert lines[-1] == "train on  othello run --resume one --episodes 600"
    assert lines[-2] == f"play it   {wording.othello('play', 'one')}"


def test_where_there_is_less_room_the_numbers_stay_whole(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "one")
    lines = printed(report_of(folder), folder, width=64)
    row = next(line for line in lines if line.startswith("corner-g"))
    assert row.split()[-7:] == ["black", "100", "80.0", "71.1-86.7", "4", "16", "9.0"]


def test_the_result_of_a_random_mover_is_below_the_first_opponent(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "one")
    rows = [" ".join(line.split()) for line in printed(report_of(folder), folder)]
    assert [row.split(" 5,000")[0] for row in rows if "moved" in row] == ["if it moved at random black"]


def test_a_run_without_anything_to_show(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "one")
    lines = printed(RunResult(episodes=3), folder)
    assert lines[-1] == "go on    not possible: the agent has saved no checkpoint"
    assert not any("Verdict" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "played"), [("elsewhere/one", "one --runs-dir {runs}/elsewhere"), ("greedy", "{runs}/greedy")]
)
def test_a_run_that_needs_its_folder_is_played_by_it(tmp_path: Path, name: str, played: str) -> None:
    folder = folder_of(tmp_path / name)
    line = next(line for line in printed(report_of(folder), folder, 300) if line.startswith("play it"))
    assert line.endswith(f"play {played.format(runs=tmp_path)}")


def test_a_run_is_resumed_from_where_its_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert wording.resume(Path("runs/one"), "run").endswith("run --resume one")
    (tmp_path / "one").mkdir()
    for folder in (tmp_path / "one", Path()):
        monkeypatch.chdir(tmp_path / "one")
        assert wording.resume(folder, "run").endswith(f"run --resume one --runs-dir {tmp_path}")


@pytest.mark.slow
@pytest.mark.parametrize("on_path", [True, False])
def test_commands_work_where_printed(here: Path, monkeypatch: pytest.MonkeyPatch, on_path: bool) -> None:
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent) if on_path else "/nowhere")
    words = shlex.split(wording.othello("perft", "--help"))
    assert (words[0] == "othello") is on_path
    assert subprocess.run(words, check=True, capture_output=True, text=True).stdout


def test_only_our_program_is_named_and_a_near_one_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "othello"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shlex.split(wording.othello("play"))[0] != "othello"
    monkeypatch.chdir(Path(sys.executable).parent.parent)
    monkeypatch.setenv("PATH", "/nowhere")
    assert wording.othello("play") == f"./{Path(sys.executable).parent.name}/othello play"
