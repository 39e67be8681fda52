"""A script sent to `othello engine`, and what it answers."""

from click.testing import CliRunner

from othello_lab.commands.engine import command


def talk(protocol: str, player: str, *lines: str | bytes, size: int = 8) -> str:
    sent = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    arguments = ["--protocol", protocol, "--size", str(size), "--seed", "1", player]
    result = CliRunner().invoke(command, arguments, input=sent, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def gtp(player: str, *lines: str | bytes, size: int = 8) -> list[str]:
    """Return the answers to GTP commands, without the blank lines that end them."""
    return talk("gtp", player, *lines, size=size).split("\n\n")[:-1]


def nboard(player: str, *lines: str | bytes, size: int = 8) -> list[str]:
    return talk("nboard", player, *lines, size=size).splitlines()
