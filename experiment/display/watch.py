"""The board in play, drawn from an observation."""

from rich.text import Text

from game.observation import Planes, decode
from rlglue.types import Observation


def drawing(observation: Observation) -> Text:
    """Return the board as text: ● the agent's discs, ○ the opponent's, + where the agent may move."""
    try:
        planes = decode(observation.intArray)
    except ValueError:
        return Text("this environment's observations are no Othello board", style="dim")
    rows = [Text("   " + " ".join("abcdefghijklmnop"[: planes.size]), style="dim")]
    rows += [_row(planes, row) for row in range(planes.size)]
    own, opponent = int(planes.own.sum()), int(planes.opponent.sum())
    rows.append(
        Text.assemble("   ", ("●", "bold green"), f" agent {own}   ", ("○", "bold"), f" opponent {opponent}")
    )
    return Text("\n").join(rows)


def _row(planes: Planes, row: int) -> Text:
    text = Text(f"{row + 1:2d} ", style="dim")
    for square in range(row * planes.size, (row + 1) * planes.size):
        if planes.own[square]:
            text.append("● ", style="not dim bold green")
        elif planes.opponent[square]:
            text.append("○ ", style="not dim bold")
        else:
            text.append("+ " if planes.legal[square] else "· ")
    return text
