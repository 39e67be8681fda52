"""`python -m rlglue.testing`: check a program against the rules of RL-Glue and Othello."""

import argparse
import logging
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import AGENT_CHECKS, OTHELLO_CHECKS, Referee, is_othello
from rlglue.errors import GlueError
from rlglue.scripts import FAILED, INTERRUPTED
from rlglue.testing.program import PROGRAM_CHECKS, Program
from rlglue.testing.rules import (
    ENVIRONMENT_CHECKS,
    BrokenRule,
    Finding,
    findings,
    play_two_steps,
    run_episodes,
    task_of,
)
from rlglue.wire import AGENT, ENVIRONMENT


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the programs on the command line. Return the exit code, which is 1 if a rule is broken."""
    logging.getLogger().addHandler(logging.NullHandler())  # the findings already report the errors
    parser = argparse.ArgumentParser(
        prog="python -m rlglue.testing",
        description="Check an agent or an environment in any language. Print one line for each rule, and "
        "exit with code 1 if a rule is broken. The program in COMMAND finds the server by RLGLUE_HOST and "
        "RLGLUE_PORT, or by {host} and {port} in COMMAND.",
    )
    agent, environment = "the command of the agent, such as './agent'", "the command of the environment"
    parser.add_argument("--agent", type=_command, metavar="COMMAND", help=agent)
    parser.add_argument("--environment", type=_command, metavar="COMMAND", help=environment)
    boards = "board sizes for the agent. The first size is checked with all rules (default: %(default)s)"
    choices, default = range(4, 17, 2), [8, 4, 16]
    parser.add_argument(
        "--size", type=int, choices=choices, nargs="+", default=default, metavar="N", help=boards
    )
    seconds = "time limit in seconds for the start, each reply and the end (default: %(default)g)"
    parser.add_argument("--timeout", type=float, metavar="SECONDS", default=30.0, help=seconds)
    options = parser.parse_args(arguments)
    if not (options.agent or options.environment):
        parser.error("name a part to check: --agent 'COMMAND' or --environment 'COMMAND'")
    are_kept = True
    try:
        if options.agent:
            with Program(AGENT, options.agent, options.timeout) as program:
                are_kept = _report(AGENT, _of_agent(program, options.size))
        if options.environment:
            with Program(ENVIRONMENT, options.environment, options.timeout) as program:
                are_kept = _report(ENVIRONMENT, _of_environment(program)) and are_kept
    except KeyboardInterrupt:
        return INTERRUPTED
    return 0 if are_kept else FAILED


def _command(text: str) -> list[str]:
    try:
        command = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no command: {error}") from None
    if not command:
        raise argparse.ArgumentTypeError("the command is empty")
    return command


def _report(role: str, results: Iterator[Finding]) -> bool:
    rules = broken = 0
    for finding in results:
        print(finding, flush=True)
        rules += 1
        broken += finding.broken is not None
    print(f"{role}: {broken} of {rules} rules broken" if broken else f"{role}: all {rules} rules kept")
    return not broken


def _of_agent(program: Program, sizes: Sequence[int]) -> Iterator[Finding]:
    def use(program: Program) -> None:
        run_episodes(program.agent, OthelloEnvironment(EnvironmentConfig(sizes[0])), (3,))

    for finding in findings(PROGRAM_CHECKS[:1], program, use):
        yield finding
        if finding.broken is not None:
            return  # the other rules cannot be checked
    for index, size in enumerate(sizes):
        for finding in findings(AGENT_CHECKS[:1] if index else AGENT_CHECKS, program.agent, Referee(size)):
            yield finding._replace(rule=f"{finding.rule}, {size}x{size}")
        program.close()  # an agent may support only the size of its first task
    yield from findings(PROGRAM_CHECKS[1:], program, use)


def _of_environment(program: Program) -> Iterator[Finding]:
    def use(program: Program) -> None:
        play_two_steps(program.environment)

    first = findings(PROGRAM_CHECKS[:1], program, use), findings(ENVIRONMENT_CHECKS[:1], program.environment)
    for finding in chain(*first):
        yield finding
        if finding.broken is not None:
            return  # the other rules cannot be checked
    yield from findings(ENVIRONMENT_CHECKS[1:], program.environment)
    with suppress(BrokenRule, GlueError):  # already reported by a finding
        if is_othello(task_of(program.environment)):
            yield from findings(OTHELLO_CHECKS, program.environment)
    yield from findings(PROGRAM_CHECKS[1:], program, use)
