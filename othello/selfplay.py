"""`othello selfplay`: a learner trained by thousands of its own games at once."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from experiment.run.record import AgentPart, EnvironmentPart
from othello.ending import interruptible
from othello.options import given, takes
from othello.selfplay_options import LENGTHS, SelfPlayOptions, checked, device_of
from othello.training import agent_and_environment, planned, resumed
from othello.workers import workers

if TYPE_CHECKING:
    import torch

    from agent.selfplay.training import Training
    from experiment.run.training.plan import Plan
    from experiment.workers.shards import Workers

_VARIED: Final = 4
"""Random plies at most that games of evaluations begin with: of two that always play the same moves all games
would be one."""


@takes(SelfPlayOptions, one_thread=True)
def command(said: SelfPlayOptions) -> None:
    """Train a learner by self-play, thousands of games at once, on this machine's processors or its GPU.

    It makes the same run folder and checkpoints as `othello run`: what it has trained can play and go on
    learning over RL-Glue, and the other way round.
    """

    if len(LENGTHS & given()) > 1:
        raise click.UsageError("--games, --minutes and --plies: expected one of them")
    with (
        interruptible() as interrupts,
        _reported(),
        workers(said.jobs, said.ray) as playing_on,
        _planned(said) as plan,
    ):
        from experiment.run.training import launch

        device = device_of(plan.selfplay.device if plan.selfplay else None)
        agent, environment = agent_and_environment(plan, str(device or "cpu"))
        parts, rounds = launch.in_process(agent, environment), _rounds(plan, agent, device, playing_on)
        launch.carry_out(plan, parts, launch.Settings(said.runs_dir, interrupts), "selfplay", rounds)
        if time := rounds.profile():
            click.echo(f"Time: {time}")


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
    from experiment.run.training.session import START

    if said.resume:
        games = said.games if "games" in given() else None
        what_may = "only --games, --minutes, --plies, --jobs and --device may change"
        length = {"minutes": said.minutes, "plies": said.plies}
        with resumed(said, what_may, True, selfplay=True, episodes=games, **length) as plan:
            yield _on(said.device, plan)
        return
    new = checked(said)
    environment = EnvironmentPart(said.size, "self", "alternate", _VARIED)
    with planned(said, said.seed, new.config, AgentPart(new.learner), environment, new.selfplay) as plan:
        if new.start:
            plan.folder.checkpoints.mkdir()
            shutil.copyfile(new.start, plan.folder.checkpoints / (START + SUFFIX))
        yield plan


def _on(device: str | None, plan: "Plan") -> "Plan":
    """Return the plan of a resumed run on a device, if one is said."""
    own = plan.selfplay
    if device is None or own is None:
        return plan
    if own.device is None:
        raise click.UsageError("--device: this run has its games played by compiled code, and goes on so")
    return replace(plan, selfplay=replace(own, device=device))


def _rounds(
    plan: "Plan",
    agent: Any,  # noqa: ANN401  imported late
    device: "torch.device | None",
    playing_on: "Workers",
) -> "Training":
    """Make what plays the training games of a run."""
    from agent.selfplay.play import Rules
    from agent.selfplay.pool import read_pool
    from agent.selfplay.training import SelfPlay

    own, size = plan.selfplay, plan.environment.size
    assert own and size  # noqa: S101, PT018  of any such run
    shares, seed = read_pool(own.opponents, size), plan.seeds.environment
    if device is None:
        return SelfPlay(agent, Rules(size, own.random_opening), shares, seed, playing_on.in_order)
    from agent.device.selfplay import DeviceSelfPlay

    return DeviceSelfPlay(agent, shares, seed, device, own.games_at_once, own.random_opening)
