"""Where the pictures of the documentation are drawn, and what they need is measured."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_SMALL_RUN: Final = "--size 4 --episodes 10 --eval-every 5 --eval-games 2 --final-games 4 --no-yardstick"


@dataclass(frozen=True)
class Desk:
    """Where pictures are drawn."""

    data: Path
    """What was measured, and is measured now."""
    output: Path
    small: bool = False
    """Whether to measure next to nothing, on small boards."""

    def run(self, name: str, words: str, needed: str = "evaluations.csv") -> Path:
        """Return the folder of a run, which is carried out unless it has what is needed."""
        folder = self.data / name
        if not (folder / needed).exists():
            shutil.rmtree(folder, ignore_errors=True)
            small = _SMALL_RUN.split() if self.small else []
            where = ["--name", name, "--runs-dir", str(self.data)]
            othello("experiment", "train", "--in-process", *words.split(), *small, *where)
        return folder


def othello(*words: str) -> None:
    """Carry out a command of ours in this process."""
    from othello_lab.commands.cli import cli

    print("othello", *words, flush=True)
    cli.main(list(words), "othello", standalone_mode=False)
