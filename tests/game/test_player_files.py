"""Which files a player is read from: when they change, the same text is another player."""

from pathlib import Path

import pytest

from othello_lab.game.evaluators.probcut import SUFFIX
from othello_lab.game.players.catalogue import files
from othello_lab.game.registry import RegistryError


@pytest.mark.parametrize("text", ["random", "weights:swh", "alphabeta:depth=4", "engine:cat FILE", "level:1"])
def test_what_is_all_in_its_text_has_none(text: str) -> None:
    assert files(text, 4) == ()


@pytest.mark.parametrize(
    "text",
    [
        "weights:FILE",
        "alphabeta:depth=2,eval=weights:FILE",
        "search:depth=2,eval=[weights:FILE,fade=1]",
        "noisy:[alphabeta:depth=2,eval=weights:FILE],share=0.3",
        "trained:FILE",
        "search:eval=trained:FILE",
    ],
)
def test_the_files_of_whatever_stands_within(text: str, tmp_path: Path) -> None:
    (tmp_path / "net").touch()
    assert files(text.replace("FILE", str(tmp_path / "net")), 8) == (tmp_path / "net",)


def test_predictions_beside_a_network_count() -> None:
    (network, predictions) = files("ntuple:pretrained", 8)
    assert network.is_file()
    assert predictions == network.with_suffix(SUFFIX)


@pytest.mark.parametrize(
    ("text", "evaluator"),
    [
        ("search", "ntuple:for-search"),
        ("noisy:level:7", "ntuple:for-search"),
        ("search:depth=2", "ntuple:for-search"),
        ("search:depth=1", "ntuple:pretrained"),
        ("level:3", "ntuple:pretrained"),
    ],
)
def test_what_ships_is_behind_the_players_that_use_it(text: str, evaluator: str) -> None:
    assert files(text, 8) == files(evaluator, 8)
    assert files(text, 6) == files("ntuple:pretrained", 6)
    assert files(text, 10) == ()


def test_what_ships_for_no_such_board_is_a_line() -> None:
    with pytest.raises(RegistryError, match="no ntuple:pretrained for 10x10 boards"):
        files("ntuple:pretrained", 10)
