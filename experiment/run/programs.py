"""Programs that a text may start on this machine.

A text that a person typed may name any. One that was read from a file starts nothing unless the person
agrees: the file may be a stranger's.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from othello_lab.experiment.run.names import TRAINED, learner_names
from othello_lab.experiment.run.record import RunRecord
from othello_lab.game.evaluators.catalogue import EVALUATORS
from othello_lab.game.players.catalogue import BUILT_IN, PLAYERS
from othello_lab.game.registry import RegistryError, Spec, parse

POOL: Final = "opponents"
"""The option of self-play that names several players."""


class Program(NamedTuple):
    """Something that a file would have start on this machine."""

    role: str
    """Such as "opponent"."""
    text: str

    def __str__(self) -> str:
        """Show it on one line, whatever is in it."""
        return f"{self.role}: {self.text if self.text.isprintable() else ascii(self.text)}"


Permit = Callable[[Sequence[Program], Path], None]
"""Returns if the programs that a file names may start; else raises an error that says what to do."""


def programs_in(role: str, text: str) -> list[Program]:
    """Return the parts of a registry text, however deep, that may start a program.

    These are engines, players that load another library's own file, and whatever another package has added. A
    text that names no player starts nothing. The opponents of self-play are several, each with its share.
    """
    names = [part.rpartition("=")[0].strip() for part in text.split(",")] if role == POOL else [text]
    return [Program(role, part) for name in names for part in _starting(name)]


def programs_of_run(record: RunRecord) -> list[Program]:
    """Return the programs that the parts of a run are, or may start."""
    commands = {"agent": record.agent.command, "environment": record.environment.command}
    found = [Program(f"{part} command", text) for part, text in commands.items() if text is not None]
    named = [("agent", record.agent.text), ("opponent", record.environment.opponent)]
    named += [("eval-opponent", text) for text in record.experiment.eval_opponent]
    named += [(POOL, record.selfplay.opponents)] if record.selfplay else []
    return found + [program for role, text in named for program in programs_in(role, text or "")]


def _starting(text: str) -> Iterator[str]:
    try:
        spec = parse(text)
    except RegistryError:
        return
    if _may_start(spec.name):
        yield text
    elif _is_registered(spec):
        for word in (spec.argument, *spec.options.values()):
            yield from _starting(word or "")


def _is_registered(spec: Spec) -> bool:
    return spec.name in {*PLAYERS.names(), *EVALUATORS.names(), *learner_names()}


def _may_start(name: str) -> bool:
    """Tell whether a player or an evaluator of that name may start a program, whatever it is made of."""
    for entry in (BUILT_IN.get(name), EVALUATORS.entries.get(name)):
        if entry:
            return entry.starts_program
    added = {*PLAYERS.names(), *EVALUATORS.names()}
    return name in added - {TRAINED, *learner_names()}
