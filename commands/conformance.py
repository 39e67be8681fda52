"""`python -m rlglue.testing`: check a program against the rules of RL-Glue and Othello."""

import logging
import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

import click

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import Number, option, options, takes
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import AGENT_CHECKS, OTHELLO_CHECKS, Referee
from rlglue.errors import GlueError
from rlglue.scripts import FAILED
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


@options
class _Options:
    agent: str | None = option("The command of the agent, such as './agent'.", metavar="COMMAND")
    environment: str | None = option("The command of the environment.", metavar="COMMAND")
    size: tuple[int, ...] = option(
        "Board size for the agent. The option may be given several times. The first size is checked with all "
        "rules.",
        default=(8, 4, 16),
        type=fields.BoardSize(),
    )
    timeout: float = option(
        "Time limit in seconds for the start, each reply and the end.",
        default=30.0,
        type=Number(0, 1e6),
        metavar="SECONDS",
    )


@takes(_Options)
def command(options: _Options) -> None:
    """Check an agent or an environment in any language.

    The command prints one line for each rule. The exit code is 1 if a rule is broken. The program in COMMAND
    finds the server by RLGLUE_HOST and RLGLUE_PORT, or by {host} and {port} in COMMAND.
    """
    logging.getLogger().addHandler(logging.NullHandler())  # the findings already report the errors
    if not (options.agent or options.environment):
        raise click.UsageError("name a part to check: --agent 'COMMAND' or --environment 'COMMAND'")
    parts: list[tuple[str, str | None, Callable[[Program], Iterator[Finding]]]] = [
        (AGENT, options.agent, partial(_of_agent, sizes=options.size)),
        (ENVIRONMENT, options.environment, _of_environment),
    ]
    are_kept = []
    for role, text, check in parts:
        if text:
            with blaming(f"--{role}"):
                words = shlex.split(text)
                if not words:
                    raise ValueError("the command is empty")
            with Program(role, words, options.timeout) as program:
                are_kept.append(_report(role, check(program)))
    if not all(are_kept):
        raise SystemExit(FAILED)


def _report(role: str, results: Iterator[Finding]) -> bool:
    rules = broken = 0
    for finding in results:
        click.echo(finding)
        rules += 1
        broken += finding.broken is not None
    click.echo(f"{role}: {broken} of {rules} rules broken" if broken else f"{role}: all {rules} rules kept")
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
        if task_of(program.environment).extra.startswith("othello"):
            yield from findings(OTHELLO_CHECKS, program.environment)
    yield from findings(PROGRAM_CHECKS[1:], program, use)
