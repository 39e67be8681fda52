"""`python -m othello_lab.environment` is the command `othello environment`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("environment")
