"""A single-file DQN in torch, trained in a vector environment. `mlp:PATH` loads the saved file.

python examples/single_file_dqn.py --minutes 10 --output dqn.pt
othello evaluate mlp:dqn.pt --opponent corner-greedy
"""

import time
from argparse import ArgumentParser, Namespace

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import Tensor, nn

# Capacity of the replay memory, batch size, and learning steps between updates of the target network.
PLACES, BATCH, COPY_EVERY = 200_000, 512, 500


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


def make_network(size: int) -> nn.Sequential:
    """Return a Q-network. Input: planes, [n, 4, N, N]. Output: action values, [n, N*N + 1]."""
    squares = size * size
    layers = [nn.Flatten(), nn.Linear(4 * squares, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()]
    return nn.Sequential(*layers, nn.Linear(256, squares + 1))


def values_of(network: nn.Module, seen: Tensor) -> Tensor:
    """Return the value of each action, [n, N*N + 1]. Illegal actions have the value -1e9."""
    squares = seen[:, 2].flatten(1).bool()
    legal = torch.cat([squares, ~squares.any(1, keepdim=True)], dim=1)
    values: Tensor = network(seen.float())
    return values.masked_fill(~legal, -1e9)


def train(given: Namespace) -> tuple[nn.Module, int]:
    """Train until the time limit, and return the network and the number of moves."""
    torch.manual_seed(given.seed)
    rng = np.random.default_rng(given.seed)
    games = gymnasium.make_vec(
        "othello_lab.environment.adapters:OthelloLab/Othello-v0",
        num_envs=given.games,
        size=given.size,
        opponent=given.opponent,
        first="random",
        random_opening=8,
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    network, target = make_network(given.size), make_network(given.size)
    optimiser = torch.optim.Adam(network.parameters(), lr=5e-4)
    board = (PLACES, 4, given.size, given.size)
    states, next_states = np.zeros(board, np.int8), np.zeros(board, np.int8)
    actions, rewards = np.zeros(PLACES, np.int64), np.zeros(PLACES, np.float32)
    over = np.zeros(PLACES, np.float32)
    seen, infos = games.reset(seed=given.seed)
    moves = updates = 0
    end = time.monotonic() + 60 * given.minutes
    while time.monotonic() < end:
        with torch.no_grad():
            chosen = values_of(network, torch.from_numpy(seen)).argmax(1).numpy()
        drawn = (rng.random(infos["action_mask"].shape) * infos["action_mask"]).argmax(1)
        action = np.where(rng.random(given.games) < 0.1, drawn, chosen)
        at = (moves + np.arange(given.games)) % PLACES
        states[at], actions[at] = seen, action
        # If a game is over, `seen` is the first position of the next game, which the target ignores.
        seen, reward, ended, _, infos = games.step(action)
        next_states[at], rewards[at], over[at] = seen, reward, ended
        moves += given.games
        for _ in range(max(1, given.games // 16)):
            if updates % COPY_EVERY == 0:
                target.load_state_dict(network.state_dict())
            drawn = rng.integers(min(moves, PLACES), size=BATCH)
            with torch.no_grad():
                best = values_of(target, torch.from_numpy(next_states[drawn])).amax(1)
                wanted = torch.from_numpy(rewards[drawn]) + torch.from_numpy(1 - over[drawn]) * best
            values = values_of(network, torch.from_numpy(states[drawn]))
            predicted = values.gather(1, torch.from_numpy(actions[drawn])[:, None])[:, 0]
            loss = nn.functional.smooth_l1_loss(predicted, wanted)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch has no type for it
            optimiser.step()
            updates += 1
    return network, moves


if __name__ == "__main__":
    given = options()
    learned, count = train(given)
    torch.save(learned.state_dict(), given.output)
    print(f"{count} moves, saved {given.output}: othello evaluate mlp:{given.output}")
