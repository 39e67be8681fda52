import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import trained
from othello_lab.game import PASS, Board, Game
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.evaluators import evaluator as probcut
from othello_lab.game.evaluators.evaluator import PREDICTION, CompiledEvaluator, by_depth
from othello_lab.game.registry import RegistryError
from othello_lab.game.search import search
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits, Report
from scripts.fit_probcut import fit_line, write

pytestmark = pytest.mark.slow

SHIPPED = "ntuple:for-search"


def shipped() -> CompiledEvaluator:
    found = make_evaluator(SHIPPED, 8)
    assert isinstance(found, CompiledEvaluator)
    return found


def boards(count: int) -> list[Board]:
    rng, player = np.random.default_rng(3), make("search:depth=1,endgame=0", 8)
    found: list[Board] = []
    while len(found) < count:
        game, left = Game(Board.start(8)), 14 + 36 * len(found) // count
        while game.board.empties > left and not game.board.is_over:
            moves = list(game.board.legal_moves) or [PASS]
            by_chance = rng.random() < 0.3 or moves == [PASS]
            game.play(int(rng.choice(moves)) if by_chance else player.choose(game, rng))
        if len(game.board.legal_moves) > 1:
            found.append(game.board)
    return found


BOARDS = 24


@pytest.fixture(scope="module")
def positions() -> list[Board]:
    return boards(BOARDS)


def think(boards: list[Board], limits: Limits) -> list[Report]:
    search = DeepeningSearch(8, shipped(), replace(limits, endgame=0, hash_mib=2))
    return [search.think(board, np.random.default_rng(0)) for board in boards]


def test_without_cuts_its_values_are_those_of_alphabeta(positions: list[Board]) -> None:
    some = positions[::4]
    for board, report in zip(some, think(some, Limits(depth=5, probcut=False)), strict=True):
        plain = search(board, "alphabeta", 5, shipped(), np.random.default_rng(0))
        assert report.value == pytest.approx(plain.value)


def test_cuts_save_most_of_the_work_and_hardly_change_the_value(positions: list[Board]) -> None:
    exact, quick = think(positions, Limits(depth=7, probcut=False)), think(positions, Limits(depth=7))
    assert sum(report.nodes for report in quick) < 0.6 * sum(report.nodes for report in exact)
    off = [abs(a.value - b.value) for a, b in zip(exact, quick, strict=True) if abs(a.value) <= 1]
    assert len(off) > BOARDS / 2
    assert np.mean(off) < 0.02


def test_an_evaluation_without_numbers_is_not_cut(positions: list[Board]) -> None:
    evaluator, board = make_evaluator("mobility", 8), positions[-1]
    nodes = {
        DeepeningSearch(8, evaluator, Limits(depth=6, probcut=cut))
        .think(board, np.random.default_rng(0))
        .nodes
        for cut in (False, True)
    }
    assert len(nodes) == 1


@pytest.mark.parametrize("depth", [4, 5])
@pytest.mark.parametrize("by_search", [0, 1])
def test_shipped_numbers_fit_the_shipped_network(positions: list[Board], depth: int, by_search: int) -> None:
    predictions = shipped().predictions
    assert predictions is not None
    numbers = by_depth(predictions, 60)[depth, by_search]
    shallow, deep = (
        np.array([report.value for report in think(positions, Limits(depth=plies, probcut=False))])
        for plies in (probcut.shallow(depth), depth)
    )
    if not by_search:
        shallow = shipped().values(Positions.of(positions))
    left = np.array([board.empties for board in positions])
    usable = np.maximum(abs(shallow), abs(deep)) < 0.999
    x, y, left = np.arctanh(shallow[usable]), np.arctanh(deep[usable]), left[usable]
    slope = numbers["slope"] + numbers["slope_each"] * left
    sizes = (y - slope * x - numbers["offset"]) / np.exp(
        numbers["log_error"] + numbers["log_error_each"] * left
    )
    # In standard errors. If a network does not fit, it needs scripts/fit_probcut.py.
    assert len(sizes) > BOARDS / 2
    assert 0.4 < np.sqrt(np.mean(np.square(sizes))) < 2.5


def test_a_line_and_its_error_are_found_again() -> None:
    rng = np.random.default_rng(0)
    left = rng.uniform(12, 56, 4000)
    x = rng.normal(0, 0.8, 4000)
    error = np.exp(-0.2 - 0.06 * left)
    y = (1.3 - 0.006 * left) * x + 0.01 + error * rng.normal(size=4000)
    *line, log_error, log_error_each = fit_line(np.tanh(x), np.tanh(y), left)
    assert line == pytest.approx([1.3, -0.006, 0.01], rel=0.1, abs=0.002)
    for empty in (20, 50):
        assert log_error + log_error_each * empty == pytest.approx(-0.2 - 0.06 * empty, abs=0.1)


def test_numbers_are_read_as_they_were_written(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(probcut.FITTED, 10)).round(5)
    path = probcut.predictions_path(tmp_path / "policy.safetensors")
    write(path, rows.view(PREDICTION))
    assert path == tmp_path / "policy.probcut.json"
    assert (probcut.read_predictions(path).view(np.float64) == rows).all()


@pytest.mark.parametrize("text", ["", "{}", "[[1, 2, 3]]", "[" * 9999, str([[*range(9), "x"]] * 10)])
def test_a_file_without_numbers_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "8x8.probcut.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match="does not hold 10 lists of 10 numbers; fit it anew"):
        probcut.read_predictions(path)


def test_numbers_beside_a_policy_go_with_it(tmp_path: Path) -> None:
    policy = tmp_path / "mine.safetensors"
    shutil.copy(trained.shipped("ntuple", 8), policy)
    alone = make_evaluator(f"trained:{policy}", 8)
    assert isinstance(alone, CompiledEvaluator)
    assert alone.predictions is None
    probcut.predictions_path(policy).write_text("[]", "utf-8")
    with pytest.raises(RegistryError, match=r"mine.probcut.json does not hold 10 lists of 10 numbers"):
        make_evaluator(f"trained:{policy}", 8)


def test_a_limit_of_positions_is_kept_and_gives_the_same_answer_each_time(positions: list[Board]) -> None:
    some, depths = positions[::4], []
    for nodes in (1, 2_000, 20_000):
        reports = think(some, Limits(nodes=nodes))
        for board, report, again in zip(some, reports, think(some, Limits(nodes=nodes)), strict=True):
            assert report.move in board.legal_moves
            # A search gives up within a few moves, but it always searches one ply.
            assert report.nodes < nodes + 500
            assert again.variation == report.variation
        depths.append([report.depth for report in reports])
    assert set(depths[0]) == {1}
    assert np.all(np.diff(depths, axis=0) > 0)
