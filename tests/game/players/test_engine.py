"""Programs that speak GTP or NBoard as players: honest ones, and every way to fail."""

import os
import sys
from contextlib import suppress
from itertools import islice

import numpy as np
import pytest

from othello_lab.game import PASS, Board, Game
from othello_lab.game.errors import UnplayableError
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.openings import openings
from othello_lab.game.players.engines import engine
from othello_lab.game.players.engines.engine import EnginePlayer
from othello_lab.game.players.engines.gtp import retrace
from othello_lab.game.players.engines.nboard import EXPECTED_DISCS
from othello_lab.game.players.engines.process import LONGEST_LINE, MOST_LINES, Launch, LineProgram
from othello_lab.game.players.player import Forfeit
from othello_lab.game.values import DISCS, MoveValues
from tests.game.conformance import check_player
from tests.game.engine_programs import PASSES, Players, choose, posix

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mode", ["honest", "nboard-honest"])
def test_an_honest_program_keeps_the_contract_of_players(mode: str, players: Players) -> None:
    check_player(lambda: players(mode), 4)


@pytest.mark.parametrize("mode", ["stderr", "banner", "ignores", "nboard-banner", "nboard-randomness"])
def test_what_else_a_program_writes_or_leaves_out_is_no_matter(mode: str, players: Players) -> None:
    player, game = players(mode), Game(Board.start(8))
    for _ in range(2):
        game.play(choose(player, game))


def test_a_program_may_need_long_to_start(players: Players) -> None:
    assert choose(players("slow-start", seconds=1.0), Game(Board.start(8))) == 19


ENDINGS = {
    "dies": "fake ended with exit status 1: out of memory, out of luck, instead of an answer to '{}",
    "hangs": "fake gave no answer to '{}' within 0.5 s",
    "no-move": "fake answered 'whatever', which is no move",
    "illegal": "fake played a1, which is not legal in ",
    "passes": "fake played pass, which is not legal in ",
    "resigns": "fake resigned",
    "floods": "fake (does not stop writing: more than|wrote more than) 10,000 lines",
    "closes": "fake closed its output or was killed, instead of an answer to '{}",
}
FAILURES = [
    *((mode, why.format("genmove black")) for mode, why in ENDINGS.items()),
    ("rubbish", "fake answered rubbish to 'genmove black': 'Segmentation fault'"),
    *((f"nboard-{mode}", why.format("go")) for mode, why in ENDINGS.items()),
    ("nboard-rubbish", "fake gave no answer to 'go' within 3 s; the last that it wrote is 'status'"),
]


@posix
@pytest.mark.parametrize(("mode", "why"), FAILURES)
def test_a_program_that_fails_forfeits_and_is_reaped(mode: str, why: str, players: Players) -> None:
    player = players(mode, seconds=0.5 if mode.endswith("hangs") else 3.0)
    player.start(Game(Board.start(8)))
    with pytest.raises(Forfeit, match=why) as caught:
        choose(player, Game(Board.start(8)))
    assert "\n" not in str(caught.value)
    assert players.is_gone()


def test_after_a_forfeit_the_program_is_started_again(players: Players) -> None:
    player = players("dies")
    for _ in range(2):
        with pytest.raises(Forfeit, match="out of memory"):
            choose(player, Game(Board.start(8)))


def test_a_program_that_never_says_anything(players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "START_SECONDS", 0.1)
    launch = Launch([sys.executable, "-c", "import time; time.sleep(3600)"], None, 0.1, "mute")
    with pytest.raises(Forfeit, match=r"mute gave no answer to 'name' within 0.2 s"):
        EnginePlayer(launch).start(Game(Board.start(8)))


@posix
@pytest.mark.parametrize("mode", ["honest", "dies", "floods", "closes"])
def test_only_our_program_is_signalled(mode: str, players: Players, monkeypatch: pytest.MonkeyPatch) -> None:
    signalled = []

    def killpg(group: int, number: int) -> None:
        # Raises ChildProcessError once it has been waited for: then the id may be anybody's.
        os.waitid(os.P_PID, group, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        signalled.append(group)
        kill(group, number)

    kill = os.killpg
    monkeypatch.setattr(os, "killpg", killpg)
    player = players(mode)
    with suppress(Forfeit):
        choose(player, Game(Board.start(8)))
    player.close()
    assert len(signalled) == 1
    assert players.is_gone()


def test_lines_that_nobody_asks_for_are_not_kept_without_end() -> None:
    program = LineProgram(Launch([sys.executable, "-c", "while True: print('x' * 100_000)"]))
    assert program.flooded.wait(60)
    lines = list(islice(program.hear(60, ""), MOST_LINES))
    assert max(map(len, lines)) <= LONGEST_LINE
    assert "more than 10,000 lines" in program.how_it_ended()


def test_another_board_size_is_refused(players: Players) -> None:
    with pytest.raises(UnplayableError, match="fake does not play on a board of 6x6: unacceptable size"):
        players("size").start(Game(Board.start(6)))


def test_a_move_taken_back_is_taken_back_in_the_program(players: Players) -> None:
    player, game = players("honest"), Game.from_transcript("f5d6")
    game.play(choose(player, game))
    game.undo()
    game.undo()
    game.play(next(move for move in game.board.legal_moves if square_name(move, 8) != "d6"))
    assert choose(player, game) in game.board.legal_moves


def test_passes_are_told_or_left_out_as_the_program_wants_it(players: Players) -> None:
    passed = 0
    for mode in ("honest", "implicit"):
        player, rng = players(mode), np.random.default_rng(3)
        for number in range(6):
            game = Game(Board.start(4))
            player.start(game)
            while not game.board.is_over:
                moves = list(game.board.legal_moves)
                mine = len(game.moves) % 2 == number % 2
                move = (choose(player, game) if mine else int(rng.choice(moves))) if moves else PASS
                game.play(move)
            passed += PASS in game.moves
    assert passed >= 6


def test_a_position_without_its_moves_is_reached_by_moves(players: Players) -> None:
    player = players("honest")
    for opening in openings(8)[::80]:
        board = opening.board
        assert choose(player, Game(board)) in board.legal_moves
        # As the agent's seat sees it where it has white: the colours exchanged.
        other = Board(8, board.white, board.black, board.turn.other)
        assert choose(player, Game(other)) in board.legal_moves


def test_a_position_that_no_moves_reach_is_refused(players: Players) -> None:
    corner = Board.parse("XO--" + "----" * 3 + "X")
    assert retrace(corner) is None
    with pytest.raises(UnplayableError, match=r"fake is set up by moves, but none were found .* to XO------"):
        choose(players("honest"), Game(corner))


def values(players: Players, mode: str, game: Game, seconds: float = 5.0) -> MoveValues | None:
    return players(mode, seconds).values(game, np.random.default_rng(0))


def test_nboard_follows_a_game_through_passes_and_back(players: Players) -> None:
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


def test_nboard_sets_up_any_position_as_it_is(players: Players) -> None:
    player = players("nboard-honest")
    for board in (Board.parse("-XO-" + "----" * 3 + "X"), openings(6)[0].board, openings(16)[7].board):
        assert choose(player, Game(board)) == next(iter(board.legal_moves))
    assert retrace(Board.parse("-XO-" + "----" * 3 + "X")) is None


@pytest.mark.parametrize(("mode", "unit", "more"), [("honest", DISCS, 0.5), ("book", EXPECTED_DISCS, 0.5)])
def test_a_hint_has_the_last_value_of_each_move(mode: str, unit: str, more: float, players: Players) -> None:
    game = Game.from_transcript("f5d6")
    found = values(players, f"nboard-{mode}", game)
    assert found
    assert found.unit == unit
    assert found.values.tolist() == [square + more for square in game.board.legal_moves]


def test_a_program_that_values_one_move_values_none(players: Players) -> None:
    assert values(players, "nboard-one-hint", Game.from_transcript("f5d6")) is None
    assert values(players, "honest", Game.from_transcript("f5d6")) is None


def test_a_hint_ends_where_the_program_never_says_that_it_is_done(players: Players) -> None:
    player, game = players("nboard-endless", seconds=2.0), Game.from_transcript("f5d6")
    assert player.values(game, np.random.default_rng(0))
    assert choose(player, game) in game.board.legal_moves


def test_the_protocol_may_be_named(players: Players) -> None:
    game = Game(Board.start(8))
    assert choose(players("nboard-honest", protocol="nboard"), game) == parse_square("d3", 8)
    assert choose(players("honest", protocol="gtp"), game) == parse_square("d3", 8)
    with pytest.raises(UnplayableError, match="fake speaks GTP: leave out protocol=nboard"):
        choose(players("honest", protocol="nboard"), game)
