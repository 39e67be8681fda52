"""`python -m othello` is the command `othello`."""

from othello.cli import main

if __name__ == "__main__":
    main()
