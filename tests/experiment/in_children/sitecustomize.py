"""Change processes of tests that have this folder in PYTHONPATH. Python imports this file when it starts.

A run draws no picture, because that takes longer than a small run. With AT_MESSAGE="ROLE N SIGNAL FOLDER" the
process with this role gets the signal before its Nth message. All three processes write their ids to FOLDER.
"""

import os
import socket
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

ROLES = ("agent", "environment")


def own_role() -> str:
    words = (word.removeprefix("othello_lab.") for word in sys.orig_argv)
    return next((word for word in words if word in ROLES), "experiment")


def arm(role: str, at: int, number: int, folder: Path) -> None:
    own, sent = own_role(), count(1)
    (folder / f"{own}.pid").write_text(str(os.getpid()))

    def counted(send: Callable[..., Any]) -> Callable[..., Any]:
        def send_or_die(connection: socket.socket, *arguments: Any) -> Any:  # noqa: ANN401  as what it replaces
            if next(sent) == at and own == role:
                os.kill(os.getpid(), number)
            return send(connection, *arguments)

        return send_or_die

    for name in ("send", "sendall"):
        setattr(socket.socket, name, counted(getattr(socket.socket, name)))


def touch_picture(folder: Any) -> Path:  # noqa: ANN401  a RunFolder, which would take a second to import
    """Write an empty picture of a run."""
    path: Path = folder.plots / "training.png"
    path.parent.mkdir(exist_ok=True)
    path.touch()
    return path


if {"run", "train"} & set(sys.orig_argv):
    picture = ModuleType("othello_lab.experiment.show.run_picture")
    vars(picture)["plot_run"] = touch_picture
    sys.modules[picture.__name__] = picture

if "AT_MESSAGE" in os.environ:
    role, at, number, folder = os.environ["AT_MESSAGE"].split(maxsplit=3)
    if len(sys.orig_argv) > 1 and "-m" in sys.orig_argv:
        arm(role, int(at), int(number), Path(folder))
