"""`othello experiment`: the commands about runs."""

from othello.groups import LazyGroup

command = LazyGroup(
    "othello",
    {
        "Commands": {
            "train": "train the agent and the environment that connect",
            "sweep": "carry out runs that differ in some options, and compare them",
            "compare": "tables and pictures of several runs",
            "plot": "draw the picture of a run again",
        }
    },
    help="Run episodes over RL-Glue and write down what happened.",
)
