"""Files of anything: games, or one line about what is wrong, and soon."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.records import SUFFIXES, Record, RecordError, entries, readable

words = b"""(; ;) [ ] B BO[8 GM[Othello] f5 d6 -- 1. { } "moves" : "size" 8 \\ # 6x6 pa /""".split()
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
@pytest.mark.parametrize("piece", [b"f5", b"(;B[", b"[", b'{"moves":', b"9", b" ", b"\0"])
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
