"""`othello solve`: the exact value of a position at the command line."""

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from othello_lab.commands.checks import checked_size
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number
from othello_lab.commands.shared_options import DEFAULT_SIZE, as_json_flag

if TYPE_CHECKING:
    from othello_lab.console.solution import Answer
    from othello_lab.game import Board
    from othello_lab.game.evaluators import Evaluator

LONG = 18
"""From this many empty squares on solving takes longer than loading a network."""
SCORES = ("disc_diff", "final_score", "both")


@options
class _Options:
    what: tuple[str, ...] = a_position("POSITION...|FILE")
    number: int = whole_number("Which game of FILE: the position at its end.", default=1, lowest=1)
    size: int = option("Length of a side, of `standard` and of transcripts.", default=DEFAULT_SIZE)
    score: str = option(
        "The difference of discs, the same with the empty squares for the winner, or both.",
        default="both",
        type=click.Choice(SCORES),
    )
    every: bool = option("Also print the exact score of every legal move.", "--all")
    max_empties: int = whole_number(
        "Refuse positions with more empty squares: one more takes three to four times as long.",
        default=22,
        highest=256,
    )
    hash_mib: int = whole_number(
        "Memory of the table of positions.", "--hash", default=128, lowest=1, highest=1 << 16, metavar="MIB"
    )
    threads: int = whole_number("Threads that solve it together.", default=1, lowest=1, highest=64)
    as_json: bool = as_json_flag()


@takes(_Options)
def command(said: _Options) -> None:
    """Solve POSITION: its exact value, the best move and the line that follows.

    POSITION is N*N cells of X, O and - row by row from a1, then X or O for whose turn it is; or a transcript
    from the standard start such as f5d6c3; or the word standard. FILE is a file of positions, one a line
    (.txt), or of games. Scores are those of the side to move.
    """
    from othello_lab.console.files import load
    from othello_lab.console.solution import solution_lines
    from othello_lab.game.solver.solver import Convention, empties

    checked_size(said.size)
    with blaming("POSITION...|FILE"):
        board = load(" ".join(said.what), said.number, said.size).game.board
    if empties(board) > said.max_empties:
        raise click.BadParameter(
            f"the position has {empties(board)} empty squares, {said.max_empties} are allowed: raise "
            "--max-empties and be patient, each further square takes three to four times as long",
            param_hint="--max-empties",
        )
    conventions = [convention for convention in Convention if said.score in (convention.value, "both")]
    answers = [_answer(board, convention, said) for convention in conventions]
    if said.as_json:
        scores = {answer.convention.value: answer.as_json() for answer in answers}
        click.echo(json.dumps({"position": str(board), "size": board.size} | scores, indent=2))
    else:
        click.echo("\n".join(solution_lines(board, answers)))


def _ordering(board: "Board") -> "Evaluator | None":
    """Return the network that ships for the board, where it is worth loading: it only saves time."""
    from othello_lab.game.evaluators import make_evaluator
    from othello_lab.game.players.deepening import SHIPPED
    from othello_lab.game.solver.solver import empties

    worth_it = board.size in SHIPPED and empties(board) >= LONG
    return make_evaluator(SHIPPED[board.size], board.size) if worth_it else None


def _answer(board: "Board", convention: Any, said: _Options) -> "Answer":  # noqa: ANN401  imported late
    """Solve with a word a minute on stderr, and so that Ctrl-C ends it."""
    from othello_lab.console.solution import solved
    from othello_lab.console.work import each_minute, interruptible
    from othello_lab.game.solver.solver import Solver

    solver = Solver(board.size, convention, said.hash_mib, _ordering(board), said.threads)

    def still_working(seconds: float) -> None:
        print(f"{convention.value}: {solver.nodes:,} nodes in {seconds:.0f} s so far", file=sys.stderr)

    return interruptible(lambda: solved(solver, board, said.every), solver.stop, each_minute(still_working))
