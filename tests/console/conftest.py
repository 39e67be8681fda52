from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.engine import command as engine
from othello_lab.console.seat import Seat
from othello_lab.console.sitting import Sitting
from othello_lab.game import PASS, Colour, Game
from othello_lab.game.catalogue import Entry
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.players.player import Player
from othello_lab.game.registry import Spec
from othello_lab.game.transcripts import parse_moves
from tests.calling import add_entry


class ScriptPlayer(Player):
    def __init__(self, moves: list[int]) -> None:
        self.moves = moves
        self.heard: list[int] = []
        self.closed = False

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        placements = sum(move != PASS for move in game.moves)
        assert self.heard == game.moves, "start and observe must tell the whole game"
        return self.moves[placements]

    def start(self, game: Game) -> None:
        self.heard = list(game.moves)

    def observe(self, move: int) -> None:
        self.heard.append(move)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> list[ScriptPlayer]:
    """Add `script:MOVES` to the registry, and return the players that were made, in order."""
    made: list[ScriptPlayer] = []

    def make_script(spec: Spec, size: int) -> ScriptPlayer:
        made.append(ScriptPlayer(parse_moves(spec.argument or "", size)))
        return made[-1]

    add_entry(monkeypatch, "script", Entry(make_script, "follows a script", "MOVES"))
    return made


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


# 4x4. White has to pass after a3, and black after d2. Black's move 5 (a3) loses the value of the start.
FORCED = "b1c1d1a1a3d3d4c4d2a4b4a2"
OPTIMAL = "b1a1a2c1d4a3d1b4a4c4"
NEARLY = "d3d2b1a2d1d4c4b4"
BLACK, WHITE = Colour.BLACK, Colour.WHITE


def square(name: str) -> int:
    return parse_square(name, 4)


def seat(transcript: str = OPTIMAL) -> Seat:
    return Seat("script", ScriptPlayer(parse_moves(transcript, 4)), np.random.default_rng(0))


def player_of(place: Seat | None) -> ScriptPlayer:
    assert place
    assert isinstance(place.player, ScriptPlayer)
    return place.player


def sitting(black: Seat | None = None, white: Seat | None = None, transcript: str = "") -> Sitting:
    return Sitting(Game.from_transcript(transcript, 4), {BLACK: black, WHITE: white})


def answer(at: Sitting) -> list[int]:
    assert at.player_to_move
    return at.play(at.player_to_move.choose(at.game.until()))


def moves(at: Sitting) -> str:
    return " ".join(square_name(move, 4) for move in at.game.moves)


def every_ply(at: Sitting) -> Iterator[int]:
    for ply in range(len(at.line) + 1):
        at.go_to(ply)
        yield at.ply


def talk(protocol: str, player: str, *lines: str | bytes, size: int = 8) -> str:
    sent = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    arguments = ["--protocol", protocol, "--size", str(size), "--seed", "1", player]
    result = CliRunner().invoke(engine, arguments, input=sent, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def gtp(player: str, *lines: str | bytes, size: int = 8) -> list[str]:
    """Return the answers to GTP commands, without the blank lines after the answers."""
    return talk("gtp", player, *lines, size=size).split("\n\n")[:-1]


def nboard(player: str, *lines: str | bytes, size: int = 8) -> list[str]:
    return talk("nboard", player, *lines, size=size).splitlines()
