"""`othello selfplay --device cuda`: the same on a GPU, where games, opponents and learning are."""

from typing import Any

import click

from othello.config_file import spelled
from othello.ending import blaming
from othello.training_options import given

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
    from agent.device import read_device

    with blaming("--device"):
        return read_device(str(device)).type != "cpu"


def run(context: click.Context, values: dict[str, Any]) -> None:
    """Do a piece of a training on a device, and end with its exit code."""
    from agent.on_device.command import main
    from agent.on_device.options import parser
    from experiment.run.evaluation.verdict import verdict
    from experiment.run.results.device_folder import player
    from experiment.run.results.device_scores import newest_scores
    from experiment.show.shell_commands import othello, where

    said = given(context)
    for name in sorted(said - _OURS - _PASSED_ON.keys()):
        option = spelled(name, "--" + name.replace("_", "-"))
        raise click.UsageError(f"{option}: this is no option for games on a device; see docs/gpu.md")
    folder = values["runs_dir"] / (values["resume"] or values["name"] or _new_name())
    words = ["--out", str(folder), "--device", values["device"]]
    for name in sorted(said & _PASSED_ON.keys()):
        words += [_PASSED_ON[name], str(values[name])]
    if values["resume"]:
        words.append("--resume")
    else:
        words += _options_of(values["learner"])
    if status := main(words):
        context.exit(status)
    click.echo(f"{folder} is no run folder: play or evaluate {player(folder)}")
    go_on = ["selfplay", "--resume", folder.name, "--device", values["device"], *where(values["runs_dir"])]
    click.echo(f"go on with: {othello(*go_on)}")
    if met := [*newest_scores(folder, parser().get_default("eval_games"))]:
        click.echo(f"Verdict: {verdict(met, None)}")
    context.exit()


def _options_of(text: str) -> list[str]:
    """Return the options of a learner as words; raises click.BadParameter for one that cannot be there."""
    from agent import learners
    from agent.on_device.options import OF_LEARNING
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


def _new_name() -> str:
    from experiment.run.results.names import new_name

    return new_name()
