"""Othello for two agents in PettingZoo. `env()` checks the order of calls, `raw_env()` does not."""

import sys
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray

from othello_lab.environment.adapters.gymnasium_env import (
    action_space,
    check_render_mode,
    mask_of_game,
    observation_space,
    rl_glue_action,
)
from othello_lab.environment.config import SELF, EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import observation
from othello_lab.game.board import Colour
from othello_lab.game.drawing import as_text
from othello_lab.game.game import STANDARD, Game

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "the adapter pettingzoo needs PettingZoo: python -m pip install 'othello-lab[pettingzoo]'",
        name="pettingzoo",
    ) from None

# The agents and their colours. Black moves first.
COLOURS: Final = {"black_0": Colour.BLACK, "white_0": Colour.WHITE}
AGENTS: Final = {colour: agent for agent, colour in COLOURS.items()}


def env(**arguments: Any) -> AECEnv:  # noqa: ANN401  the arguments of raw_env
    """Return `raw_env` in two PettingZoo wrappers, which check the order of calls and the actions."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(**arguments)))


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  pettingzoo is untyped and wants this name
    """Othello for two agents. Raises ValueError for an invalid size or render mode.

    An observation is `{"observation": planes, "action_mask": mask}`, as in module `gymnasium_env`, from the
    agent's view. If the agent is not to move, the mask is all zeros. The reward is 1 for a win, 0 for a draw
    and -1 for a loss. An illegal action loses the game and sets `illegal` in the agent's info.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  PettingZoo does not declare a ClassVar
        "name": "othello_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, size: int = 8, random_opening: int = 0, render_mode: str | None = None) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._environment = OthelloEnvironment(
            EnvironmentConfig(size=size, opponent=SELF, random_opening=random_opening)
        )
        self._rng, _ = seeding.np_random()
        self.render_mode = render_mode
        self.possible_agents = list(COLOURS)
        self.agents: list[str] = []
        space = spaces.Dict(
            {"observation": observation_space(size), "action_mask": spaces.MultiBinary(size * size + 1)}
        )
        self.observation_spaces = dict.fromkeys(COLOURS, space)
        self.action_spaces = {agent: action_space(size) for agent in COLOURS}

    @property
    def game(self) -> Game:
        """The current game."""
        return self._environment.game

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game at the option `start`, a transcript or a position. Raises ValueError if invalid."""
        settings = self._environment.settings
        if seed is not None:
            self._rng, _ = seeding.np_random(seed)
            settings.next_episode = 0
        settings.set_start((options or {}).get("start", STANDARD))  # wrappers may use other options
        settings.seed = int(self._rng.integers(2**63))
        self._environment.env_start()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = AGENTS[self.game.board.turn]

    def step(self, action: Any) -> None:  # noqa: ANN401  a Python or numpy int, or None
        """Play a square or the pass for the agent to move. After the end, `action` must be None."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if self.observe(agent)["action_mask"][action]:
            step = self._environment.env_step(rl_glue_action(int(action), self.game.size))
        else:
            self.infos[agent]["illegal"] = True
            step = self._environment.give_up()
        reward = float(step.r)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {name: reward if name == agent else -reward for name in self.agents}
        self.terminations = dict.fromkeys(self.agents, bool(step.terminal))
        # A forced pass is also a step, so the agents always alternate.
        self.agent_selection = AGENTS[COLOURS[agent].other]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[np.int8]]:
        """Return the observation of an agent, even if the agent is not to move."""
        size = self.game.size
        planes = observation.encode(self.game.board, COLOURS[agent]).astype(np.int8).reshape(4, size, size)
        mask = mask_of_game(planes, self.terminations.get(agent, True)) * (agent == self.agent_selection)
        return {"observation": planes, "action_mask": mask}

    def render(self) -> str | None:
        """Return the position as a text in the mode `ansi`. In the mode `human`, print the text."""
        if self.render_mode == "human":
            sys.stdout.write(as_text(self.game) + "\n\n")
        return as_text(self.game) if self.render_mode == "ansi" else None
