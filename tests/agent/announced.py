from pathlib import Path

import pytest

from othello_lab.agent.learner import GROUP


def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the metadata of a package that has a learner, as `pip install` does."""
    folder = tmp_path / "installed" / "table-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: table\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\ntable = tests.agent.table:TABLE\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.chdir(tmp_path)
