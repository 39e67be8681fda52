"""The option --openings, the options of matches, and position arguments."""

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

import click

from othello_lab.commands import fields
from othello_lab.commands.checks import report_left_out
from othello_lab.commands.errors import blaming
from othello_lab.commands.options import argument, option, options, whole_number
from othello_lab.experiment.show.wording import plural

_FILE: Final = re.compile(r"(.+?)(?::(0|[1-9][0-9]{0,2}))?(?::([1-9][0-9]{0,8}))?", re.ASCII | re.DOTALL)
_PLIES: Final = 8  # The default PLIES of a file. In a .txt file, a whole line is an opening by default.


def openings_option(default: str = "all") -> Any:
    """Return the field of --openings. The help shows `default` as the default."""
    return option(
        "Begin from N of the positions after four plies, spread evenly over all of them. 8x8 has 236 such "
        "positions. With N = 0, begin from the standard start. FILE[:PLIES[:N]] means the N most frequent "
        "positions in FILE after PLIES plies "
        f"({_PLIES} by default). Each position is played with both colours.  "
        f"[default: {default}]",
        metavar="N|FILE",
    )


@options
class Games:
    """The options of matches: board size, openings, repetitions, seed and workers."""

    size: int | None = fields.players_size("the players", section="Games")
    openings: str | None = openings_option()
    repeat: int = whole_number("Number of times that the players play each opening.", default=1, lowest=1)
    seed: int = fields.seed()
    jobs: int = fields.jobs()
    ray: str | None = fields.ray()


@cache  # `othello evaluate` calls `lines_of` once for each agent
def lines_of(openings: str | None, size: int) -> tuple[str, ...]:
    """Return the transcripts of openings. None means all standard openings. Raises click.BadParameter."""
    from othello_lab.game.openings import standard_openings

    with blaming("--openings"):
        if openings is None or re.fullmatch(r"[0-9]{1,9}", openings, re.ASCII):
            return standard_openings(size, openings if openings is None else int(openings))
        return _of_file(openings, size)


def _of_file(text: str, size: int) -> tuple[str, ...]:
    from othello_lab.game.openings import digest, openings_of
    from othello_lab.game.records import SUFFIXES, readable

    parts = _FILE.fullmatch(text)
    if not parts or Path(parts[1]).suffix.lower() not in SUFFIXES:
        known = f"no file of games ({', '.join(SUFFIXES)}) as FILE[:PLIES[:N]]"
        raise ValueError(f"{text[:200]!r} is no number and {known}")
    path, plies, most = Path(parts[1]), *(int(number) if number else None for number in parts.groups()[1:])
    records, faults = readable(path, size)
    report_left_out(faults)
    if plies is None and path.suffix.lower() != ".txt":
        plies = _PLIES
    lines = openings_of([record.game for record in records], size, plies, most)
    where = "at the ends of" if plies is None else f"after {plies} plies of"
    games = f"{where} {plural(len(records), 'game')} in {path}"
    if not lines:
        raise ValueError(
            f"there is no position {games} from which a game on {size}x{size} can begin without a pass: "
            "add the number of plies with FILE:PLIES"
        )
    click.echo(f"openings: {plural(len(lines), 'position')} {games}, {digest(lines)}", err=True)
    return lines


_OPTION: Final = re.compile("--?[a-z]")


class _Words(click.Argument):
    """An argument of one or more words. A word may start with a dash, because a dash is an empty square."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        parser.ignore_unknown_options = True
        super().add_to_parser(parser, ctx)

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        texts = super().type_cast_value(ctx, value)
        for text in texts or ():
            if _OPTION.match(text):
                from othello_lab.game.notation import brief
                from othello_lab.game.transcripts import is_cells

                if not is_cells(text):
                    raise click.NoSuchOption(brief(text))
        return texts


def a_position(metavar: str) -> Any:
    """Return the field of an argument that may be a position of one or several words."""
    return argument(metavar=metavar, nargs=-1, required=True, cls=_Words)
