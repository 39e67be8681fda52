from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.experiment.lab import Lab


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    lab = Lab(tmp_path)
    yield lab
    lab.stop()


@pytest.fixture
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw no picture at the end of a run: it takes longer than a small run."""
    monkeypatch.setattr("othello_lab.experiment.run.training.launch._plot", lambda *_: None)
