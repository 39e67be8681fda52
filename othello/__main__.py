"""`python -m othello_lab` is the command `othello`."""

from othello_lab.othello.cli import main

if __name__ == "__main__":
    main()
