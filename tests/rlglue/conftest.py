import logging
import re
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from rlglue.server import Server


@pytest.fixture(autouse=True)
def info(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "rlglue")


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[str], None]:
    def wait(pattern: str) -> None:
        deadline = time.monotonic() + 5
        while not any(re.search(pattern, record.getMessage()) for record in caplog.records):
            assert time.monotonic() < deadline, f"no log line {pattern!r} in:\n{caplog.text}"
            time.sleep(0.01)

    return wait


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(10)
        yield server


@pytest.fixture
def hosted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setattr("rlglue.server.HANDSHAKE_TIMEOUT", 0.5)
    with Server("127.0.0.1", 0) as server:
        yield server
