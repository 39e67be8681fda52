"""What config.json says of a run, read with care: the folder may be a stranger's."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from experiment.evaluation.opponents import SELF
from experiment.results.learners import TRAINED, learner_names
from experiment.training.config import ENVIRONMENT_OPTIONS, SelfPlayConfig, TrainingConfig
from experiment.training.seeds import Seeds
from game.players import RegistryError
from game.players import catalogue as registry

Part = dict[str, Any] | None
"""What is known about the agent or the environment: its options, its command, or None for nothing."""
_COMMAND = " command"


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


class Program(NamedTuple):
    """Something that a run starts on this machine."""

    role: str
    text: str

    def __str__(self) -> str:
        """Show it on one line, whatever is in it."""
        return f"{self.role}: {self.text if self.text.isprintable() else ascii(self.text)}"


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
    """Return the programs that the parts of a run are, or start: whatever is not known to be none."""
    return [
        program
        for program in _parts(record)
        if program.role.endswith(" command") or starts_program(program.text)
    ]


def _parts(record: RunConfig) -> Iterator[Program]:
    agent, environment = record.agent or {}, record.environment or {}
    for part, name in ((agent, "agent"), (environment, "environment")):
        if "command" in part:
            yield Program(name + _COMMAND, str(part["command"]))
    if "text" in agent:
        yield Program("agent", agent["text"])
    if "opponent" in environment:
        yield Program("opponent", str(environment["opponent"]))
    for text in record.experiment.eval_opponent:
        yield Program("eval-opponent", text)


def starts_program(text: str) -> bool:
    """Tell whether a player may start a program: an engine, also within another, or what others have added.

    A checkpoint is opened without running anything from it.
    """
    try:
        name = registry.parse(text).name
    except RegistryError:
        return True
    return "engine" in text or not (name in registry.BUILT_IN or name in {SELF, TRAINED, *learner_names()})
