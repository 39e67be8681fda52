"""One look for the log lines of every command."""

import logging


def configure_logging(verbose: bool = False) -> None:
    """Plain lines `HH:MM:SS message` on stderr, from INFO on, from DEBUG on if verbose."""
    logging.basicConfig(
        level=logging.DEBUG if verbose else logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S"
    )
