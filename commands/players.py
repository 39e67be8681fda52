"""`othello players`: list the players, evaluators and learners, with their options."""

import sys
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import groupby
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

import click

from othello_lab.commands import fields
from othello_lab.commands.options import argument, options, takes
from othello_lab.game.notation import SIZES, USUAL_SIZE

if TYPE_CHECKING:
    from othello_lab.game.catalogue import Entry

_COLUMN = 30  # The maximum length of a name with its description on the same line.
_UNBROKEN = 1000  # The line length if the output is not a terminal.


@options
class _Options:
    name: str | None = argument(required=False, shell_complete=fields.complete_player)


@takes(_Options)
def command(options: _Options) -> None:
    """List the players and evaluators with their options.

    Every command that takes a player accepts a text such as alphabeta:depth=4,eval=positional. With NAME, the
    command lists only the player, evaluator or learner NAME.
    """
    lists = click.HelpFormatter(width=get_terminal_size().columns if sys.stdout.isatty() else _UNBROKEN)
    if options.name:
        _write_one(lists, options.name)
    else:
        _write_all(lists)
    click.echo(lists.getvalue(), nl=False)


def _write_all(lists: click.HelpFormatter) -> None:
    from othello_lab.agent.learner import method_names
    from othello_lab.game.catalogue import EVALUATORS, KINDS, OTHERS, PLAYERS, TRAINED_EVALUATORS

    lists.write_text(
        "Write a player as NAME or NAME:ARGUMENT, and add ,OPTION=VALUE for each option. Put a value with "
        "commas in [ ]. The defaults of options are in ( )."
    )
    for title, names in KINDS.items():
        _write(lists, title, _rows({name: PLAYERS.entry(name) for name in names}))
    _write(lists, "Trained players, agent programs and Python objects", _rows_of_modules(OTHERS))
    plain = EVALUATORS.entries.keys() - TRAINED_EVALUATORS.keys()
    evaluators = _rows({name: EVALUATORS.entry(name) for name in EVALUATORS.entries if name in plain})
    evaluators += _rows_of_modules(TRAINED_EVALUATORS)
    _write(lists, "Evaluators, for the option eval= of players", evaluators)
    lists.write_paragraph()
    lists.write_text(
        f"Learners: {', '.join(method_names())}. `othello players NAME` lists the options of a learner."
    )


def _write_one(lists: click.HelpFormatter, name: str) -> None:
    from othello_lab.agent.learner import method_names
    from othello_lab.game.catalogue import EVALUATORS, PLAYERS
    from othello_lab.game.registry import did_you_mean

    known = {*method_names()}
    for title, registry in (("Player", PLAYERS), ("Evaluator", EVALUATORS)):
        known |= registry.entries.keys()
        if name in registry.entries:
            _write(lists, title, _rows({name: registry.entry(name)}))
    if name in method_names():
        write_learner(lists, name)
    elif name not in known:
        near = did_you_mean(name, sorted(known)) or "; `othello players` lists them"
        raise click.UsageError(f"there is no player, evaluator or learner {name!r}{near}")


def write_learner(lists: click.HelpFormatter, name: str, preset: str = "") -> None:
    """Write the options of a learner in groups, with meanings and the preset's defaults."""
    from othello_lab.agent.learner import find_method
    from othello_lab.agent.options import GROUPS

    method = find_method(name)
    size = min(USUAL_SIZE, method.largest)
    chosen = {"preset": preset} if preset in method.presets else {}
    rows, smallest = method.options(size, chosen), method.options(SIZES[0], chosen)
    name_width, width = max(map(len, rows)), max(len(row.default) for row in rows.values())
    lists.write_paragraph()
    lists.write_text(f"{name}: {method.line or method.config.__doc__}.")
    lists.write_text(
        f"The list shows the options and their defaults. Write them as {name},OPTION=VALUE,OPTION=VALUE. "
        "Put a value with commas in [ ]."
    )
    for group in (*GROUPS, ""):
        listed = [
            (f"{option:{name_width}}  {row.default:{width}}", row.meaning)
            for option, row in rows.items()
            if row.group == group
        ]
        if listed:
            _write(lists, group or "Options", listed)
    if method.presets:
        _write(lists, "Presets", [*method.presets.items()])
    notes = []
    if by_board := [option for option in rows if rows[option] != smallest[option]]:
        which = f"The defaults are for {size}x{size}. On other boards these differ"
        notes.append(f"{which}: {', '.join(by_board)}.")
    if by_length := [option for option in rows if option in method.follows_length(chosen)]:
        notes.append(f"These options follow the number of episodes: {', '.join(by_length)}.")
    if method.batched and not chosen:
        start = f"{method.name},{method.batched}"
        notes.append(
            f"othello selfplay starts from {start}: `othello agent {start} --help` lists its options."
        )
    if notes:
        lists.write_paragraph()
        lists.write_text(" ".join(notes))


def _write(lists: click.HelpFormatter, title: str, rows: Sequence[tuple[str, str]]) -> None:
    with lists.section(title):
        lists.write_dl(rows, col_max=_COLUMN)


def _rows(entries: "Mapping[str, Entry[Any]]") -> list[tuple[str, str]]:
    """Return the rows of a list. Entries with the same options share one list of options."""
    rows = []
    for _, group in groupby(entries.items(), lambda item: tuple(item[1].options.items())):
        for name, entry in group:
            rows.append((f"{name}:{entry.argument}" if entry.argument else name, entry.line))
        rows += [(f"  {key}=", takes) for key, takes in entry.options.items()]
    return rows


def _rows_of_modules(entries: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the rows for entries with a slow import. Names of the same module share a row."""
    names: dict[str, list[str]] = {}
    for name, place in entries.items():
        names.setdefault(place.partition(":")[0], []).append(name)
    return [(", ".join(alike), _first_line(module)) for module, alike in names.items()]


def _first_line(module: str) -> str:
    """Return the first line of a module's docstring, without an import."""
    source = files("othello_lab").joinpath(f"{'/'.join(module.split('.')[1:])}.py").read_text("utf-8")
    return source.removeprefix('"""').partition("\n")[0].removesuffix('"""')
