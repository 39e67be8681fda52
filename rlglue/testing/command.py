"""Check a program from the command line: one line a rule, exit code 0 if all are kept, else 1."""

import argparse
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rlglue.errors import GlueError
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.peers import AGENT, ENVIRONMENT
from rlglue.scripts import FAILED
from rlglue.testing import agents, connection, environments
from rlglue.testing.program import Program
from rlglue.testing.rules import BrokenRule, Finding, Rule, findings

_TIMEOUT = 30.0


@dataclass(frozen=True)
class Task:
    """A kind of task: what it asks of agents and environments beside what RL-Glue does."""

    sizes: tuple[int, ...]
    """Sizes that agents are tried on, the first one with all rules."""
    all_sizes: Sequence[int]
    """Sizes that there are."""
    environment: Callable[[int], EnvironmentLike]
    """One of that size that agents are tried in."""
    agent_rules: Callable[[int], Sequence[Rule[AgentLike]]]
    size_rule: Callable[[int], Rule[AgentLike]]
    """What is checked for each further size."""
    environment_rules: Sequence[Rule[EnvironmentLike]]
    includes: Callable[[str], bool]
    """Whether a task specification is of this kind."""


def main(task: Task, arguments: Sequence[str] | None = None) -> int:
    """Check what the command line names and print one line a rule; gives the exit code."""
    parser = _parser(task)
    options = parser.parse_args(arguments)
    if not (options.agent or options.environment):
        parser.error("name a part to check: --agent 'COMMAND' or --environment 'COMMAND'")
    kept = True
    if options.agent:
        with Program(AGENT, options.agent, options.timeout) as program:
            kept = _report(AGENT, _of_agent(program, options.size, task))
    if options.environment:
        with Program(ENVIRONMENT, options.environment, options.timeout) as program:
            kept = _report(ENVIRONMENT, _of_environment(program, task)) and kept
    return 0 if kept else FAILED


def _parser(task: Task) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rlglue.testing",
        description="Check an agent or environment in any language: one line a rule, exit code 1 if one is "
        "broken. The command finds the server by RLGLUE_HOST and RLGLUE_PORT, or by {host} and {port} in it.",
    )
    parser.add_argument(
        "--agent", type=_words, metavar="COMMAND", help="how to start the agent, such as './agent'"
    )
    parser.add_argument("--environment", type=_words, metavar="COMMAND", help="how to start the environment")
    sizes = " ".join(map(str, task.sizes))
    parser.add_argument(
        "--size",
        type=int,
        choices=task.all_sizes,
        nargs="+",
        metavar="N",
        default=list(task.sizes),
        help=f"boards that the agent is tried on, the first one with all rules (default: {sizes})",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        default=_TIMEOUT,
        help="how long a start, a reply or an end may take (default: %(default)g)",
    )
    return parser


def _words(text: str) -> list[str]:
    """A command line as words, as a shell would split it."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no command: {error}") from None
    if not words:
        raise argparse.ArgumentTypeError("the command is empty")
    return words


def _report(role: str, found: Iterator[Finding]) -> bool:
    """Print what was found; True if all rules are kept."""
    rules = broken = 0
    for finding in found:
        print(finding, flush=True)
        rules += 1
        broken += finding.broken is not None
    print(f"{role}: {broken} of {rules} rules broken" if broken else f"{role}: all {rules} rules kept")
    return not broken


def _of_agent(program: Program, sizes: Sequence[int], task: Task) -> Iterator[Finding]:
    def use(program: Program) -> None:
        glue = Glue(program.agent, task.environment(sizes[0]))
        glue.RL_init()
        glue.RL_episode(3)
        glue.RL_cleanup()

    connects = connection.connects(program)
    yield connects
    if connects.broken is None:
        rules = (*task.agent_rules(sizes[0]), *agents.rules(task.environment(sizes[0])))
        yield from findings(program.agent, rules)
        for size in sizes[1:]:
            program.close()  # an agent may be bound to the size of its first task
            yield from findings(program.agent, [task.size_rule(size)])
        program.close()
        yield from findings(program, connection.rules(use))


def _of_environment(program: Program, task: Task) -> Iterator[Finding]:
    def use(program: Program) -> None:
        environments.play_two_steps(program.environment)

    connects = connection.connects(program)
    yield connects
    if connects.broken is None:
        yield from findings(program.environment, environments.rules())
        if task.includes(_task_of(program)):
            yield from findings(program.environment, task.environment_rules)
        yield from findings(program, connection.rules(use))


def _task_of(program: Program) -> str:
    """Return the task of an environment; "" where it says none, which a rule has told."""
    try:
        return program.environment.env_init()
    except (BrokenRule, GlueError):
        return ""
