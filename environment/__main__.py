"""`python -m environment` is the command `othello environment`."""

from othello.cli import main

if __name__ == "__main__":
    main("environment")
