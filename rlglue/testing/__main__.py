"""`python -m rlglue.testing`: see `rlglue.testing.command` and `othello.conformance`."""

import sys

from othello_lab.commands.conformance import main

if __name__ == "__main__":
    sys.exit(main())
