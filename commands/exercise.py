"""`othello exercise`: the exercises of the lessons, and whether an answer is right."""

from pathlib import Path

import click

from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.options import argument, options, takes
from othello_lab.commands.shared_options import a_runs_dir, a_size

_LEARNED = ("trained:", "agent:")
"""What the text of a run begins with, and that of an agent in a program of its own."""


@options
class _Options:
    number: str | None = argument(required=False)
    answer: tuple[str, ...] = argument(nargs=-1, metavar="[ANSWER]...")
    size: int | None = a_size("the player's")
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Check the ANSWER to exercise NUMBER of the lessons.

    The exit code is 0 if it is right, 1 if it is wrong and 2 if it is no answer. Without ANSWER the question
    is printed, without NUMBER all of them. A player or a run is judged by games, which may take a minute. The
    lessons: docs/lessons.
    """
    from othello_lab.experiment.study.exercises import EXERCISES, WrongError
    from othello_lab.game.players.base import Forfeit

    if said.number is None:
        for name, each in EXERCISES.items():
            click.echo(f"{name}  {each.question}")
        return
    if said.number not in EXERCISES:
        raise click.BadParameter(
            f"there is no {said.number!r}, only {', '.join(EXERCISES)}", param_hint="NUMBER"
        )
    exercise = EXERCISES[said.number]
    if not said.answer:
        click.echo(exercise.question)
        return
    answer = _player(said.answer, said) if exercise.player else _words(said.answer)
    try:
        click.echo(f"right: {exercise.check(answer)}")
    except WrongError as why:
        click.echo(f"wrong: {why}")
        raise SystemExit(1) from None
    except (ValueError, Forfeit) as error:
        raise click.BadParameter(str(error), param_hint="ANSWER") from None


def _words(answer: tuple[str, ...]) -> list[str]:
    """Return the words of an answer, which a script puts into quotation marks."""
    words = " ".join(answer).split()
    if not words:
        raise click.BadParameter("it is empty", param_hint="ANSWER")
    return words


def _player(answer: tuple[str, ...], said: _Options) -> tuple[str, str]:
    """Return the text of the player that was named, and the size of its board."""
    if len(answer) != 1:
        raise click.BadParameter("expected one player or run", param_hint="ANSWER")
    found = named(answer[0], said.runs_dir, "ANSWER")
    if not found.text.startswith(_LEARNED):
        raise click.BadParameter(f"{answer[0]} was not trained by you: name a run", param_hint="ANSWER")
    return found.text, str(chosen_size(said.size, found))
