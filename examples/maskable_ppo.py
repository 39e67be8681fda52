"""MaskablePPO of sb3-contrib on hundreds of games at once. The player `sb3:PATH` loads the saved file.

python examples/maskable_ppo.py --minutes 10 --output ppo.zip
othello evaluate sb3:ppo.zip --opponent corner-greedy
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from othello_lab.environment.adapters.sb3 import OthelloVecEnv


def options() -> Namespace:
    """Return the options of the command line."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", default="ppo.zip")
    parser.add_argument("--opponent", default="corner-greedy")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, default=256, help="number of simultaneous games")
    return parser.parse_args()


def train(given: Namespace) -> Any:  # noqa: ANN401  the library is untyped
    """Train until the time is over, and return the learner."""
    games = OthelloVecEnv(
        given.games, size=given.size, opponent=given.opponent, first="random", random_opening=8
    )
    learner = MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=64,  # per environment, which is more than two games
        batch_size=2048,
        n_epochs=4,
        gamma=1.0,  # only the end of a game has a reward
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=given.seed,
        device="cpu",
    )

    end: float = time.monotonic() + 60 * given.minutes

    def is_time_left(_locals: dict[str, Any], _globals: dict[str, Any]) -> bool:
        return time.monotonic() < end

    return learner.learn(10**12, callback=is_time_left)


if __name__ == "__main__":
    given = options()
    learned = train(given)
    learned.save(given.output)
    print(f"{learned.num_timesteps} moves, saved {given.output}: othello evaluate sb3:{given.output}")
