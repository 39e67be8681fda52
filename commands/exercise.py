"""`othello exercise`: print the exercises of the lessons and check answers."""

from pathlib import Path

import click

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.options import argument, options, takes

_TRAINED = ("trained:", "agent:")  # The prefixes of trained players' registry texts.


@options
class _Options:
    number: str | None = argument(required=False)
    answer: tuple[str, ...] = fields.player_argument(metavar="[ANSWER]...", nargs=-1)
    size: int | None = fields.players_size("the player")
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Check the ANSWER to exercise NUMBER of the lessons in docs/lessons.

    The exit code is 0 for a right answer, 1 for a wrong answer and 2 for an invalid answer. Without ANSWER,
    the command prints the question. Without NUMBER, the command prints all questions. If ANSWER is a player
    or a run, the command plays games, which may take a minute.
    """
    from othello_lab.experiment.study.exercises import EXERCISES, WrongError
    from othello_lab.game.players.player import Forfeit

    if options.number is None:
        click.echo("\n".join(f"{number}  {one.question}" for number, one in EXERCISES.items()))
        return
    exercise = EXERCISES.get(options.number)
    if exercise is None:
        there = f"there is no {options.number!r}, only {', '.join(EXERCISES)}"
        raise click.BadParameter(there, param_hint="NUMBER")
    if not options.answer:
        click.echo(exercise.question)
        return
    try:
        answer = _player(options) if exercise.of_player else " ".join(options.answer).split()
        if not answer:
            raise ValueError("the answer is empty")
        click.echo(f"right: {exercise.check(answer)}")
    except WrongError as why:
        click.echo(f"wrong: {why}")
        raise SystemExit(1) from None
    except (ValueError, Forfeit) as error:
        raise click.BadParameter(str(error), param_hint="ANSWER") from None


def _player(options: _Options) -> tuple[str, str]:
    if len(options.answer) != 1:
        raise ValueError("expected one player or run")
    player = named(options.answer[0], options.runs_dir, "ANSWER")
    if not player.text.startswith(_TRAINED):
        raise ValueError(f"{options.answer[0]} was not trained by you: name a run")
    return player.text, str(chosen_size(options.size, player))
