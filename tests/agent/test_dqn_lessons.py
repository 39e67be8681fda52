"""What whole games teach a Q-network, by hand."""

import numpy as np
import pytest

from othello_lab.agent.dqn.lessons import lessons_of
from othello_lab.agent.selfplay.played import Played
from othello_lab.game import Board, symmetry
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import repeated
from othello_lab.game.solver.solver import solve_all
from tests.agent.parts import played_by
from tests.agent.test_dqn_batch import START, Discs, config, learner


def three_decisions() -> Played:
    """A game of three decisions, the last after a forced pass; at each the board is that of the start."""
    legal = np.flatnonzero(to_mask(legal_moves(START), 4)[0])
    return Played(
        positions=repeated(Board.start(4), 3),
        moves=legal[[0, 1, 2]],
        best=np.array([0.1, 0.2, 0.4]),
        greedy=np.array([True, True, False]),
        following=np.array([1, 2, -1]),
        discount=np.array([-1, 1, 0], np.int8),
        results=np.array([1, -1, -1], np.int8),
        scores=np.zeros(3, np.int16),
    )


def test_the_move_that_was_played_is_worth_the_signed_return_of_the_next_decision() -> None:
    played = three_decisions()
    lessons = lessons_of(played, config(lam="0.5", gamma="0.5"), None)
    # The last: lost. Before it, by the same side, half of 0.4 (a random move's return is its best move's
    # value). The first: minus half of the mean of 0.2 and 0.2.
    assert lessons.wanted[np.arange(3), played.moves] == pytest.approx([-0.1, 0.2, -1.0])
    assert lessons.weights.sum() == 3


def test_with_a_teacher_every_legal_move_is_worth_what_the_position_behind_it_is() -> None:
    played = three_decisions()
    lessons = lessons_of(played, config(), Discs())
    # Any first move turns one disc: four own discs against one, seen from the other side -3 / 16.
    # All four moves of a decision count as much as one.
    assert np.array_equal(lessons.weights, to_mask(legal_moves(played.positions), 4) / 4)
    assert lessons.wanted[lessons.weights > 0] == pytest.approx([3 / 16] * 12)
    # Two plies on the other side has three answers, each of which leaves three discs against three.
    deep = lessons_of(played, config(plies="2"), Discs())
    assert deep.wanted[deep.weights > 0] == pytest.approx([0.0] * 12)


def test_near_the_end_every_legal_move_is_worth_what_it_leads_to() -> None:
    made = learner()
    played = played_by(made, games=200)
    lessons = lessons_of(played, config(exact="4", lam="1"), None)
    exact = solve_all(4)
    empties = 16 - lessons.states[:, :2].sum(axis=(1, 2))
    values = {
        (board.own, board.opponent): {
            square: -int(np.sign(exact[board.play(square)])) for square in board.legal_moves
        }
        for board in exact
        if board.legal_moves
    }
    near = np.flatnonzero(empties <= 4)
    assert len(near) > 200
    for index in near.tolist():
        board = played.positions.board(index)
        found = {square: lessons.wanted[index, square] for square in np.flatnonzero(lessons.weights[index])}
        assert found == values[board.own, board.opponent]
    # Five squares from the end what was played is worth what the best reply leads to.
    five = [index for index in np.flatnonzero(empties == 5).tolist() if played.following[index] >= 0]
    assert len(five) > 20
    for index in five:
        board, move = played.positions.board(index), int(played.moves[index])
        assert lessons.wanted[index, move] == values[board.own, board.opponent][move]
        assert lessons.weights[index].sum() == 1


def test_a_lesson_is_shown_under_a_symmetry_of_the_board() -> None:
    lessons = lessons_of(three_decisions(), config(), Discs())
    turns = np.arange(symmetry.SYMMETRIES)
    turned = lessons.turned(np.zeros(8, np.int64), turns, 4)
    moves = np.flatnonzero(lessons.weights[0])
    for turn in turns:
        there = symmetry.permutations(4)[turn][moves]
        assert turned.states[turn, 2, there].all(), "what is learned is a legal move there too"
        assert np.array_equal(turned.wanted[turn, there], lessons.wanted[0, moves])


def test_with_few_discs_a_move_that_loses_at_once_is_lost_whoever_saw_it() -> None:
    played = played_by(learner(), games=200)
    lessons = lessons_of(played, config(sudden="3"), None)
    without = lessons_of(played, config(), None)
    seen = 0
    for index in range(len(played)):
        board = played.positions.board(index)
        few = lessons.states[index, 0].sum() <= 3
        lost = [square for square in board.legal_moves if few and can_be_taken(board.play(square))]
        seen += len(lost)
        assert (lessons.wanted[index, lost] == -1).all()
        wanted, weights = without.wanted[index].copy(), without.weights[index].copy()
        wanted[lost], weights[lost] = -1, 1
        assert np.array_equal(lessons.wanted[index], wanted)
        assert np.array_equal(lessons.weights[index], weights)
    assert seen > 10


def can_be_taken(board: Board) -> bool:
    """Whether the side to move can end the game and win."""
    ends = [board.play(square).outcome() for square in board.legal_moves]
    return any(end is not None and end.winner is board.turn for end in ends)
