from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import make_replay
from othello_lab.agent.memory.priorities import PrioritisedReplay, SumTree
from othello_lab.agent.memory.recorder import (
    FrameStack,
    Recorder,
    Transition,
    Transitions,
    is_other_side,
    pack,
)
from othello_lab.agent.memory.replay import Replay
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import observation
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from rlglue.glue import Glue
from tests.agent.parts import AnyAgent, dqn_agent

SQUARES = 16


@dataclass
class Decision:
    game: int
    side: int
    planes: NDArray[Any]
    action: int = 0
    reward: float = 0.0
    discount: float | None = None  # None until the result of the decision is known.


@dataclass
class NaiveReplay:
    frames: int
    n_step: int
    decisions: list[Decision] = field(default_factory=list)

    def stack(self, number: int) -> list[int]:
        """Return the decisions in a stack, newest first: those of the same side in the same game."""
        this = self.decisions[number]
        same = [
            n
            for n in range(number, -1, -1)
            if (self.decisions[n].game, self.decisions[n].side) == (this.game, this.side)
        ]
        return same[: self.frames]

    def planes(self, number: int) -> NDArray[Any]:
        found = [self.decisions[n].planes for n in self.stack(number)]
        found += [np.zeros(4 * SQUARES, np.int32)] * (self.frames - len(found))
        return np.concatenate(found).reshape(-1, SQUARES)

    def outcome(self, number: int) -> tuple[int, float, float]:
        """Return the decision to bootstrap from, the rewards before it, and its discount."""
        reward, discount = 0.0, 1.0
        for end in range(number, number + self.n_step):
            this = self.decisions[end]
            if this.discount is None:
                return end, reward, discount
            reward, discount = reward + discount * this.reward, discount * this.discount
            if discount == 0:
                break
        return end + 1, reward, discount

    def valid(self, number: int, oldest: int) -> bool:
        if self.decisions[number].discount is None or min(self.stack(number)) < oldest:
            return False
        end, _, discount = self.outcome(number)
        return discount == 0 or min(self.stack(end)) >= oldest


def numbered(n: int) -> NDArray[Any]:
    """Return planes that identify decision n."""
    return np.random.default_rng(n).integers(0, 2, 4 * SQUARES).astype(np.int32)


# For each game, the side (0 or 1) of each decision, and whether the game was played to its end.
Games = list[tuple[list[int], bool]]


def filled(replay: Replay, naive: NaiveReplay, games: Games) -> None:
    for game, (sides, ends) in enumerate(games):
        last: dict[int, int] = {}
        for index, side in enumerate(sides):
            count = len(naive.decisions)
            this = Decision(game, side, numbered(count), count % SQUARES, count / 8)
            replay.append(pack(this.planes), back=count - last[side] if side in last else 0)
            last[side] = count
            naive.decisions.append(this)
            if index < len(sides) - 1 or ends:
                more = 0.75 if sides[index + 1 : index + 2] == [side] else -0.75
                this.discount = more if index < len(sides) - 1 else 0.0
                replay.complete(this.action, this.reward, this.discount)


@pytest.mark.slow
@given(
    st.integers(1, 4),
    st.integers(1, 3),
    st.integers(6, 30),
    st.lists(
        st.tuples(st.lists(st.integers(0, 1), min_size=1, max_size=9), st.booleans()), min_size=1, max_size=9
    ),
)
@settings(max_examples=120, deadline=None)
def test_valid_slots_are_as_in_a_naive_list(frames: int, n_step: int, capacity: int, games: Games) -> None:
    replay, naive = Replay(capacity, frames, SQUARES, n_step), NaiveReplay(frames, n_step)
    filled(replay, naive, games)
    count = len(naive.decisions)
    oldest = max(0, count - capacity)
    wanted = [n for n in range(oldest, count) if naive.valid(n, oldest)]
    slots = np.arange(min(count, capacity))
    assert sorted((slots[replay.valid(slots)] - oldest) % capacity + oldest) == wanted
    for number in wanted:
        batch = replay.batch(np.array([number % capacity]))
        end, reward, discount = naive.outcome(number)
        assert np.array_equal(batch.s_tm1[0], naive.planes(number))
        assert batch.a_tm1[0] == naive.decisions[number].action
        assert (batch.r_t[0], batch.discount_t[0]) == (np.float32(reward), np.float32(discount))
        if discount:
            assert np.array_equal(batch.s_t[0], naive.planes(end))


def mixed(kind: type[Replay] = Replay, *more: float) -> Replay:
    replay = kind(50, 3, SQUARES, 1, *more)
    for n in range(120):
        replay.append(pack(numbered(n)), back=int(n % 7 > 0))
        if n % 14 != 13:  # every second game is cut off
            replay.complete(n % SQUARES, 0.0, 0.0 if n % 7 == 6 else 0.99)
    return replay


@pytest.mark.parametrize("replay", [mixed(), mixed(PrioritisedReplay, 0.6)])
def test_samples_are_valid_and_cover_everything(replay: Replay) -> None:
    slots = np.arange(50)
    drawn = replay.sample(2000, np.random.default_rng(0))
    assert drawn is not None
    assert set(drawn[1].tolist()) == set(slots[replay.valid(slots)].tolist())


def test_nothing_is_drawn_while_every_game_was_cut_off() -> None:
    replay = Replay(10, 1, SQUARES)
    replay.append(pack(numbered(1)), back=0)
    assert replay.sample(4, np.random.default_rng(0)) is None


def test_what_was_predicted_badly_is_drawn_more_often_and_counts_less() -> None:
    replay = mixed(PrioritisedReplay, 1.0)
    slots = np.arange(50)
    slots = slots[replay.valid(slots)]
    errors = np.where(slots % 2, 3.0, 1.0).astype(np.float32)
    replay.sample(1, np.random.default_rng(0))
    replay.learned(slots, errors)
    drawn = replay.sample(20_000, np.random.default_rng(0))
    assert drawn is not None
    chances = np.bincount(drawn[1], minlength=50)[slots] / 20_000
    assert np.allclose(chances, errors / errors.sum(), atol=0.005)
    weights = replay.weights(slots, updates=25_000)
    assert weights is not None
    assert np.allclose(weights, 1 / errors)


@given(st.integers(1, 70), st.data())
def test_the_sum_tree_finds_what_a_running_sum_finds(capacity: int, data: st.DataObject) -> None:
    tree, naive = SumTree(capacity), np.zeros(capacity)
    for slot, number in data.draw(st.lists(st.tuples(st.integers(0, capacity - 1), st.integers(0, 9)))):
        tree.set(np.array([slot]), float(number))
        naive[slot] = number
    assert tree.total == naive.sum()
    at = np.arange(int(naive.sum())) + 0.5
    assert np.array_equal(tree.find(at), np.searchsorted(np.cumsum(naive), at))


@pytest.mark.parametrize("frames", [1, 9])
@pytest.mark.parametrize("priority", [0.0, 0.6])
def test_a_million_transitions_of_8x8_fit_in_80_megabytes(frames: int, priority: float) -> None:
    config = DQNConfig(replay=1_000_000, frames=frames, priority=priority)
    replay = make_replay(config, 8)
    tree = [replay.tree.nodes] if isinstance(replay, PrioritisedReplay) else []  # the leaves are part of it
    arrays = [array for name, array in replay.arrays.items() if name != "priority"] + tree
    assert sum(array.nbytes for array in arrays) <= 80_000_000


@pytest.mark.parametrize("frames", [1, 3])
def test_a_stack_has_the_newest_first_and_forgets_the_last_game(frames: int) -> None:
    stack = FrameStack(frames, SQUARES)
    for n in range(4):
        stack.push(pack(numbered(n)))
    assert np.array_equal(stack.array()[0], pack(numbered(3)))
    assert np.array_equal(stack.array()[-1], pack(numbered(4 - frames)))
    stack.clear()
    assert not stack.array().any()


def test_a_decision_that_takes_over_a_slot_keeps_its_own_priority() -> None:
    replay = PrioritisedReplay(8, 1, SQUARES, 1, 1.0)
    for n in range(8):
        replay.append(pack(numbered(n)), back=0)
        replay.complete(0, 0.0, 0.0)
    replay.sample(1, np.random.default_rng(0))
    for n in range(2):  # these overwrite slots 0 and 1 while the update runs
        replay.append(pack(numbered(n)), back=0)
        replay.complete(0, 0.0, 0.0)
    replay.learned(np.array([0, 1, 2]), np.full(3, 0.25, np.float32))
    assert replay.arrays["priority"][:4].tolist() == pytest.approx([1, 1, 0.25, 1], abs=1e-5)


FRAMES = 3


def recorded(opponent: str, games: int, **options: str) -> tuple[AnyAgent, list[Game], list[str]]:
    own = {"hidden": "8", "frames": str(FRAMES), "n_step": "1", "epsilon_end": "1", **options}
    agent = dqn_agent(own, seed=1)
    environment = OthelloEnvironment(EnvironmentConfig(size=4, opponent=opponent, first="random", seed=5))
    glue = Glue(agent, environment)
    glue.RL_init()
    found, colours = [], []
    for _ in range(games):
        glue.RL_episode(0)
        found.append(environment.game)
        colours.append(environment.colour.value)
    return agent, found, colours


def result(game: Game, board: Board) -> int:
    black, white = game.board.counts()
    lead = black - white if board.turn.value == "black" else white - black
    return (lead > 0) - (lead < 0)


def stack(decisions: list[Board], index: int) -> NDArray[np.int32]:
    """Return the planes at a decision and at the same side's earlier decisions, newest first."""
    this = decisions[index]
    same = [board for board in decisions[: index + 1] if board.turn is this.turn][::-1][:FRAMES]
    planes = [np.asarray(observation.encode(board, this.turn)) for board in same]
    planes += [np.zeros_like(planes[0])] * (FRAMES - len(planes))
    return np.concatenate(planes).reshape(4 * FRAMES, -1)


def test_selfplay_turns_the_sign_where_the_other_side_decides_next() -> None:
    agent, games, _ = recorded("self", 60)
    slot = same_side = 0
    for game in games:
        decisions = [board for board in game.boards[:-1] if board.legal_moves]
        for index, board in enumerate(decisions):
            batch = agent.learner.replay.batch(np.array([slot]))
            slot += 1
            assert np.array_equal(batch.s_tm1[0], stack(decisions, index))
            if index == len(decisions) - 1:
                assert (batch.r_t[0], batch.discount_t[0]) == (result(game, board), 0)
                continue
            same = decisions[index + 1].turn is board.turn
            same_side += same
            assert batch.discount_t[0] == np.float32(0.99 if same else -0.99)
            assert batch.r_t[0] == 0
            assert np.array_equal(batch.s_t[0], stack(decisions, index + 1))
    assert slot == agent.learner.replay.appended
    assert same_side > 5, "no forced pass was seen"


def test_a_reward_of_the_other_side_counts_against_the_last_decision() -> None:
    ended: list[Transition] = []
    recorder = Recorder(Transitions(ended.append), SQUARES, gamma=0.99)
    board = Board.start(4)
    move = next(iter(board.legal_moves))
    after = board.play(move)
    recorder.see(observation.encode(board, board.turn))
    recorder.decide(observation.encode(board, board.turn))
    recorder.act(move)
    recorder.reward(2.0)
    recorder.see(observation.encode(after, after.turn))
    recorder.reward(0.5)  # as if the other side had passed here
    recorder.end()
    assert [(step.action, step.reward) for step in ended] == [(move, 1.5)]


def test_against_an_opponent_every_next_decision_is_ones_own() -> None:
    agent, games, colours = recorded("random", 60)
    slot = 0
    for game, colour in zip(games, colours, strict=True):
        decisions = [b for b in game.boards[:-1] if b.legal_moves and b.turn.value == colour]
        for index, board in enumerate(decisions):
            batch = agent.learner.replay.batch(np.array([slot]))
            slot += 1
            last = index == len(decisions) - 1
            assert batch.discount_t[0] == np.float32(0 if last else 0.99)
            reward = {1: 1.0, 0: -0.5, -1: -1.0}[result(game, board)] if last else 0
            assert batch.r_t[0] == reward
    assert slot == agent.learner.replay.appended


@pytest.mark.parametrize(
    ("action", "discs_now", "taken", "other"),
    [
        (3, 5, True, True),  # my disc is the opponent's: I am looked at from the other side
        (3, 5, False, False),  # the opponent had to pass, I go on
        (3, 6, True, False),  # the opponent has moved, and taken the square
        (-1, 4, False, True),  # I passed, and the other side is to move
        (-1, 5, False, False),  # I passed, and the opponent has moved
    ],
)
def test_the_discs_tell_whose_turn_it_is(action: int, discs_now: int, taken: bool, other: bool) -> None:
    opponent = np.zeros(16, np.int32)
    opponent[3] = taken
    assert is_other_side(4, action, discs_now, opponent) is other
