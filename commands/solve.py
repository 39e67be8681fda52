"""`othello solve`: compute the exact value of a position."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import a_position
from othello_lab.commands.options import option, options, takes, whole_number

if TYPE_CHECKING:
    from othello_lab.game import Board
    from othello_lab.game.solver.solver import Convention

LONG = 18  # The minimum number of empty squares for the network, because loading is slow.
_SCORES = {"disc_diff": "difference of discs", "final_score": "empties to the winner"}


@options
class _Options:
    what: tuple[str, ...] = a_position("POSITION...|FILE")
    number: int = whole_number(
        "Number of the game in FILE. The command solves the final position of the game.", default=1, lowest=1
    )
    size: int = fields.size("Board size of the position `standard` and of transcripts.")
    score: str = option(
        "disc-diff is the disc difference. final-score is the disc difference after the winner gets the "
        "empty squares.",
        default="both",
        type=click.Choice((*_SCORES, "both")),
    )
    every: bool = option("Also print the exact score of every legal move.", "--all")
    max_empties: int = whole_number(
        "Refuse positions with more than this number of empty squares. The time is three to four times as "
        "long for each further empty square.",
        default=22,
        highest=256,
    )
    hash_mib: int = whole_number(
        "Memory of the transposition table in MiB.",
        "--hash",
        default=128,
        lowest=1,
        highest=1 << 16,
        metavar="MIB",
    )
    as_json: bool = fields.json_flag()


@takes(_Options)
def command(options: _Options) -> None:
    """Solve POSITION, and print its exact value, the best move and the line of best play.

    POSITION can be the N*N cells (X, O or -), row by row from a1, and then the side to move (X or O).
    POSITION can also be `standard` (the standard start) or a transcript such as f5d6c3. FILE is a file of
    games, or a text file (.txt) with one position on each line. A score is for the side to move.
    """
    from othello_lab.console.files import load
    from othello_lab.game.solver.solver import Convention

    with blaming("POSITION...|FILE"):
        board = load(" ".join(options.what), options.number, options.size).game.board
    if board.empties > options.max_empties:
        raise click.BadParameter(
            f"the position has {board.empties} empty squares, {options.max_empties} are allowed: raise "
            "--max-empties and be patient, one more empty square takes three to four times as long",
            param_hint="--max-empties",
        )
    conventions = [one for one in Convention if options.score in (one.value, "both")]
    answers = {convention.value: _solve(board, convention, options) for convention in conventions}
    if options.as_json:
        click.echo(json.dumps({"position": str(board), "size": board.size} | answers, indent=2))
        return
    click.echo(f"{board.size}x{board.size}, {board.empties} empty squares, {board.turn.value} to move")
    for name, answer in answers.items():
        click.echo("\n".join(["", *_as_lines(board, name, answer)]))


def _solve(board: "Board", convention: "Convention", options: _Options) -> dict[str, Any]:
    from othello_lab.console.terminal import Terminal
    from othello_lab.game.catalogue import make_evaluator
    from othello_lab.game.notation import square_name
    from othello_lab.game.players.search import SHIPPED
    from othello_lab.game.solver.solver import Solver

    has_network = board.size in SHIPPED and board.empties >= LONG
    network = make_evaluator(SHIPPED[board.size], board.size) if has_network else None
    solver = Solver(board.size, convention, options.hash_mib, network)

    def work() -> dict[str, Any]:
        solution = solver.solve(board)
        line = [square_name(move, board.size) for move in solution.variation]
        answer: dict[str, Any] = {
            "value": solution.value,
            "best": line[0] if line else None,
            "variation": line,
            "nodes": solution.nodes,
            "seconds": round(solution.seconds, 6),
        }
        if options.every:
            best_first = sorted(solver.scores(board).items(), key=lambda item: -item[1])
            answer["moves"] = {square_name(move, board.size): score for move, score in best_first}
        return answer

    return Terminal(Console(stderr=True)).wait_for(f"solving: {convention.value}", work, solver.stop)


def _as_lines(board: "Board", convention: str, answer: dict[str, Any]) -> Iterator[str]:
    value, nodes, seconds = answer["value"], answer["nodes"], answer["seconds"]
    winner = board.turn if value > 0 else board.turn.other
    yield f"{_SCORES[convention]}: {value:+d}, {f'{winner.value} wins' if value else 'a draw'}"
    if answer["best"]:
        yield f"  best move  {answer['best']}"
        yield f"  line       {' '.join(answer['variation'])}"
    if "moves" in answer:
        yield f"  all moves  {' '.join(f'{move}:{score:+d}' for move, score in answer['moves'].items())}"
    speed = nodes / max(seconds, 1e-9) / 1e6
    yield f"  nodes      {nodes:,} in {seconds:.2f} s, {speed:.1f} million a second"
