"""`python -m othello_lab` is the command `othello`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main()
