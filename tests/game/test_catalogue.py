from collections.abc import Collection
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.players import command as players
from othello_lab.game import Board, Game
from othello_lab.game.catalogue import BUILT_IN, PLAYERS, files, is_built_in, make
from othello_lab.game.evaluators.evaluator import SUFFIX
from othello_lab.game.notation import SIZES
from othello_lab.game.players.noisy import LEVELS, NoisyPlayer
from othello_lab.game.players.search import DeepeningPlayer
from othello_lab.game.registry import RegistryError
from tests.cases import cases


@pytest.mark.parametrize(
    "size", [4, 6, 8, *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[3:])]
)
def test_every_level_can_be_made_on_every_board_and_has_no_clock(size: int) -> None:
    assert not any("time" in text for text in LEVELS)
    for level in range(1, len(LEVELS) + 1):
        assert isinstance(make(f"level:{level}", size), NoisyPlayer if level <= 4 else DeepeningPlayer)


def test_the_strongest_knows_4x4() -> None:
    lost_for_black = Game(Board.start(4))
    player = make("level", 4)
    assert isinstance(player, DeepeningPlayer)
    player.choose(lost_for_black, np.random.default_rng(0))
    assert player.last_report
    assert (player.last_report.value, player.last_report.solved) == (-8, True)


@pytest.mark.parametrize(("text", "why"), cases("players_refused"))
def test_a_wrong_text_is_answered_with_what_there_is(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why) as refused:
        make(text, 6)
    assert "\n" not in str(refused.value)


ALL, UP_TO_8X8, NONE = set(SIZES), {4, 6, 8}, set[int]()


@pytest.mark.parametrize(
    ("text", "sizes"),
    cases("players_of_strangers"),
)  # fmt: skip
def test_a_stranger_may_ask_for_a_few_seconds_and_for_no_file(text: str, sizes: Collection[int]) -> None:
    assert {size for size in SIZES if is_built_in(text, size)} == set(sizes)


@pytest.mark.parametrize("text", ["random", "weights:swh", "alphabeta:depth=4", "engine:cat FILE", "level:1"])
def test_a_player_that_is_all_in_its_text_reads_no_file(text: str) -> None:
    assert files(text, 4) == ()


@pytest.mark.parametrize(
    "text",
    [
        *("trained:FILE", "search:eval=trained:FILE", "alphabeta:depth=2,eval=trained:FILE"),
        "noisy:[alphabeta:depth=2,eval=trained:FILE],share=0.3",
    ],
)
def test_files_are_found_however_deep_they_stand_in_a_text(text: str, tmp_path: Path) -> None:
    (tmp_path / "net").touch()
    assert files(text.replace("FILE", str(tmp_path / "net")), 8) == (tmp_path / "net",)


def test_predictions_beside_a_network_count() -> None:
    (network, predictions) = files("ntuple:pretrained", 8)
    assert network.is_file()
    assert predictions == network.with_suffix(SUFFIX)


@pytest.mark.parametrize(
    ("text", "evaluator"),
    [
        *((text, "ntuple:for-search") for text in ("search", "noisy:level:7", "search:depth=2")),
        *((text, "ntuple:pretrained") for text in ("search:depth=1", "level:3")),
    ],
)
def test_what_ships_is_behind_the_players_that_use_it(text: str, evaluator: str) -> None:
    assert files(text, 8) == files(evaluator, 8)
    assert files(text, 6) == files("ntuple:pretrained", 6)
    assert files(text, 10) == ()
    with pytest.raises(RegistryError, match="no ntuple:pretrained for 10x10 boards"):
        files("ntuple:pretrained", 10)


def test_othello_players_lists_every_name_and_option() -> None:
    listed = CliRunner().invoke(players).output
    for name in BUILT_IN:
        entry = PLAYERS.entry(name)
        assert f"  {name}" in listed
        assert entry.line in listed
        assert all(f"{key}=" in listed for key in entry.options)
    assert "dqn" in listed
