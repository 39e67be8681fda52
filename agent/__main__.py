"""`python -m othello_lab.agent` is the command `othello agent`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("agent")
