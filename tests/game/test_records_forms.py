"""Games in every form in which people have them, and damaged: the same games, or one line each."""

from pathlib import Path

import pytest

from othello_lab.game.records import Record, RecordError, entries, format_of, of_text, read, readable
from tests.damage import damaged_files
from tests.game.recorded import same_game
from tests.game.written import FORMS, SAMPLES, Form, sample

WIPED_OUT = "f5d6c5f4e3f6g5e6e7"
"""Black takes everything: 13 discs."""

forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8", newline="")
    return path


@forms
def test_ten_games_of_each_form_are_the_same_games(form: Form, tmp_path: Path) -> None:
    found = read(written(tmp_path / f"games{form.suffix}", form.write(SAMPLES)))
    assert len(found) == len(SAMPLES) == 10
    for record, was in zip(found, SAMPLES, strict=True):
        assert same_game(record.game, was.game)
        assert record.winner is was.winner
        if form.has_names:
            assert (record.black, record.white, record.event, record.year) == (
                was.black,
                was.white,
                was.event,
                2003,
            )


@forms
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_text_file_of_any_format_is_known_by_what_it_holds(
    form: Form, encoding: str, tmp_path: Path
) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(form.write(SAMPLES).encode(encoding))
    assert format_of(path) == form.suffix
    assert all(same_game(a.game, b.game) for a, b in zip(read(path), SAMPLES, strict=True))


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
    assert [same_game(game.game, sample(seed).game) for game, seed in zip(games, (0, 2), strict=True)] == [
        True
    ] * 2
    assert str(fault).startswith(f"{path}: ")
    assert "line" in str(fault)
    assert "move 3: " in str(fault)


@forms
def test_damaged_files_are_games_or_one_line_each(form: Form, tmp_path: Path) -> None:
    path = tmp_path / f"damaged{form.suffix}"
    for data in damaged_files(form.write(SAMPLES).encode()):
        path.write_bytes(data)
        try:
            found = entries(path)
        except RecordError as error:
            found = [error]
        said = [str(entry) for entry in found if not isinstance(entry, Record)]
        assert all(line.startswith(f"{path}: ") and line.isprintable() and len(line) < 400 for line in said)
