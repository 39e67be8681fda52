"""A small DQN with an option for each fault that prevented earlier projects from learning.

python examples/faults.py --fault unmasked --fault leaking-frames --seeds 5
"""

import csv
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from torch import Tensor, nn

from othello_lab.experiment.study.statistics.intervals import mean_of

FAULTS = {
    "unmasked": "the maximum over the next actions includes illegal squares",
    "pass-is-a-square": "a pass trains the value of the last square",
    "signs": "rewards are reduced to their sign: a draw, -0.5, becomes a loss",
    "leaking-frames": "the first frames of a game are the last ones of the game before",
    "early-greed": "epsilon has fallen to 0.001 after 500 games",
    "free-pass": "the step that leads to a pass is not discounted",
}
# FRAMES is the number of observations in a stack. PLACES is the capacity of the replay memory. COPY_EVERY is
# the number of learning steps between updates of the target network. GAMMA is the discount factor.
FRAMES, GAMES, PLACES, BATCH, COPY_EVERY, GAMMA = 2, 64, 100_000, 256, 250, 0.9


def options() -> Namespace:
    """Return the options of the command line."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--fault", action="append", choices=FAULTS, help="fault to train with (default: all)")
    parser.add_argument("--seeds", type=int, default=5, help="number of seeds")
    parser.add_argument("--games", type=int, default=4000, help="number of training games")
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--csv", type=Path, help="write the scores of each seed to this file")
    return parser.parse_args()


def games_of(size: int, opening: int) -> Any:  # noqa: ANN401  Gymnasium's type says nothing of ours
    """Return a vector environment against corner-greedy, with random openings of up to `opening` plies."""
    return gymnasium.make_vec(
        "othello_lab.environment.adapters:OthelloLab/Othello-v0",
        num_envs=GAMES,
        size=size,
        rewards=(1.0, -0.5, -1.0),
        random_opening=opening,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )


class Learner:
    """A DQN with stacked observations, with or without a fault."""

    def __init__(self, size: int, fault: str, seed: int) -> None:
        self.fault, self.squares = fault, size * size
        self.rng = np.random.default_rng(seed)
        torch.manual_seed(seed)
        self.network, self.target = self._network(), self._network()
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=5e-4)
        shape = (PLACES, FRAMES * 4 * self.squares)
        self.states, self.next_states = np.zeros(shape, np.int8), np.zeros(shape, np.int8)
        self.next_legal = np.zeros((PLACES, self.outputs), np.bool_)
        self.actions = np.zeros(PLACES, np.int64)
        self.rewards, self.discounts = np.zeros(PLACES, np.float32), np.zeros(PLACES, np.float32)
        self.moves = self.updates = 0

    @property
    def outputs(self) -> int:
        """The number of network outputs. With pass-is-a-square, the pass has no output."""
        return self.squares if self.fault == "pass-is-a-square" else self.squares + 1

    def _network(self) -> nn.Sequential:
        first = nn.Linear(FRAMES * 4 * self.squares, 256)
        return nn.Sequential(first, nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, self.outputs))

    def legal(self, mask: NDArray[Any]) -> NDArray[np.bool_]:
        """Return a mask of the legal outputs, bool [n, outputs]. `mask` is [n, squares + 1]."""
        legal = mask.astype(np.bool_)
        if self.outputs == self.squares:
            legal[:, -2] |= legal[:, -1]
        return legal[:, : self.outputs]

    def stack(self, before: NDArray[np.int8], seen: NDArray[np.int8], new: NDArray[Any]) -> NDArray[np.int8]:
        """Append the observations `seen` to the frame stacks `before`. `new` marks new games."""
        kept = before[:, 4 * self.squares :].copy()
        if self.fault != "leaking-frames":
            kept[new] = 0
        return np.hstack([kept, seen.reshape(len(seen), -1)])

    def choose(self, stacks: NDArray[np.int8], mask: NDArray[Any], epsilon: float) -> NDArray[np.int64]:
        """Return a legal epsilon-greedy action for each stack."""
        legal = self.legal(mask)
        with torch.no_grad():
            values = self.network(torch.from_numpy(stacks).float()).numpy()
        best = np.where(legal, values, -np.inf).argmax(1)
        chosen = np.where(self.rng.random(len(best)) < epsilon, _drawn(legal, self.rng), best)
        return np.where(mask[:, -1] > 0, self.squares, chosen)

    def remember(self, *moves: NDArray[Any]) -> None:
        """Store transitions: states, actions, rewards, next states, next action masks and terminal flags."""
        states, actions, rewards, next_states, mask, over = moves
        at = (self.moves + np.arange(len(actions))) % PLACES
        self.states[at], self.next_states[at], self.next_legal[at] = states, next_states, self.legal(mask)
        self.actions[at] = np.minimum(actions, self.outputs - 1)
        self.rewards[at] = np.sign(rewards) if self.fault == "signs" else rewards
        discount = np.where(mask[:, -1] > 0, 1.0, GAMMA) if self.fault == "free-pass" else GAMMA
        self.discounts[at] = np.where(over, 0.0, discount)
        self.moves += len(actions)

    def learn(self) -> None:
        """Make one update with a batch sampled from the replay memory."""
        if self.updates % COPY_EVERY == 0:
            self.target.load_state_dict(self.network.state_dict())
        self.updates += 1
        drawn = self.rng.integers(min(self.moves, PLACES), size=BATCH)
        with torch.no_grad():
            following: Tensor = self.target(torch.from_numpy(self.next_states[drawn]).float())
            if self.fault != "unmasked":
                following = following.masked_fill(~torch.from_numpy(self.next_legal[drawn]), -torch.inf)
            future = torch.from_numpy(self.discounts[drawn]) * following.amax(1)
        values = self.network(torch.from_numpy(self.states[drawn]).float())
        predicted = values.gather(1, torch.from_numpy(self.actions[drawn])[:, None])[:, 0]
        loss = nn.functional.smooth_l1_loss(predicted, torch.from_numpy(self.rewards[drawn]) + future)
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        self.optimiser.step()


def _drawn(legal: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    chosen: NDArray[np.int64] = (rng.random(legal.shape) * legal).argmax(1)
    return chosen


def play(learner: Learner, games: Any, seed: int, count: int, learning: bool) -> Iterator[float]:  # noqa: ANN401
    """Play `count` games, and yield the reward of each game when it ends."""
    seen, infos = games.reset(seed=seed)
    stacks = np.zeros((GAMES, FRAMES * 4 * learner.squares), np.int8)
    stacks = learner.stack(stacks, seen, np.ones(GAMES, np.bool_))
    fall, least = (500, 0.001) if learner.fault == "early-greed" else (count * 0.7, 0.02)
    ended = 0
    while ended < count:
        epsilon = max(least, 1 - ended / fall) if learning else 0.0
        actions = learner.choose(stacks, infos["action_mask"], epsilon)
        seen, rewards, over, _, infos = games.step(actions)
        # If a game is over, `seen` is the first observation of the next game, which the target ignores.
        following = learner.stack(stacks, seen, over)
        if learning:
            learner.remember(stacks, actions, rewards, following, infos["action_mask"], over)
            for _ in range(GAMES // 16):
                learner.learn()
        stacks = following
        yield from rewards[over]
        ended += int(over.sum())


def score(rewards: list[float]) -> float:
    """Return the mean score: 1 for a win, 0.5 for a draw, 0 for a loss."""
    return mean({1.0: 1.0, -0.5: 0.5}.get(float(reward), 0.0) for reward in rewards)


def trained(fault: str, seed: int, given: Namespace) -> tuple[float, float]:
    """Train a learner, and return its scores from the standard start and from random openings."""
    learner = Learner(given.size, fault, seed)
    for _ in play(learner, games_of(given.size, 0), seed, given.games, learning=True):
        pass
    tests = (games_of(given.size, opening) for opening in (0, 8))
    start, openings = (score([*play(learner, games, 1000 + seed, 1000, learning=False)]) for games in tests)
    return start, openings


if __name__ == "__main__":
    given = options()
    torch.set_num_threads(1)
    print("seed by seed: score from the start, from openings of up to 8 random plies")
    found: dict[str, list[tuple[float, float]]] = {}
    for fault in ["none", *(given.fault or FAULTS)]:
        found[fault] = []
        for seed in range(given.seeds):
            begun = time.perf_counter()
            found[fault].append(trained(fault, seed, given))
            start, openings = found[fault][-1]
            print(f"{fault} {seed} {start:.3f} {openings:.3f} {time.perf_counter() - begun:.0f}s", flush=True)
    if given.csv:
        rows = [(fault, seed, *own) for fault, pairs in found.items() for seed, own in enumerate(pairs)]
        with given.csv.open("w", newline="") as file:
            csv.writer(file).writerows([("fault", "seed", "start", "openings"), *rows])
    print(f"{'fault':18}{'from the start':18}{'its cost':18}{'from openings':18}its cost")
    for fault, pairs in found.items():
        columns = []
        for own, right in zip(zip(*pairs, strict=True), zip(*found["none"], strict=True), strict=True):
            columns += [mean_of(own), mean_of([b - a for a, b in zip(own, right, strict=True)])]
        print(f"{fault:18}" + "".join(f"{f'{column:.3f}':18}" for column in columns).rstrip())
