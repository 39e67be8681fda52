"""Games in every form in which people have them, and damaged: the same games, or one line each."""

from pathlib import Path

import pytest

from othello_lab.game.game import parse_start
from othello_lab.game.records import Record, RecordError, entries, format_of, read, readable
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


@pytest.mark.parametrize("name", [name for name, form in FORMS.items() if form.suffix == ".txt"])
def test_one_game_of_each_form_can_be_typed(name: str) -> None:
    for record in SAMPLES:
        game = parse_start(FORMS[name].write([record]), 8)
        game.pass_if_forced()
        assert same_game(game, record.game)


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
