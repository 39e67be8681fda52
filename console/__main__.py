"""`python -m othello_lab.console` is the command `othello play`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("play")
