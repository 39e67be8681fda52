"""`othello bench`: what is measured, and beside it the commands that print it."""

from othello.groups import LazyGroup

command = LazyGroup(
    "othello.bench",
    {
        "env": "steps a second of thousands of games in Gymnasium",
        "game": "moves, games and positions a second",
        "glue": "steps a second over TCP",
        "learn": "updates a second of the DQN, memory and draws of its replay",
        "workers": "games a second of self-play on several processes or machines",
    },
    help="Measure speed on this machine.",
)
