"""Launch of a run: agent and environment in this process, at a server, or as processes started here."""

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from othello_lab.experiment.run.connecting import agent_command, environment_command, met
from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.outcomes import RunResult
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.run.training.plan import NOTHING_SAVED, Plan, cannot_go_on
from othello_lab.experiment.run.training.session import Session
from othello_lab.experiment.run.training.trainer import RoundPlayer
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.progress import console, make_display
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.shards import WorkersError
from othello_lab.experiment.workers.trio import Trio
from othello_lab.game.files import what_failed
from rlglue.address import CONNECT_TIMEOUT, DEFAULT_HOST, Address, parse_address
from rlglue.client import connect_experiment
from rlglue.errors import GlueError
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.scripts import configure_logging
from rlglue.server import Server

LOG = "experiment.log"


@dataclass(frozen=True)
class Settings:
    """Options of the launch, which the run's config.json does not hold."""

    interrupts: Interrupts
    watch: bool = False
    server: Address = (DEFAULT_HOST, 0)
    """Where to listen."""
    patience: float = CONNECT_TIMEOUT
    """Seconds that agent and environment have to connect, or the server to start."""


def carry_out(
    plan: Plan,
    parts: AbstractContextManager[Glue],
    settings: Settings,
    command: str,
    rounds: RoundPlayer | None = None,
) -> None:
    """Carry out a run, draw its plot and print its report.

    Within the context `parts` agent and environment are connected by a Glue; `command` resumes the run;
    `rounds` plays the training games of a run of self-play. Raises GlueError if a peer leaves.
    """
    if plan.agent.command or plan.environment.command:  # which config.json then names
        command = f"{command} --allow-programs"
    resume = wording.resume(plan.folder.path, command)
    with explaining_how_to_resume(plan, resume), _recording_failure(plan.folder), parts as glue:
        terminal = console()
        done = plan.checkpoints[0].episode if plan.checkpoints else 0
        display = make_display(terminal, done, plan.config.episodes, settings.watch)
        settings.interrupts.log = plan.folder.logs / LOG
        with _timed(plan):
            with plan.folder:
                session = Session(glue, plan, display, settings.interrupts, settings.watch, rounds)
                report = session.run()
            plot = plot_of(plan, report)
        from othello_lab.experiment.show.run_end import (
            print_report,  # here: what is not needed before the end
        )

        print_report(terminal, report, plan.folder, plot, resume)


@contextmanager
def in_process(agent: AgentLike, environment: EnvironmentLike) -> Iterator[Glue]:
    """Bring together two objects in this process."""
    glue = Glue(agent, environment)
    try:
        yield glue
    finally:
        glue.RL_cleanup()


@contextmanager
def joining(server: str, settings: Settings) -> Iterator[Glue]:
    """Join the two at a server elsewhere, HOST:PORT."""
    configure_logging()
    with connect_experiment(*parse_address(server), settings.patience) as glue:
        yield glue


@contextmanager
def hosting(settings: Settings) -> Iterator[Glue]:
    """Wait for the two that connect to this process."""
    configure_logging()
    with Server(*settings.server, on_silence=_say) as server:
        print("the server listens on {}:{}".format(*server.address), flush=True)
        server.wait_for_peers(settings.patience, on_wait=_say)
        yield server.glue


def _say(line: str) -> None:
    print(line, flush=True)


@contextmanager
def trio(plan: Plan, settings: Settings) -> Iterator[Glue]:
    """Start the two, each a process of its own; raise RunFolderError for a run whose parts were others'."""
    if not (plan.agent.is_known and plan.environment.is_known):
        name = plan.folder.path.name
        raise RunFolderError(f"agent and environment of {name} were started by hand: use experiment train")
    log_to(plan.folder)
    # The server closes first: its goodbye is what ends the children.
    with Trio() as children, Server(*settings.server, on_silence=_say) as server:
        print(f"run {plan.folder.path}: starting environment and agent", flush=True)
        _start(children, plan, server.address)
        with met(children, server, settings.patience) as glue:
            yield glue


def _start(children: Trio, plan: Plan, server: Address) -> None:
    logs = plan.folder.logs
    environment = environment_command(plan.environment, plan.seeds, plan.config.eval_opponent)
    children.start("environment", environment, logs / "environment.log", server)
    agent = agent_command(plan.agent, plan.seeds, plan.folder.checkpoints, plan.environment.size)
    children.start("agent", agent, logs / "agent.log", server)


def plot_of(plan: Plan, report: RunResult) -> Path | None:
    """Draw the plot; a full disk at that point is no reason to lose what is said at the end of a run."""
    if not report.episodes:
        return None
    from othello_lab.experiment.show.run_picture import plot_run  # here: matplotlib loads slowly

    try:
        return plot_run(plan.folder)
    except OSError as error:
        command = wording.othello("experiment", "plot", str(plan.folder.path))
        report.notes.append(f"no plot: {what_failed(error)}; draw it later with: {command}")
        return None


@contextmanager
def _timed(plan: Plan) -> Iterator[None]:
    try:
        yield
    finally:
        with suppress(RunFolderError, OSError):  # what has happened to the folder is told by others
            plan.folder.end_session(plan.record["sessions"][-1], time.monotonic() - plan.begun)


@contextmanager
def _recording_failure(folder: RunFolder) -> Iterator[None]:
    """Record in the run's folder why the run failed."""
    try:
        yield
    except Exception as error:
        with suppress(RunFolderError, OSError):
            folder.record_failure(str(error))
        raise


def log_to(folder: RunFolder) -> None:
    """Send the log of this process to a file of the run, so that it does not break the display."""
    # delay: no file before there is a line for it.
    handler = logging.FileHandler(folder.logs / LOG, encoding="utf-8", delay=True)
    logging.basicConfig(
        handlers=[handler],
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )


@contextmanager
def explaining_how_to_resume(plan: Plan, resume: str) -> Iterator[None]:
    """Add to the news of what broke a run off what of it is safe, and how it is resumed, if it has begun."""
    try:
        yield
    except ControlError:  # nobody is lost: one of them does not do what it must
        raise
    except GlueError as error:
        if not plan.folder.began:
            raise
        how = NOTHING_SAVED if _is_stuck(plan) else f"go on with: {resume}"
        raise GlueError(f"{error}; {how}") from None
    except WorkersError as error:
        raise WorkersError(f"{error}; {_safe(plan, resume)}") from None
    except BrokenPipeError:  # nobody reads what is printed: no trouble of the run
        raise
    except OSError as error:
        plan.folder.check_there()
        raise GlueError(f"{what_failed(error)}; {_safe(plan, resume)}") from None


def _safe(plan: Plan, resume: str) -> str:
    """Say what of a run is safe, and what to do next."""
    if not plan.folder.began:
        return "the run had not begun: mend that, then start it again"
    if _is_stuck(plan):
        return NOTHING_SAVED
    saved = plan.folder.saved()
    safe = f"the run is safe up to game {saved[-1].episode}" if saved else "nothing of the run is saved yet"
    return f"{safe}: mend that, then go on with: {resume}"


def _is_stuck(plan: Plan) -> bool:
    return cannot_go_on(plan.folder, plan.config, plan.selfplay is not None)
