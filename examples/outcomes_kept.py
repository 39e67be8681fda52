"""In how many positions of 4x4 does a player keep won, drawn or lost?

python outcomes_kept.py trained:runs/NAME/checkpoints/policy.safetensors
"""

import sys

import numpy as np

from game.players import make
from game.solver.kept import outcomes_kept

if __name__ == "__main__":
    player = make(sys.argv[1], size=4)
    everywhere, where_it_matters = outcomes_kept(player, np.random.default_rng(0))
    print(f"of {everywhere.positions:,} positions in {everywhere.share:.2%}")
    print(f"of {where_it_matters.positions:,} where it matters in {where_it_matters.share:.2%}")
