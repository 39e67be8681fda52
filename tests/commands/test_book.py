"""`othello book` at the command line."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from othello_lab.commands.cli import cli
from othello_lab.experiment.run.lock import held
from othello_lab.game.book_file import read_book

GAMES = "f5d6c3d3c4f4f6f3\nf5f6e6f4g5d6\nf5d6c4d3c5f4e3f3\n"
FEW = ("--nodes", "300", "--plies", "5")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.txt").write_text(GAMES)


def book(*words: str) -> Result:
    return CliRunner().invoke(cli, ["book", *words])


def test_games_make_a_book_and_the_same_games_again_are_only_counted() -> None:
    assert book("b.book", "games.txt", *FEW).output.splitlines()[0] == "b.book: 10 positions of 8x8"
    first = read_book(Path("b.book"))
    assert book("b.book", "games.txt", *FEW).exit_code == 0
    again = read_book(Path("b.book"))
    assert len(again) == len(first) == 10
    for board, _, moves in first.positions():
        counted = again.moves(board)
        assert {move: counted[move] for move in moves} == {
            move: said._replace(games=2 * said.games) for move, said in moves.items()
        }


def test_two_commands_do_not_make_one_book_at_the_same_time() -> None:
    with held(Path("b.book")):
        result = book("b.book", "games.txt", *FEW)
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert result.output.startswith("Error: b.book is in use by process")


def test_selfplay_begins_where_it_is_told_and_adds_to_what_is_there() -> None:
    assert book("b.book", "--selfplay", "3", "--openings", "games.txt:3", *FEW).exit_code == 0
    before = len(read_book(Path("b.book")))
    result = book("b.book", "--selfplay", "3", "--seed", "1", *FEW)
    assert f"b.book: {len(read_book(Path('b.book')))} positions of 8x8\n" in result.output
    assert len(read_book(Path("b.book"))) > before
    assert "best " in result.output


def test_it_shows_moves_best_first_with_their_games_and_continuations() -> None:
    book("b.book", "games.txt", *FEW)
    shown = book("b.book", "--show", "f5d6").output
    assert "Perpendicular" in shown
    rows = [line.split() for line in shown.splitlines() if line[:1] in "abcdefgh" and line[1:2].isdigit()]
    values = {row[0]: (float(row[1]), int(row[2])) for row in rows}
    assert {move: games for move, (_, games) in values.items() if games} == {"c3": 1, "c4": 1}
    assert [row[0] for row in rows] == sorted(values, key=values.__getitem__, reverse=True)
    assert any(len(row) > 3 for row in rows)
    assert "what black, who is to move, has more at the end" in shown


def test_merging_the_halves_gives_all_positions() -> None:
    for name, line in zip(("one", "other"), GAMES.splitlines()[:2], strict=True):
        Path(f"{name}.txt").write_text(line)
        assert book(f"{name}.book", f"{name}.txt", *FEW).exit_code == 0
    assert book("both.book", "--merge", "one.book", "--merge", "other.book").exit_code == 0
    both, one, other = (read_book(Path(f"{name}.book")) for name in ("both", "one", "other"))
    boards = {board for each in (one, other) for board, _, _ in each.positions()}
    assert {board for board, _, _ in both.positions()} == boards


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["none.book"], 2, "none.book: there is no such book"),
        (["no/b.book", "--selfplay", "1"], 2, "there is no folder no"),
        (["games.txt", "--selfplay", "1"], 2, "games.txt, line 1: 'f5d6c3d3c4f4f6f3' is no position"),
        (["b.book", "none.txt"], 1, "none.txt: No such file"),
        (["b.book", "--selfplay", "1", "--size", "10"], 2, "there is no book for 10x10"),
        (["b.book", "games.txt", "--in-games", "4"], 1, "there was no position to add"),
        (["good.book", "--show", "d3c3e6"], 1, "the book says nothing of this position"),
        (["good.book", "--show", "a1"], 2, "a1 is not legal here"),
        (["good.book", "--size", "6"], 2, "good.book is for 8x8"),
        (["good.book", "--merge", "games.txt"], 2, "--merge: games.txt, line 1"),
    ],
)
def test_what_cannot_be_done_is_one_line(words: list[str], code: int, why: str) -> None:
    line = "---------------------------OX------XO--------------------------- X 60634 d3 +0.26 0\n"
    Path("good.book").write_text(line)
    result = book(*words)
    assert result.exit_code == code
    assert why in result.output.splitlines()[-1]
    assert Path("games.txt").read_text() == GAMES


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_was_searched(number: signal.Signals) -> None:
    words = [sys.executable, "-m", "othello_lab.commands", "book", "b.book", "--selfplay", "100000"]
    with subprocess.Popen([*words, "--nodes", "2000"], stderr=subprocess.DEVNULL) as program:
        end = time.monotonic() + 240
        while not Path("b.book").exists() and time.monotonic() < end:
            time.sleep(0.1)
        program.send_signal(number)
        try:
            assert program.wait(120) == 128 + number
        finally:
            program.kill()
    kept = read_book(Path("b.book"))
    assert len(kept) > 0
    assert book("b.book", "--selfplay", "1", *FEW).exit_code == 0
    assert len(read_book(Path("b.book"))) >= len(kept)
