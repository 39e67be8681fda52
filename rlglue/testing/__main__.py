"""`python -m rlglue.testing` runs the command in `othello_lab.commands.conformance`."""

import sys

from othello_lab.commands.conformance import command
from othello_lab.commands.errors import run_and_exit

if __name__ == "__main__":
    run_and_exit(command, sys.argv[1:], "python -m rlglue.testing")
