import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.lock import InUseError, held
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.game.game import Game
from othello_lab.game.players.player import Player
from tests.calling import add_player
from tests.experiment.lab import PATIENCE, SMALL, Lab, posix

ENDLESS = ["--agent", "random", "--episodes", "1000000", "--save-every", "0", "--name", "one"]
TRAIN = ["run", "--in-process", *SMALL, *ENDLESS]
ON_A_TERMINAL = "import os, sys; os.open(os.ttyname(0), os.O_RDWR); os.execv(sys.executable, sys.argv[1:])"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [time.monotonic()]
    monkeypatch.setattr("othello_lab.experiment.workers.interrupts.time.monotonic", lambda: now[0])
    return now


def test_the_first_interrupt_asks_and_the_second_stops() -> None:
    asked: list[bool] = []
    with Interrupts() as interrupts:
        interrupts.patient = True
        interrupts.on_request = lambda: asked.append(True)
        signal.raise_signal(signal.SIGTERM)
        assert interrupts.requested
        assert asked == [True]
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert interrupts.exit_status == 143


def test_before_the_work_begins_the_first_interrupt_stops() -> None:
    with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)
    assert interrupts.exit_status == 130


def test_signals_of_one_kind_within_a_second_are_one(clock: list[float]) -> None:
    with Interrupts() as interrupts:
        interrupts.patient = True
        for _ in range(5):
            signal.raise_signal(signal.SIGTERM)
            clock[0] += 0.19
        assert interrupts.requested
        clock[0] += 0.2
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGTERM)


class Interrupted(Player):
    games = 0

    def start(self, game: Game) -> None:
        self.games += 1

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        if self.games == 2:
            signal.raise_signal(signal.SIGTERM)
        return game.board.legal_moves[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("match greedy interrupted", "stopped after 1 of 6 games"),
        ("evaluate greedy --opponent interrupted", "greedy was stopped after 1 of 6 games"),
        ("analyse interrupted --games 6", "stopped: 5 games were not played"),
        ("tournament greedy interrupted --database games.sqlite", "stopped with 6 of 6 games left"),
    ],
)
def test_sigterm_ends_games_with_143(
    words: str, told: str, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_player(monkeypatch, "interrupted", Interrupted)
    result = CliRunner().invoke(cli, [*words.split(), "--size", "4", "--openings", "3"])
    assert result.exit_code == 143
    assert told in result.stderr


def recorded(lab: Lab) -> tuple[int, int]:
    saved = (lab.run_folder("one") / "checkpoints.jsonl").read_text()
    return lab.episodes("one").count(b"\n") - 1, int(saved.split('"episode": ')[1].split(",")[0])


@posix
@pytest.mark.slow
def test_sigterm_that_comes_twice_saves_and_ends_with_143(lab: Lab) -> None:
    run = lab.start("othello", *TRAIN)
    lab.await_episodes("one", 5)
    with (
        pytest.raises(InUseError, match=f"in use by process {run.pid} .*--name one"),
        held(lab.run_folder("one")),
    ):
        pass
    run.send_signal(signal.SIGTERM)
    time.sleep(0.01)
    run.send_signal(signal.SIGTERM)
    status, out = lab.finished(run)
    assert status == 143
    assert "run --in-process --resume one" in out
    played, saved = recorded(lab)
    assert played == saved > 0


@posix
@pytest.mark.slow
def test_a_run_whose_terminal_is_closed_saves_and_says_so_in_its_log(lab: Lab) -> None:
    theirs, ours = os.openpty()
    command = [sys.executable, "-c", ON_A_TERMINAL, sys.executable, "-m", "othello_lab"]
    run = subprocess.Popen(
        [*command, *TRAIN],
        cwd=lab.folder,
        stdin=ours,
        stdout=ours,
        stderr=ours,
        start_new_session=True,
        text=True,
    )
    lab.started.append(run)
    os.close(ours)
    lab.await_episodes("one", 5)
    os.close(theirs)
    assert run.wait(PATIENCE) == 129
    played, saved = recorded(lab)
    assert played == saved > 0
    log = (lab.run_folder("one") / "logs" / "experiment.log").read_text()
    assert "the terminal was closed (SIGHUP)" in log
    assert "run --in-process --resume one" in log
    assert "Traceback" not in log


@posix
def test_nohup_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupts() as interrupts:
            interrupts.patient = True
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert not interrupts.requested


def test_without_a_log_the_closed_terminal_is_no_error(tmp_path: Path) -> None:
    with Interrupts() as interrupts:
        interrupts.patient, interrupts.log = True, tmp_path / "gone" / "log"
        if hasattr(signal, "SIGHUP"):
            signal.raise_signal(signal.SIGHUP)
            assert interrupts.requested
