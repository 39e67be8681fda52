"""The address of the server, as HOST:PORT, and the environment variables that programs are started with."""

import os
from typing import Final, TypeAlias

from rlglue.errors import AddressError

Address: TypeAlias = tuple[str, int]

DEFAULT_HOST: Final = "127.0.0.1"
DEFAULT_PORT: Final = 4096
ONCE: Final = "RLGLUE_ONCE"
"""The environment variable that tells a program to end with its experiment."""
SEED: Final = "RLGLUE_SEED"
"""The environment variable with the seed of an agent that a run starts."""
CHECKPOINT_DIR: Final = "RLGLUE_CHECKPOINT_DIR"
"""The environment variable with the folder of the checkpoints of an agent that a run starts."""
CONNECT_TIMEOUT: Final = 300.0
"""Seconds to wait for the others to start."""
_LOOPBACK: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  how to reach one that listens everywhere


def default_host() -> str:
    """RLGLUE_HOST, else 127.0.0.1."""
    return os.environ.get("RLGLUE_HOST") or DEFAULT_HOST


def default_port() -> int:
    """RLGLUE_PORT, else 4096; AddressError if the variable is no port."""
    text = os.environ.get("RLGLUE_PORT")
    return parse_port(text, "RLGLUE_PORT") if text else DEFAULT_PORT


def variables(server: Address) -> dict[str, str]:
    """Return the environment variables of a program that is to serve one experiment on this machine."""
    host, port = server
    return {"RLGLUE_HOST": _LOOPBACK.get(host, host), "RLGLUE_PORT": str(port), ONCE: "1"}


def resolve(host: str | None, port: int | None) -> Address:
    """What is given, else the environment variables, else the defaults."""
    return host or default_host(), default_port() if port is None else check_port(port)


def parse_port(text: str, name: str = "port") -> int:
    """A port written as a number; AddressError if it is none."""
    try:
        return check_port(int(text), name)
    except ValueError:
        raise AddressError(f"{name} is {text!r}; expected a number from 1 to 65535") from None


def check_port(port: int, name: str = "port") -> int:
    """The port itself, AddressError if it is out of range; 0 (any free port) is for servers only."""
    if not 0 <= port <= 65535:
        raise AddressError(f"{name} is {port}; expected a number from 1 to 65535")
    return port


def parse_address(text: str) -> Address:
    """HOST:PORT or [HOST]:PORT as a pair; AddressError if it is not of that form."""
    host, colon, port = text.rpartition(":")
    if not colon or not host:
        raise AddressError(
            f"the address is {text!r}; expected HOST:PORT, such as {DEFAULT_HOST}:{DEFAULT_PORT}"
        )
    return host.strip("[]"), parse_port(port, f"the port of {text!r}")
