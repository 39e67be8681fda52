"""Tab in the shells themselves."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = {
    "bash": """
        eval "$(othello completion bash)"
        COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _othello_completion othello "${COMP_WORDS[-1]}"
        printf '%%s\\n' "${COMPREPLY[@]}"
    """,
    "fish": "othello completion fish | source; complete -C '%s' | cut -f1",
}
"""What a shell runs to say what Tab would offer behind a line."""


def offered(shell: str, line: str, folder: Path) -> list[str]:
    search = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [shell, "-c", ASKED[shell] % line],
        env={"PATH": search, "HOME": str(folder), "TERM": "dumb"},
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize("shell", ASKED)
@pytest.mark.parametrize(
    ("line", "words"), [("othello tourn", ["tournament"]), ("othello play corner-g", ["corner-greedy"])]
)
def test_tab_offers_commands_and_players(shell: str, line: str, words: list[str], tmp_path: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"there is no {shell}")
    assert offered(shell, line, tmp_path) == words
