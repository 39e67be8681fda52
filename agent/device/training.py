"""A training on a device: games, learning and evaluation in pieces of some minutes."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch

from agent.device import state
from agent.device.evaluation import Score, evaluate
from agent.device.games import Games
from agent.device.learning import QLearning
from agent.device.networks import Judge
from agent.device.pool import Pool
from agent.device.randomness import Randomness
from agent.device.recipe import Recipe
from agent.device.ring import Ring
from agent.device.rules import Rules
from agent.device.speed import Piece, Rounds
from agent.device.state import Progress
from agent.selfplay.shares import PAST, read_shares

_PAST_SELVES = 2
_FIRST_PAST = 1_000_000
"""After this many plies, twice as many, and so on, a past self becomes what the learner is then."""
_FILLED = 64
"""Plies of all games that the memory holds before there is learning."""
_LOOK_EVERY = {"cuda": 32, "cpu": 1}
"""Rounds between looks at the clock, for which the device is waited for."""


class Row(NamedTuple):
    """A point of the curve."""

    progress: Progress
    speed: float
    """Plies a second since the last point, evaluations not counted."""
    loss: float
    scores: list[Score]


class Training:
    """One learner, its games and its memory."""

    def __init__(self, recipe: Recipe, device: torch.device, folder: Path, speed: str = "auto") -> None:
        """Raises ValueError for what cannot be done there."""
        self.recipe, self.folder, self._device = recipe, folder, device
        self.progress = Progress()
        config = recipe.config
        draws, weights = np.random.SeedSequence(recipe.seed).generate_state(2, np.uint64).tolist()
        self._rules = rules = Rules(recipe.size, device)
        self._random = Randomness(draws, device)
        ring = Ring(recipe.rows, recipe.games, config.gamma or 1.0, config.n_step, device)
        generator = torch.Generator().manual_seed(weights)
        self.learning = QLearning(config, rules, ring, self._random, generator)
        self.learning.begin_optimiser()
        state.check_fits(self.learning.tensors())
        self._past = [Judge(rules, self.learning.twin()) for _ in range(_PAST_SELVES)]
        pool = Pool(read_shares(recipe.opponents), rules, self._random, recipe.games, self._past)
        judge = Judge(rules, self.learning.online)
        self.games = Games(rules, self._random, judge, pool, ring, recipe.games, recipe.random_opening)
        self.games.epsilon.fill_(recipe.epsilon)
        self._has_past = any(seat.name == PAST for seat in pool.seats)
        play = [
            Piece("network", self.games.judge),
            Piece("opponents", self.games.oppose),
            Piece("rules", self.games.play),
        ]
        learn = Piece("learning", self.learning.update, recipe.updates, compiles=False)
        self._filling, self.rounds = Rounds(play, device, "eager"), Rounds([*play, learn], device, speed)

    def resume(self) -> None:
        """Go on from the newest state in the folder; raises CheckpointError."""
        _, self.progress = state.load_progress(self.folder)
        state.load_tensors(self.folder, self.progress.save, self.learning.tensors())
        self._random.count.fill_(self.progress.drawn)
        for number, judge in enumerate(self._past):
            path = self._past_path(number)
            if path.exists():
                state.load_policy(path, judge.network)
            else:
                self.learning.copy_online(judge.network)

    def run(self, minutes: float, points: int, eval_games: int, report: Callable[[Row], None]) -> str:
        """Train for so long, set-up and evaluations included, and save; return how the work was done.

        `report` is called at this many points of the curve, evenly spread, after a save at each.
        """
        end = time.monotonic() + 60 * minutes
        self._fill()
        done = self.rounds.warm_up()
        if not self.progress.plies:
            self._point(eval_games, 0.0, report)
        between = (end - time.monotonic()) / points
        while not self._complete and time.monotonic() < end:
            due = min(end, time.monotonic() + between) if points > 1 else end
            speed = self._train_until(due)
            self._point(eval_games, speed, report)
        return done

    def _fill(self) -> None:
        """Bring the games apart and fill the memory: it is not part of a state."""
        self._set_rates()
        self.games.spread()
        for _ in range(min(_FILLED, self.recipe.rows)):
            self._filling.run()

    @property
    def _complete(self) -> bool:
        return 0 < self.recipe.plies <= self.progress.plies

    def _train_until(self, due: float) -> float:
        """Train until a time, or to the end of the training; return the plies a second."""
        start, before = time.monotonic(), self.progress.plies
        while not self._complete and time.monotonic() < due:
            for _ in range(_LOOK_EVERY[self._device.type]):
                self.rounds.run()
            self._wait()
            self._note()
        seconds = time.monotonic() - start
        self.progress = self.progress._replace(minutes=self.progress.minutes + seconds / 60)
        return (self.progress.plies - before) / max(seconds, 1e-9)

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize()

    def _note(self) -> None:
        """Count what was done, and set what follows the counts."""
        rounds, before = _LOOK_EVERY[self._device.type], self.progress
        plies = before.plies + rounds * self.recipe.games
        updates = before.updates + rounds * self.recipe.updates
        self.progress = before._replace(plies=plies, updates=updates)
        self._set_rates()
        doubled = (plies // _FIRST_PAST).bit_length()
        if self._has_past and doubled > (before.plies // _FIRST_PAST).bit_length():
            self._keep_past_self(doubled % _PAST_SELVES)

    def _set_rates(self) -> None:
        share = self.progress.plies / self.recipe.plies if self.recipe.plies else 0.0
        self.learning.set_rates(self.progress.updates, max(0.1, 1 - 0.9 * share))

    def _keep_past_self(self, number: int) -> None:
        network = self._past[number].network
        self.learning.copy_online(network)
        state.save_policy(self._past_path(number), network, self.recipe.config, self.recipe.size)

    def _past_path(self, number: int) -> Path:
        return self.folder / f"past-{number}.safetensors"

    def _point(self, eval_games: int, speed: float, report: Callable[[Row], None]) -> None:
        """Evaluate what plays, save, and report."""
        judge = Judge(self._rules, self.learning.average, self.recipe.config.symmetric_play)
        # Random numbers of its own: the games that are trained with do not depend on evaluations.
        random = Randomness(self.recipe.seed, self._device)
        scores = evaluate(judge, self._rules, random, eval_games)
        self.save()
        report(Row(self.progress, speed, float(self.learning.loss), scores))

    def save(self) -> None:
        """Write policy and state; raises CheckpointError."""
        self.progress = self.progress._replace(save=self.progress.save + 1, drawn=int(self._random.count))
        config, size = self.recipe.config, self.recipe.size
        state.save_policy(self.folder / "policy.safetensors", self.learning.average, config, size)
        state.save_state(self.folder, self.recipe, self.progress, self.learning.tensors())
