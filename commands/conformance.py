"""`python -m rlglue.testing`: check a program against the rules of RL-Glue and Othello."""

import argparse
import logging
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain

from othello_lab.environment.testing import OTHELLO_RULES, SIZES, agent_rules, environment_of, is_othello
from rlglue.errors import GlueError
from rlglue.scripts import FAILED, INTERRUPTED
from rlglue.testing.program import CONNECTS, Program, connection_rules
from rlglue.testing.rules import (
    ENVIRONMENT_RULES,
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
    choices, default = range(4, 17, 2), [*SIZES]
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
    for connects in findings(program, [CONNECTS]):
        yield connects
        if connects.broken is not None:
            return
    for index, size in enumerate(sizes):
        rules = agent_rules(size)
        yield from findings(program.agent, rules[:1] if index else rules)
        program.close()  # an agent may support only the size of its first task
    environment = environment_of(sizes[0])
    rules_of_use = connection_rules(lambda program: run_episodes(program.agent, environment, (3,)))
    yield from findings(program, rules_of_use)


def _of_environment(program: Program) -> Iterator[Finding]:
    first = findings(program, [CONNECTS]), findings(program.environment, ENVIRONMENT_RULES[:1])
    for finding in chain(*first):
        yield finding
        if finding.broken is not None:
            return  # the other rules cannot be checked
    yield from findings(program.environment, ENVIRONMENT_RULES[1:])
    with suppress(BrokenRule, GlueError):  # already reported by a finding
        if is_othello(task_of(program.environment)):
            yield from findings(program.environment, OTHELLO_RULES)
    yield from findings(program, connection_rules(lambda program: play_two_steps(program.environment)))
