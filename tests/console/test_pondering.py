"""Thinking while the other side does: of what, until when, and what stays as it is."""

import time

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.engine import command
from othello_lab.console.engines.engine_game import pondering
from othello_lab.game import Board, Game
from othello_lab.game.players import make
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.search.deepening import DeepeningSearch
from tests.console.engine_talk import talk

LINES = "genmove black", "genmove white", "genmove black", "genmove white"


def moved() -> tuple[DeepeningPlayer, Game]:
    """Return a search that has made the first move of a game, and has minutes for the next."""
    player, game = make("search", 8), Game(Board.start(8))
    assert isinstance(player, DeepeningPlayer)
    player.hurry(game.board, (30.0, 0))
    game.play(player.choose(game, np.random.default_rng(0)))
    player.hurry(game.board, (3600.0, 0))
    return player, game


def test_it_thinks_about_the_position_after_the_expected_reply_until_a_line_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[Board]()
    think = DeepeningSearch.think

    def heard(search: DeepeningSearch, board: Board, rng: np.random.Generator) -> object:
        asked.append(board)
        return think(search, board, rng)

    player, game = moved()
    assert player.last_report
    monkeypatch.setattr(DeepeningSearch, "think", heard)
    started = time.monotonic()
    with pondering(player, game):
        time.sleep(0.2)
    assert time.monotonic() - started < 20
    assert asked == [game.board.play(player.last_report.variation[1])]


def test_after_a_move_of_the_other_side_it_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    player, game = moved()
    game.play(next(iter(game.board.legal_moves)))
    monkeypatch.setattr(DeepeningSearch, "ponder", lambda search, board: pytest.fail("it ponders"))
    with pondering(player, game):
        pass


@pytest.mark.parametrize("player", ["search:nodes=3000", "search:depth=4", "greedy"])
def test_without_a_clock_the_moves_are_the_same(player: str) -> None:
    plain = talk("gtp", player, *LINES)
    arguments = ["--seed", "1", "--ponder", player]
    result = CliRunner().invoke(command, arguments, input="\n".join(LINES) + "\n", catch_exceptions=False)
    assert result.stdout == plain
