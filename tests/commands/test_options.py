import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands import fields
from othello_lab.commands.cli import cli
from othello_lab.commands.options import options, takes
from rlglue.messages import LARGEST_SEED

pytestmark = pytest.mark.usefixtures("here")


@pytest.mark.slow
@pytest.mark.drawn
def test_train_in_process() -> None:
    line = "run --in-process --agent greedy --size 4 --episodes 12 --final-games 5 --name one"
    result = CliRunner().invoke(cli, line.split())
    assert result.exit_code == 0, result.output
    assert re.search(r"openings +black +116 ", result.output)
    assert re.search(r"^picture +runs/one/plots/training\.png$", result.output, re.MULTILINE)
    assert Path("runs/one/plots/training.png").exists()


@options
class Options:
    seed: int = fields.seed()
    host: str = fields.host()
    port: int = fields.port()


@takes(Options)
def show(options: Options) -> None:
    click.echo(f"{options.seed} {options.host}:{options.port}")


@pytest.mark.parametrize("text", ["", "-1", "1.0", "²", str(LARGEST_SEED + 1)])
def test_a_wrong_seed_is_refused(text: str) -> None:
    result = CliRunner().invoke(show, ["--seed", text])
    assert (result.exit_code, "--seed" in result.output) == (2, True)


def test_the_largest_seed_is_accepted() -> None:
    assert CliRunner().invoke(show, ["--seed", str(LARGEST_SEED)]).output.startswith(f"{LARGEST_SEED} ")


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost"])  # noqa: S104 - asked for
def test_a_server_open_to_other_machines_warns(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(["--host", host, "--port", "5000"], standalone_mode=False)
    out, error = capsys.readouterr()
    assert out == f"0 {host}:5000\n"
    assert error.startswith("Warning: --host 0.0.0.0 lets in") if host == "0.0.0.0" else error == ""  # noqa: S104
