"""The file of puzzles, and which endgames are puzzles."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from othello_lab.console.puzzles.collection import Collection
from othello_lab.console.puzzles.puzzle import of_endgame
from othello_lab.experiment.study.truth.asking import sample
from othello_lab.game import records
from othello_lab.game.review import Reviewer
from othello_lab.game.solver import Solver
from othello_lab.game.symmetry import transform
from tests.console.puzzles.person import collected, mistakes, on
from tests.damage import damaged_files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "puzzles.jsonl"


def test_puzzles_are_read_as_they_were_written(path: Path) -> None:
    first, *rest = mistakes()
    every = [first.after(True, on(0)), *rest]
    before, after = collected(path, every).due(), Collection(path).due()
    games = [[puzzle.record.game for puzzle in puzzles] for puzzles in (before, after)]
    assert [game.moves for game in games[0]] == [game.moves for game in games[1]]
    assert [replace(puzzle, record=first.record) for puzzle in after] == [
        replace(puzzle, record=first.record) for puzzle in before
    ]
    assert {(puzzle.record.black, puzzle.record.event, puzzle.box) for puzzle in after} == {
        ("Ann", "Oslo", 1),
        ("Ann", "Oslo", 2),
    }


def test_the_file_is_one_of_games(path: Path) -> None:
    collected(path, every := mistakes())
    assert [record.game.board for record in records.read(path)] == [puzzle.board for puzzle in every]


def test_positions_alike_by_symmetry_are_one_puzzle(path: Path) -> None:
    collection = collected(path, mistakes())
    assert all(transform(puzzle.board, 3) in collection for puzzle in mistakes())
    assert collection.add(mistakes()) == 0


def test_joined_files_have_the_last_answer_of_each_puzzle(path: Path, tmp_path: Path) -> None:
    first, second, *_ = mistakes()
    collected(path, [first.after(True, on(0)), second.after(False, on(1))])
    collected(tmp_path / "other", [first.after(False, on(1)), second.after(True, on(0))])
    joined = path.read_text() + (tmp_path / "other").read_text()
    path.write_text(joined)
    assert {(puzzle.box, puzzle.answered) for puzzle in Collection(path).due()} == {(1, on(1))}


def test_lines_that_cannot_be_read_are_told_and_kept(path: Path) -> None:
    first, *rest = mistakes()
    collected(path, rest)
    line = json.loads(path.read_text().splitlines()[0])
    odd = [
        "no JSON",
        json.dumps(line | {"box": 99}),
        json.dumps(line | {"due": "soon"}),
        '{"size": 4, "moves": ""}',
    ]
    odd.append(json.dumps(line | {"decision": line["decision"] | {"moves": {"a1": 1}}}))
    path.write_text("\n".join(odd) + "\n" + path.read_text())
    collection = Collection(path)
    assert (len(collection), len(collection.faults)) == (3, 5)
    assert all(
        str(fault).startswith(f"{path}: line {number}: ") for number, fault in enumerate(collection.faults, 1)
    )
    collection.put(first)
    assert path.read_text().splitlines()[:5] == odd
    assert len(Collection(path)) == 4


def test_no_damaged_file_is_more_than_lines_that_cannot_be_read(path: Path) -> None:
    collected(path, every := mistakes())
    for data in damaged_files(path.read_bytes()):
        path.write_bytes(data)
        collection = Collection(path)
        assert all("\n" not in str(fault) for fault in collection.faults)
        for puzzle in [*collection.due(), *every]:
            collection.put(puzzle.after(True, on(0)))
        assert len(Collection(path)) >= len(every)


def test_an_endgame_has_one_move_that_keeps_the_result() -> None:
    reviewer, solver, found = Reviewer(6), Solver(6), 0
    for game in islice(sample(6, 8, 100, "random", seed=1), 100):
        scores = solver.scores(game.board)
        results = [(score > 0) - (score < 0) for score in scores.values()]
        puzzle = of_endgame(game, reviewer, on(0))
        assert bool(puzzle) == (len(results) > 1 and results.count(max(results)) == 1)
        if puzzle:
            found += 1
            assert scores[puzzle.found.decision.move] == max(scores.values())
            assert all(
                puzzle.judged(move).is_mistake == (scores[move] < max(scores.values())) for move in scores
            )
    assert found > 3
