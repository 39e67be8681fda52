"""The address of the server, and the environment variables that a run sets for its programs."""

import os
from typing import Final, TypeAlias

from rlglue.errors import AddressError

Address: TypeAlias = tuple[str, int]

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 4096
ONCE: Final = "RLGLUE_ONCE"  # The environment variable that tells a program to end when the experiment ends.
SEED: Final = "RLGLUE_SEED"  # The environment variable with the seed for an agent.
CHECKPOINT_DIR: Final = "RLGLUE_CHECKPOINT_DIR"  # The environment variable with the folder for checkpoints.
CONNECT_TIMEOUT: Final = 300.0  # The default connection timeout in seconds.
_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  to reach a server that listens on all interfaces


def variables(server: Address) -> dict[str, str]:
    """Return the environment variables for a program that serves one experiment on this machine."""
    host, port = server
    return {"RLGLUE_HOST": _LOOPBACK.get(host, host), "RLGLUE_PORT": str(port), ONCE: "1"}


def resolve(host: str | None, port: int | None) -> Address:
    """Return host and port, by default RLGLUE_HOST and RLGLUE_PORT. Raises AddressError for a wrong port."""
    host = host or os.environ.get("RLGLUE_HOST") or DEFAULT_HOST
    if port is not None:
        return host, _parse_port(str(port), "port")
    return host, _parse_port(os.environ.get("RLGLUE_PORT") or str(DEFAULT_PORT), "RLGLUE_PORT")


def parse_address(text: str) -> Address:
    """Parse HOST:PORT or [HOST]:PORT. Raises AddressError for any other text."""
    host, colon, port = text.rpartition(":")
    if not colon or not host:
        raise AddressError(
            f"the address is {text!r}; expected HOST:PORT, such as {DEFAULT_HOST}:{DEFAULT_PORT}"
        )
    return host.strip("[]"), _parse_port(port, f"the port of {text!r}")


def _parse_port(text: str, name: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = -1
    if not 0 <= port <= 65535:  # only a server may use port 0, which means any free port
        raise AddressError(f"{name} is {text!r}; expected a number from 1 to 65535")
    return port
