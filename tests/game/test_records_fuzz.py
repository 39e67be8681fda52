"""Files of anything: games, or one line about what is wrong, and soon."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from othello_lab.game import Game
from othello_lab.game.records import SUFFIXES, WRITTEN, Record, RecordError, entries, readable, write
from tests.damage import damaged_files
from tests.game.recorded import finish

words = b"""(; ;) [ ] B BO[8 GM[Othello] f5 d6 -- 1. { } "moves" : "size" 8 \\ # 6x6 pa / ( ) ; , "
    (;GM[2] SZ[8] AB[ B[fe] [Black "Ann"] [Result "1-0"]""".split()
pieces = st.sampled_from([*words, b" ", b"\n", b"\r", b"\0", b"\xff", b"\x14\0\1\1"])
contents = st.binary(max_size=300) | st.lists(pieces | st.binary(max_size=4), max_size=60).map(b"".join)


@pytest.mark.parametrize("suffix", SUFFIXES)
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(contents)
def test_any_bytes_are_read_or_refused_in_one_line(suffix: str, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / f"any{suffix}"
    path.write_bytes(data)
    try:
        found = [entry for entry in entries(path) if isinstance(entry, RecordError)]
    except RecordError as error:
        found = [error]
    assert all(str(error).startswith(f"{path}: ") and len(str(error)) < 400 for error in found)
    assert not any("\n" in str(error) for error in found)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "piece",
    [
        *(b"f5", b"9", b" ", b"\0", b'"', b'{"moves":', b"{", b'[a "'),
        *(b"[", b"(", b"(;", b"(;B[", b"(;GM[2]B[d3](", b"(;GM[2](;B[d3])"),
    ],
)
def test_megabytes_in_one_line_are_one_fault_and_soon(suffix: str, piece: bytes, tmp_path: Path) -> None:
    path = tmp_path / f"long{suffix}"
    path.write_bytes(piece * (2_000_000 // len(piece)))
    found = list[Record]()
    try:
        found, _ = readable(path)
    except RecordError as error:
        said = str(error)
    else:
        said = ""
    assert not found
    assert len(said) < 400
    assert said or piece == b" "


def test_a_line_of_a_million_tags_is_read_soon(tmp_path: Path) -> None:
    path = tmp_path / "tags.pgn"
    path.write_text('[a ""]' * 1_000_000 + "[")
    (fault,) = faults(path)
    assert str(fault).endswith("""line 1: expected [Name "value"], found '['""")


def faults(path: Path) -> list[RecordError]:
    """What is wrong with a file."""
    try:
        return readable(path)[1]
    except RecordError as error:
        return [error]


@pytest.mark.parametrize("suffix", WRITTEN)
def test_damaged_games_are_read_or_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    whole, path = tmp_path / f"whole{suffix}", tmp_path / f"damaged{suffix}"
    games = [finish(Game.from_transcript(moves)) for moves in ("f5d6c3d3c4f4", "f5f6e6f4e3c5", "c4c3d3c5b4")]
    write(whole, [Record(game, "Ann", "Bob", event="Café") for game in games])
    for data in damaged_files(whole.read_bytes()):
        path.write_bytes(data)
        said = [str(fault) for fault in faults(path)]
        assert all(each.startswith(f"{path}: ") and each.isprintable() for each in said)


@pytest.mark.parametrize("odd", [b"\r", b"\n", b"\x1b[2J", b"\x9b"])
def test_words_of_a_file_in_what_is_wrong_with_it_are_printable(odd: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.ggf"
    path.write_bytes(b"(;GM[Oth" + odd + b"ello]BO[8 ---];)\n")
    (fault,) = faults(path)
    assert str(fault).isprintable()
    assert "is not Othello" in str(fault)


@pytest.mark.parametrize("suffix", [".jou", ".trn"])
def test_damaged_names_are_read_or_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    games = tmp_path / "games.wtb"
    write(games, [Record(finish(Game.from_transcript("f5d6")), "Ann", "Bob", event="Café")])
    names = games.with_suffix(suffix)
    for data in damaged_files(names.read_bytes()):
        names.write_bytes(data)
        assert all(str(fault).isprintable() for fault in faults(games))
