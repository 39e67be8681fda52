"""`python -m experiment` is the command `othello experiment`."""

from othello.cli import main

if __name__ == "__main__":
    main("experiment")
