"""`python -m othello_lab.experiment` is the command `othello experiment`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("experiment")
