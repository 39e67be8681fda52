"""`python -m console` is the command `othello play`."""

from othello.cli import main

if __name__ == "__main__":
    main("play")
