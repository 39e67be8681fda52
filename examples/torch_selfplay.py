"""Self-play of your own in fifty lines of torch: `python examples/torch_selfplay.py`.

A network learns how each move will end, +1 to -1 for whoever makes it, from the ends of its own games. On 6x6
it wins 19 of 20 games against random after a minute of a core.
"""

import argparse

import numpy as np
import torch
from torch import Tensor, nn

from othello_lab import BothSides

Turn = tuple[Tensor, Tensor, Tensor, Tensor]
"""What was seen, the squares that were taken, whether by black, and in which games; a row a game."""


def network(size: int) -> nn.Module:
    """What each square is worth to whoever takes it, from the four planes that they see."""
    squares = size * size
    layers = nn.Flatten(), nn.Linear(4 * squares, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU()
    return nn.Sequential(*layers, nn.Linear(256, squares), nn.Tanh())


def choose(values: Tensor, legal: Tensor, epsilon: float) -> Tensor:
    """The best legal square of each game, or with this probability any."""
    noise = torch.rand_like(values)
    exploring = torch.rand(len(values), 1) < epsilon
    return torch.where(exploring, noise, values).masked_fill(~legal, -2).argmax(1)


def play(model: nn.Module, games: BothSides, black: float, white: float) -> list[Turn]:
    """Play games to their ends, each side with its share of random moves; return what was seen and done."""
    games.reset()
    turns: list[Turn] = []
    while not games.over.all():
        seen, legal = torch.from_numpy(games.planes()), torch.from_numpy(games.legal)
        is_black, going = torch.from_numpy(games.black_to_move), torch.from_numpy(~games.over)
        with torch.no_grad():
            values = model(seen)
        squares = torch.where(is_black, choose(values, legal, black), choose(values, legal, white))
        games.step(squares)
        turns.append((seen, squares, is_black, going))
    return turns


def learn(model: nn.Module, optimiser: torch.optim.Optimizer, games: BothSides) -> None:
    """Play, then move the value of every move that was made towards the end of its game."""
    turns = play(model, games, 0.1, 0.1)
    results = torch.from_numpy(games.results(np.ones(len(games), np.bool_))).float()
    ends = torch.stack([torch.where(is_black, results, -results) for *_, is_black, _ in turns])
    seen, squares, _, going = (torch.stack(each) for each in zip(*turns, strict=True))
    for batch in torch.split(torch.randperm(int(going.sum())), 1024):
        values = model(seen[going][batch]).gather(1, squares[going][batch, None])[:, 0]
        loss = nn.functional.mse_loss(values, ends[going][batch])
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch has no types there
        optimiser.step()


def score(model: nn.Module, games: BothSides) -> float:
    """Its share of the points against random, half of the games with each colour."""
    points = 0.0
    for black, white in ((0.0, 1.0), (1.0, 0.0)):
        play(model, games, black, white)
        points += (1 + games.results(np.full(len(games), black == 0)).mean()) / 4
    return points


def main() -> None:
    """Learn from some games, then measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    said = parser.parse_args()
    torch.manual_seed(said.seed)
    torch.set_num_threads(1)
    model, games = network(said.size), BothSides(256, said.size, random_opening=4, seed=said.seed)
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    for _ in range(said.games // len(games)):
        learn(model, optimiser, games)
    others = BothSides(500, said.size, random_opening=4, seed=said.seed + 1)
    print(f"{score(model, others):.3f} against random")


if __name__ == "__main__":
    main()
