"""Descent and unbounded minimax: trees by hand, beside a slow reference, and exact on 4x4."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import PASS, Board
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import CompiledEvaluator, Evaluator
from othello_lab.game.evaluators.evaluator import PatternEvaluator
from othello_lab.game.evaluators.patterns import standard
from othello_lab.game.search.descent import SURE, Trees
from othello_lab.game.search.descent_kernels import NODE, back_up, best_open
from othello_lab.game.solver import solve_all
from tests.game.test_search import random_boards


def evaluator(size: int, spread: float = 0.1) -> CompiledEvaluator:
    """A network of any weights, which values no two positions alike; without spread all as 0."""
    patterns = standard(size)
    weights = np.random.default_rng(size).normal(0, spread, (3, patterns.configurations))
    return PatternEvaluator(patterns, weights.astype(np.float32))


def value_of(board: Board, by_discs: bool) -> float:
    """What a finished game is worth to the side to move."""
    own, opponent = board.own.bit_count(), board.opponent.bit_count()
    sign = int(np.sign(own - opponent))
    left = board.size**2 - own - opponent
    return (own - opponent + sign * left) / board.size**2 if by_discs else sign


@dataclass
class State:
    """A state of the slow tree."""

    board: Board
    value: float
    winner: int = 0
    solved: bool = False
    moves: dict[int, "State"] = field(default_factory=dict)

    def rank(self) -> tuple[int, float]:
        """By what its mover's opponent, who came here, sorts it."""
        return -self.winner, -self.value


@dataclass(frozen=True)
class Slow:
    """The same search on boards, slow and obvious."""

    evaluator: CompiledEvaluator
    by_discs: bool
    to_the_end: bool

    def state(self, board: Board) -> State:
        if board.is_over:
            worth = float(np.float32(value_of(board, self.by_discs)))
            return State(board, worth, int(np.sign(worth)), solved=True)
        return State(board, float(np.float32(self.evaluator.values(Positions.of([board]))[0])))

    def iterate(self, state: State) -> None:
        is_new = not state.moves
        if is_new:
            moves = list(state.board.legal_moves) or [PASS]
            state.moves = {move: self.state(state.board.play(move)) for move in moves}
            self.back_up(state)
        going_on = [child for child in state.moves.values() if not child.solved]
        if going_on and not state.solved and (self.to_the_end or not is_new):
            self.iterate(max(going_on, key=lambda child: -child.value))
            self.back_up(state)

    def back_up(self, state: State) -> None:
        best = max(state.moves.values(), key=State.rank)
        state.winner, state.value = best.rank()
        state.solved = state.winner == 1 or all(child.solved for child in state.moves.values())

    def searched(self, board: Board, iterations: int) -> State:
        root = self.state(board)
        for _ in range(iterations):
            if not root.solved:
                self.iterate(root)
        return root


def looked_into(state: State) -> list[State]:
    """All states whose moves were added and where a side can move."""
    below = [found for child in state.moves.values() for found in looked_into(child)]
    return [state, *below] if state.board.legal_moves and state.moves else below


@pytest.mark.parametrize("to_the_end", [True, False])
@pytest.mark.parametrize("by_discs", [True, False])
@pytest.mark.parametrize("size", [4, 6, 10])
def test_the_trees_are_those_of_a_slow_search(size: int, by_discs: bool, to_the_end: bool) -> None:
    judge, iterations = evaluator(size), 12
    boards = [board for board in random_boards(size, 40) if board.legal_moves][:8]
    trees = Trees(size, len(boards), iterations, by_discs, to_the_end)
    found = trees.search(np.arange(len(boards)), Positions.of(boards), judge)
    roots = [Slow(judge, by_discs, to_the_end).searched(board, iterations) for board in boards]
    wanted = [
        value + SURE * winner for root in roots for winner, value in map(State.rank, root.moves.values())
    ]
    assert found.tolist() == pytest.approx(wanted)
    states, values = trees.taken()
    slow = [state for root in roots for state in looked_into(root)]
    key = [(state.board.own, state.board.opponent, state.value) for state in slow]
    fast = [states.board(i) for i in range(len(states))]
    assert sorted(key) == sorted(
        (board.own, board.opponent, value) for board, value in zip(fast, values.tolist(), strict=True)
    )


def taken_back(*moves: tuple[float, int, bool]) -> tuple[float, int, bool]:
    """Value, winner and whether it is solved of a state, by those of the states behind its moves."""
    nodes = np.zeros(len(moves) + 1, NODE)
    nodes[0]["first"], nodes[0]["moves"] = 1, len(moves)
    for place, move in enumerate(moves, 1):
        nodes[place]["value"], nodes[place]["winner"], nodes[place]["solved"] = move
    back_up(nodes, 0)
    assert best_open(nodes, 0) == node_to_follow(*moves)
    state = nodes[0]
    return float(state["value"]), int(state["winner"]), bool(state["solved"])


def node_to_follow(*moves: tuple[float, int, bool]) -> int:
    """The node of the least value for the other side of those that are not solved, -1 for none."""
    going_on = [(value, place) for place, (value, _, solved) in enumerate(moves, 1) if not solved]
    return min(going_on)[1] if going_on else -1


def test_values_go_back_by_hand() -> None:
    # The best move leaves the other side with the least; what is not sure stays open.
    assert taken_back((0.5, 0, False), (-0.25, 0, False), (0.0, 0, True)) == (0.25, 0, False)
    # A move that surely wins is enough, even a narrow win beside a high hope.
    assert taken_back((-0.75, 0, False), (-0.125, -1, True)) == (0.125, 1, True)
    # A move that surely loses, by how little ever, comes after any that is open.
    assert taken_back((0.75, 0, False), (0.125, 1, True)) == (-0.75, 0, False)
    # All are known: a draw is better than a loss, and a narrow loss than a high one.
    assert taken_back((0.0, 0, True), (0.5, 1, True)) == (0.0, 0, True)
    assert taken_back((0.5, 1, True), (0.125, 1, True)) == (-0.125, -1, True)


def test_ends_and_passes_by_hand() -> None:
    # Black to move has a1 alone, which takes b1 from white; then white has no disc: 2 of 16 squares filled.
    alone = Board.parse("-OX------------- X")
    for by_discs in (True, False):
        trees = Trees(4, 1, 1, by_discs, to_the_end=True)
        assert trees.search(np.zeros(1, np.int64), Positions.of([alone]), evaluator(4)).tolist() == [SURE + 1]
        states, values = trees.taken()
        assert len(states) == 1
        assert values.tolist() == [1.0]
    # After a1, which turns over b1, white must pass, and black's c4 ends the game with 6 to 0.
    passing = Board.parse("-OX---------XO-- X")
    trees = Trees(4, 1, 1, by_discs=True, to_the_end=True)
    found = trees.search(np.zeros(1, np.int64), Positions.of([passing]), evaluator(4, 0.0))
    assert found.tolist() == [SURE + 1, 0.0], "c4 was not looked at: a1 is enough"
    states, values = trees.taken()
    assert [states.board(i).counts() for i in range(2)] == [(2, 2), (4, 1)], "a position to pass is no lesson"
    assert values.tolist() == [1.0, 1.0]
    # c4 first: white's only reply is d1, and that ends the game with 3 to 3.
    drawn = Board.parse("-OX---------XXX- O")
    trees = Trees(4, 1, 1, by_discs=True, to_the_end=True)
    assert trees.search(np.zeros(1, np.int64), Positions.of([drawn]), evaluator(4)).tolist() == [0.0]


def test_a_tree_goes_on_where_the_moves_of_a_game_lead() -> None:
    start, one = Board.start(6), np.zeros(1, np.int64)
    judge = evaluator(6)
    trees = Trees(6, 1, 5, by_discs=False, to_the_end=True)
    before = trees.search(one, Positions.of([start]), judge)
    board = start.play(list(start.legal_moves)[int(before.argmax())])
    again = trees.search(one, Positions.of([board]), judge)
    states, _ = trees.taken()
    boards = [(states.board(i).own, states.board(i).opponent) for i in range(len(states))]
    assert boards.count((board.own, board.opponent)) == 1
    fresh = Trees(6, 1, 5, by_discs=False, to_the_end=True)
    fresh.search(one, Positions.of([board]), judge)
    assert len(states) > len(fresh.taken()[0]), "what the first search found is there too"
    assert again.max() <= 1


def test_an_arena_that_is_half_full_is_emptied_and_all_it_held_is_kept() -> None:
    judge, one, board = evaluator(4), np.zeros(1, np.int64), Board.start(4)
    trees = Trees(4, 1, 1, by_discs=False, to_the_end=False)
    for _ in range(600):
        trees.search(one, Positions.of([board]), judge)
    assert len(trees.taken()[0]) > 500


def test_with_enough_iterations_only_moves_that_keep_the_exact_result_are_chosen() -> None:
    exact = solve_all(4)
    boards = [board for board in exact if board.legal_moves]
    judge, trees = evaluator(4), Trees(4, 1, 3000, by_discs=False, to_the_end=True)
    for board in boards:
        found = trees.search(np.zeros(1, np.int64), Positions.of([board]), judge)
        move = list(board.legal_moves)[int(found.argmax())]
        assert np.sign(-exact[board.play(move)]) == np.sign(exact[board]), board
        trees.taken()
    assert len(boards) == 47_633, "the others are over, or a side must pass"


class Batches(Evaluator):
    """An evaluator that is asked by batches of positions, and counts them."""

    def __init__(self, judge: Evaluator) -> None:
        self.judge, self.asked = judge, list[int]()

    def values(self, positions: Positions) -> NDArray[np.float64]:
        self.asked.append(len(positions))
        return self.judge.values(positions)


@pytest.mark.parametrize("to_the_end", [True, False])
@pytest.mark.parametrize("size", [4, 6, 10])
def test_values_by_batches_make_the_trees_of_the_compiled_search(size: int, to_the_end: bool) -> None:
    judge = evaluator(size)
    boards = [board for board in random_boards(size, 60) if board.legal_moves]
    games, batches = np.arange(len(boards)), Batches(judge)
    compiled, batched = (Trees(size, len(boards), 6, True, to_the_end) for _ in range(2))
    for turn in range(3):  # trees go on where moves lead
        some = np.array([game for game in games if boards[game].legal_moves])
        positions = Positions.of([boards[game] for game in some])
        wanted = compiled.search(some, positions, judge)
        assert batched.search(some, positions, batches).tolist() == wanted.tolist()
        for game in some:
            moves = list(boards[game].legal_moves)
            boards[game] = boards[game].play(moves[turn % len(moves)])
    for found, expected in zip(taken(batched), taken(compiled), strict=True):
        assert np.array_equal(found, expected)
    assert batches.asked[0] > len(boards), "the positions of all games are valued together"


def taken(trees: Trees) -> tuple[NDArray[np.generic], ...]:
    states, values = trees.taken()
    return states.own, states.opponent, values
