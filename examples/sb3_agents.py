"""Train agents of Stable-Baselines3 and sb3-contrib in a vector environment. `sb3:PATH` loads the saved file.

    python examples/sb3_agents.py --learner ppo --minutes 10 --output ppo.zip
    othello evaluate sb3:ppo.zip --opponent corner-greedy

The learner `ppo` is MaskablePPO. The learner `dqn` is the DQN of the library, which does not support action
masks. Therefore, a subclass of its Q-network, for the online and the target network, masks illegal actions.
The third plane of an observation marks the legal moves.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3 import DQN
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from othello_lab.environment.adapters.sb3 import OthelloVecEnv


def options() -> Namespace:
    """Return the options of the command line."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--learner", choices=("dqn", "ppo"), default="ppo")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", default="policy.zip")
    parser.add_argument("--opponent", default="corner-greedy")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, help="number of simultaneous games (default: dqn 32, ppo 256)")
    return parser.parse_args()


def legal_actions(seen: torch.Tensor) -> torch.Tensor:
    """Return the legal actions, bool [n, N*N + 1], from planes [n, 4, N, N]. The last action is the pass."""
    squares = seen[:, 2].flatten(1).bool()
    return torch.cat([squares, ~squares.any(1, keepdim=True)], dim=1)


class MaskedNetwork(QNetwork):  # type: ignore[misc]  # untyped
    """The Q-network of the library, with illegal actions masked to -1e9."""

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return the value of each action, float [n, N*N + 1]."""
        values: torch.Tensor = super().forward(obs)
        return values.masked_fill(~legal_actions(obs), -1e9)


class MaskedPolicy(DQNPolicy):  # type: ignore[misc]  # untyped
    """The DQN policy of the library, with a MaskedNetwork."""

    def make_q_net(self) -> MaskedNetwork:
        """Return a new network. The library calls this method for the online and for the target network."""
        network: MaskedNetwork = MaskedNetwork(**self._update_features_extractor(self.net_args)).to(
            self.device
        )
        return network


class MaskedDQN(DQN):  # type: ignore[misc]  # untyped
    """The DQN of the library, with exploration restricted to legal actions."""

    def predict(
        self,
        observation: NDArray[np.int8],
        state: None = None,
        start: None = None,
        deterministic: bool = False,
    ) -> tuple[NDArray[np.int64], None]:
        """Return an action for each game, int64 [n], and None."""
        best, _ = self.policy.predict(observation, deterministic=True)
        if deterministic:
            return best, None
        legal = legal_actions(torch.from_numpy(observation)).numpy()
        drawn = (np.random.rand(*legal.shape) * legal).argmax(1)  # noqa: NPY002  the library seeds this generator
        explores = np.random.rand(len(best)) < self.exploration_rate  # noqa: NPY002
        return np.where(explores, drawn, best), None


def masked_dqn(games: OthelloVecEnv, seed: int) -> MaskedDQN:
    """Return a new DQN."""
    return MaskedDQN(
        MaskedPolicy,
        games,
        buffer_size=100_000,
        learning_starts=0,  # before this step, the library would choose illegal actions
        batch_size=256,
        gamma=1.0,  # only the end of a game has a reward
        train_freq=1,
        gradient_steps=4,
        target_update_interval=4_000,  # in moves: 500 updates with 32 games
        exploration_initial_eps=0.1,
        exploration_final_eps=0.1,
        learning_rate=5e-4,
        policy_kwargs={"net_arch": [256, 256]},
        seed=seed,
        device="cpu",
    )


def maskable_ppo(games: OthelloVecEnv, seed: int) -> MaskablePPO:
    """Return a new MaskablePPO."""
    return MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=64,  # per environment: more than two games
        batch_size=2048,
        n_epochs=4,
        gamma=1.0,  # only the end of a game has a reward
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        seed=seed,
        device="cpu",
    )


def train(given: Namespace) -> Any:  # noqa: ANN401  the library is untyped
    """Train until the time limit, and return the learner."""
    make, usual = (masked_dqn, 32) if given.learner == "dqn" else (maskable_ppo, 256)
    games = OthelloVecEnv(
        given.games or usual, size=given.size, opponent=given.opponent, first="random", random_opening=8
    )
    learner = make(games, given.seed)
    end: float = time.monotonic() + 60 * given.minutes

    def is_time_left(_locals: dict[str, Any], _globals: dict[str, Any]) -> bool:
        return time.monotonic() < end

    return learner.learn(10**12, callback=is_time_left)


if __name__ == "__main__":
    given = options()
    learned = train(given)
    learned.save(given.output)
    print(f"{learned.num_timesteps} moves, saved {given.output}: othello evaluate sb3:{given.output}")
