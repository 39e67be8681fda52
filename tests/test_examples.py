"""The programs of examples/, in processes of their own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.players import make
from rlglue.glue import Glue
from rlglue.testing.program import Program

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parent.parent / "examples"


def compiled_agent(directory: Path) -> list[str]:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    program = directory / "agent"
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", program, EXAMPLES / "agent.c"], check=True)
    return [str(program)]


@pytest.mark.parametrize("example", ["my_agent.py", "classic_agent.py", "agent.c"])
def test_an_example_agent_plays_whole_legal_games_on_every_board(tmp_path: Path, example: str) -> None:
    source = EXAMPLES / example
    command = compiled_agent(tmp_path) if source.suffix == ".c" else [sys.executable, str(source)]
    with Program("agent", command, 60.0) as program:
        for size in (4, 8, 10):
            environment = OthelloEnvironment(EnvironmentConfig(size=size, first="alternate"))
            glue = Glue(program.agent, environment)
            glue.RL_init()
            for _ in range(10):
                assert glue.RL_episode(0) == 1
                assert glue.RL_num_steps() > 3
            assert '"illegal_total": 0' in glue.RL_env_message("stats")
            glue.RL_cleanup()
        assert program.dismiss() == 0


def test_self_play_in_torch_learns_to_beat_random() -> None:
    command = [sys.executable, str(EXAMPLES / "torch_selfplay.py"), "10000", "4"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert float(said.split()[0]) > 0.65  # untrained .5


def test_a_fault_is_measured_beside_none() -> None:
    pytest.importorskip("gymnasium")
    command = [sys.executable, str(EXAMPLES / "faults.py"), "--size", "4", "--games", "64", "--seeds", "1"]
    done = subprocess.run([*command, "--fault", "signs"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["none", "signs", "fault", "none", "signs"]


@pytest.mark.parametrize(
    ("example", "player", "needs"),
    [
        ("maskable_ppo.py", "sb3", "sb3_contrib"),
        ("sb3_dqn.py", "sb3", "stable_baselines3"),
        ("single_file_dqn.py", "mlp", "gymnasium"),
        ("torchrl_dqn.py", "mlp", "torchrl"),
    ],
)
def test_what_an_example_learns_is_a_player(tmp_path: Path, example: str, player: str, needs: str) -> None:
    pytest.importorskip(needs)
    output = tmp_path / "policy.zip"
    budget = ["--minutes", "0.01", "--size", "4", "--games", "8", "--output", str(output)]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / example), *budget],
        env={**os.environ, "PYTHONPATH": str(EXAMPLES.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"othello evaluate {player}:{output}\n")
    game, rng = Game(Board.start(4)), np.random.default_rng(0)
    move = make(f"{player}:{output}", 4).choose(game, rng)
    assert move in game.board.legal_moves
