"""`othello review`: what every move of a game was worth, and what was lost."""

import json
from typing import TYPE_CHECKING

import click

from othello.ending import blaming
from othello.options import DEFAULT_SIZE
from othello.position_argument import position_argument

if TYPE_CHECKING:
    from game import Game
    from game.review import Reviewed, Reviewer

SCORES = ("disc_diff", "final_score")


@click.command()
@position_argument("what", "FILE|MOVES")
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which game of FILE.")
@click.option(
    "--size",
    default=DEFAULT_SIZE,
    show_default=True,
    help="Length of a side, of MOVES and of games without a size.",
)
@click.option(
    "--exact",
    type=click.IntRange(0, 30),
    metavar="K",
    help="Solve from K empty squares on; one more takes three to four times as long."
    "  [default: 18, beyond 8x8 14]",
)
@click.option(
    "--nodes",
    type=click.IntRange(1, 10**9),
    metavar="N",
    help="Before that, look at N positions for each move.  [default: 100000]",
)
@click.option(
    "--score",
    type=click.Choice(SCORES),
    default=SCORES[0],
    help="The difference of discs, or the same with the empty squares for the winner.  [default: disc-diff]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
def command(
    what: tuple[str, ...],
    number: int,
    size: int,
    exact: int | None,
    nodes: int | None,
    score: str,
    as_json: bool,
) -> None:
    """Review a game, finished or not: what each move was worth, which one was best, and what was lost.

    Moves near the end are solved exactly, in discs; earlier ones are judged by a search. FILE is a file of
    games; MOVES is a transcript such as f5d6c3. The same game always gets the same review.
    """
    from console import reviewing
    from console.saving import load
    from game.review import DEFAULT_NODES, Effort, Reviewer, default_exact
    from game.solver.solver import Convention
    from game.threads import use_threads

    use_threads(1)
    with blaming("FILE|MOVES"):
        record = load(" ".join(what), number, size)
    solved = default_exact(record.game.size) if exact is None else exact
    effort = Effort(solved, nodes or DEFAULT_NODES, Convention(score))
    found = _watched(Reviewer(record.game.size, effort), record.game)
    if as_json:
        said = {"size": record.game.size, "black": record.black, "white": record.white, "score": score}
        click.echo(json.dumps(said | {"decisions": reviewing.as_json(found)}, indent=2))
    else:
        click.echo("\n".join(reviewing.as_lines(found, effort.convention)))


def _watched(reviewer: "Reviewer", game: "Game") -> "list[Reviewed]":
    """Review with the progress on stderr, and so that Ctrl-C ends it."""
    from rich.console import Console

    from console.interruptible import interruptible
    from experiment.show.progress import make_display

    found = list["Reviewed"]()
    with make_display(Console(stderr=True), 0, len(game.moves), watch=False, what="move") as display:

        def work() -> None:
            for each in reviewer.review(game):
                found.append(each)
                display.advance(len(game.moves) - each.ply, [])

        interruptible(work, reviewer.stop, lambda _: None)
    return found
