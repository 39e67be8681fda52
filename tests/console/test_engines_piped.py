"""Our own player as a program at the other end of a pipe: the games are those it plays in process."""

import shlex
import sys
from contextlib import closing

import numpy as np
import pytest

from othello_lab.game import Game
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players import Player, make
from tests.game.engine_programs import ROOT

OURS = "noisy:[alphabeta:depth=2,eval=positional],share=.3"
"""It draws from its randomness at every move, so one draw too many is seen."""
SEARCH = "search:nodes=200,endgame=4"
"""With a clock it would remember from move to move."""
OTHER = "noisy:mobility,share=.2"


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def piped(player: str, protocol: str, named: bool = False) -> str:
    command = [sys.executable, "-m", "othello_lab", "engine", "--protocol", protocol, player]
    return f"engine:[{shlex.join(command)}],time=60" + (f",protocol={protocol}" if named else "")


def games(player: str, size: int) -> list[list[int]]:
    match = Pairing(player, OTHER, size, standard_openings(size)[::80], seed=5)
    return [played.record.game.moves for played in play_games(match, range(match.games))]


@pytest.mark.parametrize(
    ("protocol", "size", "player"),
    [("gtp", 6, OURS), ("gtp", 8, OURS), ("nboard", 6, OURS), ("nboard", 8, OURS), ("nboard", 6, SEARCH)],
)
def test_games_through_the_pipe_are_those_in_process(protocol: str, size: int, player: str) -> None:
    played = games(piped(player, protocol, named=size == 6), size)
    assert len(played) > 3
    assert played == games(player, size)


def values(player: Player, game: Game) -> list[float]:
    found = player.values(game, np.random.default_rng(5))
    assert found
    return [float(value) for value in found.values]


def test_values_through_the_pipe_are_those_in_process() -> None:
    game = Game.from_transcript("f5d6c3d3c4f4f6f3e6e7")
    with closing(make(piped("positional", "nboard"), 8)) as program:
        found = values(program, game)
    assert found == pytest.approx(values(make("positional", 8), game), abs=0.005)  # two decimals go through
