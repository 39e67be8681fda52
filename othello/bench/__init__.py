"""`othello bench`: what is measured, and beside it the commands that print it."""

from othello.groups import LazyGroup

command = LazyGroup(
    "othello.bench",
    {
        "Commands": {
            "env": "steps a second of thousands of games, as Gymnasium has them",
            "game": "moves, games and positions a second",
            "glue": "steps a second over TCP",
            "learn": "updates of the DQN a second, and its replay memory",
            "workers": "games a second of self-play on several processes or machines",
        }
    },
    help="Measure speed on this machine.",
)
