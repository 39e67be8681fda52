import numpy as np
import pytest

from othello_lab.experiment.study.statistics.intervals import wilson
from othello_lab.experiment.study.truth import (
    Lines,
    Summary,
    as_json,
    as_text,
    every_game,
    on_every_position,
    on_positions,
    sample,
)
from othello_lab.game import PASS, Board, Colour, Game, IllegalMoveError
from othello_lab.game.players.player import Player
from othello_lab.game.review import Decision
from tests.game.sampling import Knowing

START = Board.start(6)


def decided(move: int, *values: int) -> Decision:
    return Decision(START, move, dict(zip(START.legal_moves, values, strict=False)))


def summary_of(decisions: list[Decision]) -> Summary:
    summary = Summary()
    for decision in decisions:
        summary.add(decision)
    return summary


FIRST, SECOND = list(START.legal_moves)[:2]


def test_positions_are_reached_by_legal_games_and_differ() -> None:
    games = list(sample(6, 10, 50, "random", seed=3))
    assert len({game.board for game in games}) == 50
    for game in games:
        assert (game.boards[0], game.board.empties) == (START, 10)
        assert game.board.legal_moves
    again = sample(6, 10, 50, "random", seed=3)
    assert [game.moves for game in again] == [game.moves for game in games]


def test_too_few_positions_are_told() -> None:
    # Two plies after the start of 6x6 there are 3 positions for each of 4 first moves.
    assert len(list(sample(6, 30, 12, "random", seed=3))) == 12
    with pytest.raises(ValueError, match=r"^12 positions with 30 empty squares were found on 6x6, not 13"):
        list(sample(6, 30, 13, "random", seed=3))


def test_outcomes_and_discs_are_counted_apart() -> None:
    summary = summary_of(
        [
            decided(FIRST, 4, 4),  # nothing to lose
            decided(FIRST, 4, 2),  # discs to lose, kept
            decided(SECOND, 4, 2),  # and lost
            decided(SECOND, 4, 0),  # won to drawn
            decided(SECOND, 2, -2),  # won to lost
            decided(FIRST, -8, -10),  # lost anyhow
        ]
    )
    outcome, discs = summary.counts.tolist()  # everywhere, then where it matters: positions, kept
    assert outcome == [[6, 4], [2, 0]]
    assert discs == [[6, 3], [5, 2]]
    assert summary.mean_loss == (2 + 4 + 4) / 6
    assert [(fault.turned, fault.lost) for fault in summary.worst(9)] == [(2, 4), (1, 4), (0, 2)]
    assert len(summary.worst(1)) == 1


def test_nothing_that_matters_is_all_kept() -> None:
    summary = summary_of([decided(FIRST, 4)])
    assert as_json(summary, {}, 0)["outcome"]["where_it_matters"]["share"] == 1


def test_a_person_reads_shares_with_intervals_and_faults_as_the_solver_takes_them() -> None:
    summary = summary_of([decided(FIRST, 3, 1)] * 3 + [decided(SECOND, 3, -1)])
    low, high = (100 * end for end in wilson(0.75, 4))
    lines = list(as_text(as_json(summary, {}, 5)))
    assert lines[1] == f"won, drawn or lost            4        3  75.00 %  {low:.1f} to {high:.1f} %"
    assert lines[2].split()[:4] == ["where", "it", "matters", "1"]
    assert lines[-1] == f'  "{START}"  b3 -1  c2 +3'
    assert "given away            1.000 discs a move" in lines


def test_a_program_reads_the_same() -> None:
    summary = summary_of([decided(SECOND, 3, -1)])
    found = as_json(summary, {}, 5)
    assert found["outcome"]["everywhere"] == {
        "positions": 1, "kept": 0, "share": 0.0, "interval": list(wilson(0, 1))
    }  # fmt: skip
    assert found["faults"] == [
        {"position": str(START), "played": "b3", "value": -1, "best": "c2", "best_value": 3}
    ]


def test_games_from_the_start_are_counted_for_the_player() -> None:
    white_wins, draw = "b1a1a2c1d4a3d1b4a4c4", "a2a3a4c1d1a1d3d4c4d2b1b4"
    games = [Game.from_transcript(text, 4) for text in (white_wins, draw)]
    lines = Lines.of(games, Colour.WHITE)
    assert (lines.tally.win, lines.tally.draw, lines.tally.loss, lines.least) == (1, 1, 0, 0)
    assert len(lines.boards) == len({*games[0].boards, *games[1].boards})
    assert Lines.of(games, Colour.BLACK).least == -8
    report = as_json(Summary(), {Colour.WHITE: lines}, 0)
    (line,) = [line for line in as_text(report) if "as white" in line]
    assert line.endswith("2 games: 1 won, 1 drawn, 0 lost; +0 discs at least")


class Deaf(Player):
    def start(self, game: Game) -> None:
        self._game = game

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        assert self._game is game
        return next(iter(game.board.legal_moves))


class Cheat(Player):
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return 0


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


@pytest.mark.slow
def test_who_always_errs_on_all_of_4x4() -> None:
    worst = list(on_every_position(Knowing(max), rng()))
    assert len(worst) == 47_633
    assert all(decision.worth == min(decision.values.values()) for decision in worst)
    assert sum(decision.turned > 0 for decision in worst) == 7_996


@pytest.mark.slow
def test_positions_of_a_larger_board_are_solved() -> None:
    # Position and values of an endgame: White to move and ahead by 4.
    game = Game(Board.parse("-XXX---OXX---OOXXX-OXOXO--XX-----X-- O"))
    (decision,) = on_positions(Deaf(), [game], rng())
    assert decision.move == min(game.board.legal_moves)
    assert decision.value == 4
    assert decision.values.keys() == {*game.board.legal_moves}


@pytest.mark.slow
def test_white_knows_how_to_win_4x4_and_black_cannot() -> None:
    best = Knowing(min)
    for colour, least in ((Colour.WHITE, 8), (Colour.BLACK, -8)):
        sign = -1 if colour is Colour.WHITE else 1
        discs = [sign * game.board.outcome().disc_diff for game in every_game(best, colour, rng())]  # type: ignore[union-attr]  # finished
        assert min(discs) == least


def test_every_game_has_each_move_of_the_other_side_and_one_of_the_player() -> None:
    games = {tuple(game.moves) for game in every_game(Deaf(), Colour.WHITE, rng())}
    assert len(games) == count(Board.start(4))


def count(board: Board) -> int:
    if board.is_over:
        return 1
    moves = list(board.legal_moves)[: 1 if board.turn is Colour.WHITE else None]
    return sum(count(board.play(move)) for move in moves or [PASS])


@pytest.mark.slow
def test_an_illegal_move_is_told() -> None:
    with pytest.raises(IllegalMoveError, match="a1 is not legal here"):
        next(on_every_position(Cheat(), rng()))
