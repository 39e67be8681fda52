"""The checks of `python -m rlglue.testing`: the rules of RL-Glue and those of Othello."""

import logging

from othello_lab.environment.testing import agents, environments
from rlglue.scripts import INTERRUPTED
from rlglue.testing import command

OTHELLO = command.Task(
    sizes=agents.SIZES,
    all_sizes=range(4, 17, 2),
    environment=agents.environment_of,
    agent_rules=agents.rules,
    size_rule=agents.size_rule,
    environment_rules=environments.rules(),
    includes=environments.is_othello,
)


def main() -> int:
    """Check the programs that the command line names; gives the exit code."""
    logging.getLogger().addHandler(logging.NullHandler())  # what is wrong stands in the findings
    try:
        return command.main(OTHELLO)
    except KeyboardInterrupt:
        return INTERRUPTED
