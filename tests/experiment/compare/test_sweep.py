"""`othello experiment sweep` with real processes: finished, failed, stopped, killed."""

import json
import re
import shlex
import signal
import subprocess
import sys

import pytest

from tests.experiment.lab import Lab, alive

posix = pytest.mark.skipif(sys.platform == "win32", reason="ends processes by POSIX signals")

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
episodes = 700
eval-every = 100
eval-games = 5
final-games = 5
save-every = 20
agent = "dqn,warm_up=50,hidden=[16],batch=8,replay=1000,epsilon_steps=500,update_every=16"

[variants.one]
[variants.two]
agent.double = false
"""


def workers(sweep: "subprocess.Popen[str]") -> list[int]:
    command = ["ps", "-wweo", "pid,ppid,args"]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in listing.splitlines()[1:]]
    return [int(pid) for pid, ppid, args in rows if int(ppid) == sweep.pid and "sweep_worker" in args]


def sweep(lab: Lab, text: str, *arguments: str) -> "subprocess.Popen[str]":
    (lab.folder / "tiny.toml").write_text(text)
    return lab.start("othello", "experiment", "sweep", "tiny.toml", *arguments)


def episodes(lab: Lab, variant: str) -> bytes:
    return lab.episodes(f"tiny/{variant}-0")


def test_a_sweep_compares_skips_what_is_finished_and_says_how_to_repeat_it(lab: Lab) -> None:
    status, out = lab.finished(sweep(lab, PLAYERS))
    assert status == 0, out
    assert re.search(
        r"^mobile, seed 1: won .* % against corner-greedy, .* % against random in 0:\d\d$", out, re.M
    )
    assert (lab.run_folder("tiny") / "comparison.png").exists()

    status, out = lab.finished(sweep(lab, PLAYERS, "--seeds", "1,0"))
    assert status == 0
    assert re.search(r"4 runs, 4 of them finished\s+Won against corner-greedy on 4x4", out)
    repeat = re.search(r"^  \S*othello (experiment train .*--agent=mobility .*)$", out, re.M)
    assert repeat
    status, _ = lab.finished(lab.start("othello", *shlex.split(repeat[1]), "--name=again"))
    assert status == 0
    assert lab.episodes("again") == lab.episodes("tiny/mobile-1")


def test_a_run_that_fails_does_not_stop_the_others(lab: Lab) -> None:
    spoilt = lab.run_folder("tiny/greedy-0")
    spoilt.mkdir(parents=True)
    (spoilt / "config.json").write_text("{}")
    status, out = lab.finished(sweep(lab, PLAYERS, "--seeds", "0"))
    assert status == 1
    assert re.search(
        r"^greedy, seed 0: failed with exit status 2; its log .*greedy-0.log ends: Error: ", out, re.M
    )
    assert "mobile, seed 0: won" in out
    assert "left out, not finished or without evaluations: greedy-0" in out
    assert out.splitlines()[-1] == "Error: 1 of 2 runs failed: see the lines above"


def test_a_variant_with_runs_may_not_change(lab: Lab) -> None:
    lab.finished(sweep(lab, PLAYERS, "--seeds", "0"))
    status, out = lab.finished(sweep(lab, PLAYERS.replace('"mobility"', '"random"'), "--seeds", "0"))
    assert status == 2
    assert "has runs of mobile with other options" in out.splitlines()[-1]


def test_what_cannot_be_carried_out_is_found_before_anything_is(lab: Lab) -> None:
    for change, says in (("'dqn,speed=7'", "no option 'speed'"), ("1", "agent is 1"), ("'nobody'", "nobody")):
        status, out = lab.finished(sweep(lab, PLAYERS.replace('"mobility"', change)))
        assert status == 2
        assert out.startswith("Error: tiny.toml")
        assert says in out
    assert not (lab.folder / "runs").exists()


def stop(lab: Lab, how: signal.Signals) -> tuple[int, str]:
    """Stop a sweep while both of its runs are under way; how it ended and what it said."""
    broken_off = sweep(lab, LEARNER)
    for variant in ("one", "two"):
        lab.await_episodes(f"tiny/{variant}-0", 25)
    own = workers(broken_off)
    assert len(own) == 2
    broken_off.send_signal(how)
    status, out = lab.finished(broken_off)
    # The runs save and end, also when nobody is there any more to ask them to.
    lab.await_that(lambda: not any(alive(pid) for pid in own))
    return status, out


@posix
def test_a_sweep_that_was_stopped_goes_on_to_the_same_end(lab: Lab) -> None:
    status, out = stop(lab, signal.SIGINT)
    assert status == 130, out
    assert "the same command goes on" in out
    assert episodes(lab, "one").count(b"\n") < 700

    status, out = lab.finished(sweep(lab, LEARNER))
    assert status == 0, out
    undisturbed = LEARNER.partition("[variants.one]")[0]
    (lab.folder / "whole.toml").write_text(undisturbed.replace("seeds = [0]", "seed = 0"))
    command = ("experiment", "train", "--in-process", "--config", "whole.toml", "--name", "whole")
    status, out = lab.finished(lab.start("othello", *command))
    assert status == 0, out
    assert episodes(lab, "one") == lab.episodes("whole")
    assert episodes(lab, "two") != lab.episodes("whole")


@posix
def test_the_runs_of_a_sweep_that_was_killed_save_and_end(lab: Lab) -> None:
    stop(lab, signal.SIGKILL)
    for variant in ("one", "two"):
        saved = (lab.run_folder(f"tiny/{variant}-0") / "checkpoints.jsonl").read_text().splitlines()[-1]
        assert json.loads(saved)["episode"] == episodes(lab, variant).count(b"\n") - 1
