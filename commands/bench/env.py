"""Speed of the vector environment, beside other libraries' environments if installed (`othello bench env`).

OpenSpiel is driven from Python, as a user of it would: by its states, with observation and mask of each
position of the agent, and by its environment for reinforcement learning. PGX runs many games at once,
compiled by JAX, with resets of its own.
"""

import time
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Final

import gymnasium
import numpy as np

from othello_lab.commands.bench.timing import Task, Work, installed, not_compared
from othello_lab.environment import adapters
from othello_lab.environment.adapters.vector import random_actions
from othello_lab.game.board import corners

LIBRARIES: Final = ("open_spiel", "pgx")
_CORNERS: Final = frozenset(corners(8))
Opponent = Callable[[Any, list[int], np.random.Generator], int]
"""Picks one of the legal actions of a state of OpenSpiel."""


def report(seconds: float, games: int) -> Iterator[str]:
    """Yield the lines of the table; each figure is measured for this many seconds, in each of the rounds."""
    for opponent, others in (("random", _against_random(games)), ("corner-greedy", _against_corner_greedy())):
        name = f"against {opponent}, {games} games"
        yield Task(name, "steps/s", _ours(games, opponent), others, time.process_time).row(seconds)
    yield from not_compared(*LIBRARIES)


def _ours(games: int, opponent: str) -> Work:
    envs = gymnasium.make_vec(adapters.ID, games, opponent=opponent)
    rng = np.random.default_rng(0)
    held: list[dict[str, Any]] = [envs.reset(seed=0)[1]]

    def play() -> float:
        *_, held[0] = envs.step(random_actions(held[0]["action_mask"], rng))
        return games

    return play


def _against_random(games: int) -> dict[str, Work]:
    """Return who plays against a random opponent, by name; those that can play this many games at once."""
    contestants: dict[str, Work] = {}
    if installed("open_spiel"):
        contestants["OpenSpiel"] = _spiel(_random)
        contestants["its rl_environment"] = _rl_environment()
    if installed("pgx"):
        contestants["PGX"] = _pgx(games)
    return contestants


def _against_corner_greedy() -> dict[str, Work]:
    """Return who plays against the corner-greedy opponent."""
    return {"OpenSpiel": _spiel(_corner_greedy)} if installed("open_spiel") else {}


def _spiel(opponent: Opponent) -> Work:
    game, rng = import_module("pyspiel").load_game("othello"), np.random.default_rng(0)

    def play() -> float:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.observation_tensor(0), state.legal_actions_mask(0)
            state.apply_action(_random(state, state.legal_actions(), rng))
            steps += 1
            if not state.is_terminal():
                state.apply_action(opponent(state, state.legal_actions(), rng))
        return steps

    return play


def _random(state: Any, legal: list[int], rng: np.random.Generator) -> int:  # noqa: ANN401  untyped
    return legal[int(rng.random() * len(legal))]


def _corner_greedy(state: Any, legal: list[int], rng: np.random.Generator) -> int:  # noqa: ANN401  untyped
    """Pick as `game.players.one_move.CornerGreedyPlayer`."""
    t, on_offer = rng.random(), [action for action in legal if action in _CORNERS]
    if on_offer and t < 0.9:
        return _random(state, on_offer, rng)
    if not on_offer and t < 0.8:
        player = state.current_player()
        # The second plane of an observation is the observer's discs.
        return max(legal, key=lambda action: sum(state.child(action).observation_tensor(player)[64:128]))
    return _random(state, legal, rng)


def _rl_environment() -> Work:
    pyspiel = import_module("pyspiel")
    environment = import_module("open_spiel.python.rl_environment").Environment(pyspiel.load_game("othello"))
    rng = np.random.default_rng(0)

    def play() -> float:
        step, plies = environment.reset(), 0
        while not step.last():
            seen = step.observations
            step = environment.step([_random(None, seen["legal_actions"][seen["current_player"]], rng)])
            plies += 1
        return plies / 2

    return play


def _pgx(games: int) -> Work:
    jax = import_module("jax")
    environment = import_module("pgx").make("othello")
    step = jax.vmap(import_module("pgx.experimental").auto_reset(environment.step, environment.init))

    def ply(state: Any, key: Any) -> Any:  # noqa: ANN401  untyped
        for_action, for_reset = jax.random.split(key)
        scores = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        return step(state, jax.random.categorical(for_action, scores), jax.random.split(for_reset, games))

    def both(state: Any, key: Any) -> Any:  # noqa: ANN401  untyped
        for_agent, for_opponent, following = jax.random.split(key, 3)
        return ply(ply(state, for_agent), for_opponent), following

    held = [
        jax.jit(jax.vmap(environment.init))(jax.random.split(jax.random.key(0), games)),
        jax.random.key(1),
    ]
    compiled = jax.jit(both)

    def play() -> float:
        held[:] = jax.block_until_ready(compiled(*held))
        return games

    return play
