"""`othello selfplay --device cuda`: the same on a GPU, where games, opponents and learning are."""

from typing import NoReturn

import click

from othello.ending import blaming
from othello.options import given, refuse
from othello.selfplay_options import SelfPlayOptions

_PASSED_ON = {
    "size": "--size",
    "seed": "--seed",
    "minutes": "--minutes",
    "plies": "--plies",
    "games_at_once": "--games",
    "random_opening": "--random-opening",
    "opponents": "--opponents",
}
"""The options that mean the same there, by what they are called there."""
_OURS = {"learner", "device", "name", "runs_dir", "resume"}


def is_elsewhere(device: str | None) -> bool:
    """Tell whether a device is another than the processor; raises click.BadParameter for none."""
    if device in (None, "cpu"):
        return False
    from agent.device.torch_device import read_device

    with blaming("--device"):
        return read_device(str(device)).type != "cpu"


def run(said: SelfPlayOptions) -> NoReturn:
    """Do a piece of a training on a device, and end with its exit code."""
    from agent.device.command import main
    from agent.device.options import parser
    from experiment.run.evaluation.verdict import verdict
    from experiment.run.results.device_folder import player
    from experiment.run.results.device_scores import newest_scores
    from experiment.run.results.names import new_name
    from experiment.show.shell_commands import othello, where

    refuse(given() - _OURS - _PASSED_ON.keys(), "this is no option for games on a device; see docs/gpu.md")
    folder, device = said.runs_dir / (said.resume or said.name or new_name()), str(said.device)
    words = ["--out", str(folder), "--device", device]
    for name in sorted(given() & _PASSED_ON.keys()):
        words += [_PASSED_ON[name], str(getattr(said, name))]
    words += ["--resume"] if said.resume else _options_of(said.learner)
    if status := main(words):
        raise click.exceptions.Exit(status)
    click.echo(f"{folder} is no run folder: play or evaluate {player(folder)}")
    go_on = ["selfplay", "--resume", folder.name, "--device", device, *where(said.runs_dir)]
    click.echo(f"go on with: {othello(*go_on)}")
    if met := [*newest_scores(folder, parser().get_default("eval_games"))]:
        click.echo(f"Verdict: {verdict(met, None)}")
    raise click.exceptions.Exit(0)


def _options_of(text: str) -> list[str]:
    """Return the options of a learner as words; raises click.BadParameter for one that cannot be there."""
    from agent import learners
    from agent.device.options import OF_LEARNING
    from game.registry import RegistryError, parse

    with blaming("--learner"):
        spec = parse(text)
        if not learners.find(spec.name).devices:
            raise RegistryError(f"{spec.name} computes on the processor: leave --device out")
        for key in spec.options.keys() - set(OF_LEARNING):
            raise RegistryError(
                f"{spec.name} on a device has no option {key!r}; it has {', '.join(OF_LEARNING)}"
            )
    return [word for key, value in spec.options.items() for word in (f"--{key.replace('_', '-')}", value)]
