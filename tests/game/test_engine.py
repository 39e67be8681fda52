"""Programs that speak GTP as players: honest ones, and every way to fail."""

import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from game import PASS, Board, Colour, Game
from game.notation import square_name
from game.openings import openings
from game.players import RegistryError, make
from game.players.base import Forfeit, UnplayableError
from game.players.catalogue import is_built_in
from game.players.engine import EnginePlayer, gtp, split_command
from game.players.engine.process import MOST_LINES, LineProcess
from game.players.engine.retrace import retrace
from tests.game.conformance import check_player

FAKE = Path(__file__).with_name("fake_engine.py")
PYTHON = f"engine:{shlex.quote(sys.executable)}"
ROOT = Path(__file__).parent.parent.parent
try:
    RHINO = split_command("gtp-rhino -l 1 -b 0 -r 0")
except ValueError:
    RHINO = []
needs_rhino = pytest.mark.skipif(not RHINO, reason="gtp-rhino is not installed (Debian's package grhino)")
PASSES = (
    "d3e3f4c5d6e6f2g4e7c4b4e8b3c7f7d2e2b6f8g6h4g5c2g8h6d7c6a2a6f3"
    "b8a7a4d8g2e1c8a8b5h1f6g1d1b1a5g7f5g3h3f1h7c3h5a3b7c1b2h2h8a1"
)
posix = pytest.mark.skipif(os.name != "posix", reason="asks for processes by their id, as POSIX has it")


class Players:
    """Makes players of the fake engine and ends them all."""

    def __init__(self, folder: Path) -> None:
        self._pid_file = folder / "pid"
        self._made: list[EnginePlayer] = []

    def __call__(self, mode: str, size: int = 8, seconds: float = 5.0) -> EnginePlayer:
        command = [sys.executable, str(FAKE), mode, str(self._pid_file)]
        self._made.append(EnginePlayer(command, size, seconds, "fake"))
        return self._made[-1]

    def is_gone(self) -> bool:
        """Tell whether the program that was started last has been reaped."""
        return not alive(int(self._pid_file.read_text("utf-8")))

    def close(self) -> None:
        for player in self._made:
            player.close()


def alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    made = Players(tmp_path)
    yield made
    made.close()


def choose(player: EnginePlayer, game: Game) -> int:
    return player.choose(game, np.random.default_rng(0))


@pytest.mark.parametrize("mode", ["honest", "implicit", "stderr"])
def test_an_honest_program_keeps_the_contract_of_players(mode: str, players: Players) -> None:
    check_player(lambda: players(mode, 4), 4)


def test_a_program_may_need_long_to_start(players: Players) -> None:
    assert choose(players("slow-start", seconds=1.0), Game(Board.start(8))) == 19


FAILURES = [
    ("dies", "fake ended with exit status 1: out of memory, out of luck, instead of an answer to 'genmove"),
    ("hangs", "fake gave no answer to 'genmove black' within 0.5 s"),
    ("rubbish", "fake answered rubbish to 'genmove black': 'Segmentation fault'"),
    ("no-move", "fake answered 'whatever', which is no move"),
    ("illegal", "fake played a1, which is not legal in "),
    ("passes", "fake played pass, which is not legal in "),
    ("resigns", "fake resigned"),
    ("floods", "fake (does not stop writing: more than|wrote more than) 1,000 lines"),
    ("closes", "fake closed its output or was killed, instead of an answer to 'genmove"),
]


@posix
@pytest.mark.parametrize(("mode", "why"), FAILURES)
def test_a_program_that_fails_forfeits_and_is_reaped(mode: str, why: str, players: Players) -> None:
    player = players(mode, seconds=0.5)
    player.start(Game(Board.start(8)))
    with pytest.raises(Forfeit, match=why) as caught:
        choose(player, Game(Board.start(8)))
    assert "\n" not in str(caught.value)
    assert players.is_gone()


def test_after_a_forfeit_the_program_is_started_again(players: Players) -> None:
    player = players("dies")
    for _ in range(2):
        with pytest.raises(Forfeit, match="out of memory"):
            choose(player, Game(Board.start(8)))


def test_a_program_that_never_says_anything(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gtp, "START_SECONDS", 0.1)
    player = EnginePlayer([sys.executable, "-c", "import time; time.sleep(3600)"], 8, 0.1, "mute")
    with pytest.raises(Forfeit, match=r"mute gave no answer to 'boardsize 8' within 0.1 s"):
        player.start(Game(Board.start(8)))


def test_a_program_that_never_stops_talking() -> None:
    player = EnginePlayer([sys.executable, "-c", "while True: print('y' * 100)"], 8, 5.0, "parrot")
    with pytest.raises(Forfeit, match="parrot answered rubbish to 'boardsize 8': 'yyy"):
        player.start(Game(Board.start(8)))


@posix
@pytest.mark.parametrize("mode", ["honest", "dies", "floods", "closes"])
def test_only_a_program_that_is_still_ours_is_signalled(
    mode: str, players: Players, monkeypatch: pytest.MonkeyPatch
) -> None:
    signalled = []

    def killpg(group: int, number: int) -> None:
        # Raises ChildProcessError once it has been waited for: then the id may be anybody's.
        os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        signalled.append(group)
        kill(group, number)

    kill = os.killpg
    monkeypatch.setattr(os, "killpg", killpg)
    player = players(mode)
    with suppress(Forfeit):
        choose(player, Game(Board.start(8)))
    player.close()
    assert len(signalled) == 1
    assert players.is_gone()


def test_lines_that_nobody_asks_for_are_not_kept_without_end() -> None:
    process = LineProcess([sys.executable, "-c", "while True: print('x' * 100_000)"])
    assert process.flooded.wait(60)
    kept = iter(lambda: process.receive(time.monotonic()), None)
    assert sum(map(len, kept)) <= MOST_LINES * 4096
    assert "more than 1,000 lines" in process.obituary()


def test_another_board_size_is_refused(players: Players) -> None:
    with pytest.raises(UnplayableError, match="fake does not play on a board of 6x6: unacceptable size"):
        players("size", 6).start(Game(Board.start(6)))


def test_a_move_taken_back_is_taken_back_in_the_program(players: Players) -> None:
    player, game = players("honest"), Game.from_transcript("f5d6")
    game.play(choose(player, game))
    game.undo()
    game.undo()
    game.play(next(move for move in game.board.legal_moves if square_name(move, 8) != "d6"))
    assert choose(player, game) in game.board.legal_moves


def test_passes_are_told_or_left_out_as_the_program_wants_it(players: Players) -> None:
    passed = 0
    for mode in ("honest", "implicit"):
        player, rng = players(mode, 4), np.random.default_rng(3)
        for number in range(10):
            game = Game(Board.start(4))
            player.start(game)
            while not game.board.is_over:
                moves = list(game.board.legal_moves)
                mine = len(game.moves) % 2 == number % 2
                move = (choose(player, game) if mine else int(rng.choice(moves))) if moves else PASS
                game.play(move)
            passed += PASS in game.moves
    assert passed >= 10


def test_a_position_without_its_moves_is_reached_by_moves(players: Players) -> None:
    player = players("honest")
    for opening in openings(8)[::40]:
        board = opening.board
        assert choose(player, Game(board)) in board.legal_moves
        # As the agent's seat sees it where it has white: the colours exchanged.
        other = Board(8, board.white, board.black, board.turn.other)
        assert choose(player, Game(other)) in board.legal_moves


def test_a_position_that_no_moves_reach_is_refused(players: Players) -> None:
    corner = Board.parse("XO--" + "----" * 3 + "X")
    assert retrace(corner) is None
    with pytest.raises(UnplayableError, match=r"fake is set up by moves, but none were found .* to XO------"):
        choose(players("honest", 4), Game(corner))


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
from game import Board, Game
from game.players.engine import EnginePlayer
EnginePlayer([sys.executable, '-c', {deaf!r}], 8).start(Game(Board.start(8)))
{ENDINGS[ending]}
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False, capture_output=True, timeout=60)
    assert not alive(int(pid_file.read_text("utf-8")))


@posix
def test_what_the_program_has_started_goes_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    wrapper = f"sleep 3600 & echo $! > {pid_file}; printf '=\\n\\n=\\n\\n'; wait"
    player = EnginePlayer(["/bin/sh", "-c", wrapper], 8)
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
    player, far = EnginePlayer(RHINO, 8), Game(game.boards[0])
    for move in game.moves:
        if far.board.legal_moves:
            assert choose(player, far) in far.board.legal_moves
        far.play(move)
    player.close()


@needs_rhino
def test_a_real_program_refuses_another_size() -> None:
    with pytest.raises(UnplayableError, match="gtp-rhino does not play on a board of 6x6: unacceptable size"):
        EnginePlayer(RHINO, 6).start(Game(Board.start(6)))


def test_the_registry_makes_the_player_of_a_command_line(players: Players) -> None:
    command = shlex.join([sys.executable, str(FAKE), "illegal"])
    for text in (f"engine:{command},time=0.5,name=cheat", f"engine:[{command}],name=cheat"):
        player = make(text, 8)
        with pytest.raises(Forfeit, match="cheat played a1"):
            player.choose(Game(Board.start(8)), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("text", "why"),
    [
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
            "engine has no option 'level'; its options: time, name",
        ),
    ],
)
def test_wrong_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


def test_no_program_is_started_over_the_wire() -> None:
    assert not is_built_in(PYTHON, 8)
    assert not is_built_in("engine", 8)
