"""What to install for a package that is missing."""

import sys

import click
import pytest

from othello_lab.commands.ending import run_and_exit
from othello_lab.game.extras import how_to_install


@pytest.mark.parametrize(
    ("package", "extra"),
    [
        ("torch", "train"),
        ("matplotlib", "plots"),
        ("textual", "board"),
        ("sb3_contrib", "sb3"),
    ],
)
def test_a_package_of_an_extra_is_installed_with_the_extra(package: str, extra: str) -> None:
    assert how_to_install(package) == f"python -m pip install 'othello-lab[{extra}]'"


@pytest.mark.parametrize("package", ["numpy", "pytest", "stranger"])
def test_any_other_package_by_its_own_name(package: str) -> None:
    """Also what every installation has, and what is there for development alone."""
    assert how_to_install(package) == f"python -m pip install {package}"


def test_a_command_that_needs_an_extra_says_which_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def command() -> None:
        import sb3_contrib  # noqa: F401  that it cannot be imported is the point

    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    monkeypatch.setattr(sys, "argv", ["othello"])
    with pytest.raises(SystemExit) as end:
        run_and_exit(command, "othello")
    assert end.value.code == 1
    assert capsys.readouterr().err == (
        "Error: this needs the package sb3_contrib, which is not installed: "
        "python -m pip install 'othello-lab[sb3]'\n"
    )
