"""Rules that RL-Glue sets every program that connects, as bytes: pieces, replies, goodbye."""

from collections.abc import Callable
from typing import Final

from rlglue.testing.program import Program
from rlglue.testing.rules import Finding, Rule, demand, findings

_QUIET: Final = 0.1
"""Seconds in which nothing may be said unasked."""


def connects(program: Program) -> Finding:
    """What comes of the rule before all others."""
    what = "id 2 for an agent, 3 for an environment, no payload"
    rule = Rule(f"A program connects and says what it is: {what}", "RL-Glue, handshake", _check_connects)
    return next(findings(program, [rule]))


def rules(use: Callable[[Program], None]) -> tuple[Rule[Program], ...]:
    """The rules; `use` has the program do its usual work for a moment."""
    return (
        Rule(
            "A request gets one reply with its own id; nothing is said unasked",
            "RL-Glue, messages",
            lambda program: _check_quiet(program, use),
        ),
        Rule(
            "A message may arrive in any number of pieces",
            "RL-Glue, transport",
            lambda program: _check_pieces(program, use),
        ),
        Rule(
            "kRLTerm (id 35) ends a program, without a reply and with exit code 0",
            "RL-Glue, termination",
            _check_goodbye,
        ),
    )


def _check_connects(program: Program) -> None:
    program.connected()


def _check_quiet(program: Program, use: Callable[[Program], None]) -> None:
    use(program)
    program.listen(_QUIET)


def _check_pieces(program: Program, use: Callable[[Program], None]) -> None:
    """Send byte after byte: each send of the connection takes one."""
    connection = program.connected().connection
    send = connection.send
    connection.send = lambda data, *flags: send(data[:1], *flags)
    try:
        use(program)
    finally:
        connection.send = send


def _check_goodbye(program: Program) -> None:
    code = program.dismiss()
    demand(code == 0, f"it ended with exit code {code}")
