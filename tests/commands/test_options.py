"""Options that several commands share."""

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.options import options, takes
from othello_lab.commands.shared_options import a_host, a_port, a_seed
from rlglue.messages import LARGEST_SEED


@options
class Options:
    seed: int = a_seed()
    host: str = a_host()
    port: int = a_port()


@takes(Options)
def show(said: Options) -> None:
    click.echo(f"{said.seed} {said.host}:{said.port}")


@pytest.mark.parametrize("text", ["", "-1", "x", "1.0", "²", str(LARGEST_SEED + 1), "9" * 5000])
def test_a_wrong_seed_is_refused_briefly(text: str) -> None:
    result = CliRunner().invoke(show, ["--seed", text])
    assert (result.exit_code, len(result.output) < 500) == (2, True)


def test_a_large_seed_is_taken_as_it_is() -> None:
    assert CliRunner().invoke(show, ["--seed", str(LARGEST_SEED)]).output.startswith(f"{LARGEST_SEED} ")


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost", "127.0.0.1"])  # noqa: S104 - asked for
def test_a_server_open_to_other_machines_warns(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(["--host", host, "--port", "5000"], standalone_mode=False)
    out, error = capsys.readouterr()
    assert out == f"0 {host}:5000\n"
    assert error.startswith("Warning: --host 0.0.0.0 lets in") if host == "0.0.0.0" else error == ""  # noqa: S104
