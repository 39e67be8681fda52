"""`python -m agent` is the command `othello agent`."""

from othello.cli import main

if __name__ == "__main__":
    main("agent")
