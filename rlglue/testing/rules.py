"""Rules, and the check of a part by a list of them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from rlglue.errors import GlueError

Part = TypeVar("Part")


class BrokenRule(AssertionError):
    """A rule is not kept; the text says what was seen instead."""


class NoReply(BrokenRule):
    """A program did not answer in time."""


@dataclass(frozen=True)
class Rule(Generic[Part]):
    """One thing that a part must do."""

    text: str
    """The rule as a sentence."""
    source: str
    """Where it stands."""
    check: Callable[[Part], None]
    """Raises BrokenRule if the part does not keep it."""

    def __str__(self) -> str:
        return f"{self.text} ({self.source})"


@dataclass(frozen=True)
class Finding:
    """What came of one rule."""

    rule: str
    broken: str | None
    """What was seen instead, None if the rule is kept."""

    def __str__(self) -> str:
        return f"ok      {self.rule}" if self.broken is None else f"BROKEN  {self.rule}: {self.broken}"


def demand(kept: bool, seen: str) -> None:
    """Raise BrokenRule, which says what was seen, unless a rule is kept."""
    if not kept:
        raise BrokenRule(seen)


def findings(part: Part, rules: Iterable[Rule[Part]]) -> Iterator[Finding]:
    """Check one rule after another, up to the first that is left without a reply.

    A part behind a connection that is lost breaks the rule in hand.
    """
    for rule in rules:
        try:
            rule.check(part)
        except NoReply as error:
            yield Finding(str(rule), str(error))
            return
        except (BrokenRule, GlueError) as error:
            yield Finding(str(rule), " ".join(str(error).split()))
        else:
            yield Finding(str(rule), None)


def verify(part: Part, rules: Iterable[Rule[Part]]) -> None:
    """Raise BrokenRule, which names the rule and what was seen, for the first rule that is not kept."""
    for finding in findings(part, rules):
        demand(finding.broken is None, str(finding))
