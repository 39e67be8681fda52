"""Measure the speed of the lab's parts on this machine, for developers.

    python -m scripts.bench game      # perft and random games; compared with OpenSpiel
    python -m scripts.bench env       # environment steps in one process; compared with OpenSpiel
    python -m scripts.bench glue      # RL-Glue steps over TCP
    python -m scripts.bench learn     # DQN updates; compared with Stable-Baselines3
    python -m scripts.bench solver    # nodes of the exact solver

Run this script from the root of the repository. For the comparisons, install open_spiel and
stable-baselines3. Each figure is the median over the rounds. By default, the unit is work per second of CPU
time of one thread.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from multiprocessing.process import BaseProcess
from typing import Any, Final, Literal

import numpy as np

from rlglue.agent.Agent import Agent
from rlglue.client import serve_agent, serve_environment
from rlglue.environment.Environment import Environment
from rlglue.glue import Glue
from rlglue.server import Server
from rlglue.types import Action, Observation, Reward_observation_terminal

Work = Callable[[], float]  # Does some work and returns the amount, such as a number of games or steps.
# An agent or an environment to run in a separate process.
Part = Literal["trivial agent", "trivial environment", "random agent", "othello"]

ROUNDS: Final = 3
SECONDS: Final = 0.5  # measuring time per figure and round
BATCH: Final = 128
INTS: Final = 256  # ints in an observation of the trivial environment, as many as for Othello on 8x8


def row(
    name: str,
    unit: str,
    ours: Work,
    others: Mapping[str, Work],
    seconds: float,
    clock: Callable[[], float] = time.thread_time,
) -> str:
    """Return a line of the table. Each round measures `ours` and each of `others` for `seconds`."""
    rates: dict[str, list[float]] = {contestant: [] for contestant in ("ours", *others)}
    for _ in range(ROUNDS):
        for contestant, work in {"ours": ours, **others}.items():
            rates[contestant].append(rate(work, seconds, clock))
    own, *rest = ((contestant, statistics.median(found)) for contestant, found in rates.items())
    beside = "".join(f"   {contestant} {other:,.0f}, x{own[1] / other:,.2f}" for contestant, other in rest)
    return f"{name:30}{own[1]:>15,.0f} {unit:14}{beside}".rstrip()


def rate(work: Work, seconds: float, clock: Callable[[], float]) -> float:
    """Return the amount of work per second, measured over `seconds` of the clock."""
    work()  # warm-up: compile and fill caches
    start, done = clock(), 0.0
    while (elapsed := clock() - start) < seconds:
        done += work()
    return done / elapsed


def module(name: str) -> Any:  # noqa: ANN401  without types, or None
    """Import a module of another library, or return None if the library is not installed."""
    try:
        return import_module(name)
    except ImportError:
        return None


def bench_game(seconds: float = SECONDS) -> Iterator[str]:
    """Yield lines on the speed of perft and of random games."""
    from othello_lab.game.batch import play_out, repeated
    from othello_lab.game.board import Board
    from othello_lab.game.openings import perft

    def games() -> float:
        return len(play_out(repeated(Board.start(8), 4000), seed=1))

    spiel = module("pyspiel")
    others = {"OpenSpiel": partial(_spiel_game, spiel.load_game("othello"))} if spiel else {}
    yield row("perft 8x8, depth 10", "leaves/s", lambda: perft(Board.start(8), 10), {}, seconds)
    yield row("random games 8x8", "games/s", games, others, seconds)


def _spiel_game(game: Any, for_agent: bool = False) -> float:  # noqa: ANN401
    """Play a random game and return 1. With `for_agent`, observe and return the number of agent steps."""
    state, rng, steps = game.new_initial_state(), np.random.default_rng(0), 0
    while not state.is_terminal():
        if for_agent and state.current_player() == 0:
            state.observation_tensor(0), state.legal_actions_mask(0)
            steps += 1
        actions = state.legal_actions()
        state.apply_action(actions[int(rng.random() * len(actions))])
    return steps if for_agent else 1


def bench_env(seconds: float = SECONDS, games: int = 4096) -> Iterator[str]:
    """Yield a line on the speed of environments on 8x8. A step includes the random opponent's move."""
    spiel = module("pyspiel")
    others = {"OpenSpiel": partial(_spiel_game, spiel.load_game("othello"), for_agent=True)} if spiel else {}
    yield row(f"{games} games", "steps/s", _vector_steps(games), others, seconds, time.process_time)


def _vector_steps(games: int) -> Work:
    import gymnasium

    from othello_lab.environment import adapters
    from othello_lab.environment.adapters.vector import random_actions

    envs = gymnasium.make_vec(adapters.ID, games, opponent="random")
    rng = np.random.default_rng(0)
    info: dict[str, Any] = envs.reset(seed=0)[1]

    def work() -> float:
        nonlocal info
        *_, info = envs.step(random_actions(info["action_mask"], rng))
        return games

    return work


def bench_glue(seconds: float = SECONDS) -> Iterator[str]:
    """Yield lines on the speed of RL-Glue over TCP, with agent and environment in separate processes."""
    # Wall-clock figures depend on the load of the machine.
    clocks = {"steps/s": time.perf_counter, "steps/s of the server's processor time": time.process_time}
    parts: dict[str, tuple[Part, Part]] = {
        f"trivial parts, {INTS} ints": ("trivial agent", "trivial environment"),
        "random agent, Othello 8x8": ("random agent", "othello"),
    }
    for name, two in parts.items():
        with hosted(*two) as glue:
            for unit, clock in clocks.items():
                yield row(name, unit, partial(_episode, glue), {}, seconds, clock)


def _episode(glue: Glue, most: int = 1000) -> float:
    glue.RL_episode(most)
    return glue.RL_num_steps()


class _TrivialAgent(Agent):
    """An agent that always returns the same int."""

    def __init__(self) -> None:
        self._action = Action()
        self._action.intArray = [1]

    def agent_start(self, observation: Observation) -> Action:
        return self._action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        return self._action


class _TrivialEnvironment(Environment):
    """An environment that always returns the same ints."""

    def __init__(self) -> None:
        observation = Observation()
        observation.intArray = np.arange(INTS, dtype=np.int32)
        self._step = Reward_observation_terminal(0.0, observation, False)

    def env_init(self) -> str:
        return ""

    def env_start(self) -> Observation:
        return self._step.o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        return self._step


def serve(part: Part, host: str, port: int) -> None:
    """Run an agent or an environment in this process."""
    if part == "trivial agent":
        serve_agent(_TrivialAgent(), host, port)
    elif part == "random agent":
        from othello_lab.agent.make import make_agent

        serve_agent(make_agent("random"), host, port)
    elif part == "trivial environment":
        serve_environment(_TrivialEnvironment(), host, port)
    else:
        from othello_lab.environment.othello import OthelloEnvironment

        serve_environment(OthelloEnvironment(), host, port)


@contextmanager
def hosted(*parts: Part) -> Iterator[Glue]:
    """Yield the Glue of a server in this process. The parts run in daemon processes."""
    context = get_context("spawn")
    with closing(Server("127.0.0.1", 0)) as server:
        started: list[Any] = [
            context.Process(target=serve, args=(part, *server.address), daemon=True) for part in parts
        ]
        for process in started:
            process.start()
        server.wait_for_peers(check=partial(_check_alive, started))
        server.glue.RL_init()
        yield server.glue


def _check_alive(started: list[BaseProcess]) -> None:
    if any(process.exitcode is not None for process in started):
        raise RuntimeError("a process of the benchmark has ended")


# With these options, our update is equal to the default DQN update of Stable-Baselines3.
SB3_DEFAULTS: Final = (
    "double=false,n_step=1,symmetries=false,clip_norm=10,target_every=10000,target_rate=1,average_rate=0"
)


def bench_learn(seconds: float = SECONDS) -> Iterator[str]:
    """Yield lines on the speed of DQN updates on 8x8. An update includes the sampling of a batch."""
    import torch

    torch.set_num_threads(1)
    others = {"stable-baselines3": _sb3_updates()} if module("stable_baselines3") else {}
    for name, options in (("its defaults", f",{SB3_DEFAULTS}"), ("our defaults", "")):
        yield row(f"updates, batch {BATCH}, {name}", "updates/s", _our_updates(options), others, seconds)


def _our_updates(options: str) -> Work:
    from othello_lab.agent.dqn.learner import make_replay
    from othello_lab.agent.dqn.method import configure
    from othello_lab.agent.dqn.q_learning import QLearning
    from othello_lab.game import symmetry
    from othello_lab.game.registry import parse

    config = configure(parse(f"dqn,batch={BATCH}{options}").options, 8)
    learner, replay, rng = QLearning(config, 8, seed=0), make_replay(config, 8), np.random.default_rng(0)
    replay.appended = replay.capacity
    arrays, turn = replay.held(), np.arange(replay.capacity) % 30  # each game has 30 decisions
    arrays["frame"][:] = rng.integers(256, size=arrays["frame"].shape, dtype=np.uint8)
    arrays["action"][:] = rng.integers(64, size=replay.capacity)
    arrays["back"][:] = turn > 0
    arrays["discount"][:] = np.where(turn < 29, 0.99, 0)
    arrays["complete"][:] = True
    replay.restore(arrays)

    def work() -> float:
        drawn = replay.sample(config.batch, rng)
        assert drawn is not None  # noqa: S101  it is full
        batch, slots = drawn
        turns = rng.integers(symmetry.SYMMETRIES, size=config.batch) if config.symmetries else None
        replay.learned(slots, learner.update(batch, turns, replay.weights(slots, updates=0)))
        return 1

    return work


def _sb3_updates() -> Work:
    import gymnasium

    from othello_lab.agent.dqn.method import configure

    class Still(gymnasium.Env[Any, Any]):
        observation_space = gymnasium.spaces.Box(0, 1, (4 * 64,), np.float32)
        action_space = gymnasium.spaces.Discrete(64)

    config = configure({}, 8)
    model = import_module("stable_baselines3").DQN(
        "MlpPolicy",
        Still(),
        buffer_size=config.replay,
        policy_kwargs={"net_arch": list(config.hidden)},
        seed=0,
        device="cpu",
    )
    model.set_logger(import_module("stable_baselines3.common.logger").Logger(None, []))
    rng, buffer = np.random.default_rng(0), model.replay_buffer
    for states in (buffer.observations, buffer.next_observations):
        states[:] = rng.integers(2, size=states.shape, dtype=np.uint8)
    buffer.actions[:] = rng.integers(64, size=buffer.actions.shape)
    buffer.full = True

    def work() -> float:
        model.train(gradient_steps=1, batch_size=BATCH)
        return 1

    return work


def bench_solver(empties: int = 20, count: int = 20) -> Iterator[str]:
    """Yield lines with the solver's time, nodes and values. All versions must return the same values."""
    from othello_lab.game.catalogue import make_evaluator
    from othello_lab.game.play import sampled_positions
    from othello_lab.game.players.search import best_evaluator
    from othello_lab.game.solver.solver import Solver

    solver = Solver(8, evaluator=make_evaluator(best_evaluator(8), 8))
    values, nodes, seconds = [], 0, 0.0
    player = "noisy:positional,share=0.05"
    for board in sampled_positions(player, 8, count, fewest=empties, most=empties, seed=0):
        solver.forget()
        start = time.process_time()
        values.append(solver.value(board))
        seconds += time.process_time() - start
        nodes += solver.nodes
    yield f"{empties} empty squares, {count} positions"
    yield f"{seconds / count:.3f} s each, {nodes / count:,.0f} nodes, {nodes / seconds:,.0f} nodes/s"
    yield f"values {' '.join(f'{value:+d}' for value in values)}"


BENCHES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "game": bench_game,
    "env": bench_env,
    "glue": bench_glue,
    "learn": bench_learn,
    "solver": bench_solver,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser("bench", description="Measure the speed of the lab's parts.")
    parser.add_argument("part", choices=BENCHES)
    for line in BENCHES[parser.parse_args().part]():
        print(line, flush=True)
