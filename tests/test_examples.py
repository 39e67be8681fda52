import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game.board import Board
from othello_lab.game.catalogue import make
from othello_lab.game.game import Game
from rlglue.glue import Glue
from rlglue.testing.program import Program
from tests.experiment.lab import posix
from tests.forks import Ended, run_forked

pytestmark = pytest.mark.slow
EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_example_of_an_agent_plays_whole_legal_games_on_every_board() -> None:
    with Program("agent", [sys.executable, str(EXAMPLES / "my_agent.py")], 60.0) as program:
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


BUDGET = "--minutes 0.01 --size 4 --games 8 --output policy.zip"
PROGRAMS = {
    "torch_selfplay.py": ("torch", "10000 4"),
    "faults.py": ("gymnasium", "--size 4 --games 64 --seeds 1 --fault signs"),
    "sb3_agents.py --learner ppo": ("sb3_contrib", BUDGET),
    "sb3_agents.py --learner dqn": ("sb3_contrib", BUDGET),
    "single_file_dqn.py": ("gymnasium", BUDGET),
}
# The imports of the programs, with their compiled kernels, are loaded once.
IMPORTS = """
import torch, othello_lab as lab
from importlib.util import find_spec
lab.match("greedy", "positional", size=4, openings=0)
for name in ("gymnasium", "sb3_contrib"):
    if find_spec(name):
        __import__(name)
torch.optim.Adam([torch.zeros(1, requires_grad=True)])  # imports much of torch
if find_spec("gymnasium"):
    import gymnasium, othello_lab.environment.adapters as adapters
    for games in (gymnasium.make(adapters.ID, size=4), gymnasium.make_vec(adapters.ID, 4, size=4)):
        games.reset(seed=0)
"""


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Ended]]:
    found = {name: more for name, (needs, more) in PROGRAMS.items() if find_spec(needs)}
    folders = [tmp_path_factory.mktemp(name.split(".")[0]) for name in found]
    words: list[list[str | Path]] = []
    for name, more in found.items():
        program, *options = name.split()
        words.append([EXAMPLES / program, *options, *more.split()])
    ended = run_forked(IMPORTS, zip(folders, words, strict=True))
    return dict(zip(found, zip(folders, ended, strict=True), strict=True))


@posix
@pytest.mark.parametrize("example", PROGRAMS)
def test_an_example_learns(example: str, learned: dict[str, tuple[Path, Ended]]) -> None:
    if example not in learned:
        pytest.skip(f"needs {PROGRAMS[example][0]}")
    folder, (status, output, errors) = learned[example]
    assert status == 0, errors
    if example == "torch_selfplay.py":
        assert float(output.split()[0]) > 0.65  # untrained .5
    elif example == "faults.py":
        firsts = [line.split()[0] for line in output.splitlines()[1:]]
        assert firsts == ["none", "signs", "fault", "none", "signs"]
    else:
        player = "mlp" if example == "single_file_dqn.py" else "sb3"
        assert output.endswith(f"othello evaluate {player}:policy.zip\n")
        game, rng = Game(Board.start(4)), np.random.default_rng(0)
        move = make(f"{player}:{folder / 'policy.zip'}", 4).choose(game, rng)
        assert move in game.board.legal_moves
