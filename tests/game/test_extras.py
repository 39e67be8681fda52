"""What to install for a package that is missing."""

import pytest

from othello_lab.game.extras import how_to_install


@pytest.mark.parametrize(
    ("package", "installed"),
    [
        *(("torch", "'othello-lab[train]'"), ("matplotlib", "'othello-lab[plots]'")),
        *(("textual", "'othello-lab[board]'"), ("sb3_contrib", "'othello-lab[sb3]'")),
        # What every installation has, what is there for development alone, and what nobody knows.
        *(("numpy", "numpy"), ("pytest", "pytest"), ("stranger", "stranger")),
    ],
)
def test_a_package_is_installed_by_its_extra_or_by_its_own_name(package: str, installed: str) -> None:
    assert how_to_install(package) == f"python -m pip install {installed}"
