"""Run programs in forks of one process that has done the imports, because torch alone takes seconds."""

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

_PARENT = """
import json, os, runpy, sys, traceback
exec(sys.argv[1])
name = sys.argv[2]
for folder, *words in json.loads(sys.argv[3]):
    child = os.fork()
    if not child:
        os.chdir(folder)
        for number, file in ((1, "out"), (2, "errors")):
            os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT), number)
        sys.argv, status = words, 1
        sys.path.insert(0, os.path.dirname(words[0]))
        try:
            runpy.run_path(words[0], run_name=name)
            status = 0
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    print(os.waitpid(child, 0)[1], flush=True)
"""


class Ended(NamedTuple):
    status: int
    output: str
    errors: str


def run_forked(
    imports: str, programs: Iterable[tuple[Path, Sequence[str | Path]]], name: str = "__main__"
) -> list[Ended]:
    """Run `imports`, then programs one after another, each in its folder, as modules called `name`."""
    listed = [[str(folder), *map(str, words)] for folder, words in programs]
    command = [sys.executable, "-c", _PARENT, imports, name, json.dumps(listed)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stderr
    return [
        Ended(int(status), *((Path(folder) / file).read_text("utf-8") for file in ("out", "errors")))
        for (folder, *_), status in zip(listed, done.stdout.split(), strict=True)
    ]
