"""Programs that speak NBoard as players: what is theirs alone. The rest is in test_engine.py."""

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.notation import parse_square
from othello_lab.game.openings import openings
from othello_lab.game.players.base import DISCS, Forfeit, MoveValues, UnplayableError
from othello_lab.game.players.engine.gtp import retrace
from othello_lab.game.players.engine.nboard import EXPECTED_DISCS
from tests.game.conformance import check_player
from tests.game.engine_programs import PASSES, ROOT, Players, choose, posix


@pytest.fixture(autouse=True)
def _in_this_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def values(players: Players, mode: str, game: Game, seconds: float = 5.0) -> MoveValues | None:
    return players(mode, seconds).values(game, np.random.default_rng(0))


def test_an_honest_program_keeps_the_contract_of_players(players: Players) -> None:
    check_player(lambda: players("nboard-honest"), 4)


FAILURES = [
    ("dies", "fake ended with exit status 1: out of memory, out of luck, instead of an answer to 'go'"),
    ("hangs", "fake gave no answer to 'go' within 0.5 s"),
    ("rubbish", "fake gave no answer to 'go' within 3 s; the last that it wrote is 'status'"),
    ("no-move", "fake answered 'whatever', which is no move"),
    ("illegal", "fake played a1, which is not legal in "),
    ("passes", "fake played pass, which is not legal in "),
    ("resigns", "fake resigned"),
    ("floods", "fake (does not stop writing: more than|wrote more than) 10,000 lines"),
    ("closes", "fake closed its output or was killed, instead of an answer to 'go'"),
]


@posix
@pytest.mark.parametrize(("mode", "why"), FAILURES)
def test_a_program_that_fails_forfeits_and_is_reaped(mode: str, why: str, players: Players) -> None:
    player = players(f"nboard-{mode}", seconds=0.5 if mode == "hangs" else 3.0)
    player.start(Game(Board.start(8)))
    with pytest.raises(Forfeit, match=why) as caught:
        choose(player, Game(Board.start(8)))
    assert "\n" not in str(caught.value)
    assert players.is_gone()


def test_a_game_is_followed_through_passes_and_back(players: Players) -> None:
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


def test_any_position_is_set_up_as_it_is(players: Players) -> None:
    player = players("nboard-honest")
    for board in (Board.parse("-XO-" + "----" * 3 + "X"), openings(6)[0].board, openings(16)[7].board):
        assert choose(player, Game(board)) == next(iter(board.legal_moves))
    assert retrace(Board.parse("-XO-" + "----" * 3 + "X")) is None


@pytest.mark.parametrize(("mode", "unit", "more"), [("honest", DISCS, 0.5), ("book", EXPECTED_DISCS, 0.5)])
def test_a_hint_gives_the_last_value_of_each_move(
    mode: str, unit: str, more: float, players: Players
) -> None:
    game = Game.from_transcript("f5d6")
    found = values(players, f"nboard-{mode}", game)
    assert found
    assert found.unit == unit
    assert found.values.tolist() == [square + more for square in game.board.legal_moves]


def test_a_program_that_values_one_move_values_none(players: Players) -> None:
    assert values(players, "nboard-one-hint", Game.from_transcript("f5d6")) is None
    assert values(players, "honest", Game.from_transcript("f5d6")) is None


def test_a_hint_ends_where_the_program_never_says_that_it_is_done(players: Players) -> None:
    player, game = players("nboard-endless", seconds=1.0), Game.from_transcript("f5d6")
    assert player.values(game, np.random.default_rng(0))
    assert choose(player, game) in game.board.legal_moves


def test_the_protocol_may_be_named(players: Players) -> None:
    game = Game(Board.start(8))
    assert choose(players("nboard-honest", protocol="nboard"), game) == parse_square("d3", 8)
    assert choose(players("honest", protocol="gtp"), game) == parse_square("d3", 8)
    with pytest.raises(UnplayableError, match="fake speaks GTP: leave out protocol=nboard"):
        choose(players("honest", protocol="nboard"), game)
