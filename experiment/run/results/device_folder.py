"""Folders that self-play on a device left before it made run folders."""

from pathlib import Path

from experiment.run.learners import TRAINED

_CURVE, _POLICY = "curve.csv", "policy.safetensors"


class DeviceFolderError(ValueError):
    """A run was asked for, and this is such a folder."""


def refuse(path: Path) -> None:
    """Raise DeviceFolderError for such a folder, with what can be done with it."""
    if (path / _CURVE).is_file():
        raise DeviceFolderError(
            f"{path} is a training of an older `othello selfplay --device` and no run folder: "
            f"play or evaluate {TRAINED}:{(path / _POLICY).as_posix()}; {_CURVE} says how it went"
        )
