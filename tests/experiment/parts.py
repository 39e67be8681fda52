import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.run.outcomes import RunResult
from othello_lab.experiment.run.plan import Plan, new_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart, TrainingConfig
from othello_lab.experiment.run.train import RoundPlayer, train
from othello_lab.experiment.show.progress import Display
from othello_lab.experiment.workers.interrupts import Interrupts
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.types import Action, Observation, Reward_observation_terminal


class SavingAgent:
    """Moves at random while it explores, otherwise to the first legal square. Saves its random state."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        self.exploring = True
        self.saved: dict[str, Any] = {}
        self.messages: list[str] = []
        self.starts = 0
        self.stop_after = -1
        self.interrupts: Interrupts | None = None

    def agent_init(self, task_spec: str) -> None:
        pass

    def agent_start(self, observation: Observation) -> Action:
        self.starts += 1
        if self.interrupts and self.starts == self.stop_after:
            self.interrupts.requested = True
        return self._move(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        return self._move(observation)

    def _move(self, observation: Observation) -> Action:
        squares = len(observation.intArray) // 4
        legal = np.flatnonzero(observation.intArray[2 * squares : 3 * squares])
        choice = int(self.rng.choice(legal)) if self.exploring and len(legal) else int([*legal, -1][0])
        action = Action()
        action.intArray = [choice]
        return action

    def agent_end(self, reward: float) -> None:
        pass

    def agent_cleanup(self) -> None:
        pass

    def agent_message(self, message: str) -> str:
        self.messages.append(message)
        order, _, name = message.partition(" ")
        if message.endswith("exploring"):
            self.exploring = order == "unfreeze"
        elif order in ("save", "save_policy"):
            self.saved[name] = self.rng.bit_generator.state
            return f"message understood, saved checkpoints/{name}"
        elif order == "load":
            self.rng.bit_generator.state = self.saved[name]
        elif order == "stats":
            return json.dumps({"loss": 0.5, "q_mean": 0.25, "epsilon": 0.125, "updates": self.starts})
        return "message understood"


class StrangersEnvironment:
    """Episodes of three steps with the rewards 1, -0.5, -1 and 0 in turn, without messages and EXTRA."""

    def __init__(self) -> None:
        self.episode = 0
        self.steps = 0

    def env_init(self) -> str:
        return "VERSION something else"

    def env_start(self) -> Observation:
        self.steps = 0
        self.episode += 1
        return Observation(1)

    def env_step(self, action: Action) -> Reward_observation_terminal:
        self.steps += 1
        reward = [0.0, 1.0, -0.5, -1.0][self.episode % 4] if self.steps == 3 else 0.0
        return Reward_observation_terminal(reward, Observation(1), self.steps == 3)

    def env_cleanup(self) -> None:
        pass

    def env_message(self, message: str) -> str:
        return ""


class MuteAgent(SavingAgent):
    def agent_message(self, message: str) -> str:
        return ""


def othello(size: int = 4, **values: Any) -> OthelloEnvironment:  # noqa: ANN401  any field of the configuration
    return OthelloEnvironment(EnvironmentConfig(size=size, **values))


def small(episodes: int = 30, **values: Any) -> TrainingConfig:  # noqa: ANN401  any field of it
    counts: dict[str, Any] = {"eval_every": 10, "eval_games": 5, "final_games": 0, "save_every": 10} | values
    return TrainingConfig(episodes, **counts)


def plan_of(runs: Path, name: str = "one", config: TrainingConfig | None = None) -> Plan:
    return new_plan(runs, name, config or small(), 0, AgentPart("random"), EnvironmentPart())


def carry_out(
    plan: Plan,
    agent: AgentLike,
    environment: EnvironmentLike,
    interrupts: Interrupts | None = None,
    rounds: RoundPlayer | None = None,
) -> tuple[RunResult, str]:
    out = StringIO()
    display = Display(Console(file=out, width=200), 0, plan.config.episodes)
    with plan.folder:
        glue = Glue(agent, environment)
        report = train(glue, plan, display, interrupts or Interrupts(), rounds=rounds)
    return report, out.getvalue()
