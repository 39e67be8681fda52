"""`python -m othello_lab.agent` is the command `othello agent`."""

from othello_lab.othello.cli import main

if __name__ == "__main__":
    main("agent")
