import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_lab.game import program_trust
from othello_lab.game.threads import use_threads

# Unfinished games of the tests are not offered to whoever runs them.
_STATE = tempfile.TemporaryDirectory(prefix="othello-tests-")
os.environ["OTHELLO_STATE"] = _STATE.name

# As every command does, in this process and in the workers that tests start: with more threads the same seed
# need not give the same numbers, and they only wait for each other.
use_threads(1)

# A test run that was started in the background, or with nohup, ignores these, and so would whatever the tests
# start and then interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


_LONG_FILES = (
    "test_kill_points.py",
    "test_site.py",
    "test_every_learner.py",
    "test_sweep.py",
    "test_in_a_browser.py",
    "test_ray.py",
    "test_random_play.py",
)
"""Files whose tests take more than twenty seconds."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put long files first: at the end no process waits for the other's."""
    items.sort(key=lambda item: item.path.name not in _LONG_FILES)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))
    return tmp_path


@pytest.fixture(autouse=True)
def _no_notes_of_other_tests() -> Iterator[None]:
    """A text that one test reads from a file may be written in the code of another."""
    yield
    program_trust._rules[-1].noted.clear()


@pytest.fixture(autouse=True)
def _no_log_of_a_run() -> Iterator[None]:
    """A run in this process logs to a file of its folder; it does so until the process ends."""
    yield
    for handler in [each for each in logging.root.handlers if type(each) is logging.FileHandler]:
        logging.root.removeHandler(handler)
        handler.close()


@pytest.fixture(autouse=True)
def _no_picture_of_a_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no picture at the end of a run in this process: it takes longer than a small run.

    A test marked `drawn` gets it.
    """
    launch = sys.modules.get("othello_lab.experiment.run.launch")
    if launch and not request.node.get_closest_marker("drawn"):
        monkeypatch.setattr(launch, "plot_of", lambda plan, report: None)
