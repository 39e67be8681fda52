"""The record of a run: config.json as typed values, and the names that tables and plots make of them.

A run folder may be a stranger's. So what a resume would put on command lines is read with care (`read`), and
what is only shown as far as it fits (`known`).
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, Final, TypeVar, cast

import msgspec

from othello_lab.experiment.run.names import learner_names, told_name
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.game.players.short_names import short_name
from othello_lab.game.registry import RegistryError, parse
from rlglue.messages import truncate_middle

NEVER_MET = "never met: "
_LONGEST_NAME = 30
_SEATS = {
    "agent": " as black",
    "opponent": " as white",
    "alternate": " as black and white in turn",
    "random": " as black or white by lot",
}
DEFAULT_EPISODES: Final = 5000
TENTHS: Final = -1
"""In place of a number of games: at each tenth of a run whose number of games is not known before."""

T = TypeVar("T")


@dataclass(frozen=True)
class TrainingConfig:
    """Counts of episodes and games; 0 means never, none; see also TENTHS."""

    episodes: int = DEFAULT_EPISODES
    eval_every: int = 500
    eval_games: int = 100
    final_games: int = 1000
    save_every: int = 500
    keep_policies: bool = False
    """Whether what the agent has learned by each checkpoint stays, when the checkpoint itself is removed."""
    keep_lost_games: bool = False
    """Whether the games that the agent loses are written down."""
    max_steps: int = 0
    """Actions after which an episode is cut off."""
    eval_opponent: Sequence[str] = ()
    """Registry texts: who the agent is evaluated against, besides the environment's own opponent."""
    planned_episodes: int = DEFAULT_EPISODES
    """What the agent's schedules are made for: a resumed run that goes on for longer keeps it."""
    minutes: float = 0.0
    """Of self-play that ends after a given time: its `episodes` are known at its end only. 0: it does not."""
    plies: int = 0
    """Decisions after which self-play ends, likewise."""

    @property
    def is_open(self) -> bool:
        """Whether nobody knows before how many games there will be."""
        return bool(self.minutes or self.plies)


def config_for(episodes: int, **given: Any) -> TrainingConfig:  # noqa: ANN401  fields of the configuration
    """Return the configuration of a run; what is not given, or None, follows the number of episodes.

    Ten evaluations a run; a short one has fewer games in each, so that it does not consist of them.
    """
    values: dict[str, Any] = {
        "eval_every": -(-episodes // 10),
        "eval_games": min(100, max(50, episodes // 50)),
        "final_games": min(1000, max(200, episodes // 5)),
        **{name: value for name, value in given.items() if value is not None},
    }
    values.setdefault("save_every", values["eval_every"])
    return TrainingConfig(episodes=episodes, planned_episodes=episodes, **values)


@dataclass(frozen=True)
class SelfPlayConfig:
    """What a run of batched self-play has besides."""

    games_at_once: int = 0
    """Of a round, after which the learner learns."""
    random_opening: int = 0
    """Games begin with 0 to this many random plies."""
    opponents: str = ""
    """Who plays one side of some of the games, and of which share."""
    start: bool = False
    """Whether it began with the policy of a checkpoint, which is kept as checkpoints/start."""


@dataclass(frozen=True)
class Seeds:
    """The seeds of a run's parts."""

    environment: int = 0
    agent: int = 0
    evaluation: int = 0
    """Given to the environment while evaluation games are played."""


def derive(seed: int) -> Seeds:
    """Split a run's seed; the three streams have nothing to do with each other."""
    import numpy as np  # here, so that --help, which knows the defaults, does not wait for it

    parts = np.random.SeedSequence(seed).spawn(3)
    return Seeds(*(int(part.generate_state(1)[0]) for part in parts))


@dataclass(frozen=True)
class AgentPart:
    """The agent as a run makes or starts it; neither for one that connects by itself."""

    text: str | None = None
    """A learner or a player, as a registry text."""
    command: str | None = None
    """The command line of another program."""

    @property
    def is_known(self) -> bool:
        """Whether the run makes or starts it."""
        return self != AgentPart()


@dataclass(frozen=True)
class EnvironmentPart:
    """The environment likewise: the options of our own, or the command line of another program."""

    size: int | None = None
    opponent: str | None = None
    first: str | None = None
    random_opening: int | None = None
    illegal_action: str | None = None
    reward: str | None = None
    reward_win: float | None = None
    reward_draw: float | None = None
    reward_loss: float | None = None
    command: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether the run makes or starts it."""
        return self != EnvironmentPart()

    @property
    def is_ours(self) -> bool:
        """Whether it is our own, made or started by the run."""
        return self.is_known and self.command is None


ENVIRONMENT_OPTIONS: Final = tuple(each.name for each in fields(EnvironmentPart) if each.name != "command")
"""The names of the options of our own environment."""


@dataclass(frozen=True)
class EnvironmentStats:
    """What an environment says of itself as a run begins; None where it does not."""

    size: int | None = None
    opponent: str | None = None
    seed: int | None = None
    first: str | None = None
    start: str | None = None


@dataclass(frozen=True)
class RunRecord:
    """What config.json holds of a run."""

    seed: int | None = None
    seeds: Seeds = field(default_factory=Seeds)
    experiment: TrainingConfig = field(default_factory=TrainingConfig)
    agent: AgentPart = field(default_factory=AgentPart)
    environment: EnvironmentPart = field(default_factory=EnvironmentPart)
    selfplay: SelfPlayConfig | None = None
    """None for games over RL-Glue."""
    environment_stats: EnvironmentStats = field(default_factory=EnvironmentStats)
    agent_config: dict[str, Any] = field(default_factory=dict)
    """What the agent says of itself."""
    task_spec: str = ""
    """"" before agent and environment have met."""
    sessions: list[dict[str, Any]] = field(default_factory=list)

    @property
    def size(self) -> int | None:
        """The length of a side, as far as it is known."""
        return self.environment_stats.size or self.environment.size


_NEEDED: Final = ("experiment", "seeds", "agent", "environment")


def table_of(part: AgentPart | EnvironmentPart) -> dict[str, Any] | None:
    """Return what config.json holds of a part; None for one that is not known."""
    return {name: value for name, value in asdict(part).items() if value is not None} or None


def agent_part(text: str) -> AgentPart:
    """Tell a learner or a player from a command line."""
    return AgentPart(text=text) if _is_agent(text) else AgentPart(command=text)


def _is_agent(text: str) -> bool:
    try:
        name = parse(text).name
    except RegistryError:
        return False
    if name in learner_names():
        return True
    from othello_lab.game.players import catalogue  # here: most agents are learners

    return name in catalogue.names()


def read(values: Mapping[str, Any]) -> RunRecord:
    """Return the record that config.json holds; raise ValueError if it is none.

    What goes on to command lines is only what `othello run` writes: no other option, no other agent.
    """
    if missing := [name for name in _NEEDED if name not in values]:
        raise ValueError(f"it has no {', '.join(missing)}")
    agent, own = values["agent"] or {}, values["environment"] or {}
    if agent and agent.keys() not in ({"command"}, {"text"}):
        raise ValueError(f"agent is {agent}, expected a text or a command")
    if own and own.keys() != {"command"} and not own.keys() <= {*ENVIRONMENT_OPTIONS}:
        raise ValueError(f"environment has {', '.join(own)}, expected {', '.join(ENVIRONMENT_OPTIONS)}")
    told = {"environment_stats": {}, "agent": agent, "environment": own}
    record = msgspec.convert({**values, **told}, RunRecord)
    if record.agent.text is not None and not _is_agent(record.agent.text):
        raise ValueError(f"{record.agent.text!r} is no agent")
    for text in filter(None, (record.environment.opponent, *record.experiment.eval_opponent)):
        parse(text)
    return replace(record, environment_stats=stats_of(values.get("environment_stats")))


def stats_of(values: object) -> EnvironmentStats:
    """Return what an environment says of itself, as far as it is of the right kind."""
    return _fitting(EnvironmentStats, values)


def known(values: Mapping[str, Any]) -> RunRecord:
    """Return what of config.json is of the right kind, to be shown."""
    return _fitting(RunRecord, values)


def _fitting(kind: type[T], table: object) -> T:
    """Return a dataclass of those values of a table that are of the types of its fields."""
    own = table if isinstance(table, Mapping) else {}
    found = {}
    for each in fields(cast(Any, kind)):  # only dataclasses come here
        if is_dataclass(each.type):
            found[each.name] = _fitting(cast(type[Any], each.type), own.get(each.name))
        elif own.get(each.name) is not None:
            with suppress(msgspec.ValidationError):
                found[each.name] = msgspec.convert(own[each.name], each.type)
    return kind(**found)


def headline(config: Mapping[str, Any]) -> str:
    """Say who played whom, such as `dqn as black against corner-greedy on 6x6`, from a run's config.json."""
    record = known(config)
    agent, stats = record.agent, record.environment_stats
    name = agent.text or agent.command or told_name(record.agent_config)
    words = truncate_middle(short_name(name) or "the agent", 2 * _LONGEST_NAME)
    if not stats.opponent:
        return words
    if stats.opponent == SELF:
        against = " against itself" + (" and others" if pool_names(config) else "")
    else:
        seat = _SEATS.get(stats.first or "", "")
        against = f"{seat} against {truncate_middle(short_name(stats.opponent), _LONGEST_NAME)}"
    return f"{words}{against} on {stats.size}x{stats.size}"


def result_name(opponent: str, config: Mapping[str, Any], width: int | None = None) -> str:
    """Name an opponent of evaluations.csv as tables and plots do, with at most `width` characters, if that is
    given.
    """
    named, from_openings, _ = opponent.partition(FROM_OPENINGS)
    before, after = "", ", openings" if from_openings else ""
    if is_held_out(opponent, config):
        before, after = NEVER_MET, ""
    name = short_name(named) or "its opponent"
    return before + (truncate_middle(name, width - len(before + after)) if width else name) + after


def is_held_out(opponent: str, config: Mapping[str, Any]) -> bool:
    """Tell whether an opponent of evaluations.csv is one that the agent never met in training."""
    own = known(config).environment_stats.opponent or ""
    met = {STAND_IN if own == SELF else own, *pool_names(config)}  # all openings are played against the first
    return opponent.endswith(FROM_OPENINGS) and opponent.removesuffix(FROM_OPENINGS) not in met


def pool_names(config: Mapping[str, Any]) -> list[str]:
    """Return the players that a run of batched self-play trains against besides itself."""
    own = known(config).selfplay
    parts = own.opponents.split(",") if own else ()
    return [name for name, share, _ in (part.rpartition("=") for part in parts) if share]


def is_selfplay(config: Mapping[str, Any]) -> bool:
    """Tell whether a run is one of batched self-play, from its config.json."""
    return known(config).selfplay is not None
