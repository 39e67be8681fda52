"""A player that follows a script, so that a test knows every move of a game, and no unfinished games."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import PASS, Game
from othello_lab.game.notation import parse_moves
from othello_lab.game.players import Player
from othello_lab.game.players import catalogue as registry
from othello_lab.game.registry import Entry, Spec


class ScriptPlayer(Player):
    """Plays the moves of a whole game's transcript when its turn comes."""

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
    """Add `script:MOVES` to the registry; return the players that were made, in order."""
    made: list[ScriptPlayer] = []

    def make_script(spec: Spec, size: int) -> ScriptPlayer:
        made.append(ScriptPlayer(parse_moves(spec.argument or "", size)))
        return made[-1]

    monkeypatch.setitem(registry.BUILT_IN, "script", Entry(make_script, "follows a script", "MOVES"))
    return made


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of its own for what a test leaves unfinished."""
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))
    return tmp_path / "state"
