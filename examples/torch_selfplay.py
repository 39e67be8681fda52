"""Self-play in less than 60 lines of torch: `python examples/torch_selfplay.py [GAMES [SIZE [SEED]]]`.

A network predicts the result after each move, from -1 to +1, and learns from its own games.
"""

import argparse

import numpy as np
import torch
from torch import Tensor, nn

import othello_lab as lab

parser = argparse.ArgumentParser(description=__doc__)
for name, default in {"games": 100_000, "size": 6, "seed": 0}.items():
    parser.add_argument(name, nargs="?", type=int, default=default, help=f"({default})")
GAMES, SIZE, SEED = vars(parser.parse_args()).values()
SQUARES = SIZE * SIZE
torch.manual_seed(SEED)
torch.set_num_threads(1)
model = nn.Sequential(
    *(nn.Flatten(), nn.Linear(4 * SQUARES, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()),
    *(nn.Linear(256, SQUARES), nn.Tanh()),
)
optimiser = torch.optim.Adam(model.parameters(), 1e-3)


def play(games: lab.BothSides, black: float, white: float) -> list[tuple[Tensor, ...]]:
    """Play all games to the end. `black` and `white` are the sides' probabilities of a random move.

    For each turn, return positions, chosen squares, whether black moved, and whether the game was on.
    """
    games.reset()
    turns: list[tuple[Tensor, ...]] = []
    while not games.over.all():
        seen, is_black = torch.from_numpy(games.planes()), torch.from_numpy(games.black_to_move)
        with torch.no_grad():
            values = model(seen)
        at_random = torch.rand(len(games)) < torch.where(is_black, black, white)
        values[at_random] = torch.rand(int(at_random.sum()), SQUARES)
        squares = values.masked_fill(~torch.from_numpy(games.legal), -2).argmax(1)
        turns.append((seen, squares, is_black, torch.from_numpy(~games.over)))
        games.step(squares)
    return turns


games, everybody = lab.BothSides(256, SIZE, random_opening=4, seed=SEED), np.ones(256, bool)
for _ in range(GAMES // 256):
    seen, squares, is_black, going = (torch.stack(each) for each in zip(*play(games, 0.1, 0.1), strict=True))
    won = torch.from_numpy(games.results(black=everybody)).float()
    ends = torch.where(is_black, won, -won)
    for batch in torch.split(torch.randperm(int(going.sum())), 1024):
        values = model(seen[going][batch]).gather(1, squares[going][batch, None])[:, 0]
        loss = nn.functional.mse_loss(values, ends[going][batch])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types there
        optimiser.step()

others, score = lab.BothSides(500, SIZE, random_opening=4, seed=SEED + 1), 0.0
for black in (True, False):
    play(others, 0.0 if black else 1.0, 1.0 if black else 0.0)
    score += (1 + others.results(np.full(500, black)).mean()) / 4
print(f"{score:.3f} against random")
