from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.game.engine_programs import Players


@pytest.fixture
def players(tmp_path: Path) -> Iterator[Players]:
    made = Players(tmp_path)
    yield made
    made.close()
