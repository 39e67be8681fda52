"""Deep Q-learning with parts of TorchRL (masked Q-values, replay, loss, target). `mlp:PATH` loads the file.

python -m pip install torchrl
python examples/torchrl_dqn.py --minutes 10 --output dqn.pt
othello evaluate mlp:dqn.pt --opponent corner-greedy
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any

import gymnasium
import torch
from gymnasium.vector import AutoresetMode
from tensordict import TensorDict
from tensordict.nn import TensorDictModule, TensorDictSequential
from torchrl.data import Categorical, LazyTensorStorage, TensorDictReplayBuffer
from torchrl.modules import MLP, EGreedyModule, QValueModule
from torchrl.objectives import DQNLoss, HardUpdate


def options() -> Namespace:
    """Return the options of the command line."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", default="dqn.pt")
    parser.add_argument("--opponent", default="corner-greedy")
    parser.add_argument("--size", type=int, default=8)
    parser.add_argument("--games", type=int, default=128, help="number of simultaneous games")
    return parser.parse_args()


def seen_as(planes: Any, mask: Any) -> TensorDict:  # noqa: ANN401  arrays of numpy
    """Return observations for TorchRL, with flat planes, float32 [n, 4*N*N], and masks of legal actions."""
    games = len(planes)
    flat = torch.from_numpy(planes).view(games, -1).float()
    return TensorDict({"observation": flat, "action_mask": torch.from_numpy(mask).bool()}, [games])


def train(given: Namespace) -> tuple[MLP, int]:
    """Train until the time is over, and return the network and the number of moves."""
    torch.manual_seed(given.seed)
    games = gymnasium.make_vec(
        "othello_lab.environment.adapters:OthelloLab/Othello-v0",
        num_envs=given.games,
        size=given.size,
        opponent=given.opponent,
        first="random",
        random_opening=8,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    actions = Categorical(given.size**2 + 1)
    network = MLP(4 * given.size**2, given.size**2 + 1, num_cells=[256, 256], activation_class=torch.nn.ReLU)
    values = TensorDictModule(network, in_keys=["observation"], out_keys=["action_value"])
    policy = TensorDictSequential(values, QValueModule(spec=actions, action_mask_key="action_mask"))
    explorer = EGreedyModule(actions, eps_init=0.1, eps_end=0.1, action_mask_key="action_mask")
    replay = TensorDictReplayBuffer(storage=LazyTensorStorage(200_000), batch_size=512)
    loss = DQNLoss(policy, action_space=actions, delay_value=True, loss_function="smooth_l1")
    loss.make_value_estimator(gamma=1.0)
    target = HardUpdate(loss, value_network_update_interval=500)
    optimiser = torch.optim.Adam(loss.parameters(), lr=5e-4)
    planes, infos = games.reset(seed=given.seed)
    now, moves = seen_as(planes, infos["action_mask"]), 0
    end = time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        with torch.no_grad():
            action = explorer(policy(now.clone()))["action"]
        planes, rewards, over, _, infos = games.step(action.numpy())
        after = seen_as(planes, infos["action_mask"])
        # If a game is over, `after` is the first position of the next game, which the target ignores.
        result = {
            "reward": torch.from_numpy(rewards).float()[:, None],
            "done": torch.from_numpy(over)[:, None],
            "terminated": torch.from_numpy(over)[:, None],
        }
        replay.extend(now.clone().update({"action": action, "next": after.clone().update(result)}))
        now, moves = after, moves + given.games
        for _ in range(max(1, given.games // 16)):
            optimiser.zero_grad()
            loss(replay.sample())["loss"].backward()
            optimiser.step()
            target.step()
    return network, moves


if __name__ == "__main__":
    given = options()
    learned, count = train(given)
    torch.save(learned.state_dict(), given.output)
    print(f"{count} moves, saved {given.output}: othello evaluate mlp:{given.output}")
