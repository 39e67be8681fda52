"""Programs as players: none is left behind, real ones, and the texts that name them."""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import Board, Colour, Game
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.base import Forfeit, UnplayableError
from othello_lab.game.players.catalogue import is_built_in
from othello_lab.game.players.engine.player import EnginePlayer
from tests.game.engine_programs import (
    FAKE,
    PASSES,
    PYTHON,
    RHINO,
    ROOT,
    Players,
    alive,
    choose,
    needs_rhino,
    posix,
)


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


ENDINGS = {"in the end": "", "by an error": "raise SystemExit('bad')", "by Ctrl-C": "signal.raise_signal(2)"}


@posix
@pytest.mark.parametrize("ending", ENDINGS)
def test_nothing_is_left_behind_when_python_ends(ending: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    # The program pays no heed to the end of its input: it has to be killed.
    deaf = f"import os, pathlib, sys, time; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); "
    deaf += "sys.stdout.write('=\\n\\n' * 9); sys.stdout.flush(); time.sleep(3600)"
    script = f"""
import signal, sys
from othello_lab.game import Board, Game
from othello_lab.game.players.engine.player import EnginePlayer
EnginePlayer([sys.executable, '-c', {deaf!r}]).start(Game(Board.start(8)))
{ENDINGS[ending]}
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False, capture_output=True, timeout=60)
    assert not alive(int(pid_file.read_text("utf-8")))


@posix
def test_what_the_program_has_started_goes_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    wrapper = f"sleep 3600 & echo $! > {pid_file}; printf '= wrapper\\n\\n=\\n\\n=\\n\\n'; wait"
    player = EnginePlayer(["/bin/sh", "-c", wrapper], protocol="gtp")
    player.start(Game(Board.start(8)))
    child = int(pid_file.read_text("utf-8"))
    player.close()
    deadline = time.monotonic() + 10  # its parent is gone: the system reaps it, at a moment of its own
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    if alive(child):
        # In a container without a reaping first process a killed orphan stays as a zombie.
        assert shutil.which("ps")
        state = subprocess.run(["ps", "-o", "stat=", str(child)], capture_output=True, text=True, check=True)  # noqa: S607
        assert state.stdout.startswith("Z")


@needs_rhino
def test_a_real_program_follows_a_game_with_passes_of_both_sides() -> None:
    # Its own first move from the start is drawn by its clock, so this game begins by itself.
    game = Game.from_transcript(PASSES)
    passed = [board.turn for board in game.boards if board.must_pass]
    assert set(passed) == set(Colour)
    player, far = EnginePlayer(RHINO), Game(game.boards[0])
    for move in game.moves:
        if far.board.legal_moves:
            assert choose(player, far) in far.board.legal_moves
        far.play(move)
    player.close()


@needs_rhino
def test_a_real_program_refuses_another_size() -> None:
    with pytest.raises(UnplayableError, match="gtp-rhino does not play on a board of 6x6: unacceptable size"):
        EnginePlayer(RHINO).start(Game(Board.start(6)))


def test_the_registry_makes_the_player_of_a_command_line(players: Players) -> None:
    command = shlex.join([sys.executable, str(FAKE), "illegal"])
    for text in (f"engine:{command},time=0.5,name=cheat", f"engine:[{command}],name=cheat"):
        player = make(text, 8)
        with pytest.raises(Forfeit, match="cheat played a1"):
            player.choose(Game(Board.start(8)), np.random.default_rng(0))


def run_in(folder: Path, text: str) -> int:
    """Have a program choose the first move from the start; it needs the file `data` where it runs."""
    script = f"#!{sys.executable}\nimport runpy, sys\nopen('data')\n"
    script += f"sys.argv = ['fake', 'honest']\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n"
    program = folder / "fake"
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    (folder / "data").touch()
    player = make(text, 8)
    try:
        return player.choose(Game(Board.start(8)), np.random.default_rng(0))
    finally:
        player.close()


@posix
@pytest.mark.parametrize("named", ["{}/fake", "./fake", "fake"])
def test_a_program_runs_in_the_folder_that_is_named(named: str, tmp_path: Path) -> None:
    folder = tmp_path / "its own, with a comma"
    folder.mkdir()
    command = shlex.quote(named.format(folder))
    assert run_in(folder, f"engine:[{command}],cwd=[{folder}],protocol=gtp") in Board.start(8).legal_moves


@posix
def test_the_folder_may_be_named_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engines").mkdir()
    monkeypatch.chdir(tmp_path)
    assert run_in(tmp_path / "engines", "engine:./fake,cwd=engines") in Board.start(8).legal_moves


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"{PYTHON},cwd=/no/such/folder", "engine: cwd is '/no/such/folder', expected a folder that exists"),
        (f"{PYTHON},cwd={shlex.quote(str(FAKE))}", "engine: cwd is '.*', expected a folder that exists"),
        (f"{PYTHON},cwd=", "engine: cwd is '', expected a folder that exists"),
        ("engine:./no-such-program,cwd=/", "engine: there is no program './no-such-program'"),
        ("engine", "engine: name the program, such as engine:gtp-rhino -l 1"),
        ("engine:", "engine: name the program"),
        ("engine:no-such-program -l 1", "engine: there is no program 'no-such-program'"),
        ("engine:prog 'x", "engine: .*No closing quotation"),
        ("engine:[a,b", "square brackets"),
        (
            f"{PYTHON},time=soon",
            "time is 'soon', expected seconds for each answer",
        ),
        (
            f"{PYTHON},time=0",
            "time is '0', expected seconds for each answer, above 0",
        ),
        (
            f"{PYTHON},level=3",
            "engine has no option 'level'; its options: protocol, depth, time, cwd, name",
        ),
    ],
)
def test_wrong_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


def test_no_program_is_started_over_the_wire() -> None:
    assert not is_built_in(PYTHON, 8)
    assert not is_built_in("engine", 8)
