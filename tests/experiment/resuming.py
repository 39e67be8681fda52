from pathlib import Path
from typing import Any

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.experiment.run.plan import Plan, new_plan, resumed_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from tests.experiment.parts import carry_out, othello, small

RESULTS = ("episodes.csv", "evaluations.csv")


class Killed(BaseException):
    """Stands for kill -9, which no code catches."""


def agent_of(plan: Plan, seed: int = 3) -> PlayerAgent:
    return PlayerAgent("random", seed, directory=plan.folder.checkpoints)


def plan_for(runs: Path, name: str, episodes: int = 50, **values: Any) -> Plan:  # noqa: ANN401  as of small
    config = small(episodes, **{"eval_every": 15, **values})
    return new_plan(runs, name, config, 0, AgentPart("random"), EnvironmentPart())


def play(runs: Path, name: str, episodes: int = 50, **values: Any) -> Path:  # noqa: ANN401
    """Run 50 games from the beginning. The checkpoints after 30, 40 and 50 games remain."""
    plan = plan_for(runs, name, episodes, **values)
    carry_out(plan, agent_of(plan), othello(seed=3))
    return plan.folder.path


def resume(runs: Path, name: str, episodes: int | None = 60, seed: int = 99) -> str:
    """Continue to 60 games with other seeds, and return the output."""
    plan = resumed_plan(runs, name, episodes)
    return carry_out(plan, agent_of(plan, seed), othello(seed=seed))[1]


def results(run: Path) -> dict[str, bytes]:
    files = [run / name for name in RESULTS] + sorted((run / "checkpoints").iterdir())
    return {path.name: path.read_bytes() for path in files}


def newest(run: Path, number: int = 50) -> Path:
    return run / "checkpoints" / f"episode-{number:08d}.safetensors"
