import gc
import logging
import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from othello_lab.game import program_trust
from rlglue.scripts import use_threads

# Tests must not offer their unfinished games to a person.
_STATE = tempfile.TemporaryDirectory(prefix="othello-tests-")
os.environ["OTHELLO_STATE"] = _STATE.name

# With more threads, the same seed may give other numbers, and the threads wait for each other.
use_threads(1)

# A test run in the background ignores these signals, and so would the processes that tests interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


# Files whose tests take more than twenty seconds.
_LONG_FILES = (
    "test_kill_points.py",
    "test_site.py",
    "test_every_learner.py",
    "test_sweep.py",
    "test_in_a_browser.py",
    "test_ray.py",
    "test_random_play.py",
    "test_catalogue.py",  # compiles the search for boards above 8x8, which test_review uses later
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files, so that no process waits for another process at the end."""
    items.sort(key=lambda item: item.path.name not in _LONG_FILES)


def pytest_collection_finish() -> None:
    """Exclude modules from garbage collection, and collect old objects rarely. Both take much time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(700, 10, 200)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RLGLUE_PORT", raising=False)
    monkeypatch.setenv("OTHELLO_STATE", str(tmp_path / "state"))
    return tmp_path


@pytest.fixture(autouse=True)
def _no_notes_of_other_tests() -> Iterator[None]:
    """Forget the texts that a test reads from files. Other tests have the same texts in their code."""
    yield
    program_trust._rules[-1].noted.clear()


@pytest.fixture(autouse=True)
def _no_log_of_a_run() -> Iterator[None]:
    """A run in this process logs to a file of its folder until the process ends."""
    yield
    for handler in [each for each in logging.root.handlers if type(each) is logging.FileHandler]:
        logging.root.removeHandler(handler)
        handler.close()


@pytest.fixture(autouse=True)
def _no_picture_of_a_run(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no picture at the end of a run, which takes long, unless the test has the mark `drawn`."""
    launch = sys.modules.get("othello_lab.experiment.run.launch")
    if launch and not request.node.get_closest_marker("drawn"):
        monkeypatch.setattr(launch, "plot_of", lambda plan, report: None)
