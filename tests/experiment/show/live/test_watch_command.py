"""`othello watch` where there is no terminal, and what it says of runs that cannot be watched."""

import shutil
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.console import Console

from othello_lab.commands.watch import command
from othello_lab.experiment.run.outcomes import Evaluation, Tally
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderGoneError
from othello_lab.experiment.show.live.terminal_view import watch
from tests.experiment.show.test_plots import folder_of

ENDED = {"experiment": {"episodes": 20}, "sessions": [{"seconds": 1.0}], "task_spec": ""}


EVALUATED = ["10,random,black,10,4,0,6\n", "20,random,black,10,8,0,2\n"]


def a_run(runs: Path, name: str = "one") -> RunFolder:
    runs.mkdir(exist_ok=True)
    return folder_of(runs / name, 20, [], EVALUATED, size=6, opponent="greedy")


def watched(folder: RunFolder, *steps: Callable[[], object]) -> str:
    """What is printed of a run with which something happens at each look."""
    out, to_come = StringIO(), iter(steps)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(time, "sleep", lambda seconds: next(to_come)())
        watch(folder, Console(file=out, width=80))
    return out.getvalue()


def test_a_run_that_has_ended_is_shown_once(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    folder.write_config({**folder.config(), **ENDED})
    done = CliRunner().invoke(command, ["one", "--runs-dir", str(tmp_path)])
    assert done.exit_code == 0
    assert "20/20 training games" in done.output
    assert "the run has ended" in done.output
    assert "random" in done.output
    assert "experiment plot" in done.output
    assert CliRunner().invoke(command, ["--runs-dir", str(tmp_path)]).output == done.output


def test_evaluations_are_told_as_they_come_until_the_run_ends(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    folder.write_config({**folder.config(), **ENDED, "sessions": [{}]})
    with folder:
        out = watched(
            folder,
            lambda: folder.add_evaluation(Evaluation(20, "positional", "white", Tally(3, 0, 7))),
            lambda: folder.write_config({**folder.config(), **ENDED}),
        )
    told = out.splitlines()
    assert told[0].startswith(f"{folder.path}: ")
    assert "20 training games" in told[0]
    assert told[1:4] == [
        "after 10 games: 4 won, 0 drawn, 6 lost of 10 against random: 40.0 %",
        "after 20 games: 8 won, 0 drawn, 2 lost of 10 against random: 80.0 %",
        "after 20 games: 3 won, 0 drawn, 7 lost of 10 against positional: 30.0 %",
    ]
    assert "the run has ended" in out


def test_a_folder_that_goes_ends_the_view(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    with pytest.raises(RunFolderGoneError):
        watched(folder, lambda: shutil.rmtree(folder.path))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "there is no run in"),
        (["one"], "there is no run in"),
        (["--port", "80"], "this is the port of the page: add --web"),
        (["--web", "--port", "70000"], "--port"),
    ],
)
def test_what_cannot_be_watched_is_told_in_a_line(tmp_path: Path, arguments: list[str], says: str) -> None:
    done = CliRunner().invoke(command, [*arguments, "--runs-dir", str(tmp_path)])
    assert done.exit_code == 2
    assert says in done.output
    assert "Traceback" not in done.output
