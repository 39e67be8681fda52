"""Differences between runs: those that differ in the seed only are put together and named."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from experiment.run.results.run_folder import RunFolder, RunFolderError

_ENVIRONMENT = ("size", "opponent", "first", "random_opening", "reward_win", "reward_draw", "reward_loss")
_EXPERIMENT = ("episodes", "max_steps")
"""What matters: how often was evaluated or saved changes nothing in how an agent learns."""

Settings = Mapping[str, Any]


def grouped(folders: Iterable[RunFolder]) -> tuple[dict[str, list[RunFolder]], dict[str, str]]:
    """Put runs that differ in the seed only together, under their names.

    Return the groups, and for each what sets it apart from the others.
    """
    folders = list(folders)
    called = Counter(folder.path.name for folder in folders)
    groups: dict[str, list[RunFolder]] = {}
    settings: dict[str, Settings] = {}
    for folder in folders:
        own = _settings(folder)
        key = json.dumps(own, sort_keys=True)
        settings[key] = own
        groups.setdefault(key, []).append(folder)
    named = {_name(own, called): own for own in groups.values()}
    return named, dict(zip(named, _differences(list(settings.values())), strict=True))


def check_each_once(folders: Iterable[RunFolder]) -> None:
    """Raise RunFolderError if a run is there twice, also where two paths lead to it."""
    for one, other in combinations(folders, 2):
        if one.path.resolve() == other.path.resolve():
            said = " and ".join(dict.fromkeys((str(one.path), str(other.path))))
            raise RunFolderError(f"{said}: one run is there twice, name each once")


def same_seeds(groups: Mapping[str, Sequence[RunFolder]]) -> Iterator[str]:
    """Yield a line for each group that has a seed more than once: such runs say nothing new."""
    for name, own in groups.items():
        for seed, times in Counter(folder.config().get("seed") for folder in own).items():
            if times > 1 and seed is not None:
                yield f"{name}: {times} of these runs have the same seed {seed}, but count as different ones"


def _name(folders: Sequence[RunFolder], called: Mapping[str, int]) -> str:
    """Return the names of runs; the path where another run has the same name."""
    return ", ".join(
        folder.path.name if called[folder.path.name] == 1 else folder.path.as_posix() for folder in folders
    )


def _settings(folder: RunFolder) -> Settings:
    """The settings of a run that matter; what is not known of its parts is taken from what they said."""
    config = folder.config()
    try:
        agent = config["agent"] or config.get("agent_config") or {}
        environment = {**(config.get("environment_stats") or {}), **(config["environment"] or {})}
        experiment = config["experiment"]
        said = agent.get("text") or agent.get("command")
        own = {"agent": said or json.dumps(agent, sort_keys=True)}
        own |= {key: environment[key] for key in (*_ENVIRONMENT, "command") if key in environment}
        return own | {key: experiment[key] for key in _EXPERIMENT if key in experiment}
    except (KeyError, TypeError, AttributeError):
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's") from None


def _differences(settings: Sequence[Settings]) -> list[str]:
    """Say of each by which values it differs from others."""
    keys = list(dict.fromkeys(key for own in settings for key in own))
    telling = [key for key in keys if len({json.dumps(own.get(key)) for own in settings}) > 1]
    return [
        "  ".join(f"{key.replace('_', ' ')} {own[key]}" for key in telling if key in own) for own in settings
    ]
