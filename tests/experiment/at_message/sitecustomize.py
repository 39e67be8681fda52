"""Send a process a signal before its Nth message. Python imports this file when it starts.

The file needs this folder in PYTHONPATH, and AT_MESSAGE="ROLE N SIGNAL FOLDER". Each of the three processes
writes its process id to FOLDER.
"""

import os
import socket
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
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


if "AT_MESSAGE" in os.environ:
    role, at, number, folder = os.environ["AT_MESSAGE"].split(maxsplit=3)
    if len(sys.orig_argv) > 1 and "-m" in sys.orig_argv:
        arm(role, int(at), int(number), Path(folder))
