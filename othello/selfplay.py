"""`othello selfplay`: a learner trained by thousands of its own games at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from othello.config_file import config_option
from othello.ending import interruptible
from othello.groups import Command
from othello.selfplay_device import is_elsewhere
from othello.selfplay_device import run as run_on_device
from othello.selfplay_options import LENGTHS, selfplay_options
from othello.selfplay_plan import planned
from othello.training_options import evaluation_options, given, run_folder_options
from othello.trio_parts import agent_and_environment
from othello.workers import workers

if TYPE_CHECKING:
    from agent.selfplay.training import SelfPlay
    from experiment.run.training.plan import Plan
    from experiment.workers.shards import Workers
    from rlglue.glue import Glue


@click.command(cls=Command)
@selfplay_options
@evaluation_options("--games")
@run_folder_options
@config_option
@click.pass_context
def command(context: click.Context, /, **values: Any) -> None:  # noqa: ANN401  options
    """Train a learner by self-play, thousands of games at once, on this machine's processors or its GPU.

    It makes the same run folder and checkpoints as `othello run`: what it has trained can play and go on
    learning over RL-Glue, and the other way round. On a GPU (--device) the folder is no run folder: its
    network plays as trained:FOLDER/policy.safetensors, and watch, report and compare do not take it.
    """
    from game.threads import use_threads

    use_threads(1)
    if is_elsewhere(values["device"]):
        run_on_device(context, values)
    if len(LENGTHS & given(context)) > 1:
        raise click.UsageError("--games, --minutes and --plies: expected one of them")
    with (
        interruptible() as interrupts,
        _reported(),
        workers(values["jobs"], values["ray"]) as playing_on,
        planned(context, values) as plan,
    ):
        from experiment.run.training import launch

        glue, rounds = _parts(plan, playing_on)
        launch.self_play(plan, glue, rounds, values["runs_dir"], interrupts)


@contextmanager
def _reported() -> Iterator[None]:
    """Turn what may go wrong with a round into one line."""
    from agent.checkpoint import CheckpointError
    from experiment.workers.shards import WorkerDiedError

    try:
        yield
    except (CheckpointError, WorkerDiedError) as error:
        raise click.ClickException(str(error)) from None


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
