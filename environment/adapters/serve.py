"""`python -m othello_lab.environment.adapters.serve ID` is the command `othello gymnasium ID`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("gymnasium")
