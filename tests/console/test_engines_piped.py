"""Our own player as a program at the other end of a pipe: the games are those it plays in process."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from game import PASS, Game
from game.notation import parse_square, square_name
from game.openings import standard_openings
from game.players import Player, make
from game.players.engine import EnginePlayer
from tests.game.engine_programs import ROOT

OURS = "noisy:[alphabeta:depth=2,eval=positional],share=.3"
"""It draws from its randomness at every move, so one draw too many is seen."""
SEED = 5


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def program(protocol: str, size: int) -> list[str]:
    words = ["engine", "--protocol", protocol, "--size", str(size), "--seed", str(SEED), OURS]
    return [sys.executable, "-m", "othello", *words]


class NBoardPlayer(Player):
    """Asks a program as NBoard does, a move at a time."""

    def __init__(self, command: list[str], size: int) -> None:
        self._size = size
        self._program = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def start(self, game: Game) -> None:
        cells, turn = str(game.boards[0]).replace("X", "*").split()
        start = f"{self._size} {cells} {turn}"
        self._send(f"set game (;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TY[{self._size}]BO[{start}];)")
        for move in game.moves:
            self.observe(move)

    def observe(self, move: int) -> None:
        self._send(f"move {'PA' if move == PASS else square_name(move, self._size).upper()}//0.1")

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        self._send("go")
        assert self._program.stdout
        said = next(line for line in self._program.stdout if line.startswith("==="))
        return parse_square(said.removeprefix("===").split("/")[0], self._size)

    def close(self) -> None:
        self._program.communicate()
        assert self._program.returncode == 0

    def _send(self, line: str) -> None:
        assert self._program.stdin
        self._program.stdin.write(f"{line}\n")
        self._program.stdin.flush()


def games(player: Player, size: int) -> Iterator[list[int]]:
    """Yield the moves of games of the player with both colours against another, from a few openings."""
    own, other = np.random.default_rng(SEED), np.random.default_rng(1)
    opponent = make("noisy:mobility,share=.2", size)
    for opening in standard_openings(size)[::80]:
        for side in (0, 1):
            game = Game.from_transcript(opening, size)
            player.start(game)
            while not game.board.is_over:
                if game.board.must_pass:
                    move = PASS
                elif len(game.moves) % 2 == side:
                    move = player.choose(game, own)
                else:
                    move = opponent.choose(game, other)
                game.play(move)
                player.observe(move)
            yield game.moves


@pytest.mark.parametrize("size", [6, 8])
@pytest.mark.parametrize("protocol", ["gtp", "nboard"])
def test_games_through_the_pipe_are_those_in_process(protocol: str, size: int) -> None:
    command = program(protocol, size)
    piped = EnginePlayer(command, size, seconds=60) if protocol == "gtp" else NBoardPlayer(command, size)
    with closing(piped):
        played = list(games(piped, size))
    assert len(played) > 3
    assert played == list(games(make(OURS, size), size))
