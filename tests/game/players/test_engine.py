import os
import shlex
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.catalogue import make
from othello_lab.game.errors import UnplayableError
from othello_lab.game.notation import square_name
from othello_lab.game.openings import openings, standard_openings
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players import engine
from othello_lab.game.players.engine import EnginePlayer, retrace
from othello_lab.game.players.player import Forfeit
from othello_lab.game.players.process import LONGEST_LINE, Launch, LineProgram
from othello_lab.game.registry import RegistryError
from tests.game.conformance import check_player
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

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mode", ["honest", "nboard-honest"])
def test_an_honest_program_keeps_the_contract_of_players(mode: str, players: Players) -> None:
    check_player(lambda: players(mode), 4)


@pytest.mark.parametrize("mode", ["stderr", "banner", "ignores", "nboard-banner"])
def test_what_else_a_program_writes_or_leaves_out_is_no_matter(mode: str, players: Players) -> None:
    player, game = players(mode), Game(Board.start(8))
    for _ in range(2):
        game.play(choose(player, game))


def test_a_program_may_need_long_to_start(players: Players) -> None:
    assert choose(players("slow-start", seconds=1.0), Game(Board.start(8))) == 19


ENDINGS = {
    "dies": "fake ended with exit status 1: out of memory, out of luck, instead of an answer to '{}",
    "hangs": "fake gave no answer to '{}' within 0.5 s",
    "no-move": "fake answered 'whatever', which is no move",
    "illegal": "fake played a1, which is not legal in ",
    "passes": "fake played pass, which is not legal in ",
    "resigns": "fake resigned",
    "floods": "fake (does not stop writing: more than|wrote more than) 10,000 lines",
    "closes": "fake closed its output or was killed, instead of an answer to '{}",
}
FAILURES = [
    *((mode, why.format("genmove black")) for mode, why in ENDINGS.items()),
    ("rubbish", "fake answered rubbish to 'genmove black': 'Segmentation fault'"),
    *((f"nboard-{mode}", why.format("go")) for mode, why in ENDINGS.items()),
    ("nboard-rubbish", "fake gave no answer to 'go' within 3 s; the last that it wrote is 'status'"),
]


@posix
@pytest.mark.parametrize(("mode", "why"), FAILURES)
def test_a_program_that_fails_forfeits_and_is_reaped(mode: str, why: str, players: Players) -> None:
    player = players(mode, seconds=0.5 if mode.endswith("hangs") else 3.0)
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
    monkeypatch.setattr(engine, "START_SECONDS", 0.1)
    launch = Launch([sys.executable, "-c", "import time; time.sleep(3600)"], None, 0.1, "mute")
    with pytest.raises(Forfeit, match=r"mute gave no answer to 'name' within 0.2 s"):
        EnginePlayer(launch).start(Game(Board.start(8)))


@posix
@pytest.mark.parametrize("mode", ["honest", "dies", "floods", "closes"])
def test_only_our_program_is_signalled(mode: str, players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    signalled = []

    def killpg(group: int, number: int) -> None:
        # ChildProcessError means that the process was waited for. Its id may then be reused.
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
    program = LineProgram(Launch([sys.executable, "-c", "while True: print('x' * 100_000)"]))
    with pytest.raises(Forfeit, match="does not stop writing: more than 10,000 lines"):
        assert max(map(len, program.ask("hello"))) <= LONGEST_LINE
    program.close()


def test_another_board_size_is_refused(players: Players) -> None:
    with pytest.raises(UnplayableError, match="fake does not play on a board of 6x6: unacceptable size"):
        players("size").start(Game(Board.start(6)))


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
        player, rng = players(mode), np.random.default_rng(3)
        for number in range(6):
            game = Game(Board.start(4))
            player.start(game)
            while not game.board.is_over:
                moves = list(game.board.legal_moves)
                mine = len(game.moves) % 2 == number % 2
                move = (choose(player, game) if mine else int(rng.choice(moves))) if moves else PASS
                game.play(move)
            passed += PASS in game.moves
    assert passed >= 6


def test_a_position_without_its_moves_is_reached_by_moves(players: Players) -> None:
    player = players("honest")
    for opening in openings(8)[::80]:
        board = opening.board
        assert choose(player, Game(board)) in board.legal_moves
        # The agent's seat sees the position with exchanged colours, because it has white.
        other = Board(8, board.white, board.black, board.turn.other)
        assert choose(player, Game(other)) in board.legal_moves


def test_a_position_that_no_moves_reach_is_refused(players: Players) -> None:
    corner = Board.parse("XO--" + "----" * 3 + "X")
    assert retrace(corner) is None
    with pytest.raises(UnplayableError, match=r"fake is set up by moves, but none were found .* to XO------"):
        choose(players("honest"), Game(corner))


def test_nboard_follows_a_game_through_passes_and_back(players: Players) -> None:
    game = Game.from_transcript(PASSES)
    assert PASS in game.moves
    player, far = players("nboard-honest"), Game(game.boards[0])
    for move in game.moves:
        if far.board.legal_moves:
            assert choose(player, far) == next(iter(far.board.legal_moves))
        far.play(move)
    while len(far.moves) > 3:
        far.undo()
    assert choose(player, far) == next(iter(far.board.legal_moves))


def test_nboard_sets_up_any_position_as_it_is(players: Players) -> None:
    player = players("nboard-honest")
    for board in (Board.parse("-XO-" + "----" * 3 + "X"), openings(6)[0].board, openings(16)[7].board):
        assert choose(player, Game(board)) == next(iter(board.legal_moves))
    assert retrace(Board.parse("-XO-" + "----" * 3 + "X")) is None


PYTHON_ENDS = {
    "in the end": "",
    "by an error": "raise SystemExit('bad')",
    "by Ctrl-C": "signal.raise_signal(2)",
}


@posix
@pytest.mark.parametrize("ending", PYTHON_ENDS)
def test_nothing_is_left_behind_when_python_ends(ending: str, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    # The program ignores the end of its input, so it must be killed.
    deaf = f"import os, pathlib, sys, time; pathlib.Path({str(pid_file)!r}).write_text(str(os.getpid())); "
    deaf += "sys.stdout.write('=\\n\\n' * 9); sys.stdout.flush(); time.sleep(3600)"
    script = f"""
import signal, sys
from othello_lab.game import Board, Game
from othello_lab.game.players.engine import EnginePlayer
from othello_lab.game.players.process import Launch
EnginePlayer(Launch([sys.executable, '-c', {deaf!r}])).start(Game(Board.start(8)))
{PYTHON_ENDS[ending]}
"""
    subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False, capture_output=True, timeout=60)
    assert not alive(int(pid_file.read_text("utf-8")))


@posix
def test_what_the_program_has_started_goes_with_it(tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    wrapper = f"sleep 3600 & echo $! > {pid_file}; printf '= wrapper\\n\\n=\\n\\n=\\n\\n'; wait"
    player = EnginePlayer(Launch(["/bin/sh", "-c", wrapper]))
    player.start(Game(Board.start(8)))
    child = int(pid_file.read_text("utf-8"))
    player.close()
    deadline = time.monotonic() + 10  # its parent is gone: the system reaps it, at a moment of its own
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.05)
    if alive(child):
        # In a container without a process that reaps, a killed orphan stays as a zombie.
        assert shutil.which("ps")
        state = subprocess.run(["ps", "-o", "stat=", str(child)], capture_output=True, text=True, check=True)  # noqa: S607
        assert state.stdout.startswith("Z")


@needs_rhino
def test_a_real_program_follows_a_game_with_passes_of_both_sides() -> None:
    # The program chooses its first move by the clock, so this game begins with given moves.
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
    there = here / ("its" if folder == "its" else "its own, with a comma")
    there.mkdir()
    (there / "data").touch()
    script = f"#!{sys.executable}\nimport runpy, sys\nopen('data')\n"
    script += f"sys.argv = ['fake', 'illegal']\nrunpy.run_path({str(FAKE)!r}, run_name='__main__')\n"
    (there / "fake").write_text(script, "utf-8")
    (there / "fake").chmod(0o755)
    command, folder = shlex.quote(command.replace("FOLDER", str(there))), folder.replace("FOLDER", str(there))
    player = make(f"engine:[{command}],cwd=[{folder}],name=cheat", 8)
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
        (f"{PYTHON},level=3", "engine has no option 'level'; its options: depth, time, cwd, name"),
    ],
)
def test_wrong_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


@needs_rhino
def test_a_real_engine_plays_the_same_games_again() -> None:
    match = Pairing("engine:gtp-rhino -l 1 -b 0 -r 0", "random", 8, standard_openings(8, 1), seed=5)
    first, again = (
        [game.record.game.moves for game in play_games(match, order)] for order in (range(2), (1, 0))
    )
    assert again == first[::-1]
