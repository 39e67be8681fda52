"""What is asked on which day, and what is said of an answer."""

from dataclasses import replace
from pathlib import Path

import pytest

from othello_lab.console.puzzles.collection import Collection
from othello_lab.console.puzzles.puzzle import LAST_BOX
from othello_lab.console.puzzles.round import Round
from othello_lab.game import Board
from othello_lab.game.notation import square_name
from othello_lab.game.players.base import ESTIMATE
from tests.console.puzzles.person import (
    Person,
    Pupil,
    answered,
    best,
    collected,
    mistakes,
    on,
    with_unit,
    worst,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.jsonl"


def test_in_a_week_what_was_missed_is_asked_again_sooner_than_what_was_known(path: Path) -> None:
    known, hard = (every := mistakes())[:2], every[2:]
    collected(path, every)
    pupil, days = Pupil(known, hard), dict[Board, list[int]]()
    for day in range(7):
        pupil.wakes()
        for board in dict.fromkeys(answered(path, day, pupil.says).shown):
            days.setdefault(board, []).append(day)
    assert [days[puzzle.board] for puzzle in known] == 2 * [[0, 2, 6]]
    assert [days[puzzle.board] for puzzle in hard] == 2 * [[*range(7)]]


def test_what_was_missed_is_asked_again_on_the_day_until_it_is_known(path: Path) -> None:
    first, *others = every = mistakes()
    collected(path, every)
    person = answered(path, 0, Pupil(others, [first]).says)
    assert person.shown[-1] == first.board
    assert person.shown.count(first.board) == 2
    assert "Answered 4, 3 right; the next is due on 2026-11-24.\n" in person.saw
    (again,) = Collection(path).due(on(1))
    assert (again.board, again.asked, again.missed) == (first.board, 1, 1)


def test_what_was_forgotten_begins_anew() -> None:
    puzzle = mistakes()[0]
    for box, days in enumerate([2, 4, 8, 16, 32, 64, 128, 128], 2):
        puzzle = puzzle.after(True, today := puzzle.due)
        assert ((puzzle.due - today).days, puzzle.box) == (days, min(box, LAST_BOX))
    puzzle = puzzle.after(False, today := puzzle.due)
    assert (puzzle.due, puzzle.box) == (today, 1), "it is asked again on the same day, whoever leaves"
    puzzle = puzzle.after(True, today)
    assert ((puzzle.due - today).days, puzzle.box) == (1, 1)


def test_what_was_missed_comes_first_then_what_cost_most(path: Path) -> None:
    every = mistakes(day=1)
    asked = every[0].after(False, on(0))
    found = [puzzle.found for puzzle in collected(path, [*every[1:], asked]).due(on(1))]
    assert found[0] == asked.found
    assert [each.turned for each in found[1:]] == sorted((each.turned for each in found[1:]), reverse=True)


def test_an_answer_is_judged_in_discs_and_the_best_is_shown(path: Path) -> None:
    puzzle = mistakes()[-2]
    collected(path, [puzzle])
    entries = iter([worst(puzzle), best(puzzle)])
    saw = answered(path, 0, lambda _: next(entries)).saw
    for line in (
        "Ann - Bob, Oslo, 7 empty squares, black to move; 0 more",
        "Wrong: d3 loses 14 discs (won -> lost).",
        "best: d4 +8, d3 -6, c4 -6   (for you, discs at the end, exactly)",
        "Here black played d3, which lost 14 discs (won -> lost).",
        "Asked again later today and on 2026-11-24.",
        "Right: d4 is best.",
        "Asked again on 2026-11-24.",
    ):
        assert f"\n{line}\n" in saw


def test_an_estimate_that_is_nearly_the_best_is_right(path: Path) -> None:
    puzzle = mistakes()[0]
    low, high = puzzle.board.legal_moves
    near = with_unit(puzzle.found, ESTIMATE, {low: 5.0, high: 3.5})
    collected(path, [replace(puzzle, found=near)])
    saw = answered(path, 0, lambda _: square_name(high, 4)).saw
    assert f"Right: {square_name(high, 4)} is as good as the best.\n" in saw


@pytest.mark.parametrize("last", ["quit", ""])
def test_who_leaves_finds_the_answers_again(path: Path, last: str) -> None:
    every = mistakes()
    collected(path, every)
    entries = iter(["hint", "moves", "help", "undo", "z9", "a1", last])
    person = answered(path, 0, lambda _: next(entries))
    assert "your answers are kept" in person.saw
    assert "Answered 1, 0 right; 4 still due.\n" in person.saw
    assert "`undo` means nothing here" in person.saw
    assert len(Collection(path).due(on(0))) == 4


def test_ctrl_c_ends_it_and_keeps_the_answers(path: Path) -> None:
    def says(_: Board) -> str:
        raise KeyboardInterrupt

    asking = Round(collected(path, mistakes()), person := Person(says), on(0))
    asking.ask()
    assert asking.interrupted
    assert "Interrupted: your answers are kept." in person.saw
