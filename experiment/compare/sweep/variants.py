"""Variants of one set of options, each with every seed: what a sweep is made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from othello_lab.experiment.run.names import is_name
from othello_lab.game.errors import RefusedError
from othello_lab.game.registry import RegistryError, as_table, compose, underscored
from rlglue.messages import LARGEST_SEED

RESERVED = (
    "seed",
    "name",
    "runs-dir",
    "resume",
    "yes",
    "watch",
    "glue",
    "in-process",
    "host",
    "port",
    "connect-timeout",
)
"""Options of a run that are not the file's to say."""


_LEARNER = "learner"
"""The option that says who learns by self-play in batches."""


class SweepError(RefusedError):
    """A sweep that is not written as it should be, or cannot be carried out or read."""


@dataclass(frozen=True)
class Variant:
    """Options of its command by their long names, the agent or the learner as a registry text."""

    @property
    def command(self) -> tuple[str, ...]:
        """The words of `othello` that carry it out: batched self-play where it names a learner."""
        return ("selfplay",) if _LEARNER in self.options else ("experiment", "train", "--in-process")

    name: str
    options: Mapping[str, Any]

    def arguments(self, seed: int) -> list[str]:
        """Return the arguments of `othello` that carry out one run of it."""
        words = [*self.command]
        for key, value in self.options.items():
            if isinstance(value, bool):
                words += [f"--{key}"] * value
            else:
                words += [f"--{key}={item}" for item in (value if isinstance(value, list) else [value])]
        return [*words, f"--seed={seed}"]


@dataclass(frozen=True)
class Job:
    """One run of a sweep."""

    variant: Variant
    seed: int

    @property
    def name(self) -> str:
        """The name of its run folder, within the sweep's."""
        return f"{self.variant.name}-{self.seed}"


@dataclass(frozen=True)
class Sweep:
    """Variants and seeds."""

    variants: Sequence[Variant]
    seeds: Sequence[int]

    def jobs(self) -> list[Job]:
        """Return all runs: first one of each variant, so that there is soon something to compare."""
        return [Job(variant, seed) for seed in self.seeds for variant in self.variants]


def read_sweep(table: Mapping[str, Any], learner: str, seeds: Sequence[int] | None = None) -> Sweep:
    """Return the sweep that a TOML file describes; `seeds` are taken instead of the file's.

    `learner` is who learns where a table of options for the agent has no name.
    Shared options stand at the top or in [run], those of a variant in [variants.NAME]. Raises SweepError.
    """
    table = dict(table)
    variants, listed, run = table.pop("variants", {}), table.pop("seeds", []), table.pop("run", {})
    if not (isinstance(variants, dict) and variants and all(isinstance(v, dict) for v in variants.values())):
        raise SweepError("there are no variants: write a table [variants.NAME] for each")
    if not isinstance(run, dict):
        raise SweepError("run is no table: write [run]")
    if twice := sorted(table.keys() & run.keys()):
        raise SweepError(f"{twice[0]} stands at the top and in [run]: say it once")
    shared = {**table, **run}
    made = [Variant(name, _merged(name, shared, own, learner)) for name, own in variants.items()]
    return Sweep(made, _seeds(listed if seeds is None else seeds))


def _seeds(seeds: object) -> list[int]:
    if not (isinstance(seeds, Sequence) and seeds and all(map(_is_seed, seeds))):
        raise SweepError(f"seeds: expected a list of whole numbers, 0 to {LARGEST_SEED}, such as [0, 1, 2]")
    return list(dict.fromkeys(seeds))


def _is_seed(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST_SEED


def _merged(name: str, shared: Mapping[str, Any], own: Mapping[str, Any], learner: str) -> dict[str, Any]:
    """Return the options of a variant: its own over the shared ones."""
    if not is_name(name):
        raise SweepError(f"{name!r} is no name of a variant: use letters, digits, '-', '_' and '.' only")
    common, special = _dashed(shared), _dashed(own)
    if reserved := sorted({*common, *special} & {*RESERVED}):
        raise SweepError(f"{reserved[0]} is not for a sweep's file: leave it out")
    options = {**common, **special}
    if {"agent", _LEARNER} <= options.keys():
        raise SweepError(f"{name} has an agent and a learner: name one of them")
    for key in options.keys() & {"agent", _LEARNER}:
        options[key] = agent_text(common.get(key, {}), special.get(key, {}), learner)
    return options


def _dashed(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key.replace("_", "-"): value for key, value in table.items()}


def _keyed(table: Mapping[str, object]) -> dict[str, object]:
    return {underscored(key): value for key, value in table.items()}


def agent_text(shared: str | Mapping[str, object], own: str | Mapping[str, object], learner: str) -> str:
    """Return the registry text of an agent: a table of its own is laid over the shared one.

    A text, or a table with another name, stands for itself; `learner` is the name where there is none. Raises
    SweepError.
    """
    for value in (shared, own):
        if not isinstance(value, str | Mapping):
            raise SweepError(f"agent is {value}, expected a text or a table")
    if isinstance(own, str):
        return own
    try:
        common = as_table(shared) if isinstance(shared, str) else {"name": learner, **_keyed(shared)}
        special = _keyed(own)
        same = special.get("name", common["name"]) == common["name"]
        return compose({**common, **special} if same else special)
    except RegistryError as error:
        raise SweepError(f"agent: {error}") from None
