"""`othello gymnasium`: what is typed wrongly is one line."""

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import cli


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("NoSuch-v0", "Invalid value for ID: Environment `NoSuch` doesn't exist."),
        ("nowhere:Any-v0", "Invalid value for ID: No module named 'nowhere'"),
        ("Blackjack-v1", "Invalid value for ID: RL-Glue cannot tell of Tuple"),
        ("CartPole-v1 --set colour=red", "unexpected keyword argument 'colour'"),
        ("CartPole-v1 --set colour", "Invalid value for --set: 'colour' is no KEY=VALUE"),
        ("CartPole-v1 --max-steps many", "Invalid value for '--max-steps'"),
    ],
)
def test_what_is_wrong_is_named(words: str, line: str) -> None:
    result = CliRunner().invoke(cli, ["gymnasium", *words.split()])
    assert result.exit_code == 2
    assert line in result.output.splitlines()[-1]
