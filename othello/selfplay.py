"""`othello selfplay`: a learner trained by thousands of its own games at once."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from othello.config_file import config_option
from othello.ending import interruptible
from othello.groups import Command
from othello.options import given, takes
from othello.selfplay_device import is_elsewhere
from othello.selfplay_device import run as run_on_device
from othello.selfplay_options import LENGTHS, SelfPlayOptions, checked
from othello.training_plan import agent_and_environment, planned, resumed
from othello.workers import workers

if TYPE_CHECKING:
    from agent.selfplay.training import SelfPlay
    from experiment.run.training.plan import Plan
    from experiment.workers.shards import Workers
    from rlglue.glue import Glue

_VARIED: Final[Mapping[str, int]] = {"random_opening": 4}
"""How games of evaluations begin: of two that play the same moves each time all games would be one."""


@click.command(cls=Command)
@takes(SelfPlayOptions)
@config_option
def command(said: SelfPlayOptions) -> None:
    """Train a learner by self-play, thousands of games at once, on this machine's processors or its GPU.

    It makes the same run folder and checkpoints as `othello run`: what it has trained can play and go on
    learning over RL-Glue, and the other way round. With --device cuda the folder holds only the network,
    which plays as trained:FOLDER/policy.safetensors; watch, report and compare cannot read it.
    """
    from game.threads import use_threads

    use_threads(1)
    if is_elsewhere(said.device):
        run_on_device(said)
    if len(LENGTHS & given()) > 1:
        raise click.UsageError("--games, --minutes and --plies: expected one of them")
    with (
        interruptible() as interrupts,
        _reported(),
        workers(said.jobs, said.ray) as playing_on,
        _planned(said) as plan,
    ):
        from experiment.run.training import launch

        glue, rounds = _parts(plan, playing_on)
        launch.self_play(plan, glue, rounds, said.runs_dir, interrupts)


@contextmanager
def _reported() -> Iterator[None]:
    """Turn what may go wrong with a round into one line."""
    from agent.checkpoint import CheckpointError
    from experiment.workers.shards import WorkerDiedError

    try:
        yield
    except (CheckpointError, WorkerDiedError) as error:
        raise click.ClickException(str(error)) from None


@contextmanager
def _planned(said: SelfPlayOptions) -> Iterator["Plan"]:
    """Make the plan of a new run, or of the one that --resume names, and hold its folder."""
    from experiment.run.results.short_names import SUFFIX
    from experiment.run.training.resume import START

    if said.resume:
        games = said.games if "games" in given() else None
        what_may = "only --games, --minutes, --plies and --jobs may change"
        length = {"minutes": said.minutes, "plies": said.plies}
        with resumed(said, what_may, True, selfplay=True, episodes=games, **length) as plan:
            yield plan
        return
    new = checked(said)
    environment = {"size": said.size, "opponent": "self", "first": "alternate", **_VARIED}
    agent = {"text": new.learner}
    with planned(said, said.seed, new.config, agent, environment, new.selfplay) as plan:
        if new.start:
            plan.folder.checkpoints.mkdir()
            shutil.copyfile(new.start, plan.folder.checkpoints / (START + SUFFIX))
        yield plan


def _parts(plan: "Plan", playing_on: "Workers") -> tuple["Glue", "SelfPlay"]:
    """Make agent and environment of a run, and what plays its training games."""
    from agent.selfplay.play import Rules
    from agent.selfplay.pool import read_pool
    from agent.selfplay.training import SelfPlay
    from rlglue.glue import Glue

    assert plan.selfplay and plan.environment  # noqa: S101, PT018  of any such run
    agent, environment = agent_and_environment(plan)
    rules = Rules(plan.environment["size"], plan.selfplay.random_opening)
    shares = read_pool(plan.selfplay.opponents, rules.size)
    rounds = SelfPlay(agent, rules, shares, plan.seeds.environment, playing_on.in_order)
    return Glue(agent, environment), rounds
