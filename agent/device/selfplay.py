"""Self-play where torch computes: games, opponents, replay and learning on one device, such as a GPU."""

import copy
from typing import Any

import numpy as np
import torch

from othello_lab.agent import checkpoint
from othello_lab.agent.device.games import Games
from othello_lab.agent.device.learning import OPTIMISERS, Judge, Learning
from othello_lab.agent.device.luck import Randomness
from othello_lab.agent.device.pool import Pool, make_opponent
from othello_lab.agent.device.ring import Ring
from othello_lab.agent.device.rules import Rules
from othello_lab.agent.device.torch_device import Graphs, Piece
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import DQNLearner
from othello_lab.agent.dqn.method import DEVICE, GPU
from othello_lab.agent.dqn.policy import DQNPolicy
from othello_lab.agent.dqn.updates import learning_rate
from othello_lab.agent.learner import find_method
from othello_lab.agent.learning_agent import LearningAgent
from othello_lab.agent.selfplay.play import Results, Summary
from othello_lab.agent.selfplay.pool import PAST, Share, read_shares
from othello_lab.agent.selfplay.training import Training
from othello_lab.agent.weights import put
from othello_lab.game.registry import RegistryError, parse

_PAST_SELVES = 2
_FILLED = 64
"""Plies of all games that the ring holds before there is learning."""
_DRAWS = 1 << 16
"""More random numbers than are drawn for a decision: a resumed run goes on behind those that were drawn."""


class Stream:
    """Games that never end, the ring that remembers them, and a learner that learns from it after each ply.

    It begins with an empty ring: what is saved of a run is its learner.
    """

    def __init__(
        self,
        learner: DQNLearner,
        device: torch.device,
        pool: tuple[Share, ...],
        at_once: int,
        random_opening: int,
        seed: int,
        first: int,
    ) -> None:
        """`first`: the number of the first game; what is drawn begins there."""
        config, q = learner.config, learner.q
        rules = Rules(learner.size, device)
        random = Randomness(int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]), device)
        random.count.fill_(first * _DRAWS)
        rows = rows_of(config, at_once)
        ring = Ring(rows, at_once, config.gamma or 1.0, config.n_step, device)
        self.updates = max(1, round(config.epochs * at_once / config.batch))
        """After each ply of all games: each decision is learned from `epochs` times."""
        self.learning = Learning(config, q, rules, ring, random)
        self.past = [Judge(rules, copy.deepcopy(q.online)) for _ in range(_PAST_SELVES)]
        seats = Pool(pool, rules, at_once, self.past)
        own = Judge(rules, q.online)
        self.games = Games(rules, random, own, seats, ring, at_once, random_opening, seed, first)
        play = [
            Piece("network", self.games.judge),
            Piece("opponents", self.games.oppose),
            Piece("rules", self.games.play),
        ]
        self._filling = Graphs(play, device)
        self.plies = Graphs([*play, Piece("learning", self.learning.update, self.updates)], device)
        self._filled = min(_FILLED, rows)

    def begin(self) -> None:
        """Spread the games over all phases, fill the ring, and record what is done at each ply."""
        self.games.spread()
        for _ in range(self._filled):
            self._filling.run()
        self.plies.record()
        self.games.take_results()


def rows_of(config: DQNConfig, at_once: int) -> int:
    """Return how many plies of all games the replay memory holds."""
    return config.replay // at_once


class DeviceSelfPlay(Training):
    """Rounds on a device: as many plies of all games as it takes to end about as many as are asked for.

    The networks that play and learn there are those of the agent's learner.
    """

    def __init__(
        self,
        agent: LearningAgent[Any, Any],
        pool: tuple[Share, ...],
        seed: int,
        device: torch.device,
        at_once: int,
        random_opening: int,
    ) -> None:
        """`agent` is one whose learner is a DQNLearner on the device; `at_once`: games side by side."""
        super().__init__(agent, pool, seed)
        self._device, self._at_once, self._random_opening = device, at_once, random_opening
        self._stream: Stream | None = None

    def play(self, done: int, games: int) -> Summary:
        """See `Training`."""
        stream = self._stream or self._begin(done)
        self._set_rates(stream)
        plies = -(-games * (self._learner.size**2 - 4) // self._at_once)
        results = self._play(stream, plies)
        while not results:  # a few plies may end no game
            plies, results = plies + 1, self._play(stream, 1)
        stream.learning.count(plies * stream.updates)
        summary = self._count(done, Summary(results, plies * self._at_once))
        self._seat_past_selves(self._agent.games)
        return summary

    @property
    def _learner(self) -> DQNLearner:
        learner: DQNLearner = self._agent.learner
        return learner

    def _begin(self, done: int) -> Stream:
        """Begin with what the agent has learned by now."""
        # Games have numbers of their own: those before were fewer than the decisions in them.
        how = self._at_once, self._random_opening, self._seed, self.decisions
        self._stream = stream = Stream(self._learner, self._device, self._pool, *how)
        self._seat_past_selves(done)
        self._set_rates(stream)
        stream.begin()
        return stream

    def _set_rates(self, stream: Stream) -> None:
        stream.games.epsilon.fill_(self._agent.epsilon)
        stream.learning.set_rates(learning_rate(self._agent.config, self._agent.games))

    def _play(self, stream: Stream, plies: int) -> Results:
        for _ in range(plies):
            stream.plies.run()
        return stream.games.take_results()

    def _seat_past_selves(self, done: int) -> None:
        """Have the last past selves play in the pool; the learner as it began does before there are any."""
        if self._stream:
            for number, judge in zip(self._past(done)[-_PAST_SELVES:], self._stream.past, strict=False):
                stored = checkpoint.load(self._past_self(number))
                saved = self._agent.method.read(stored, self._learner.size)
                put(saved.arrays, judge.network, DQNPolicy.prefix)

    def profile(self) -> str:
        """See `Training`: of all plies."""
        return self._stream.plies.profile() if self._stream else ""


_PRESETS = {"cpu": DEVICE, "cuda": GPU}
_OPTIONS = (
    "preset", "network", "hidden", "channels", "blocks", "units", "dueling", "symmetric_play", "replay",
    "batch", "n_step", "double", "gamma", "loss", "optimiser", "learning_rate", "rate_games", "clip_norm",
    "target_rate", "average_rate", "epochs", "epsilon_schedule", "epsilon_start", "epsilon_end",
    "epsilon_from", "epsilon_steps", "clock",
)  # fmt: skip
"""What this way of playing takes of a DQN agent's options."""


def learner_for(text: str, size: int, device: torch.device, at_once: int) -> str:
    """Return the text of a learner with its preset for games on a device; raises ValueError.

    `at_once`: games side by side.
    """
    spec = parse(text)
    method = find_method(spec.name)
    for key in spec.options.keys() - {*_OPTIONS}:
        raise RegistryError(f"{spec.name} on a device has no option {key!r}; it has {', '.join(_OPTIONS)}")
    options = {"preset": _PRESETS[device.type], **spec.options}
    if options["preset"] not in _PRESETS.values():
        raise RegistryError(
            f"preset={options['preset']} is not for games on a device: expected {DEVICE} or {GPU}"
        )
    _check(method.configure(options, size, None), at_once)
    return text if "preset" in spec.options else f"{text},preset={options['preset']}"


def _check(config: DQNConfig, at_once: int) -> None:
    if config.optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser is {config.optimiser}, expected here {', '.join(OPTIMISERS)}")
    if not config.gamma:
        raise ValueError("gamma must be above 0")
    if (rows := rows_of(config, at_once)) <= 2 * config.n_step:
        raise ValueError(f"replay={config.replay} is {rows} plies of {at_once} games: too few for n_step")


def check_size(size: int) -> None:
    """Raise ValueError for a board whose squares fit no word."""
    Rules(size)


def check_opponents(text: str, size: int) -> None:
    """Raise ValueError for a pool with somebody who does not play on a device."""
    rules = Rules(size)
    for share in read_shares(text):
        if share.name != PAST:
            make_opponent(share.name, rules)
