"""Options: a wrong one is one line that names it, with exit code 2 and nothing left behind."""

import re
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli
from othello_lab.commands.options import options, takes
from othello_lab.commands.shared_options import a_host, a_port, a_seed
from rlglue.messages import LARGEST_SEED


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)


@pytest.mark.parametrize(
    ("line", "option", "says"),
    [
        ("run --size 7", "--size", "must be even"),
        ("run --size 2", "--size", "from 4 to 16"),
        ("run --port 99999", "--port", "99999"),
        ("run --opponent nobody", "--opponent", "random, greedy, corner-greedy"),
        ("run --agent nobody", "--agent", "no program 'nobody'"),
        ("run --eval-opponent nobody", "--eval-opponent", "random, greedy, corner-greedy"),
        ("run --resume nothing --eval-opponent random", "--eval-opponent", "only --episodes may change"),
        ("run --agent dqn,speed=9", "--agent", "no option 'speed'"),
        ("run --agent greedy,speed=9", "--agent", "no option 'speed'"),
        ("run --environment nothing", "--environment", "no program 'nothing'"),
        ("run --environment python --size 4", "--size", "command of --environment"),
        ("run --name a/b", "name", "letters, digits"),
        ("run --resume nothing", "no run in", "config.json"),
        ("run --reward-win -3", "--reward-win", "must fall from win"),
        ("run --reward-win 1e7", "reward", "at most 1,000,000 from 0"),
        ("run --reward-loss -inf", "reward", "at most 1,000,000 from 0"),
        ("run --episodes 0", "--episodes", "x>=1"),
        ("run --connect-timeout nan", "--connect-timeout", "no finite number"),
        ("run --connect-timeout inf", "--connect-timeout", "not in the range"),
        ("agent dqn --device cuda:99", "--device", "cuda:99: "),
        ("agent dqn --gpu 99", "--gpu", "cuda:99: "),
        ("agent dqn --device gpu", "'gpu' is no device", "expected auto, cpu, cuda or cuda:N"),
        ("agent dqn --gpu 0 --device cpu", "--device and --gpu", "expected one of them"),
        ("experiment train --in-process --glue localhost:4096", "--glue", "expected one of them"),
        ("experiment train --glue localhost:4096 --host localhost", "--host", "the server is that of --glue"),
        ("experiment train --in-process --port 4096", "--port", "nobody connects to --in-process"),
        ("experiment train --size 4", "--size", "this goes to"),
        ("experiment train --in-process --agent nobody --size 4", "--agent", "nobody"),
        ("experiment plot nothing", "no run in", "nothing"),
        ("selfplay --minutes nan", "--minutes", "no finite number"),
        ("match greedy random --size 0", "--size", "0"),
        ("evaluate greedy --size 0", "--size", "0"),
        ("evaluate greedy --size 6 --lost lost.wtb", "--lost", "WTHOR"),
        ("tournament greedy random --size 0", "--size", "0"),
        ("solve start --size 4 --hash 100000000", "--hash", "100000000"),
        ("gymnasium NoSuch-v0", "ID", "Environment `NoSuch` doesn't exist."),
        ("gymnasium nowhere:Any-v0", "ID", "No module named 'nowhere'"),
        ("gymnasium Blackjack-v1", "ID", "RL-Glue cannot tell of Tuple"),
        ("gymnasium CartPole-v1 --set colour=red", "ID", "unexpected keyword argument 'colour'"),
        ("gymnasium CartPole-v1 --set colour", "--set", "'colour' is no KEY=VALUE"),
        ("gymnasium CartPole-v1 --max-steps many", "--max-steps", "many"),
    ],
)
def test_a_wrong_option_is_named_before_anything_is_done(line: str, option: str, says: str) -> None:
    result = CliRunner().invoke(cli, line.split())
    last = result.stderr.splitlines()[-1]
    assert result.exit_code == 2, result.output
    assert last.startswith("Error: ")
    assert option in last
    assert says in last
    assert not [*Path.cwd().iterdir()]


@pytest.mark.slow
def test_train_in_process_and_plot_again() -> None:
    line = "experiment train --in-process --agent greedy --size 4 --episodes 12 --final-games 5 --name one"
    result = CliRunner().invoke(cli, line.split())
    assert result.exit_code == 0, result.output
    assert re.search(r"openings +black +116 ", result.output)
    assert re.search(r"^run +runs/one$", result.output, re.MULTILINE)
    picture = Path("runs/one/plots/training.png")
    for run_name in ("one", "runs/one"):
        picture.unlink(missing_ok=True)
        assert CliRunner().invoke(cli, ["experiment", "plot", run_name]).exit_code == 0
        assert picture.exists()


@options
class Options:
    seed: int = a_seed()
    host: str = a_host()
    port: int = a_port()


@takes(Options)
def show(options: Options) -> None:
    click.echo(f"{options.seed} {options.host}:{options.port}")


@pytest.mark.parametrize("text", ["", "-1", "1.0", "²", str(LARGEST_SEED + 1), "9" * 5000])
def test_a_wrong_seed_is_refused_briefly(text: str) -> None:
    result = CliRunner().invoke(show, ["--seed", text])
    assert (result.exit_code, len(result.output) < 500) == (2, True)


def test_the_largest_seed_is_accepted() -> None:
    assert CliRunner().invoke(show, ["--seed", str(LARGEST_SEED)]).output.startswith(f"{LARGEST_SEED} ")


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost"])  # noqa: S104 - asked for
def test_a_server_open_to_other_machines_warns(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(["--host", host, "--port", "5000"], standalone_mode=False)
    out, error = capsys.readouterr()
    assert out == f"0 {host}:5000\n"
    assert error.startswith("Warning: --host 0.0.0.0 lets in") if host == "0.0.0.0" else error == ""  # noqa: S104
