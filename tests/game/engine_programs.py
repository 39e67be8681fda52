import os
import shlex
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import Game
from othello_lab.game.players.engine import EnginePlayer, places
from othello_lab.game.players.process import Launch
from othello_lab.game.program_trust import command_words

FAKE = Path(__file__).with_name("fake_engine.py")
PYTHON = f"engine:{shlex.quote(sys.executable)}"
ROOT = Path(__file__).parent.parent.parent
try:
    RHINO = command_words("gtp-rhino -l 1 -b 0 -r 0", places())
except ValueError:
    RHINO = []
needs_rhino = pytest.mark.skipif(not RHINO, reason="gtp-rhino is not installed (Debian's package grhino)")
PASSES = (
    "d3e3f4c5d6e6f2g4e7c4b4e8b3c7f7d2e2b6f8g6h4g5c2g8h6d7c6a2a6f3"
    "b8a7a4d8g2e1c8a8b5h1f6g1d1b1a5g7f5g3h3f1h7c3h5a3b7c1b2h2h8a1"
)
posix = pytest.mark.skipif(os.name != "posix", reason="asks for processes by their id, as POSIX has it")


class Players:
    def __init__(self, folder: Path) -> None:
        self._pid_file = folder / "pid"
        self._made: list[EnginePlayer] = []

    def __call__(self, mode: str, seconds: float = 5.0) -> EnginePlayer:
        command = [sys.executable, str(FAKE), mode, str(self._pid_file)]
        self._made.append(EnginePlayer(Launch(command, None, seconds, "fake")))
        return self._made[-1]

    def is_gone(self) -> bool:
        return not alive(int(self._pid_file.read_text("utf-8")))

    def close(self) -> None:
        for player in self._made:
            player.close()


def alive(pid: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


def choose(player: EnginePlayer, game: Game) -> int:
    return player.choose(game, np.random.default_rng(0))
