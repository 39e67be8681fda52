"""`othello experiment`: the commands about runs."""

from othello.groups import LazyGroup

command = LazyGroup(
    "othello",
    {
        "train": "train whatever agent and environment connect, and evaluate it",
        "sweep": "carry out runs that differ in an option or two, and compare them",
        "compare": "tables and a picture of several runs",
        "plot": "draw the picture of a run again",
    },
    help="Run episodes over RL-Glue and write down what happened.",
)
