"""`python -m environment.adapters.serve` is the command `othello gymnasium`."""

from othello.cli import main

if __name__ == "__main__":
    main("gymnasium")
