"""Our own player as a program at the other end of a pipe: the games are those it plays in process."""

import sys
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from game import PASS, Game
from game.openings import standard_openings
from game.players import Player, make
from game.players.engine import EnginePlayer
from tests.game.engine_programs import ROOT

OURS = "noisy:[alphabeta:depth=2,eval=positional],share=.3"
"""It draws from its randomness at every move, so one draw too many is seen."""
SEED = 5
MIDDLE = "f5d6c3d3c4f4f6f3e6e7"


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def program(protocol: str, size: int, player: str = OURS) -> list[str]:
    words = ["engine", "--protocol", protocol, "--size", str(size), "--seed", str(SEED), player]
    return [sys.executable, "-m", "othello", *words]


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
    with closing(EnginePlayer(program(protocol, size), seconds=60)) as piped:
        played = list(games(piped, size))
    assert len(played) > 3
    assert played == list(games(make(OURS, size), size))


def test_values_through_the_pipe_are_those_in_process() -> None:
    game, text = Game.from_transcript(MIDDLE), "positional"
    with closing(EnginePlayer(program("nboard", 8, text), seconds=60)) as piped:
        found = piped.values(game, np.random.default_rng(SEED))
    expected = make(text, 8).values(game, np.random.default_rng(SEED))
    assert found
    assert expected
    assert found.values == pytest.approx(expected.values, abs=0.005)  # two decimals go through
