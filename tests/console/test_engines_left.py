import io
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import numpy as np
import pytest

from othello_lab.console.engines import engine_game, lines
from othello_lab.console.engines.engine_game import EngineGame, LeftError
from othello_lab.console.engines.lines import Conversation, serve
from othello_lab.console.engines.nboard import NBoardServer
from othello_lab.console.seat import Seat
from othello_lab.game import Game
from othello_lab.game.catalogue import make
from othello_lab.game.players.player import MoveValues, Player
from tests.console.conftest import talk as talk_to_engine
from tests.game.engine_programs import ROOT, posix

pytestmark = pytest.mark.slow

ENDS = 30.0  # The longest wait in seconds. An idle machine needs less than one second.
# A move that loads the compiled rules, and that has an answer.
FIRST_MOVE = {"gtp": "play black d3", "nboard": "move D3\nping 1"}
QUESTION = {"gtp": "genmove white", "nboard": "go"}


@contextmanager
def thinking(protocol: str, player: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "othello_lab", "engine", "--protocol", protocol, player]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write(f"{FIRST_MOVE[protocol]}\n")
        program.stdin.flush()
        while not program.stdout.readline().startswith(("=", "pong")):
            assert program.poll() is None
        program.stdin.write(f"{QUESTION[protocol]}\n")
        program.stdin.flush()
        while protocol == "nboard" and "is thinking" not in program.stdout.readline():
            assert program.poll() is None
        time.sleep(0.5)
        try:
            yield program
        finally:
            program.kill()


def test_it_ends_with_its_input_while_it_thinks() -> None:
    with thinking("gtp", "search:depth=60") as program:
        _, complaint = program.communicate(timeout=ENDS)
    assert program.returncode == 0
    assert complaint == ""


@posix
@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_it_while_the_player_thinks(number: int, code: int) -> None:
    with thinking("nboard", "search:time=600") as program:
        program.send_signal(number)
        answers, complaint = program.communicate(timeout=ENDS)
    assert program.returncode == code
    assert answers == ""
    assert "Traceback" not in complaint


@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_a_script_sent_at_once_is_answered_by_a_deep_search(
    protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "AFTER_THE_END", 0.2)
    questions = ["genmove black", "genmove white"] if protocol == "gtp" else ["go", "go"]
    for player in ("search:depth=2", "search:depth=60"):
        answers = talk_to_engine(protocol, player, *questions)
        assert len([line for line in answers.splitlines() if line.startswith("=")]) == 2


class Patient(Player):
    def __init__(self) -> None:
        self.stopped = Event()

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        assert self.stopped.wait(60)
        return next(iter(game.board.legal_moves))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        assert self.stopped.wait(60)
        return MoveValues(np.zeros(len(game.board.legal_moves)), "points")

    def stop(self) -> None:
        self.stopped.set()


@pytest.fixture(autouse=True)
def _short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_game, "AT_LEAST", 0.1)


def talk(player: Player, *lines: str) -> list[str]:
    source, sink = io.BytesIO("\n".join(lines).encode()), io.BytesIO()
    conversation = Conversation(source, sink, NBoardServer.is_urgent)
    seat = Seat("patient", player, np.random.default_rng(0))
    serve(NBoardServer(EngineGame(lambda size: seat, 8, conversation)).answer, conversation)
    return [line for line in sink.getvalue().decode().splitlines() if not line.startswith("status")]


@pytest.mark.parametrize("urgent", ["ping 3", "move F5", "set game (;GM[Othello];)", "quit"])
def test_who_thinks_answers_at_once_when_the_position_is_about_to_change(urgent: str) -> None:
    move, *pongs = talk(Patient(), "go", urgent, "ping 4")
    assert move.startswith("=== D3/")
    expected = {"ping 3": ["pong 3", "pong 4"], "quit": []}
    assert pongs == expected.get(urgent, ["pong 4"])


class Deaf(Patient):
    def stop(self) -> None:
        """Keep thinking."""


def test_a_script_does_not_wait_for_a_player_that_ignores_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_game, "GRACE", 0.1)
    monkeypatch.setattr(lines, "AFTER_THE_END", 0.2)
    with pytest.raises(LeftError):
        talk(Deaf(), "go")


def test_a_hint_and_an_analysis_end_too() -> None:
    output = talk(Patient(), "hint 2", "ping 1")
    assert [line.split()[0] for line in output] == ["search", "search", "pong"]
    assert talk(Patient(), "move F5", "move D6", "analyze", "ping 1") == ["analysis 2 0.00", "pong 1"]


def test_what_takes_no_time_is_done_whatever_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_game, "AT_LEAST", 60)  # the first answer has compiled code to load
    output = talk(make("positional", 8), "move F5", "move D6", "analyze", "hint 1", "go", "ping 1")
    assert [line.split()[0] for line in output] == [*["analysis"] * 3, "search", "===", "pong"]


@pytest.mark.parametrize("text", ["search:depth=40", "noisy:[search:depth=40],share=0"])
def test_a_deep_search_is_ended(text: str) -> None:
    move, pong = talk(make(text, 8), "go", "ping 1")
    assert move.startswith("=== ")
    assert pong == "pong 1"


@pytest.mark.parametrize("text", ["search:time=600", "search:nodes=999999999", "search:time=600,endgame=40"])
def test_a_deep_hint_is_ended_with_what_is_known_of_each_move(text: str) -> None:
    output = talk(make(text, 8), "move F5", "move D6", "move C3", "hint 9", "ping 1")
    moves = Game.from_transcript("f5d6c3").board.legal_moves
    assert len({line.split()[1][:2] for line in output if line.startswith("search")}) == min(9, len(moves))
    assert output[-1] == "pong 1"
