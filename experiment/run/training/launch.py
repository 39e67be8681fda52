"""Launch of a run: agent and environment in this process, at a server, or as processes started here."""

from dataclasses import dataclass
from pathlib import Path

from experiment.run.episodes.control import AnyGlue
from experiment.run.episodes.meeting import met
from experiment.run.results.run_folder import RunFolderError
from experiment.run.training.commands import agent_command, environment_command, opponents_to_allow
from experiment.run.training.plan import Plan
from experiment.run.training.resume_hint import explaining_how_to_resume
from experiment.run.training.session import log_to, run_session
from experiment.run.training.units import RoundPlayer
from experiment.show import shell_commands
from experiment.workers.interrupts import Interrupts
from experiment.workers.trio import Trio
from rlglue.client import connect_experiment
from rlglue.logs import configure_logging
from rlglue.net.address import Address, parse_address
from rlglue.server import Server


@dataclass(frozen=True)
class Settings:
    """Options of the launch, which the run's config.json does not hold."""

    runs: Path
    watch: bool
    server: Address
    """Where to listen."""
    patience: float
    """Seconds that agent and environment have to connect, or the server to start."""
    interrupts: Interrupts


def in_process(plan: Plan, glue: AnyGlue, settings: Settings) -> None:
    """Carry out a run whose agent and environment are objects in this process."""
    resume = shell_commands.resume(plan.folder.path, settings.runs, "experiment train --in-process")
    with explaining_how_to_resume(plan, resume):
        try:
            _run(plan, glue, settings, resume)
        finally:
            glue.RL_cleanup()


def self_play(plan: Plan, glue: AnyGlue, rounds: RoundPlayer, runs: Path, interrupts: Interrupts) -> None:
    """Carry out a run of self-play, whose agent plays its evaluations in this process."""
    resume = shell_commands.resume(plan.folder.path, runs, "selfplay")
    with explaining_how_to_resume(plan, resume):
        try:
            run_session(glue, plan, interrupts, False, resume, rounds)
        finally:
            glue.RL_cleanup()


def joining(plan: Plan, server: str, settings: Settings) -> None:
    """Carry out a run at a server elsewhere, HOST:PORT, where agent and environment are."""
    configure_logging()
    resume = shell_commands.resume(plan.folder.path, settings.runs, f"experiment train --glue {server}")
    with (
        explaining_how_to_resume(plan, resume),
        connect_experiment(*parse_address(server), settings.patience) as remote,
    ):
        _run(plan, remote, settings, resume)


def hosting(plan: Plan, settings: Settings) -> None:
    """Carry out a run with the agent and the environment that connect to this process."""
    configure_logging()
    resume = shell_commands.resume(plan.folder.path, settings.runs, "experiment train")
    with explaining_how_to_resume(plan, resume), Server(*settings.server) as server:
        print("the server listens on {}:{}".format(*server.address), flush=True)
        server.wait_for_peers(settings.patience, on_wait=lambda line: print(line, flush=True))
        _run(plan, server.glue, settings, resume)


def trio(plan: Plan, settings: Settings) -> None:
    """Carry out a run whose agent and environment are started here, each a process of its own."""
    if not plan.agent or not plan.environment:
        name = plan.folder.path.name
        raise RunFolderError(f"agent and environment of {name} were started by hand: use experiment train")
    resume = shell_commands.resume(plan.folder.path, settings.runs, "run")
    log_to(plan.folder)
    # The server closes first: its goodbye is what ends the children.
    with explaining_how_to_resume(plan, resume), Trio() as children, Server(*settings.server) as server:
        print(f"run {plan.folder.path}: starting environment and agent", flush=True)
        _start(children, plan, server.address)
        with met(children, server, settings.patience) as glue:
            _run(plan, glue, settings, resume)


def _start(children: Trio, plan: Plan, server: Address) -> None:
    assert plan.agent and plan.environment  # noqa: S101, PT018  looked at above
    logs, allowed = plan.folder.logs, opponents_to_allow(plan.config, plan.environment.get("size"))
    environment = environment_command(plan.environment, plan.seeds, allowed)
    children.start("environment", environment, logs / "environment.log", server)
    agent = agent_command(plan.agent, plan.seeds, plan.folder.checkpoints)
    children.start("agent", agent, logs / "agent.log", server)


def _run(plan: Plan, glue: AnyGlue, settings: Settings, resume: str) -> None:
    run_session(glue, plan, settings.interrupts, settings.watch, resume)
