"""`othello review`: print the value of every move of a game, and how much each mistake lost."""

import json
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number

if TYPE_CHECKING:
    from othello_lab.game import Game
    from othello_lab.game.review import Decision, Reviewer

SIDES = ("black", "white")


@options
class _Options:
    what: tuple[str, ...] = a_position("FILE|MOVES")
    number: int = whole_number("Number of the game in FILE.", default=1, lowest=1)
    size: int = fields.size("Board size of MOVES, and of games in FILE that do not state a size.")
    side: str | None = option("Review the moves of this side only.", type=click.Choice(SIDES))
    exact: int | None = whole_number(
        "Solve positions with at most K empty squares. The time is three to four times as long for each "
        "further empty square.  [default: 18, or 14 on boards larger than 8x8]",
        highest=30,
        metavar="K",
    )
    nodes: int | None = whole_number(
        "Search N positions for each move that the solver does not solve.  [default: 100000]",
        lowest=1,
        highest=10**9,
        metavar="N",
    )
    as_json: bool = fields.json_flag()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Review a game: print the value of each move, the best moves, and how much each mistake lost.

    The game may be unfinished. The command solves moves near the end exactly, and prints their values in
    discs. A search evaluates each move that is too far from the end for the solver. FILE is a file of games.
    MOVES is a transcript such as f5d6c3. The same game always gets the same review.
    """
    from othello_lab.console import reviewing
    from othello_lab.console.files import load
    from othello_lab.console.wording import opening_lines
    from othello_lab.game.openings import opening_name
    from othello_lab.game.review import DEFAULT_NODES, Reviewer

    with blaming("FILE|MOVES"):
        record = load(" ".join(options.what), options.number, options.size)
    size, names = record.game.size, {"black": record.black, "white": record.white}
    reviewer = Reviewer(size, options.exact, options.nodes or DEFAULT_NODES)
    sides = [options.side] if options.side else SIDES
    reviewed = _reviewed(reviewer, record.game)
    reviewed = [decision for decision in reviewed if decision.side.value in sides]
    if options.as_json:
        about = {"size": size, **names, "opening": opening_name(record.game)}
        click.echo(json.dumps(about | {"decisions": reviewing.as_json(reviewed)}, indent=2))
    else:
        meant = ", ".join(f"{side} ({names[side]})" if names[side] else side for side in sides)
        lines = reviewing.as_lines(reviewed)
        click.echo("\n".join([*opening_lines(record.game), f"reviewed: {meant}", *lines]))


def _reviewed(reviewer: "Reviewer", game: "Game") -> "list[Decision]":
    """Return the review of a game. Show the progress on stderr. Ctrl-C stops the review."""
    from othello_lab.console.work import interruptible
    from othello_lab.experiment.show.progress import Display

    reviewed = list["Decision"]()
    with Display(Console(stderr=True), 0, len(game.moves), "move") as display:

        def work() -> None:
            for decision in reviewer.review(game):
                reviewed.append(decision)
                display.advance(len(game.moves) - decision.ply, [])

        interruptible(work, reviewer.stop, lambda _: None)
    return reviewed
