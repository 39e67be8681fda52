"""What pictures of the documentation are drawn from, as text in one archive: no database and no policy."""

import gzip
import json
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

ARCHIVE: Final = Path(__file__).with_name("measured.tar.gz")
_OF_RUNS: Final = {
    "strength.csv",
    "faults-6.csv",
    "faults-4.csv",
    "config.json",
    "sweep.json",
    "metrics.jsonl",
    "finished.jsonl",
    "episodes.csv",
    "evaluations.csv",
}
_OF_ANALYSES: Final = {"analysis.json", "captures.csv", "delays.csv"}


def unpack(data: Path, archive: Path = ARCHIVE) -> None:
    """Put what was measured into a folder, unless there is one."""
    if not data.exists():
        with tarfile.open(archive) as packed:
            packed.extractall(data, filter="data")


def pack(data: Path, archive: Path = ARCHIVE) -> None:
    """Keep what was measured: what pictures are drawn from, the same bytes for the same content."""
    with (
        archive.open("wb") as file,
        gzip.GzipFile("", "wb", mtime=0, fileobj=file) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as packed,
    ):
        for path in sorted(data.rglob("*")):
            if path.name in _OF_RUNS | _OF_ANALYSES:
                content = _bare(path)
                entry = tarfile.TarInfo(str(path.relative_to(data)))
                entry.size = len(content)
                packed.addfile(entry, BytesIO(content))


def _bare(path: Path) -> bytes:
    """Return a file without what is left out: the machine that measured, and tables that are not kept."""
    if path.suffix != ".json":
        return path.read_bytes()
    content = json.loads(path.read_bytes())
    content.pop("sessions", None)
    if path.name == "analysis.json":
        content["tables"] = {
            name: text for name, text in content["tables"].items() if f"{name}.csv" in _OF_ANALYSES
        }
    return json.dumps(content, indent=1).encode()
