"""Files from an untrusted source. Each file names a program that records its start."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from traceback import walk_stack
from types import FrameType
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.cli import cli
from othello_lab.commands.play import STATE
from othello_lab.console.saving import SavedGame, SaveFile
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.store import writing
from othello_lab.game import Colour, Game
from othello_lab.game.records import Record, jsonl

PROGRAM = f"{sys.executable} mark.py"
ENGINE = f"engine:{PROGRAM}"
# A program that is named plainly, as an agent, as an engine, and within another player.
TEXTS = (f"agent:{PROGRAM}", ENGINE, f"noisy:[{ENGINE},time=5],share=0.5")
STARTED: list[str] = []


class Recorded(subprocess.Popen[Any]):
    def __init__(self, words: Any, *_: Any, **__: Any) -> None:  # noqa: ANN401  as in subprocess
        STARTED.append(" ".join(map(str, words)))
        self.returncode = 1
        raise OSError("the tests start nothing")

    def __del__(self) -> None:
        """There is nothing to wait for."""


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(STATE, str(tmp_path / "state"))
    monkeypatch.delenv("RLGLUE_PORT", raising=False)
    monkeypatch.setattr(subprocess, "Popen", Recorded)
    STARTED.clear()


def strange_run(text: str, **environment: object) -> None:
    """Write the folder of a run whose agent, opponents and evaluations have this text."""
    folder = Path("runs/strange")
    folder.mkdir(parents=True)
    config = {
        "agent": {"text": text},
        "environment": {"size": 6, "opponent": text, **environment},
        "environment_stats": {"size": 6, "opponent": text},
        "experiment": {"eval_opponent": [text]},
        "seeds": {"environment": 1, "agent": 2, "evaluation": 3},
        "task_spec": "",
    }
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "evaluations.csv").write_text(
        f'episode,opponent,colour,games,win,draw,loss\n0,"{text}",black,2,1,0,1\n'
    )


def strange_files(text: str) -> list[str]:
    """Write a file of each kind that names a program, and return the text to type for each file."""
    strange_run(text)
    record = Record(Game.from_transcript("c2", 6), black=text, white=text)
    Path("strange.jsonl").write_text(jsonl.dump([record]))
    with writing(Path("strange.sqlite"), 6) as store:
        store.add_entrants([Entrant(text, None), Entrant("random", None)])
    sides = {Colour.BLACK: text, Colour.WHITE: None}
    place = SaveFile(Path("state/games/strange.json"))
    place.write(SavedGame(record.game, 1, sides, text, datetime.now(UTC)))
    place.release()
    Path("strange.toml").write_text(f"players = ['random', {json.dumps(text)}]\nsize = 6\n")
    Path("options.toml").write_text(f"agent = {json.dumps(text)}\nsize = 6\nepisodes = 2\n")
    return ["strange", "runs/strange", "strange.jsonl", "strange.sqlite", "strange.toml"]


def leaves(group: click.Group, *words: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, *words, name)
        elif command:
            yield (*words, name), command


COMMANDS = dict(leaves(cli))


def call(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words))


def started() -> list[str]:
    return [line for line in STARTED if "mark.py" in line]


class LongEnoughError(BaseException):
    """Raised if a command has had enough time to start a program."""


def preparing(frame: FrameType | None) -> bool:
    """Return whether a frame imports or compiles. An interrupt would leave this work half done."""
    names = (str(caller.f_globals.get("__name__", "")) for caller, _ in walk_stack(frame))
    return any(name.startswith(("numba.", "llvmlite.", "importlib.", "_frozen_importlib")) for name in names)


@contextmanager
def for_a_moment() -> Iterator[None]:
    """Interrupt the body after a moment, because some commands wait for others or train."""

    def ring(_: int, frame: FrameType | None) -> None:
        if preparing(frame):
            signal.setitimer(signal.ITIMER_REAL, 0.1)
        else:
            raise LongEnoughError

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with suppress(LongEnoughError):
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
