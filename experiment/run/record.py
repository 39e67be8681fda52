"""The record of a run: config.json as typed values, and names for tables and plots."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

import msgspec

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.game.notation import printable
from othello_lab.game.registry import RegistryError, announced, parse
from othello_lab.game.short_names import short_name
from rlglue.messages import truncate_middle

NEVER_MET = "never met: "
_LONGEST_NAME = 30
_SEATS = {
    "agent": " as black",
    "opponent": " as white",
    "alternate": " as black and white in turn",
    "random": " as black or white by lot",
}
# The agent's training colours by the value of `first`. For other values, the agent plays both colours.
_COLOURS: Final = {"agent": ("black",), "opponent": ("white",)}
DEFAULT_EPISODES: Final = 5000
TENTHS: Final = -1  # As `eval_every` or `save_every`: after each tenth of a run of unknown length.

T = TypeVar("T")


@dataclass(frozen=True)
class TrainingConfig:
    """The options of training. For a number of episodes or games, 0 means never or none."""

    episodes: int = DEFAULT_EPISODES
    eval_every: int = 500
    eval_games: int = 100
    final_games: int = 1000
    save_every: int = 500
    keep_policies: bool = False  # Whether to keep policies after the removal of their checkpoints.
    max_steps: int = 0  # The maximum number of actions per episode. 0 means no limit.
    eval_opponent: Sequence[str] = ()  # The registry texts of further opponents in evaluations.
    # The length of the agent's schedules in episodes. A resume with more episodes keeps this length.
    planned_episodes: int = DEFAULT_EPISODES
    minutes: float = 0.0  # The time limit of self-play in minutes. 0 means no limit.


def config_for(episodes: int, **options: Any) -> TrainingConfig:  # noqa: ANN401  fields of the configuration
    """Return a run's configuration. Defaults depend on the number of episodes, where 0 means unknown."""
    values: dict[str, Any] = {
        "eval_every": -(-episodes // 10) or TENTHS,
        "eval_games": min(100, max(50, episodes // 50)) if episodes else 100,
        "final_games": min(1000, max(200, episodes // 5)) if episodes else 1000,
        **{name: value for name, value in options.items() if value is not None},
    }
    values.setdefault("save_every", values["eval_every"])
    return TrainingConfig(episodes=episodes, planned_episodes=episodes, **values)


@dataclass(frozen=True)
class SelfPlayConfig:
    """The additional options of batched self-play."""

    games_at_once: int = 0  # The number of games in a round. The learner learns after each round.
    random_opening: int = 0  # The maximum number of random plies at the start of a game.
    opponents: str = ""  # The learner's opponents with their shares of the games, as `NAME=SHARE,...`.
    start: bool = False  # Whether the run began with the policy of the checkpoint START.


@dataclass(frozen=True)
class Seeds:
    """The seeds of the parts of a run."""

    environment: int = 0
    agent: int = 0
    evaluation: int = 0  # The seed of the environment during evaluations.


def derive(seed: int) -> Seeds:
    """Return three independent seeds from the seed of a run."""
    import numpy as np  # lazy import: --help must not wait for NumPy

    parts = np.random.SeedSequence(seed).spawn(3)
    return Seeds(*(int(part.generate_state(1)[0]) for part in parts))


@dataclass(frozen=True)
class AgentPart:
    """The agent of a run. If all fields are None, the agent is started separately."""

    text: str | None = None  # The registry text of a learner or a player.
    command: str | None = None  # The command line of an agent program.

    @property
    def is_known(self) -> bool:
        """Whether the run creates or starts the agent."""
        return self != AgentPart()


@dataclass(frozen=True)
class EnvironmentPart:
    """The environment of a run. If all fields are None, the environment is started separately."""

    size: int | None = None
    opponent: str | None = None
    first: str | None = None
    random_opening: int | None = None
    illegal_action: str | None = None
    reward: str | None = None
    command: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether the run creates or starts the environment."""
        return self != EnvironmentPart()


# The names of the options of our own environment.
ENVIRONMENT_OPTIONS: Final = tuple(item.name for item in fields(EnvironmentPart) if item.name != "command")


@dataclass(frozen=True)
class EnvironmentStats:
    """The environment's `stats` at the start of a run. An unreported value is None."""

    size: int | None = None
    opponent: str | None = None
    seed: int | None = None
    episode: int | None = None  # The index of the last episode, from 0.
    first: str | None = None
    start: str | None = None


@dataclass(frozen=True)
class RunRecord:
    """The content of config.json."""

    seed: int | None = None
    seeds: Seeds = field(default_factory=Seeds)
    experiment: TrainingConfig = field(default_factory=TrainingConfig)
    agent: AgentPart = field(default_factory=AgentPart)
    environment: EnvironmentPart = field(default_factory=EnvironmentPart)
    selfplay: SelfPlayConfig | None = None  # The options of batched self-play. None for games over RL-Glue.
    environment_stats: EnvironmentStats = field(default_factory=EnvironmentStats)
    agent_config: dict[str, Any] = field(default_factory=dict)  # The agent's answer to `config`.
    task_spec: str | None = None  # The task specification. None before agent and environment connect.
    sessions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def size(self) -> int | None:
        """The board size, or None if unknown."""
        return self.environment_stats.size or self.environment.size

    @property
    def headline(self) -> str:
        """The title of the run, such as `dqn as black against corner-greedy on 6x6`."""
        stats, config = self.environment_stats, self.agent_config
        name = self.agent.text or self.agent.command or config.get("text") or config.get("agent")
        name = short_name(printable(name)) if isinstance(name, str) else ""
        name = truncate_middle(name or "the agent", 2 * _LONGEST_NAME)
        if not stats.opponent:
            return name
        if stats.opponent == SELF:
            against = " against itself" + (" and others" if self.pool_names else "")
        else:
            seat = _SEATS.get(stats.first or "", "")
            against = f"{seat} against {truncate_middle(short_name(stats.opponent), _LONGEST_NAME)}"
        return f"{name}{against} on {stats.size}x{stats.size}"

    def result_name(self, opponent: str, width: int | None = None) -> str:
        """Return an opponent's display name, with at most `width` characters."""
        text, from_openings, _ = opponent.partition(FROM_OPENINGS)
        before, after = "", ", openings" if from_openings else ""
        if self.is_held_out(opponent):
            before, after = NEVER_MET, ""
        name = short_name(text) or "its opponent"
        return before + (truncate_middle(name, width - len(before + after)) if width else name) + after

    def is_held_out(self, opponent: str) -> bool:
        """Return whether the agent never met this opponent of evaluations.csv in training."""
        main = self.environment_stats.opponent or ""
        met = {STAND_IN if main == SELF else main, *self.pool_names}
        return opponent.endswith(FROM_OPENINGS) and opponent.removesuffix(FROM_OPENINGS) not in met

    @property
    def pool_names(self) -> list[str]:
        """The names of the training opponents in batched self-play, besides the learner itself."""
        parts = self.selfplay.opponents.split(",") if self.selfplay else ()
        return [name for name, share, _ in (part.rpartition("=") for part in parts) if share]


_NEEDED: Final = ("experiment", "seeds", "agent", "environment")


def table_of(part: AgentPart | EnvironmentPart) -> dict[str, Any] | None:
    """Return a part as a table of config.json, or None if the part has no values."""
    return {name: value for name, value in asdict(part).items() if value is not None} or None


def agent_part(text: str) -> AgentPart:
    """Return the agent that a registry text or a command line describes."""
    return AgentPart(text=text) if _is_agent(text) else AgentPart(command=text)


def agent_colours(first: str | None) -> tuple[str, ...]:
    """Return the agent's training colours for the option `--first`."""
    return _COLOURS.get(first or "", ("black", "white"))


def learner_names() -> set[str]:
    """Return the names of all learners, from the entry-point group `othello.learners`."""
    return {entry.name for entry in announced("othello.learners")}


def _is_agent(text: str) -> bool:
    try:
        name = parse(text).name
    except RegistryError:
        return False
    if name in learner_names():
        return True
    from othello_lab.game import catalogue  # lazy import: most agents are learners

    return name in catalogue.PLAYERS.entries


def read(values: Mapping[str, Any]) -> RunRecord:
    """Return the record in config.json. Raises ValueError for content that `othello run` does not write."""
    # The check is strict, because a resume passes values of an untrusted folder to command lines.
    if missing := [name for name in _NEEDED if name not in values]:
        raise ValueError(f"it has no {', '.join(missing)}")
    agent, environment = values["agent"] or {}, values["environment"] or {}
    if agent and agent.keys() not in ({"command"}, {"text"}):
        raise ValueError(f"agent is {agent}, expected a text or a command")
    if environment and environment.keys() != {"command"} and not environment.keys() <= {*ENVIRONMENT_OPTIONS}:
        expected = ", ".join(ENVIRONMENT_OPTIONS)
        raise ValueError(f"environment has {', '.join(environment)}, expected {expected}")
    parts = {"environment_stats": {}, "agent": agent, "environment": environment}
    record = msgspec.convert({**values, **parts}, RunRecord)
    if record.agent.text is not None and not _is_agent(record.agent.text):
        raise ValueError(f"{record.agent.text!r} is no agent")
    for text in filter(None, (record.environment.opponent, *record.experiment.eval_opponent)):
        parse(text)
    return replace(record, environment_stats=stats_of(values.get("environment_stats")))


def stats_of(values: object) -> EnvironmentStats:
    """Return the `stats` of an environment. Values of a wrong type are ignored."""
    return _fitting(EnvironmentStats, values)


def known(values: Mapping[str, Any]) -> RunRecord:
    """Return the record in config.json for display. Values of a wrong type are ignored."""
    return _fitting(RunRecord, values)


def _fitting(kind: type[T], table: object) -> T:
    """Convert a table to the dataclass `kind`. Defaults replace values of a wrong type."""
    values = table if isinstance(table, Mapping) else {}
    fitting = {}
    for item in fields(cast(Any, kind)):  # `kind` is always a dataclass
        if is_dataclass(item.type):
            fitting[item.name] = _fitting(cast(type[Any], item.type), values.get(item.name))
        elif values.get(item.name) is not None:
            with suppress(msgspec.ValidationError):
                fitting[item.name] = msgspec.convert(values[item.name], item.type)
    return kind(**fitting)
