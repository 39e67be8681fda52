"""Speed of learning, beside stable-baselines3's DQN where that is installed (`othello bench learn`).

On 8x8 with the default network, in one thread. Figures are of its processor time, medians of several rounds:
the ratio is what counts.
"""

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain
from typing import Any

import numpy as np
import torch
from numpy.typing import DTypeLike

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import make_replay
from othello_lab.agent.dqn.method import configure
from othello_lab.agent.dqn.network import make_network
from othello_lab.agent.dqn.policy import square_values
from othello_lab.agent.dqn.q_learning import QLearning
from othello_lab.agent.memory.replay import Replay
from othello_lab.commands.bench.timing import in_turns, installed, not_compared
from othello_lab.game import symmetry

RIVAL = "stable-baselines3"
SIZE, SQUARES = 8, 64
BATCH, DRAWN, STACK = 128, 512, 9
ROUNDS = 7
KINDS: dict[str, dict[str, object]] = {
    # What stable-baselines3's DQN is by default, as far as an update is concerned.
    "the same algorithm": {
        "double": False,
        "n_step": 1,
        "symmetries": False,
        "clip_norm": 10,
        "target_every": 10_000,
        "target_rate": 1,
        "average_rate": 0,
    },
    "our defaults without double": {"double": False},
    "our defaults": {},
}
"""The updates that are measured: name and options."""
REPLAYS: dict[str, dict[str, object]] = {"uniform": {"priority": 0}, "prioritised": {"priority": 0.6}}
_GAME = 30
"""Decisions of a game in replay."""

Work = Callable[[int], object]
"""Does something a number of times."""


def config_of(**options: object) -> DQNConfig:
    """Return the default configuration for the board measured, but with these options."""
    return configure({key: str(value) for key, value in options.items()}, SIZE)


def full_replay(config: DQNConfig) -> Replay:
    """Return a replay memory full of random bits in games of one length."""
    replay, rng = make_replay(config, SIZE), np.random.default_rng(0)
    replay.appended = replay.capacity
    arrays, turn = replay.held(), np.arange(replay.capacity) % _GAME
    arrays["frame"][:] = rng.integers(256, size=arrays["frame"].shape, dtype=np.uint8)
    arrays["action"][:] = rng.integers(SQUARES, size=replay.capacity)
    arrays["back"][:] = turn > 0
    arrays["discount"][:] = np.where(turn < _GAME - 1, 0.99, 0)
    arrays["complete"][:] = True
    if "priority" in arrays:
        arrays["priority"][:] = rng.random(replay.capacity)
    replay.restore(arrays)
    return replay


def our_updates(config: DQNConfig) -> Work:
    """Return what learns: draws a batch, turns it, updates, as the agent does."""
    learner, replay, rng = QLearning(config, SIZE, seed=0), full_replay(config), np.random.default_rng(0)

    def update() -> None:
        drawn = replay.sample(config.batch, rng)
        assert drawn is not None  # noqa: S101  it is full
        batch, slots = drawn
        turns = rng.integers(symmetry.SYMMETRIES, size=config.batch) if config.symmetries else None
        replay.learned(slots, learner.update(batch, turns, replay.weights(slots, beta=0.5)))

    return repeated(update)


def repeated(work: Callable[[], object]) -> Work:
    """Return what repeats a piece of work as often as it is told."""

    def again(times: int) -> None:
        for _ in range(times):
            work()

    return again


def seconds(work: Work, times: int) -> float:
    """Return the processor time of this thread that one of these repetitions takes."""
    start = time.thread_time()
    work(times)
    return (time.thread_time() - start) / times


def rounds(contestants: dict[str, Work], times: int) -> dict[str, list[float]]:
    """Return the seconds of a repetition for each contestant, in each of the rounds."""
    for work in contestants.values():
        work(min(times, 10))  # fills the caches
    return in_turns(contestants, lambda work: seconds(work, times), ROUNDS)


def updates(times: int) -> Iterator[str]:
    """Yield lines about updates a second."""
    contestants = {name: our_updates(config_of(batch=BATCH, **options)) for name, options in KINDS.items()}
    if installed(RIVAL):
        config = config_of()
        model = full_dqn(4 * SQUARES, SQUARES, config.hidden, config.replay)
        contestants[RIVAL] = lambda times: model.train(gradient_steps=times, batch_size=BATCH)
    found = rounds(contestants, times)
    for name in KINDS:
        rate = f"{1 / statistics.median(found[name]):,.0f}"
        yield line(f"updates, {name}", rate, "updates/s", _versus(found, name))


def _versus(found: dict[str, list[float]], name: str) -> str:
    """Say how ours compares with the other, if that was measured: by the median of the rounds' ratios."""
    theirs = found.get(RIVAL)
    if theirs is None:
        return ""
    ratio = statistics.median(other / ours for other, ours in zip(theirs, found[name], strict=True))
    return f"{RIVAL} {1 / statistics.median(theirs):,.0f}, x{ratio:.2f}"


def decisions(times: int) -> Iterator[str]:
    """Yield lines about the time from a position to a move."""
    config = config_of()
    network, stack = make_network(config, SIZE), np.full((config.frames, SQUARES // 2), 0x55, np.uint8)
    contestants = {
        looks: repeated(partial(square_values, network, stack, SQUARES, symmetric))
        for looks, symmetric in (("mean of 8 symmetries", True), ("one look", False))
    }
    if installed(RIVAL):
        model = full_dqn(4 * SQUARES, SQUARES, config.hidden, 1)
        state = np.ones(4 * SQUARES, np.float32)
        contestants[RIVAL] = repeated(lambda: model.predict(state, deterministic=True))
    for name, found in rounds(contestants, times).items():
        yield line(f"decision, {name}", f"{1e6 * statistics.median(found):,.0f}", "µs")


def draws(times: int, transitions: int) -> Iterator[str]:
    """Yield lines about the time to draw a large batch of stacks from a full replay memory."""
    for kind, options in REPLAYS.items():
        replay = full_replay(config_of(frames=STACK, replay=transitions, **options))
        draw = repeated(partial(replay.sample, DRAWN, np.random.default_rng(0)))
        draw(1)
        found = statistics.median(seconds(draw, 1) for _ in range(times))
        yield line(f"draw {DRAWN} stacks of {STACK}, {kind}", f"{1e3 * found:.2f}", "ms")


def memory(transitions: int) -> Iterator[str]:
    """Yield lines about the memory of a transition."""
    for frames in (1, STACK):
        theirs = _their_memory(4 * SQUARES * frames) if installed(RIVAL) else ""
        for kind, options in REPLAYS.items():
            replay = make_replay(config_of(frames=frames, replay=transitions, **options), SIZE)
            figure = f"{replay.nbytes / transitions:.0f}"
            yield line(f"a transition, stacks of {frames}, {kind}", figure, "bytes", theirs)


def _their_memory(inputs: int) -> str:
    floats, octets = (bytes_per_transition(inputs, dtype) for dtype in (np.float32, np.uint8))
    return f"{RIVAL} {floats:,.0f}, from uint8 observations {octets:,.0f}"


def line(name: str, figure: str, unit: str, others: str = "") -> str:
    """Return a row of the table."""
    return f"{name:38}{figure:>10} {unit:12}{others}".rstrip()


def report(repetitions: int, transitions: int) -> Iterator[str]:
    """Yield the lines of the table: `updates` in each of the rounds, `transitions` in replay."""
    torch.set_num_threads(1)
    hidden = "-".join(str(units) for units in config_of().hidden)
    yield f"8x8, MLP {hidden}, batch {BATCH}, Adam, one thread, processor time, {ROUNDS} rounds of each"
    parts = updates(repetitions), decisions(repetitions), draws(repetitions, transitions), memory(transitions)
    yield from chain.from_iterable(parts)
    yield from not_compared(RIVAL)


def full_dqn(inputs: int, actions: int, hidden: tuple[int, ...], replay: int) -> Any:  # noqa: ANN401  untyped
    """Return its DQN with an MLP and a full replay buffer of random states; the rest as it is by default.

    `train(gradient_steps, batch_size)` then learns, and `predict(state)` acts.
    """
    environment = type("Still", (import_module("gymnasium").Env,), _spaces(inputs, actions, np.float32))
    model = import_module("stable_baselines3").DQN(
        "MlpPolicy",
        environment(),
        buffer_size=replay,
        policy_kwargs={"net_arch": list(hidden)},
        seed=0,
        device="cpu",
    )
    model.set_logger(import_module("stable_baselines3.common.logger").Logger(None, []))
    rng, buffer = np.random.default_rng(0), model.replay_buffer
    for states in (buffer.observations, buffer.next_observations):
        states[:] = rng.integers(2, size=states.shape, dtype=np.uint8)
    buffer.actions[:] = rng.integers(actions, size=buffer.actions.shape)
    buffer.full = True
    return model


def bytes_per_transition(inputs: int, dtype: DTypeLike) -> float:
    """Return the memory that its replay buffer takes for states of this many numbers of this type."""
    size = 1000
    spaces = _spaces(inputs, 64, dtype)
    buffer = import_module("stable_baselines3.common.buffers").ReplayBuffer(
        size, spaces["observation_space"], spaces["action_space"]
    )
    return sum(array.nbytes for array in vars(buffer).values() if isinstance(array, np.ndarray)) / size


def _spaces(inputs: int, actions: int, dtype: DTypeLike) -> dict[str, Any]:
    spaces = import_module("gymnasium").spaces
    return {
        "observation_space": spaces.Box(0, 1, (inputs,), dtype),
        "action_space": spaces.Discrete(actions),
    }
