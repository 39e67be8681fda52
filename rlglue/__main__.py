"""`python -m rlglue` is the command `othello glue`."""

from othello_lab.commands.cli import main

if __name__ == "__main__":
    main("glue")
