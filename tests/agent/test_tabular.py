"""Q-learning in a table: updates by hand and by a slow reference."""

from collections import defaultdict

import numpy as np
import pytest

from othello_lab.agent.learner import Seeds
from othello_lab.agent.memory.frames import Frame, pack
from othello_lab.agent.memory.recorder import Transition
from othello_lab.agent.tabular.learner import TabularLearner
from othello_lab.agent.tabular.method import TabularConfig
from othello_lab.game import observation, symmetry
from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from tests.agent.parts import play, trio
from tests.agent.tabular_parts import state_of, values

START = Board.start(4)
FIRST, SECOND, THIRD, FOURTH = START.legal_moves
AFTER = START.play(FIRST)
REPLY, OTHER, LAST = AFTER.legal_moves


def learner(config: TabularConfig) -> TabularLearner:
    return TabularLearner(config, 4, Seeds(*np.random.SeedSequence(0).spawn(2)))


def frame(board: Board) -> Frame:
    return pack(observation.encode(board, board.turn))


def step(board: Board, move: int, reward: float, discount: float, following: Board | None) -> Transition:
    return Transition(frame(board), move, reward, discount, None if following is None else frame(following))


ONLINE = TabularConfig(learning_rate=0.5, backward=False, symmetries=False)


def test_a_value_moves_towards_reward_and_the_best_reply() -> None:
    learned = learner(ONLINE)
    learned.take(step(AFTER, REPLY, -1.0, 0.0, None))  # the end
    assert values(learned, AFTER) == [-0.5, 0, 0]
    learned.take(step(AFTER, REPLY, -1.0, 0.0, None))
    assert values(learned, AFTER) == [-0.75, 0, 0]
    learned.take(step(AFTER, OTHER, 0.5, 0.0, None))
    assert values(learned, AFTER) == [-0.75, 0.25, 0]
    # The other side decides next, and takes its best move: 0 + (-1 * 0.25 - 0) / 2.
    learned.take(step(START, FIRST, 0.0, -1.0, AFTER))
    # The same side decides next, since the other had to pass: a discount of 0.8, and 0.1 on the way.
    learned.take(step(START, SECOND, 0.1, 0.8, AFTER))
    assert values(learned, START) == pytest.approx([-0.125, 0.5 * (0.1 + 0.8 * 0.25), 0, 0])


def test_the_best_reply_is_a_legal_one() -> None:
    learned = learner(ONLINE)
    for move in (REPLY, OTHER, LAST):
        learned.take(step(AFTER, move, -1.0, 0.0, None))
    # All three legal moves lose; the squares that are not legal have the value 0.
    learned.take(step(START, FIRST, 0.0, -1.0, AFTER))
    assert values(learned, START) == [0.25, 0, 0, 0]


def test_without_a_learning_rate_a_value_is_the_mean_of_its_targets() -> None:
    learned = learner(TabularConfig(learning_rate=None, backward=False))
    for target in (1.0, -1.0, 0.25, 0.5):
        learned.take(step(AFTER, REPLY, target, 0.0, None))
    assert max(values(learned, AFTER), key=abs) == pytest.approx(0.75 / 4)
    assert learned.numbers["updates"] == 4


def test_backward_the_result_reaches_the_first_move_at_once() -> None:
    game = [step(START, FIRST, 0.0, -1.0, AFTER), step(AFTER, REPLY, 1.0, 0.0, None)]
    for backward, first in ((True, -1.0), (False, 0.0)):
        learned = learner(TabularConfig(learning_rate=1.0, backward=backward, symmetries=False))
        for one in game:
            learned.take(one)
        assert (values(learned, START)[0], values(learned, AFTER)[0]) == (first, 1.0)


def test_a_game_that_was_cut_off_teaches_nothing_backward() -> None:
    learned = learner(TabularConfig())
    learned.take(step(START, FIRST, 0.0, -1.0, AFTER))
    learned.begin(best=False)
    learned.take(step(AFTER, REPLY, 1.0, 0.0, None))
    assert learned.numbers["updates"] == 1


def by_hand(transcripts: list[str], rate: float, gamma: float) -> dict[tuple[Board, int], float]:
    """Q-learning backward through games as the rules tell them: the value of each move that was played."""
    found: dict[tuple[Board, int], float] = defaultdict(float)
    for text in transcripts:
        game = Game.from_transcript(text, 4)
        decisions = [
            (board, move) for board, move in zip(game.boards, game.moves, strict=False) if move != PASS
        ]
        target = {Colour.BLACK: 1.0, Colour.WHITE: -1.0, None: 0.0}[game.board.outcome().winner]  # type: ignore[union-attr]  # it is over
        for board, move in reversed(decisions):
            black = 1 if board.turn is Colour.BLACK else -1
            found[board, move] += rate * (black * target - found[board, move])
            target = black * gamma * max(found[board, other] for other in board.legal_moves)
    return found


def test_a_move_is_as_well_known_as_the_least_known_way_on() -> None:
    learned = learner(ONLINE)

    def known(board: Board) -> list[int]:
        return learned.table.least(state_of(learned, board)).tolist()  # type: ignore[no-any-return]  # ints

    for move in (REPLY, REPLY, OTHER):
        learned.take(step(AFTER, move, 1.0, 0.0, None))
    learned.take(step(START, FIRST, 0.0, -1.0, AFTER))
    assert (known(AFTER), known(START)) == ([2, 1, 0], [0, 0, 0, 0])  # LAST was never tried
    learned.take(step(AFTER, LAST, 1.0, 0.0, None))
    learned.take(step(START, FIRST, 0.0, -1.0, AFTER))
    assert (known(AFTER), known(START)) == ([2, 1, 1], [1, 0, 0, 0])
    learned.begin(best=False)
    rng, legal = np.random.default_rng(0), np.array(list(AFTER.legal_moves))
    assert {learned.choose(frame(AFTER)[None], legal, rng) for _ in range(20)} == {OTHER, LAST}


def test_many_games_teach_what_a_dictionary_learns_from_their_transcripts() -> None:
    glue, agent = trio("tabular", opponent="self", learning_rate="0.3", gamma="0.9", symmetries="false")
    transcripts = play(glue, 100)
    assert any(PASS in Game.from_transcript(text, 4).moves for text in transcripts)
    wanted = by_hand(transcripts, 0.3, 0.9)
    for board in {board for board, _ in wanted}:
        assert values(agent.learner, board) == [
            pytest.approx(wanted[board, move], abs=1e-12) for move in board.legal_moves
        ]
    assert agent.learner.numbers["states"] == len({(board.own, board.opponent) for board, _ in wanted})


def test_what_is_learned_of_a_position_is_known_of_its_reflections() -> None:
    learned = learner(TabularConfig(learning_rate=1.0))
    learned.take(step(AFTER, REPLY, 0.5, 0.0, None))
    for k in range(8):
        board, target = symmetry.transform(AFTER, k), symmetry.permutations(4)[k][REPLY]
        assert values(learned, board) == [0.5 if move == target else 0 for move in board.legal_moves]
    assert learned.numbers["states"] == 1
    apart = learner(TabularConfig(learning_rate=1.0, symmetries=False))
    apart.take(step(AFTER, REPLY, 0.5, 0.0, None))
    assert sum(any(values(apart, symmetry.transform(AFTER, k))) for k in range(8)) == 1
