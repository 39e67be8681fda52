"""Wrong options: one line that names the option, exit code 2, nothing left behind."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.commands.agent import command as agent
from othello_lab.commands.cli import cli
from othello_lab.commands.experiment import command as experiment
from othello_lab.commands.run import command as run


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)


@pytest.mark.parametrize(
    ("arguments", "option", "says"),
    [
        ("--size 7", "--size", "must be even"),
        ("--size 2", "--size", "from 4 to 16"),
        ("--port 99999", "--port", "99999"),
        ("--opponent nobody", "--opponent", "random, greedy, corner-greedy"),
        ("--agent nobody", "--agent", "no program 'nobody'"),
        ("--eval-opponent nobody", "--eval-opponent", "random, greedy, corner-greedy"),
        ("--resume nothing --eval-opponent random", "--eval-opponent", "only --episodes may change"),
        ("--agent dqn,speed=9", "--agent", "no option 'speed'"),
        ("--agent greedy,speed=9", "--agent", "no option 'speed'"),
        ("--environment nothing", "--environment", "no program 'nothing'"),
        ("--environment python --size 4", "--size", "command of --environment"),
        ("--name a/b", "name", "letters, digits"),
        ("--resume nothing", "no run in", "config.json"),
        ("--resume nothing --size 4", "--size", "only --episodes may change"),
        ("--reward-win -3", "--reward-win", "must fall from win"),
        ("--reward-win 1e7", "reward", "at most 1,000,000 from 0"),
        ("--reward-loss -inf", "reward", "at most 1,000,000 from 0"),
        ("--episodes 0", "--episodes", "x>=1"),
        ("--connect-timeout nan", "--connect-timeout", "no finite number"),
        ("--connect-timeout inf", "--connect-timeout", "not in the range"),
    ],
)
def test_wrong_options_of_run(arguments: str, option: str, says: str) -> None:
    result = CliRunner().invoke(run, arguments.split())
    last = result.output.splitlines()[-1]
    assert result.exit_code == 2, result.output
    assert last.startswith("Error: ")
    assert option in last
    assert says in last
    assert not list(Path("runs").glob("*"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("dqn --device cuda:99", "--device: cuda:99: "),
        ("dqn --gpu 99", "--gpu: cuda:99: "),
        ("dqn --device gpu", "'gpu' is no device: expected auto, cpu, cuda or cuda:N"),
        ("dqn --gpu 0 --device cpu", "--device and --gpu: expected one of them"),
    ],
)
def test_a_device_that_is_not_there(arguments: str, says: str) -> None:
    result = CliRunner().invoke(agent, arguments.split())
    assert result.exit_code == 2, result.output
    assert says in result.output.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ("train --in-process --glue localhost:4096", "expected one of them"),
        ("train --glue localhost:4096 --host localhost", "--host: the server is that of --glue"),
        ("train --in-process --port 4096", "--port: nobody connects to --in-process"),
        ("train --size 4", "--size: this goes to"),
        ("train --in-process --agent nobody --size 4", "nobody"),
        ("plot nothing", "no run in"),
    ],
)
def test_wrong_options_of_experiment(arguments: str, says: str) -> None:
    result = CliRunner().invoke(experiment, arguments.split())
    assert result.exit_code == 2, result.output
    assert says in result.output.splitlines()[-1]
    assert not list(Path("runs").glob("*"))


def test_train_in_process_and_plot_again() -> None:
    options = "--agent greedy --size 4 --episodes 12 --final-games 5 --name one"
    arguments = ["train", "--in-process", *options.split()]
    result = CliRunner().invoke(experiment, arguments)
    assert result.exit_code == 0, result.output
    assert re.search(r"openings +black +116 ", result.output)
    assert re.search(r"^run +runs/one$", result.output, re.MULTILINE)
    picture = Path("runs/one/plots/training.png")
    picture.unlink()
    for run_name in ("one", "runs/one"):
        assert CliRunner().invoke(experiment, ["plot", run_name]).exit_code == 0
        assert picture.exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("selfplay --minutes nan", "--minutes"),
        ("selfplay --minutes inf", "--minutes"),
        ("match greedy random --size 0", "--size"),
        ("evaluate greedy --size 0", "--size"),
        ("tournament greedy random --size 0", "--size"),
        ("evaluate greedy --size 6 --lost lost.wtb", "--lost"),
        ("solve start --size 4 --hash 100000000", "--hash"),
    ],
)
def test_limits_are_known_before_anything_is_done(words: str, says: str) -> None:
    result = CliRunner().invoke(cli, words.split())
    assert result.exit_code == 2, result.output
    assert says in result.stderr.splitlines()[-1]
