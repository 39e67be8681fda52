"""Replay against a naive list of games, across wrap-around, game starts and cut-off games."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from agent.dqn.frames import FrameStack, pack, unpack
from agent.dqn.replay import Replay

SQUARES = 16


@dataclass
class NaiveReplay:
    """Every decision of every game, kept for ever."""

    stack: int
    games: list[list[dict[str, Any]]] = field(default_factory=list)

    def planes(self, game: list[dict[str, Any]], index: int) -> NDArray[Any]:
        wanted = [
            game[i]["planes"] if i >= 0 else np.zeros(4 * SQUARES, np.int32)
            for i in range(index, index - self.stack, -1)
        ]
        return np.concatenate(wanted).reshape(-1, SQUARES)


def numbered(n: int) -> NDArray[Any]:
    """Planes that tell decision n from all others."""
    return np.random.default_rng(n).integers(0, 2, 4 * SQUARES).astype(np.int32)


@given(
    st.integers(1, 4),
    st.integers(6, 30),
    st.lists(st.tuples(st.integers(1, 7), st.booleans()), min_size=1, max_size=12),
)
@settings(max_examples=150, deadline=None)
def test_every_valid_slot_equals_the_naive_list(
    stack: int, capacity: int, lengths: list[tuple[int, bool]]
) -> None:
    replay, naive, count = Replay(capacity, stack, SQUARES), NaiveReplay(stack), 0
    where: list[tuple[int, int]] = []  # decision number -> game, index in it
    for number, (length, ends) in enumerate(lengths):
        naive.games.append([])
        for index in range(length):
            planes = numbered(count)
            replay.append(pack(planes), first=index == 0)
            naive.games[-1].append({"planes": planes})
            where.append((number, index))
            if index < length - 1:
                replay.complete(count % SQUARES, count / 8, 0.99)
            elif ends:
                replay.complete(count % SQUARES, count / 8, 0.0)
            count += 1
    oldest = max(0, count - capacity)
    valid_numbers = []
    for decision in range(oldest, count):
        game, index = where[decision]
        length, ends = lengths[game]
        complete = index < length - 1 or ends
        reach = min(index, stack - 1)
        if complete and decision - reach >= oldest:
            valid_numbers.append(decision)
    slots = np.arange(min(count, capacity))
    found = sorted(int((slot - oldest) % capacity) + oldest for slot in slots[replay.valid(slots)])
    assert found == valid_numbers
    for decision in valid_numbers:
        batch = replay.batch(np.array([decision % capacity]))
        game, index = where[decision]
        assert np.array_equal(batch.s_tm1[0], naive.planes(naive.games[game], index))
        assert batch.a_tm1[0] == decision % SQUARES
        assert batch.r_t[0] == np.float32(decision / 8)
        if batch.discount_t[0]:
            assert np.array_equal(batch.s_t[0], naive.planes(naive.games[game], index + 1))
        else:
            assert index == lengths[game][0] - 1


def test_samples_are_valid_and_cover_everything() -> None:
    replay = Replay(50, 3, SQUARES)
    for n in range(120):
        replay.append(pack(numbered(n)), first=n % 7 == 0)
        if n % 14 != 13:  # every second game is cut off
            replay.complete(n % SQUARES, 0.0, 0.0 if n % 7 == 6 else 0.99)
    slots = np.arange(50)
    valid = {int(s) for s in slots[replay.valid(slots)]}
    actions = {int(replay.batch(np.array([s])).a_tm1[0]) for s in valid}
    assert set(replay.sample(2000, np.random.default_rng(0)).a_tm1.tolist()) == actions


def test_a_million_transitions_of_8x8_fit_in_80_megabytes() -> None:
    replay = Replay(1000, 9, 64)
    assert sum(array.nbytes for array in replay.arrays.values()) <= 80 * 1000


def test_frames_pack_to_bits_and_back() -> None:
    planes = numbered(1)
    assert np.array_equal(unpack(pack(planes)[None], SQUARES).ravel(), planes)


@pytest.mark.parametrize("frames", [1, 3])
def test_a_stack_has_the_newest_first_and_forgets_the_last_game(frames: int) -> None:
    stack = FrameStack(frames, SQUARES)
    for n in range(4):
        stack.push(pack(numbered(n)))
    assert np.array_equal(stack.array()[0], pack(numbered(3)))
    assert np.array_equal(stack.array()[-1], pack(numbered(4 - frames)))
    stack.clear()
    assert not stack.array().any()
