"""Launch a run, with the agent and the environment in this process, at a server, or as child processes."""

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path

from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.outcomes import RunResult
from othello_lab.experiment.run.plan import NOTHING_SAVED, Plan, cannot_go_on
from othello_lab.experiment.run.run_folder import RunFolderError
from othello_lab.experiment.run.train import RoundPlayer, train
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.progress import Display, console
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.experiment.workers.trio import Trio, agent_command, environment_command
from othello_lab.game.errors import FailedError, UnplayableError
from othello_lab.game.safe_files import what_failed
from rlglue.address import DEFAULT_HOST, Address, parse_address
from rlglue.errors import GlueError
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.scripts import configure_logging
from rlglue.server import Server

LOG = "experiment.log"
_say = partial(print, flush=True)


def carry_out(
    plan: Plan,
    parts: AbstractContextManager[Glue],
    interrupts: Interrupts,
    command: str,
    rounds: RoundPlayer | None = None,
) -> None:
    """Carry out a run, draw its picture and print its report. Raises GlueError if a peer leaves.

    `parts` connects the peers. `command` is the subcommand for a resume. `rounds` plays self-play games.
    """
    if plan.agent.command or plan.environment.command:  # a resume reads the program from config.json
        command = f"{command} --allow-programs"
    resume = wording.resume(plan.folder.path, command)
    with explaining_how_to_resume(plan, resume), parts as glue:
        terminal = console()
        done = plan.checkpoints[0].episode if plan.checkpoints else 0
        display = Display(terminal, done, plan.config.episodes)
        interrupts.log = plan.folder.logs / LOG
        try:
            with plan.folder:
                result = train(glue, plan, display, interrupts, rounds)
        finally:
            with suppress(RunFolderError, OSError):  # report the error of the run instead
                plan.folder.end_session(plan.record["sessions"][-1], time.monotonic() - plan.begun)
        picture = plot_of(plan, result)
        from othello_lab.experiment.show.run_end import print_report  # lazy import: used only at the end

        print_report(terminal, result, plan.folder, picture, resume)


@contextmanager
def in_process(agent: AgentLike, environment: EnvironmentLike) -> Iterator[Glue]:
    """Connect an agent and an environment in this process."""
    glue = Glue(agent, environment)
    try:
        yield glue
    finally:
        glue.RL_cleanup()


@contextmanager
def joining(server: str, patience: float) -> Iterator[Glue]:
    """Connect to a running server, HOST:PORT, with a timeout of `patience` seconds."""
    from rlglue.client import connect_experiment  # lazy import: other runs need no client

    configure_logging()
    with connect_experiment(*parse_address(server), patience) as glue:
        yield glue


@contextmanager
def hosting(address: Address, patience: float) -> Iterator[Glue]:
    """Host a server, and wait at most `patience` seconds for the agent and the environment."""
    configure_logging()
    with Server(*address, on_silence=_say) as server:
        print("the server listens on {}:{}".format(*server.address), flush=True)
        server.wait_for_peers(patience, on_wait=_say)
        yield server.glue


@contextmanager
def trio(plan: Plan, patience: float) -> Iterator[Glue]:
    """Host a server at a free port, and start the agent and the environment as child processes.

    Raises RunFolderError for a resumed run whose agent or environment was started by hand.
    """
    if not (plan.agent.is_known and plan.environment.is_known):
        name = plan.folder.path.name
        raise RunFolderError(f"agent and environment of {name} were started by hand: use experiment train")
    # Log to a file, because log lines would damage the display. `delay`: the first line creates the file.
    handler = logging.FileHandler(plan.folder.logs / LOG, encoding="utf-8", delay=True)
    logging.basicConfig(
        handlers=[handler],
        level=logging.INFO,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    # The server closes first: the children exit after the server's last message.
    with Trio() as children, Server(DEFAULT_HOST, 0, on_silence=_say) as server:
        print(f"run {plan.folder.path}: starting environment and agent", flush=True)
        logs = plan.folder.logs
        environment = environment_command(plan.environment, plan.seeds, plan.config.eval_opponent)
        children.start("environment", environment, logs / "environment.log", server.address)
        agent = agent_command(plan.agent, plan.seeds, plan.folder.checkpoints, plan.environment.size)
        children.start("agent", agent, logs / "agent.log", server.address)
        with children.connected(server, patience) as glue:
            yield glue


def plot_of(plan: Plan, result: RunResult) -> Path | None:
    """Draw the picture of the run. Return the picture's path, or None without games or after an OSError."""
    if not result.episodes:
        return None
    from othello_lab.experiment.show.run_picture import plot_run  # lazy import: matplotlib loads slowly

    try:
        return plot_run(plan.folder)
    except OSError as error:
        command = wording.othello("report", str(plan.folder.path))
        result.notes.append(f"no plot: {what_failed(error)}; see the curves with: {command}")
        return None


@contextmanager
def explaining_how_to_resume(plan: Plan, resume: str) -> Iterator[None]:
    """Record an error in the run folder, and add the command `resume` to the error message."""
    try:
        yield
    except Exception as error:
        with suppress(RunFolderError, OSError):
            plan.folder.record_failure(str(error))
        # The messages of the first three errors contain advice. After a BrokenPipeError, no one reads stdout.
        if isinstance(error, ControlError | RunFolderError | UnplayableError | BrokenPipeError):
            raise
        if isinstance(error, OSError):
            plan.folder.check_there()
            raise GlueError(f"{what_failed(error)}; {_advice(plan, resume)}") from None
        if isinstance(error, GlueError | FailedError) and plan.folder.began:
            kind = GlueError if isinstance(error, GlueError) else FailedError
            raise kind(f"{error}; {_advice(plan, resume)}") from None
        raise


def _advice(plan: Plan, resume: str) -> str:
    if not plan.folder.began:
        return "the run had not begun: mend that, then start it again"
    if cannot_go_on(plan.folder, plan.config, plan.selfplay is not None):
        return NOTHING_SAVED
    saved = plan.folder.saved()
    safe = f"the run is safe up to game {saved[-1].episode}" if saved else "nothing of the run is saved yet"
    return f"{safe}; go on with: {resume}"
