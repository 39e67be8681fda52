"""What every Othello environment and every agent must keep to, whoever wrote it.

The checks take objects with the methods of RL-Glue: real ones, or a server's proxies of ones elsewhere.
"""

import json

import numpy as np

from game import observation
from game.board import Board, Colour
from game.notation import PASS
from rlglue import taskspec
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.types import Action, Observation, Reward_observation_terminal


def action_of(move: int) -> Action:
    action = Action()
    action.intArray = [move]
    return action


def legal_of(seen: Observation) -> list[int]:
    """Squares where the agent may move, or a pass."""
    return [int(s) for s in np.flatnonzero(observation.decode(seen.intArray).legal)] or [PASS]


def board_of(seen: Observation) -> Board:
    """The position as if the agent were black and to move."""
    planes = observation.decode(seen.intArray)
    own, opponent = (sum(1 << int(s) for s in np.flatnonzero(p)) for p in (planes.own, planes.opponent))
    return Board(planes.size, own, opponent, Colour.BLACK)


def check_environment(environment: EnvironmentLike, size: int) -> None:
    """Fail with the broken rule if an environment with its default rewards does not keep the contract."""
    spec = taskspec.parse(environment.env_init())
    assert spec.problem_type == "episodic"
    assert spec.observations.int_count == 4 * size * size
    assert spec.extra_values()["size"] == str(size)
    rng = np.random.default_rng(0)
    for _ in range(4):
        _check_episode(environment, size, rng)
    _check_forfeits(environment, size)
    _check_same_seed_same_episode(environment)
    assert (environment.env_message("no such message") or "").startswith("error:")
    environment.env_cleanup()


def _check_episode(environment: EnvironmentLike, size: int, rng: np.random.Generator) -> None:
    seen = environment.env_start()
    _check_observation(seen, size)
    rewards = []
    for _ in range(2 * size * size):
        before = board_of(seen)
        result = environment.env_step(action_of(int(rng.choice(legal_of(seen)))))
        seen = result.o
        _check_observation(seen, size)
        rewards.append(result.r)
        if result.terminal:
            break
        gained = sum(board_of(seen).counts()) - sum(before.counts())
        assert gained in (0, 1, 2), "a step is at most the agent's move and the opponent's answer"
    assert result.terminal, "an episode ends"
    final = board_of(seen)
    assert final.is_over, "it ends when neither side can move"
    assert not any(rewards[:-1]), "the reward is 0 until the end"
    own, opponent = final.counts()
    assert rewards[-1] == (1.0 if own > opponent else -1.0 if own < opponent else -0.5)
    again = environment.env_step(action_of(PASS))
    assert (again.terminal, again.r) == (1, 0.0), "a step after the end is terminal and brings nothing"
    assert board_of(again.o) == final


def _check_observation(seen: Observation, size: int) -> None:
    numbers = np.asarray(seen.intArray)
    assert numbers.shape == (4 * size * size,)
    assert set(numbers.tolist()) <= {0, 1}
    board = board_of(seen)
    assert board.black & board.white == 0, "a square holds one disc"
    planes = observation.decode(seen.intArray)
    assert set(np.flatnonzero(planes.legal).tolist()) == set(board.legal_moves)
    assert set(np.flatnonzero(planes.opponent_legal).tolist()) == set(board.opponent_moves)


def _check_forfeits(environment: EnvironmentLike, size: int) -> None:
    two = Action()
    two.intArray = [0, 1]
    for case in (action_of(PASS), None, action_of(size * size), action_of(-2), Action(), two):
        seen = environment.env_start()
        before, legal = board_of(seen), legal_of(seen)
        wrong = case or action_of(next(s for s in range(size * size) if s not in legal))
        result = environment.env_step(wrong)
        assert (result.terminal, result.r) == (1, -1.0), f"{wrong.intArray} is illegal and forfeits the game"
        assert board_of(result.o) == before, "a forfeit leaves the position"
        assert json.loads(environment.env_message("stats") or "")["illegal"] == 1


def _check_same_seed_same_episode(environment: EnvironmentLike) -> None:
    transcripts = set()
    for _ in range(2):
        environment.env_message("seed 7")
        environment.env_message("episode 3")
        seen, terminal = environment.env_start(), False
        while not terminal:
            result = environment.env_step(action_of(legal_of(seen)[0]))
            seen, terminal = result.o, bool(result.terminal)
        transcripts.add(environment.env_message("transcript"))
    assert len(transcripts) == 1


class Referee:
    """An environment that fails as soon as an action is not exactly one legal int."""

    def __init__(self, environment: EnvironmentLike) -> None:
        self.environment = environment
        self._legal: list[int] = []
        self.env_init, self.env_message = environment.env_init, environment.env_message
        self.env_cleanup = environment.env_cleanup

    def env_start(self) -> Observation:
        seen = self.environment.env_start()
        self._legal = legal_of(seen)
        return seen

    def env_step(self, action: Action) -> Reward_observation_terminal:
        moves = np.asarray(action.intArray).tolist()
        assert len(moves) == 1, f"an action is one int, got {moves}"
        assert moves[0] in self._legal, f"{moves[0]} is not legal, expected one of {self._legal}"
        result = self.environment.env_step(action)
        self._legal = legal_of(result.o)
        return result


def check_agent(agent: AgentLike, environment: EnvironmentLike) -> None:
    """Fail with the broken rule if an agent does not keep the contract in this environment."""
    glue = Glue(agent, Referee(environment))
    for _ in range(2):  # a second run on the same agent must work like the first
        glue.RL_init()
        for limit in (0, 3, 0, 1, 0):  # cut-off episodes never see agent_end
            glue.RL_episode(limit)
        assert isinstance(glue.RL_agent_message("no such message"), str)
        glue.RL_cleanup()
