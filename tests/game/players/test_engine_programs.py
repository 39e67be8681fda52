"""Programs as players: none is left behind, real ones, the texts that name them, shared random states."""

import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import Board, Colour, Game
from othello_lab.game.errors import UnplayableError
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.catalogue import make
from othello_lab.game.players.engines.engine import EnginePlayer
from othello_lab.game.players.engines.process import Launch, restore, state_of
from othello_lab.game.players.player import Forfeit
from othello_lab.game.registry import RegistryError
from tests.game.engine_programs import FAKE, PASSES, PYTHON, RHINO, ROOT, alive, choose, needs_rhino, posix

pytestmark = pytest.mark.slow


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
from othello_lab.game.players.engines.engine import EnginePlayer
from othello_lab.game.players.engines.process import Launch
EnginePlayer(Launch([sys.executable, '-c', {deaf!r}])).start(Game(Board.start(8)))
{ENDINGS[ending]}
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False, capture_output=True, timeout=60)
    assert not alive(int(pid_file.read_text("utf-8")))


@posix
def test_what_the_program_has_started_goes_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    wrapper = f"sleep 3600 & echo $! > {pid_file}; printf '= wrapper\\n\\n=\\n\\n=\\n\\n'; wait"
    player = EnginePlayer(Launch(["/bin/sh", "-c", wrapper]), protocol="gtp")
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
    player, far = EnginePlayer(Launch(RHINO)), Game(game.boards[0])
    for move in game.moves:
        if far.board.legal_moves:
            assert choose(player, far) in far.board.legal_moves
        far.play(move)
    player.close()


@needs_rhino
def test_a_real_program_refuses_another_size() -> None:
    with pytest.raises(UnplayableError, match="gtp-rhino does not play on a board of 6x6: unacceptable size"):
        EnginePlayer(Launch(RHINO)).start(Game(Board.start(6)))


def test_the_registry_makes_the_player_of_a_command_line() -> None:
    command = shlex.join([sys.executable, str(FAKE), "illegal"])
    for text in (f"engine:{command},time=0.5,name=cheat", f"engine:[{command}],name=cheat"):
        player = make(text, 8)
        with pytest.raises(Forfeit, match="cheat played a1"):
            player.choose(Game(Board.start(8)), np.random.default_rng(0))


@posix
@pytest.mark.parametrize(
    ("command", "folder"),
    [("FOLDER/fake", "FOLDER"), ("./fake", "FOLDER"), ("fake", "FOLDER"), ("./fake", "its")],
)
def test_a_program_runs_in_the_folder_that_is_named(command: str, folder: str, here: Path) -> None:
    """It needs the file `data` where it runs."""
    there = here / ("its" if folder == "its" else "its own, with a comma")
    there.mkdir()
    (there / "data").touch()
    script = f"#!{sys.executable}\nimport runpy, sys\nopen('data')\n"
    script += f"sys.argv = ['fake', 'illegal']\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n"
    (there / "fake").write_text(script, "utf-8")
    (there / "fake").chmod(0o755)
    command, folder = shlex.quote(command.replace("FOLDER", str(there))), folder.replace("FOLDER", str(there))
    player = make(f"engine:[{command}],cwd=[{folder}],protocol=gtp,name=cheat", 8)
    with pytest.raises(Forfeit, match="cheat played a1"):
        player.choose(Game(Board.start(8)), np.random.default_rng(0))


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
        (f"{PYTHON},time=soon", "time is 'soon', expected seconds for each answer"),
        (f"{PYTHON},time=0", "time is '0', expected seconds for each answer, above 0"),
        (f"{PYTHON},level=3", "engine has no option 'level'; its options: protocol, depth, time, cwd, name"),
    ],
)
def test_wrong_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


def test_a_generator_goes_on_where_the_words_say() -> None:
    first, second = np.random.default_rng(1), np.random.default_rng(2)
    first.integers(10, size=3, dtype=np.uint32)  # the half of a word is left over
    words = state_of(first)
    assert words
    restore(second, words)
    assert first.integers(1000, size=5, dtype=np.uint32).tolist() == (
        second.integers(1000, size=5, dtype=np.uint32).tolist()
    )


def test_a_generator_of_another_kind_has_no_words() -> None:
    assert state_of(np.random.Generator(np.random.MT19937(1))) is None


@pytest.mark.parametrize(
    "words", ["", "1 2 3", "1 2 0 x", "1 2 2 0", "1 2 0 4294967296", f"{1 << 128} 1 0 0"]
)
def test_other_words_are_no_generator(words: str) -> None:
    with pytest.raises(ValueError, match="is no state of randomness: expected four numbers"):
        restore(np.random.default_rng(0), words)


@needs_rhino
def test_a_real_engine_plays_the_same_games_again() -> None:
    match = Pairing("engine:gtp-rhino -l 1 -b 0 -r 0", "random", 8, standard_openings(8, 1), seed=5)
    first, again = (
        [game.record.game.moves for game in play_games(match, order)] for order in (range(2), (1, 0))
    )
    assert again == first[::-1]
