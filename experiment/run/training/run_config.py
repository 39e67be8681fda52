"""The configuration of a run, read from config.json with care: the folder may be a stranger's."""

from dataclasses import dataclass, field
from typing import Any

import msgspec

from experiment.run.results.learners import learner_names
from experiment.run.results.programs import Program, programs_in
from experiment.run.training.config import ENVIRONMENT_OPTIONS, SelfPlayConfig, TrainingConfig
from experiment.run.training.seeds import Seeds
from game.players import RegistryError
from game.players import catalogue as registry

Part = dict[str, Any] | None
"""What is known about the agent or the environment: its options, its command, or None for nothing."""


@dataclass(frozen=True)
class RunConfig:
    """What a resume needs of config.json."""

    experiment: TrainingConfig
    seeds: Seeds
    agent: dict[str, str] | None
    environment: dict[str, str | int | float] | None
    selfplay: SelfPlayConfig | None = None
    environment_stats: dict[str, Any] = field(default_factory=dict)
    task_spec: str = ""
    sessions: list[dict[str, Any]] = field(default_factory=list)


def read(values: dict[str, Any]) -> RunConfig:
    """Return the record that config.json holds; raise ValueError if it is none.

    What goes on to command lines is only what `othello run` writes: no other option, no other agent.
    """
    record = msgspec.convert(values, RunConfig)
    if record.agent is not None and record.agent.keys() not in ({"command"}, {"text"}):
        raise ValueError(f"agent is {record.agent}, expected a text or a command")
    if record.agent and "text" in record.agent and not _is_agent(record.agent["text"]):
        raise ValueError(f"{record.agent['text']!r} is no agent")
    own = record.environment
    if own and own.keys() != {"command"} and not own.keys() <= {*ENVIRONMENT_OPTIONS}:
        raise ValueError(f"environment has {', '.join(own)}, expected {', '.join(ENVIRONMENT_OPTIONS)}")
    return record


def _is_agent(text: str) -> bool:
    try:
        return registry.parse(text).name in {*learner_names(), *registry.names()}
    except RegistryError:
        return False


def programs(record: RunConfig) -> list[Program]:
    """Return the programs that the parts of a run are, or may start."""
    agent, environment = record.agent or {}, record.environment or {}
    commands = [
        Program(f"{name} command", str(part["command"]))
        for part, name in ((agent, "agent"), (environment, "environment"))
        if "command" in part
    ]
    named = [("agent", agent.get("text", "")), ("opponent", str(environment.get("opponent", "")))]
    named += [("eval-opponent", text) for text in record.experiment.eval_opponent]
    return commands + [program for role, text in named for program in programs_in(role, text)]
