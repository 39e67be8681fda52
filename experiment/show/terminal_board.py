"""Boards as text with colours: what the agent sees, while it trains."""

from rich.text import Text

from othello_lab.game.drawing import ROUND, Cell, Look, Piece, draw
from othello_lab.game.observation import Planes, decode
from rlglue.types import Observation

_STYLES = {Cell.BLACK: "not dim bold", Cell.WHITE: "not dim bold"}
"""The agent's discs are drawn as black ones, the opponent's as white ones, whoever has which."""


def drawing(observation: Observation) -> Text:
    """Return the board as text: ● the agent's discs, ○ the opponent's, + where the agent may move."""
    try:
        planes = decode(observation.intArray)
    except ValueError:
        return Text("this environment's observations are no Othello board", style="dim")
    lines = draw([Look(_cell(planes, square)) for square in range(planes.size**2)], ROUND)
    rows = [Text.assemble(*map(styled, line), style="dim") for line in lines]
    own, opponent = int(planes.own.sum()), int(planes.opponent.sum())
    rows.append(
        Text.assemble("   ", ("●", "bold"), f" agent {own}   ", ("○", "bold"), f" opponent {opponent}")
    )
    return Text("\n").join(rows)


def styled(piece: Piece) -> tuple[str, str]:
    """Return a piece of a drawing and its style."""
    return piece.text, _STYLES.get(piece.cell, "") if piece.cell else ""


def _cell(planes: Planes, square: int) -> Cell:
    if planes.own[square]:
        return Cell.BLACK
    if planes.opponent[square]:
        return Cell.WHITE
    return Cell.LEGAL if planes.legal[square] else Cell.EMPTY
