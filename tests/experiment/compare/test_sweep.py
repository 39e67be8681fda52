import json
import re
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from click.testing import Result

from othello_lab.commands.cli import cli
from tests.calling import caller
from tests.experiment.lab import IN_CHILDREN, Lab, alive, posix, python_path

pytestmark = pytest.mark.slow

PLAYERS = """
seeds = [0, 1]
size = 4
episodes = 12
eval-every = 6
eval-games = 4
final-games = 6
eval-opponent = ["random"]
agent = "greedy"

[variants.greedy]
[variants.mobile]
agent = "mobility"
"""
LEARNER = """
seeds = [0]
size = 4
episodes = 400
eval-every = 100
eval-games = 5
final-games = 5
save-every = 20
agent = "tabular"

[variants.one]
"""
VARIANTS = f'{LEARNER}[variants.two]\nagent.explore = "random"\n'


@pytest.fixture(autouse=True)
def _in_the_folder(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lab.folder)
    monkeypatch.setenv("PYTHONPATH", python_path(IN_CHILDREN, str(Path(__file__).parents[3])))


invoke = caller(cli)


def sweep(text: str, *arguments: str) -> Result:
    Path("tiny.toml").write_text(text)
    return invoke("experiment", "sweep", "tiny.toml", *arguments)


def episodes(lab: Lab, variant: str) -> bytes:
    return lab.episodes(f"tiny/{variant}-0")


def test_a_sweep_goes_on_after_a_failure_compares_and_says_how_to_repeat_a_run(lab: Lab) -> None:
    spoilt = lab.run_folder("tiny/greedy-0")
    spoilt.mkdir(parents=True)
    (spoilt / "config.json").write_text("{}")
    failed = sweep(PLAYERS, "--seeds", "0")
    assert failed.exit_code == 1
    reason = r"^greedy, seed 0: failed with exit status 2; its log .*greedy-0.log ends: Error: "
    assert re.search(reason, failed.output, re.M)
    won = r"^mobile, seed 0: won .* % against corner-greedy, .* % against random in 0:\d\d$"
    assert re.search(won, failed.output, re.M)
    assert "left out, not finished or without evaluations: greedy-0" in failed.output
    assert failed.output.splitlines()[-1] == "Error: 1 of 2 runs failed: see the lines above"

    shutil.rmtree(spoilt)
    whole = sweep(PLAYERS, "--seeds", "0")
    assert whole.exit_code == 0
    assert re.search(r"2 runs, 1 of them finished\s+greedy, seed 0: won", whole.output)
    assert (lab.run_folder("tiny") / "comparison.png").exists()
    repeat = re.search(r"^  \S*othello (run .*--agent=mobility .*)$", whole.output, re.M)
    assert repeat
    assert invoke(*shlex.split(repeat[1]), "--name=again").exit_code == 0
    assert lab.episodes("again") == episodes(lab, "mobile")

    changed = sweep(PLAYERS.replace('"mobility"', '"random"'), "--seeds", "0")
    assert changed.exit_code == 2
    assert "has runs of mobile with other options" in changed.output.splitlines()[-1]


def test_what_cannot_be_carried_out_is_found_before_anything_is() -> None:
    for change, says in (("'dqn,speed=7'", "no option 'speed'"), ("1", "agent is 1"), ("'nobody'", "nobody")):
        result = sweep(PLAYERS.replace('"mobility"', change))
        assert result.exit_code == 2
        assert "tiny.toml" in result.output
        assert says in result.output
    assert not Path("runs").exists()


def workers(sweep: "subprocess.Popen[str]") -> list[int]:
    command = ["ps", "-wweo", "pid,ppid,args"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()[1:]]
    return [int(pid) for pid, ppid, args in rows if int(ppid) == sweep.pid and "workers.child run" in args]


def stop(lab: Lab, text: str, how: signal.Signals, *variants: str) -> tuple[int, str]:
    """Stop a sweep while its runs are in progress, and return its exit and its output."""
    Path("tiny.toml").write_text(text)
    broken_off = lab.start("othello", "experiment", "sweep", "tiny.toml")
    for variant in variants:
        lab.await_episodes(f"tiny/{variant}-0", 25)
    own = workers(broken_off)
    assert len(own) == len(variants)
    broken_off.send_signal(how)
    status, out = lab.finished(broken_off)
    # The runs save and end, even if no process is left that can ask them to.
    lab.await_that(lambda: not any(alive(pid) for pid in own))
    return status, out


@posix
def test_a_sweep_that_was_stopped_goes_on_to_the_same_end(lab: Lab) -> None:
    status, out = stop(lab, VARIANTS, signal.SIGINT, "one", "two")
    assert status == 130, out
    assert "the same command goes on" in out
    assert episodes(lab, "one").count(b"\n") < 400

    assert sweep(VARIANTS).exit_code == 0
    undisturbed = LEARNER.partition("[variants")[0].replace("seeds = [0]", "seed = 0")
    Path("whole.toml").write_text(undisturbed)
    assert invoke("run", "--in-process", "--config", "whole.toml", "--name", "whole").exit_code == 0
    assert episodes(lab, "one") == lab.episodes("whole")
    assert episodes(lab, "two") != lab.episodes("whole")


@posix
def test_the_run_of_a_sweep_that_was_killed_saves_and_ends(lab: Lab) -> None:
    stop(lab, LEARNER, signal.SIGKILL, "one")
    saved = (lab.run_folder("tiny/one-0") / "checkpoints.jsonl").read_text().splitlines()[-1]
    assert json.loads(saved)["episode"] == episodes(lab, "one").count(b"\n") - 1
