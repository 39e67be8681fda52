import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from othello_lab.commands.conformance import command as conformance
from tests.calling import caller

pytestmark = pytest.mark.slow
check = caller(conformance)
EXAMPLES = Path(__file__).parents[2] / "examples"
PEER = """
import os, socket, struct, sys
server = socket.create_connection((os.environ["RLGLUE_HOST"], int(os.environ["RLGLUE_PORT"])))
def say(number, payload=b""):
    server.sendall(struct.pack(">iI", number, len(payload)) + payload)
def hear():
    head = server.recv(8, socket.MSG_WAITALL)
    number, length = struct.unpack(">iI", head)
    return number, server.recv(length, socket.MSG_WAITALL) if length else b""
ACTION = struct.pack(">IIIi", 1, 0, 0, 0)
"""
KEEPS_ORDER = """
say(2)
while True:
    number, payload = hear()
    if number == 35: sys.exit(CODE)
    say(number, {5: ACTION, 6: ACTION, 10: bytes(4)}.get(number, b""))
"""


def checked(tmp_path: Path, source: str, role: str) -> tuple[int, list[str]]:
    program = tmp_path / "peer.py"
    program.write_text(PEER + source, "utf-8")
    command = f"{sys.executable} {program}"
    result = check(role, command, "--size", "4", "--timeout", "5")
    return result.exit_code, result.output.splitlines()


@pytest.mark.parametrize(
    ("source", "rule", "seen"),
    [
        ("say(3); hear()", "A program connects with a handshake", "it connected as an environment"),
        ("say(7); hear()", "A program connects with a handshake", "expected a handshake"),
        ("sys.exit(3)", "A program connects with a handshake", "ended with exit code 3"),
        ("say(2); hear(); sys.exit(4)", "An action is one int", "left during agent_init (it ended with exit"),
        ("say(2); hear(); say(5, ACTION); hear()", "An action is one int", "answered with agent_start"),
        (KEEPS_ORDER.replace("CODE", "5"), "kRLTerm", "exit code 5"),
        (
            KEEPS_ORDER.replace("bytes(4)", "struct.pack('>I', 2) + b'ab' + b'more'").replace(
                "say(number", "number == 8 and say(8); say(number"
            ),
            "A request gets one reply",
            "nobody asked for",
        ),
        (
            KEEPS_ORDER.replace("hear()", "struct.unpack('>iI', server.recv(8)), b''"),
            "A message may arrive",
            "",
        ),
        ("say(3); hear(); sys.exit(4)", "env_init answers", "exit code 4"),
        ("say(3); hear(); hear()", "env_init answers", "no reply to env_init"),
    ],
)
def test_a_program_is_told_the_rule_it_breaks(tmp_path: Path, source: str, rule: str, seen: str) -> None:
    part = "environment" if rule.startswith("env_") else "agent"
    code, lines = checked(tmp_path, source, f"--{part}")
    assert code == 1
    assert any(seen in line for line in lines if line.startswith(f"BROKEN  {rule}")), lines
    assert lines[-1].startswith(f"{part}: "), "checked to the end"


def test_the_agent_in_c_keeps_all_rules(tmp_path: Path) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler on this machine")
    program = tmp_path / "agent"
    subprocess.run([compiler, "-o", program, "-Wall", "-Wextra", "-Werror", EXAMPLES / "agent.c"], check=True)
    command = [sys.executable, "-m", "rlglue.testing", "--agent", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    *rules, last = done.stdout.splitlines()
    assert all(line.startswith("ok ") for line in rules)
    assert last.startswith("agent: all")


def test_an_environment_of_another_task_keeps_the_rules() -> None:
    command = f"{sys.executable} {EXAMPLES / 'skeleton_environment.py'}"
    result = check("--environment", command)
    assert result.exit_code == 0
    assert "Othello" not in result.output


@pytest.mark.parametrize(
    ("arguments", "output"),
    [
        ([], "name a part to check"),
        (["--agent", "'a"], "No closing quotation"),
        (["--agent", " "], "the command is empty"),
        (["--agent", "a", "--size", "7"], "must be even"),
    ],
)
def test_a_wrong_command_line_is_one_line(arguments: list[str], output: str) -> None:
    result = check(*arguments)
    assert result.exit_code == 2
    assert output in result.output.splitlines()[-1]
