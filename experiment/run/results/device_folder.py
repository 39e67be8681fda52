"""The folder of a training on a device, which is no run folder."""

from pathlib import Path

from experiment.run.learners import TRAINED

CURVE = "curve.csv"
"""What agent/device writes first."""
_POLICY = "policy.safetensors"


class DeviceFolderError(ValueError):
    """A run was asked for, and this is such a folder."""


def refuse(path: Path) -> None:
    """Raise DeviceFolderError for such a folder, with what can be done with it."""
    if (path / CURVE).is_file():
        raise DeviceFolderError(
            f"{path} is a training of `othello selfplay --device` and no run folder: play or evaluate "
            f"{player(path)}, read {CURVE}, go on with `othello selfplay --resume {path.name} --device cuda`"
        )


def player(path: Path) -> str:
    """Return the registry text of what it has learned."""
    return f"{TRAINED}:{(path / _POLICY).as_posix()}"
