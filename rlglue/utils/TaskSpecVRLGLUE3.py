"""A parser with the method names of rlglue-py3, which uses `rlglue.taskspec`."""

import re

from rlglue import taskspec
from rlglue.taskspec import Bound, Range, TaskSpec, TaskSpecError


class TaskSpecParser:
    """The parser of a specification. For a wrong text, `valid` is False and `error` gives the reason."""

    def __init__(self, text: str | bytes) -> None:
        self.ts = text.decode("utf-8") if isinstance(text, bytes) else text
        self.valid = True
        self.error = ""
        self.spec = TaskSpec()
        try:
            self.spec = taskspec.parse(self.ts)
        except TaskSpecError as error:
            self.valid, self.error = False, str(error)

    def getVersion(self) -> str:
        """The version, which may differ from RL-Glue-3.0."""
        words = self.ts.split()
        return words[1] if len(words) > 1 else ""

    def getProblemType(self) -> str:
        """The problem type, such as `episodic` or `continuing`."""
        return self.spec.problem_type

    def getDiscountFactor(self) -> float:
        """The discount factor, gamma."""
        return self.spec.discount

    def getObservations(self) -> str:
        """The raw text between OBSERVATIONS and ACTIONS."""
        return self._between("OBSERVATIONS", "ACTIONS")

    def getActions(self) -> str:
        """The raw text between ACTIONS and REWARDS."""
        return self._between("ACTIONS", "REWARDS")

    def getReward(self) -> str:
        """The raw text between REWARDS and EXTRA."""
        return self._between("REWARDS", "EXTRA")

    def getExtra(self) -> str:
        """The text after EXTRA."""
        return self.spec.extra

    def getRewardRange(self) -> list[Bound]:
        """The minimum and the maximum reward, [low, high]."""
        return [self.spec.rewards.low, self.spec.rewards.high]

    def getIntObservations(self) -> list[list[Bound]]:
        """The range [low, high] of each int in an observation."""
        return _expanded(self.spec.observations.ints)

    def getDoubleObservations(self) -> list[list[Bound]]:
        """The range [low, high] of each double in an observation."""
        return _expanded(self.spec.observations.doubles)

    def getCharCountObservations(self) -> int:
        """The number of chars in an observation."""
        return self.spec.observations.charcount

    def getIntActions(self) -> list[list[Bound]]:
        """The range [low, high] of each int in an action."""
        return _expanded(self.spec.actions.ints)

    def getDoubleActions(self) -> list[list[Bound]]:
        """The range [low, high] of each double in an action."""
        return _expanded(self.spec.actions.doubles)

    def getCharCountActions(self) -> int:
        """The number of chars in an action."""
        return self.spec.actions.charcount

    def _between(self, start: str, end: str) -> str:
        keyword = r"(?<![^ )]){}(?![^ (])"  # the space between a keyword and a bracket is optional
        between = f"{keyword.format(start)}(.*?)({keyword.format(end)}|$)"
        match = re.search(between, self.ts, re.IGNORECASE | re.DOTALL) if self.valid else None
        return match[1].strip() if match else ""


def _expanded(ranges: tuple[Range, ...]) -> list[list[Bound]]:
    return [[item.low, item.high] for item in ranges for _ in range(item.count)]
