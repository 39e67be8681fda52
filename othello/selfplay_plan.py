"""The plan of a run of `othello selfplay` from its options, the run folder held."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.ending import blaming
from othello.player_names import named
from othello.training_options import given
from othello.training_plan import resumed
from othello.trio_parts import check_opponents

if TYPE_CHECKING:
    from experiment.run.training.config import SelfPlayConfig, TrainingConfig
    from experiment.run.training.plan import Plan

EVALUATED_WITH = ("corner-greedy", "weights:swh")
"""Whom a learner of self-play is always evaluated with, as black and as white."""
_VARIED: Mapping[str, int] = {"random_opening": 4}
"""How games of evaluations begin: of two that play the same moves each time all games would be one."""


@contextmanager
def planned(context: click.Context, values: dict[str, Any]) -> Iterator["Plan"]:
    """Make the plan of a new run, or of the one that --resume names, and hold its folder."""
    from experiment.run.results.lifecycle import held
    from experiment.run.results.short_names import SUFFIX
    from experiment.run.training.planning import new_plan
    from experiment.run.training.resume import START

    if values["resume"]:
        length = {
            "episodes": values["games"] if "games" in given(context) else None,
            "minutes": values["minutes"],
            "plies": values["plies"],
        }
        what_may = "only --games, --minutes, --plies and --jobs may change"
        with resumed(context, values, what_may, starts=True, selfplay=True, **length) as plan:
            yield plan
        return
    config, own, start = checked_values(values)
    environment = {"size": values["size"], "opponent": "self", "first": "alternate", **_VARIED}
    agent = {"text": values["learner"]}
    plan = new_plan(values["runs_dir"], values["name"], config, values["seed"], agent, environment, own)
    with held(plan.folder):
        if start:
            plan.folder.checkpoints.mkdir()
            shutil.copyfile(start, plan.folder.checkpoints / (START + SUFFIX))
        yield plan


def checked_values(values: dict[str, Any]) -> tuple["TrainingConfig", "SelfPlayConfig", Path | None]:
    """Return what options say of a new run, and the checkpoint that it begins with.

    Raises click.BadParameter.
    """
    from agent.selfplay.pool import read_pool
    from agent.selfplay.shares import STANDARD
    from experiment.run.training.config import SelfPlayConfig
    from game.board import check_size

    size = values["size"]
    with blaming("--size"):
        check_size(size)
    with blaming("--learner"):
        values["learner"] = _checked_learner(values["learner"], size)
    opponents = values["opponents"] or STANDARD
    with blaming("--opponents"):
        read_pool(opponents, size)
    check_opponents(values, size)
    start = _start(values)
    own = SelfPlayConfig(values["games_at_once"], values["random_opening"], opponents, start is not None)
    return _training_config(values), own, start


def _checked_learner(text: str, size: int) -> str:
    """Return the text of a learner with its options for many games at once; raise ValueError if none."""
    from agent.make import check_learner
    from agent.selfplay.rounds import check_batches, for_batches

    check_learner(text, size)
    whole = for_batches(text)
    check_batches(whole, size)
    return whole


def _start(values: dict[str, Any]) -> Path | None:
    """Return the checkpoint that --from names, None without it; raise click.BadParameter for a wrong one."""
    from agent import checkpoint, learners
    from game.registry import RegistryError, parse

    if not values["from"]:
        return None
    found = parse(named(values["from"], values["runs_dir"], "--from").text)
    with blaming("--from"):
        if found.argument is None:
            raise RegistryError(f"{values['from']!r} is a player, but no run or checkpoint")
        method = learners.find(parse(values["learner"]).name)
        stored = checkpoint.load(Path(found.argument), method.name)
        method.read(stored, values["size"])
    return stored.path


def _training_config(values: dict[str, Any]) -> "TrainingConfig":
    """Return how long a run is, and how often it evaluates and saves."""
    from experiment.run.training.config import TENTHS, TrainingConfig, config_for

    names = [field.name for field in fields(TrainingConfig) if values.get(field.name) is not None]
    counts = {name: values[name] for name in names}
    counts["eval_opponent"] = tuple(dict.fromkeys([*EVALUATED_WITH, *values["eval_opponent"]]))
    counts["yardstick"] = values["yardstick"] is not False
    if not (values["minutes"] or values["plies"]):
        return config_for(values["games"], **counts)
    open_end = {"eval_every": TENTHS, "eval_games": 100, "final_games": 1000}
    return config_for(0, **{**open_end, **counts})
