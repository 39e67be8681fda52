"""`othello puzzles`: positions from one's own mistakes, and endgames, asked again as days go by."""

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands.checks import checked_size, tell_left_out
from othello_lab.commands.ending import blaming, reported_errors
from othello_lab.commands.games import entries_of
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.commands.play import keep_to_ascii
from othello_lab.commands.review import watched
from othello_lab.commands.seating import COLOURS, state_folder
from othello_lab.commands.shared_options import DEFAULT_SIZE, a_seed
from othello_lab.experiment.show.wording import plural
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from othello_lab.console.puzzles.collection import Collection
    from othello_lab.console.puzzles.puzzle import Puzzle
    from othello_lab.game import Colour
    from othello_lab.game.records import Record

FILE: Final = "puzzles.jsonl"
"""In the folder for what outlives a program."""
_MANY: Final = 10**9
_BY: Final = "noisy:[{}],share=0.2"
"""Who plays up to the endgames: well, but as games of people go, not perfectly."""
_NONE_YET: Final = (
    "There are no puzzles yet: `othello puzzles game.jsonl` takes the mistakes of a game, "
    "`othello puzzles --endgames 10` makes endgames."
)


@options
class _Options:
    what: tuple[str, ...] = a_position("[FILE...|MOVES]", required=False)
    player: str = option(
        "Only mistakes of players whose name has this in it.  [default: person, in games of `othello play`]",
        default="",
        show_default=False,
        metavar="NAME",
        section="New puzzles",
    )
    colour: str | None = option(
        "Only mistakes of this side.  [default: both]", "--colour", "--color", type=click.Choice(COLOURS[:2])
    )
    number: int | None = whole_number("Only this game, counted from 1 through all files.", lowest=1)
    endgames: int = whole_number("Add N endgames in which one move alone wins, or alone draws.", metavar="N")
    empties: int = whole_number("Empty squares of these endgames.", default=8, lowest=4, highest=20)
    seed: int = a_seed("Seed of the games that lead to them.")
    size: int = option(
        "Length of a side, of endgames, MOVES and files that do not say theirs.", default=DEFAULT_SIZE
    )
    lists: bool = option("List all puzzles and when they are due, and ask none.", "--list", section="")


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Ask for the best move in positions that you should know, and say how good each answer is.

    Puzzles are the mistakes that a review finds in the games of FILEs or in MOVES, and endgames by the
    solver. They are kept: what you missed is asked again tomorrow, what you knew after 2, 4, 8 ... days.
    Without FILE those of today are asked.
    """
    from othello_lab.console.puzzles.collection import held

    keep_to_ascii()
    checked_size(said.size)
    with reported_errors(), held(state_folder() / FILE) as collection:
        tell_left_out(collection.faults)
        if said.what:
            _add_mistakes(collection, said)
        if said.endgames:
            _add_endgames(collection, said)
        if said.lists:
            _list(collection)
        else:
            _ask(collection)


def _add_mistakes(collection: "Collection", said: _Options) -> None:
    """Review games, and keep their mistakes as puzzles: at once, so that Ctrl-C loses none."""
    from othello_lab.console.puzzles.puzzle import of_mistake
    from othello_lab.game.records.record import Wanted
    from othello_lab.game.review import Reviewed, Reviewer

    every, today, new = entries_of(said.what, said.size), date.today(), 0
    with blaming("FILE"):
        records = [found.record for found in Wanted(said.number, said.player).of(every)]
    if not records:
        raise click.UsageError(f"none of {plural(len(every), 'game')} fits --number and --player")

    def take(record: "Record", found: Reviewed) -> None:
        nonlocal new
        if found.is_mistake and found.side in _sides(record, said):
            new += collection.add([of_mistake(record, found, today)])

    try:
        for size in sorted({record.game.size for record in records}):
            watched(Reviewer(size), [record for record in records if record.game.size == size], take)
    finally:
        click.echo(f"{plural(new, 'new puzzle')} from {plural(len(records), 'game')}")


def _sides(record: "Record", said: _Options) -> "list[Colour]":
    """Return whose mistakes are wanted: the person's where nobody is named and a person played."""
    from othello_lab.console.sitting import PERSON
    from othello_lab.game.records.record import Wanted

    person = PERSON if not said.colour and PERSON in (record.black, record.white) else ""
    sides = Wanted(player=said.player or person).sides(record)
    return [side for side in sides if said.colour in (None, side.value)]


def _add_endgames(collection: "Collection", said: _Options) -> None:
    from othello_lab.experiment.show.progress import counted

    new = islice(_endgames(collection, said), said.endgames)
    found = collection.add(counted(new, said.endgames, Console(stderr=True), "endgame"))
    click.echo(plural(found, "new endgame"))


def _endgames(collection: "Collection", said: _Options) -> "Iterator[Puzzle]":
    """Yield endgames that are not among the puzzles, as long as games lead to any."""
    from othello_lab.console.puzzles.puzzle import of_endgame
    from othello_lab.experiment.study.truth.asking import sample
    from othello_lab.game.players.deepening import best_evaluator
    from othello_lab.game.review import Effort, Reviewer

    size, left = said.size, said.empties
    reviewer, by = Reviewer(size, Effort(left)), _BY.format(best_evaluator(size))
    try:
        for game in sample(size, left, _MANY, by, said.seed):
            if game.board not in collection and (puzzle := of_endgame(game, reviewer, date.today())):
                yield puzzle
    except ValueError:
        why = f"games on {size}x{size} lead to no more endgames with {left} empty squares"
        raise click.BadParameter(f"{why}: try other --empties", param_hint="--endgames") from None


def _list(collection: "Collection") -> None:
    from othello_lab.console.puzzles.round import about

    for puzzle in collection.due():
        click.echo(f"{puzzle.due}  asked {puzzle.asked}, missed {puzzle.missed}  {about(puzzle)}")
    click.echo(f"{plural(len(collection), 'puzzle')} in {collection.path}")


def _ask(collection: "Collection") -> None:
    from othello_lab.console.puzzles.round import Round
    from othello_lab.console.terminal import standard_terminal

    if not len(collection):
        click.echo(_NONE_YET)
        return
    asking = Round(collection, standard_terminal(), date.today())
    asking.ask()
    if asking.interrupted:
        raise SystemExit(INTERRUPTED)
