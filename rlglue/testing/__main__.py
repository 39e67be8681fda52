"""`python -m rlglue.testing` runs the command in `othello_lab.commands.conformance`."""

import sys

from othello_lab.commands.conformance import main

if __name__ == "__main__":
    sys.exit(main())
