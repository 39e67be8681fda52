"""Installation of a package that is missing: the extra of ours that brings it, or the package itself."""

import re
from collections.abc import Iterator
from typing import Final

NAME: Final = "othello-lab"
WHOLE: Final = ("all", "dev")
"""Extras that are made of others."""


def how_to_install(package: str) -> str:
    """Return the command that installs a package; it names the extra of ours that the package belongs to."""
    wanted = next((extra for extra, name in _extras() if name == _plain(package)), None)
    return "python -m pip install " + (f"'{NAME}[{wanted}]'" if wanted else package)


def _extras() -> Iterator[tuple[str, str]]:
    """Yield each extra with each package that it requires."""
    from importlib.metadata import requires  # slow

    for requirement in requires(NAME) or []:
        found = re.match(r"([\w.-]+).*\bextra == ['\"](\w+)", requirement)
        if found and found[2] not in WHOLE:
            yield found[2], _plain(found[1])


def _plain(name: str) -> str:
    """Return a package's name as that of its module is mostly spelled."""
    return re.sub(r"[-.]", "_", name).lower()
