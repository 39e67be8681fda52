"""The player `noisy`, and the ladder of levels that is made with it."""

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.kernels.bitboard import SIZES
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.catalogue import LEVELS, NoisyPlayer, is_built_in
from othello_lab.game.players.deepening import DeepeningPlayer
from tests.game.conformance import check_player
from tests.game.test_players import CORNERS, assert_frequencies


def test_noise_is_a_share_of_moves_and_the_rest_is_the_other_player() -> None:
    # Of five moves greedy's is g7; a random move may be that one too.
    others = dict.fromkeys(["a1", "h1", "b4", "c6"], 0.3 / 5)
    assert_frequencies("noisy:greedy,share=0.3", CORNERS, {"g7": 0.7 + 0.3 / 5, **others})


@pytest.mark.parametrize(("share", "played"), [("0", {"g7"}), ("1", {"a1", "h1", "b4", "c6", "g7"})])
def test_no_noise_and_nothing_else(share: str, played: set[str]) -> None:
    chances = dict.fromkeys(played, 1 / len(played))
    assert_frequencies(f"noisy:greedy,share={share}", CORNERS, chances)


@pytest.mark.parametrize("share", ["1.1", "-1", "", ".", "much", "nan"])
def test_a_share_is_from_0_to_1(share: str) -> None:
    with pytest.raises(RegistryError, match=r"expected a number from 0 to 1 such as 0\.1$|is no option"):
        make(f"noisy:greedy,share={share}", 8)


def test_noise_is_said_once_and_of_a_player_that_there_is() -> None:
    with pytest.raises(RegistryError, match="say the share of random moves once"):
        make("noisy:noisy:greedy", 8)
    with pytest.raises(RegistryError, match="no player 'gredy'; did you mean greedy"):
        make("noisy:gredy", 8)


@pytest.mark.parametrize("size", [4, 6, 8, 10])
@pytest.mark.parametrize("level", [1, 5, 7])
def test_levels_keep_the_contract_of_players(level: int, size: int) -> None:
    check_player(lambda: make(f"level:{level}", size), size)


@pytest.mark.parametrize("size", SIZES)
def test_every_level_can_be_made_on_every_board_and_moves(size: int) -> None:
    for level in range(1, len(LEVELS) + 1):
        player = make(f"level:{level}", size)
        assert isinstance(player, NoisyPlayer if level <= 4 else DeepeningPlayer)
    game = Game(Board.start(size))
    assert make("level:7", size).choose(game, np.random.default_rng(0)) in game.board.legal_moves


def test_no_level_has_a_clock_so_that_games_repeat() -> None:
    assert not any("time" in text for text in LEVELS)


def test_the_strongest_knows_4x4() -> None:
    lost_for_black = Game(Board.start(4))
    player = make("level", 4)
    assert isinstance(player, DeepeningPlayer)
    player.choose(lost_for_black, np.random.default_rng(0))
    assert player.last_report
    assert (player.last_report.value, player.last_report.solved) == (-8, True)


@pytest.mark.parametrize("text", ["level:0", "level:11", "level:01", "level:x", "level:", "level:-1"])
def test_another_level_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(RegistryError, match=r"there is no level '.*': expected level:1 to level:10$"):
        make(text, 8)


def test_a_level_takes_no_options() -> None:
    with pytest.raises(RegistryError, match="level has no option 'depth'"):
        make("level:3,depth=4", 8)


@pytest.mark.parametrize(
    ("text", "answer"), [("level:10", True), ("noisy:greedy", True), ("noisy:dqn:a", False), ("noisy", True)]
)
def test_what_may_be_asked_for_over_the_wire(text: str, answer: bool) -> None:
    assert is_built_in(text, 8) is answer


def test_less_noise_wins_more() -> None:
    games = play_games(Pairing("level:4", "level:2", 8), range(20))
    assert sum(game.points == 1 for game in games) >= 15
