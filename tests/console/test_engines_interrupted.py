"""`othello engine --protocol nboard` when the board program wants an end to what the player thinks about."""

import io
import signal
import subprocess
import sys
from threading import Event

import numpy as np
import pytest

from console.engines import engine_game
from console.engines.engine_game import Session
from console.engines.lines import Conversation, serve
from console.engines.nboard import NBoardServer
from console.seat import Seat
from game import Game
from game.players import Player, make
from game.players.values import MoveValues
from tests.game.engine_programs import ROOT, posix


class Patient(Player):
    """Thinks until it is told to stop."""

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
    """Return what is answered to lines that come all at once."""
    source, sink = io.BytesIO("\n".join(lines).encode()), io.BytesIO()
    conversation = Conversation(source, sink, NBoardServer.is_urgent)
    seat = Seat("patient", player, np.random.default_rng(0))
    serve(NBoardServer(Session(lambda size: seat, 8, conversation)), conversation)
    return [line for line in sink.getvalue().decode().splitlines() if not line.startswith("status")]


@pytest.mark.parametrize("urgent", ["ping 3", "move F5", "set game (;GM[Othello];)", "quit"])
def test_who_thinks_answers_at_once_when_the_position_is_about_to_change(urgent: str) -> None:
    move, *pongs = talk(Patient(), "go", urgent, "ping 4")
    assert move.startswith("=== D3/")
    expected = {"ping 3": ["pong 3", "pong 4"], "quit": []}
    assert pongs == expected.get(urgent, ["pong 4"])


def test_a_hint_and_an_analysis_end_too() -> None:
    said = talk(Patient(), "hint 2", "ping 1")
    assert [line.split()[0] for line in said] == ["search", "search", "pong"]
    assert talk(Patient(), "move F5", "move D6", "analyze", "ping 1") == ["analysis 2 0.00", "pong 1"]


def test_what_takes_no_time_is_done_whatever_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_game, "AT_LEAST", 60)  # the first answer has compiled code to load
    said = talk(make("positional", 8), "move F5", "move D6", "analyze", "hint 1", "go", "ping 1")
    assert [line.split()[0] for line in said] == [*["analysis"] * 3, "search", "===", "pong"]


@pytest.mark.parametrize("text", ["search:depth=40", "noisy:[search:depth=40],share=0"])
def test_a_deep_search_is_ended(text: str) -> None:
    move, pong = talk(make(text, 8), "go", "ping 1")
    assert move.startswith("=== ")
    assert pong == "pong 1"


@pytest.mark.parametrize("text", ["search:time=600", "search:nodes=999999999", "search:time=600,endgame=40"])
def test_a_deep_hint_is_ended_with_what_is_known_of_each_move(text: str) -> None:
    said = talk(make(text, 8), "move F5", "move D6", "move C3", "hint 9", "ping 1")
    moves = Game.from_transcript("f5d6c3").board.legal_moves
    assert len({line.split()[1][:2] for line in said if line.startswith("search")}) == min(9, len(moves))
    assert said[-1] == "pong 1"


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_it_while_the_player_thinks(number: int, code: int) -> None:
    command = [sys.executable, "-m", "othello", "engine", "--protocol", "nboard", "search:time=600"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, text=True, stdin=pipe, stdout=pipe, stderr=pipe) as program:
        assert program.stdin
        assert program.stdout
        program.stdin.write("go\n")
        program.stdin.flush()
        assert "is thinking" in program.stdout.readline()
        program.send_signal(number)
        said, complaint = program.communicate(timeout=60)
    assert program.returncode == code
    assert said == ""
    assert "Traceback" not in complaint
