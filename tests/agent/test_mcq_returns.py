"""What Monte-Carlo Q learns from whole games, against sums worked out by hand and by definition."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from othello_lab.agent.mcq.method import MCQConfig
from othello_lab.agent.mcq.returns import returns
from othello_lab.agent.memory.frames import pack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.selfplay.played import Decisions, one_game
from othello_lab.game import PASS, Board, Colour, Game, observation
from othello_lab.game.batch.positions import Positions

BEFORE = "-XX-OOOOOXO-XXX- X"
"""6 to 6. Black takes a1 (9 to 4), white must pass, black takes d3 (12 to 2), white takes d4 (10 to 5), and
the game is over with one square empty."""
PLAYED = [0, PASS, 11, 15]
WHO_WON = MCQConfig(win_weight=1, score_weight=0)
SCORE = MCQConfig(win_weight=0, score_weight=1)
IMMEDIATE = MCQConfig(win_weight=0, score_weight=0)


class Weights(NamedTuple):
    win: float
    score: float
    gamma: float

    @property
    def config(self) -> MCQConfig:
        return MCQConfig(win_weight=self.win, score_weight=self.score, gamma=self.gamma)


def ending() -> list[Board]:
    boards = [Board.parse(BEFORE)]
    for move in PLAYED:
        boards.append(boards[-1].play(move))
    assert [board.counts() for board in boards] == [(6, 6), (9, 4), (9, 4), (12, 2), (10, 5)]
    return boards


def decisions(
    boards: Sequence[Board], moves: Sequence[int], discount: Sequence[int], result: int, score: int
) -> Decisions:
    """One game; result and score are those of the side that decides first."""
    views = np.cumprod([1, *discount[:-1]])
    following = np.append(np.arange(1, len(boards)), -1)
    return Decisions(
        Positions.of(boards),
        np.array(moves),
        following,
        np.array(discount, np.int8),
        (result * views).astype(np.int8),
        (score * views).astype(np.int16),
    )


def both_sides() -> Decisions:
    boards = ending()
    return decisions([boards[0], boards[2], boards[3]], [0, 11, 15], [1, -1, 0], result=1, score=6)


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (Weights(1, 0, 1), [1, 1, -1]),
        # The pass is not discounted: two turns lie between the first decision and the last.
        (Weights(1, 0, 0.5), [0.25, 0.5, -1]),
        (Weights(0, 1, 1), [6 / 16, 6 / 16, -6 / 16]),
        (Weights(0, 1, 0.5), [1.5 / 16, 3 / 16, -6 / 16]),
        # Every move turns the difference by 5; without a discount that is the lead at the end less that now.
        (Weights(0, 0, 1), [5 / 16, 0, 5 / 16]),
        (Weights(0, 0, 0.5), [(5 + 0.5 * (5 - 0.5 * 5)) / 16, (5 - 0.5 * 5) / 16, 5 / 16]),
        (Weights(0, 0, 0), [5 / 16, 5 / 16, 5 / 16]),
        (Weights(0.5, 0.3, 0), [0.2 * 5 / 16, 0.2 * 5 / 16, -0.5 - 0.3 * 6 / 16 + 0.2 * 5 / 16]),
    ],
)
def test_the_returns_of_a_short_game_with_a_pass(weights: Weights, expected: list[float]) -> None:
    assert returns(both_sides(), weights.config) == pytest.approx(expected)


def test_what_an_opponent_changes_that_nobody_asked_is_discounted_once_and_its_turn_too() -> None:
    """Black a2 in 4x4: 4 to 1. White a1: 3 to 3. Black, asked again, takes b1 and turns one disc: 5 to 2."""
    start = Board.start(4)
    middle = start.play(4).play(0)
    assert (middle.counts(), middle.play(1).counts()) == ((3, 3), (5, 2))
    played = decisions([start, middle], [4, 1], [1, 0], result=1, score=12)
    gamma = 0.5
    immediate = MCQConfig(win_weight=0, score_weight=0, gamma=gamma)
    assert returns(played, immediate) == pytest.approx([(3 - gamma * 3 + gamma**2 * 3) / 16, 3 / 16])
    who_won = MCQConfig(gamma=gamma, win_weight=1)
    assert returns(played, who_won) == pytest.approx([gamma**2, 1])


def by_definition(game: Game, config: MCQConfig) -> list[float]:
    """The return of each decision, summed forwards from it over all later turns."""
    return [_sum_from(game, t, config) for t, move in enumerate(game.moves) if move != PASS]


def _sum_from(game: Game, first: int, config: MCQConfig) -> float:
    view, squares = game.boards[first].turn, game.size**2
    total, powers = 0.0, 0
    for t in range(first, len(game.moves)):
        if game.moves[t] != PASS:
            changed = _lead(game.boards[t + 1], view) - _lead(game.boards[t], view)
            total += config.gamma**powers * config.immediate_weight * changed / squares
            powers += 1
    lead = _lead(game.board, view)
    empty = squares - sum(game.board.counts())
    won = int(np.sign(lead))
    end = config.win_weight * won + config.score_weight * (lead + won * empty) / squares
    return total + config.gamma ** (powers - 1) * end


def _lead(board: Board, view: Colour) -> int:
    black, white = board.counts()
    return black - white if view is Colour.BLACK else white - black


def random_game(size: int, rng: np.random.Generator) -> Game:
    game = Game(Board.start(size))
    while not game.board.is_over:
        game.play(int(rng.choice([*game.board.legal_moves] or [PASS])))
    return game


def transitions(game: Game, draw: float = 0.0) -> list[Transition]:
    """The decisions of both sides, as a recorder with gamma 1 hands them on."""
    boards = [board for board in game.boards[:-1] if board.legal_moves]
    moves = [move for move in game.moves if move != PASS]
    seen = [pack(observation.encode(board, board.turn)) for board in boards]
    signs = [1 if a.turn is b.turn else -1 for a, b in pairwise(boards)]
    won = float(np.sign(_lead(game.board, boards[-1].turn)))
    rewards = [0.0] * len(signs) + [won or draw]
    return [
        Transition(*row) for row in zip(seen, moves, rewards, [*signs, 0], [*seen[1:], None], strict=True)
    ]


@pytest.mark.parametrize("size", [4, 6])
def test_games_of_selfplay_over_the_wire_have_the_returns_of_the_definition(size: int) -> None:
    rng, config = np.random.default_rng(size), MCQConfig(gamma=0.8, win_weight=0.3, score_weight=0.5)
    for _ in range(60):
        game = random_game(size, rng)
        found = one_game(transitions(game), size, draw=0)
        assert returns(found, config) == pytest.approx(by_definition(game, config))


def test_games_that_lie_between_each_other_are_told_apart() -> None:
    """As in batched self-play: in order of turns, one game beside the other."""
    a, b = both_sides(), both_sides()
    order = np.array([0, 3, 1, 4, 2, 5])
    place = np.argsort(order)
    following = np.append(a.following, np.where(b.following < 0, -1, b.following + 3))[order]
    together = Decisions(
        Positions.of([a.positions.board(i % 3) for i in order]),
        np.append(a.moves, b.moves)[order],
        np.where(following < 0, -1, place[following]),
        np.append(a.discount, b.discount)[order],
        np.append(a.results, 0 * b.results)[order].astype(np.int8),
        np.append(a.scores, 0 * b.scores)[order].astype(np.int16),
    )
    found = returns(together, MCQConfig(gamma=0.5, win_weight=1))
    assert found == pytest.approx([0.25, 0, 0.5, 0, -1, 0])


def against_an_opponent(reward: float, draw: float) -> Decisions:
    """Black's two decisions of the short game; white's last move is nobody's decision, and its only one."""
    boards = ending()
    seen = [pack(observation.encode(board, Colour.BLACK)) for board in (boards[0], boards[2])]
    steps = [Transition(seen[0], 0, 0.0, 1.0, seen[1]), Transition(seen[1], 11, reward, 0.0, None)]
    return one_game(steps, 4, draw)


def test_the_end_of_a_game_that_is_not_seen_is_played_out_where_there_is_one_way() -> None:
    game = against_an_opponent(reward=1, draw=-0.5)
    assert (game.results.tolist(), game.scores.tolist()) == ([1, 1], [6, 6])
    assert returns(game, IMMEDIATE) == pytest.approx([10 / 16, 5 / 16]), "white's last change was not seen"


@pytest.mark.parametrize(("reward", "result"), [(1, 1), (-0.5, 0), (-1, -1)])
def test_who_won_is_what_the_reward_says(reward: float, result: int) -> None:
    """Also where the known discs say otherwise; a draw's reward need not be 0."""
    game = against_an_opponent(reward, draw=-0.5)
    assert game.results.tolist() == [result] * 2
    assert np.sign(game.scores).tolist() == [result] * 2
    assert returns(game, WHO_WON) == pytest.approx([result] * 2)


def test_each_side_sees_the_game_its_own_way() -> None:
    whole = Game(Board.parse(BEFORE))
    for move in PLAYED:
        whole.play(move)
    game = one_game(transitions(whole), 4, draw=0)
    assert (game.moves.tolist(), game.results.tolist()) == ([0, 11, 15], [1, 1, -1])
    assert returns(game, SCORE) == pytest.approx([6 / 16, 6 / 16, -6 / 16])
