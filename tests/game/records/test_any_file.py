from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from othello_lab.game import Game
from othello_lab.game.records import (
    SUFFIXES,
    WRITTEN,
    Entry,
    Record,
    RecordError,
    entries,
    of_text,
    readable,
    write,
)
from tests.damage import damaged_files
from tests.game.recorded import finish, read, same_game
from tests.game.records.written import FORMS, SAMPLES, Form, sample

pytestmark = pytest.mark.slow


forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


@forms
@pytest.mark.parametrize("encoding", [None, "utf-8-sig", "utf-16"])
def test_ten_games_of_each_form_are_the_same_games(form: Form, encoding: str | None, tmp_path: Path) -> None:
    path = tmp_path / f"games{'.txt' if encoding else form.suffix}"
    path.write_bytes(form.write(SAMPLES).encode(encoding or "utf-8"))
    found = read(path)
    assert len(found) == len(SAMPLES) == 10
    for record, was in zip(found, SAMPLES, strict=True):
        assert same_game(record.game, was.game)
        assert record.winner is was.winner
        if form.has_names:
            assert (record.black, record.white) == (was.black, was.white)
            assert (record.event, record.year) == (was.event, 2003)


@forms
def test_one_game_of_each_form_can_be_typed_or_pasted(form: Form) -> None:
    for record in SAMPLES:
        game = of_text(form.write([record]), 8).game
        game.pass_if_forced()
        assert same_game(game, record.game)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("(;GM[2];B[zz])", "'zz' is no square"),
        ("(;GM[\x1b[2J\n])", "GM[\ufffd[2J ] is not Othello: in GGF that is GM[Othello]"),
        ('[Black "Ann"] 1. f5 d7', "move 2: d7 is not legal here"),
        ('{"size": 8}', "field 'moves': expected str, got null"),
    ],
)
def test_what_is_pasted_and_no_game_is_told_in_a_line(text: str, why: str) -> None:
    with pytest.raises(RecordError) as caught:
        of_text(text)
    assert why in str(caught.value)
    assert str(caught.value).isprintable()


def test_a_pasted_pgn_may_stand_in_one_line() -> None:
    record = of_text('[Event "?"] [Black "Ann \\"A\\" B"][Result "*"] 1. f5 d6 2. c3 *')
    assert (record.game.transcript(), record.black, record.event) == ("f5d6c3", 'Ann "A" B', "")


@forms
def test_a_bad_game_is_one_line_and_stops_no_other(form: Form, tmp_path: Path) -> None:
    bad = sample(1)
    bad.game.moves[2] = bad.game.moves[0]
    path = written(tmp_path / f"games{form.suffix}", form.write([sample(0), bad, sample(2)]))
    games, (fault,) = readable(path)
    assert all(same_game(game.game, sample(seed).game) for game, seed in zip(games, (0, 2), strict=True))
    assert str(fault).startswith(f"{path}: ")
    assert "line" in str(fault)
    assert "move 3: " in str(fault)


def found(path: Path) -> list[Entry]:
    """Return the games and the faults of a file. If the whole file is unreadable, there is one fault."""
    try:
        return entries(path)
    except RecordError as error:
        return [error]


def faults(path: Path) -> list[str]:
    return [str(entry) for entry in found(path) if isinstance(entry, RecordError)]


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
    output = faults(path)
    assert all(line.startswith(f"{path}: ") and len(line) < 400 and "\n" not in line for line in output)


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
    path.write_bytes(piece * (200_000 // len(piece)))
    output = found(path)
    assert output or piece == b" "
    assert all(isinstance(entry, RecordError) and len(str(entry)) < 400 for entry in output)


def test_a_line_of_a_million_tags_is_read_soon(tmp_path: Path) -> None:
    path = tmp_path / "tags.pgn"
    path.write_text("".join(f'[a{number} ""]' for number in range(200_000)) + "[")
    (fault,) = faults(path)
    assert fault.endswith("""line 1: expected [Name "value"], found '['""")


def damaged(path: Path, whole: bytes) -> None:
    for data in damaged_files(whole):
        path.write_bytes(data)
        output = faults(path)
        assert all(line.startswith(f"{path}: ") and line.isprintable() and len(line) < 400 for line in output)


@forms
def test_damaged_files_are_games_or_one_line_each(form: Form, tmp_path: Path) -> None:
    damaged(tmp_path / f"damaged{form.suffix}", form.write(SAMPLES).encode())


@pytest.mark.parametrize("suffix", WRITTEN)
def test_damaged_games_are_read_or_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    whole = tmp_path / f"whole{suffix}"
    games = [finish(Game.from_transcript(moves)) for moves in ("f5d6c3d3c4f4", "f5f6e6f4e3c5", "c4c3d3c5b4")]
    write(whole, [Record(game, "Ann", "Bob", event="Café") for game in games])
    damaged(tmp_path / f"damaged{suffix}", whole.read_bytes())


@pytest.mark.parametrize("odd", [b"\r", b"\n", b"\x1b[2J", b"\x9b"])
def test_words_of_a_file_in_what_is_wrong_with_it_are_printable(odd: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.ggf"
    path.write_bytes(b"(;GM[Oth" + odd + b"ello]BO[8 ---];)\n")
    (fault,) = faults(path)
    assert fault.isprintable()
    assert "is not Othello" in fault


@pytest.mark.parametrize("suffix", [".jou", ".trn"])
def test_damaged_names_are_read_or_refused_in_one_line(suffix: str, tmp_path: Path) -> None:
    games = tmp_path / "games.wtb"
    write(games, [Record(finish(Game.from_transcript("f5d6")), "Ann", "Bob", event="Café")])
    names = games.with_suffix(suffix)
    for data in damaged_files(names.read_bytes()):
        names.write_bytes(data)
        assert all(line.isprintable() for line in faults(games))
