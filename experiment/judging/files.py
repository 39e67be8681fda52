"""What came of trials, for programs: JSON and CSV."""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Any

from experiment.judging.trial import Judgement


def as_json(judgement: Judgement) -> dict[str, Any]:
    """Return a trial's result as `othello match --json` gives it, and what both are called."""
    trial = judgement.trial
    names = {"agent": trial.agent, "opponent": trial.opponent}
    return {**names, **judgement.summary.as_json(), "notes": list(judgement.notes)}


def as_csv(judgements: Sequence[Judgement]) -> str:
    """Return a table with a line for each trial, and its heading."""
    text = StringIO()
    rows = [_row(judgement) for judgement in judgements]
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _row(judgement: Judgement) -> dict[str, Any]:
    found = as_json(judgement)
    row = {key: found[key] for key in ("agent", "opponent", "a", "b", "size", "seed", "openings", "repeat")}
    for prefix, counts in (("", found), ("black_", found["as_black"]), ("white_", found["as_white"])):
        row |= {prefix + key: counts[key] for key in ("games", "win", "draw", "loss", "score")}
        row |= dict(zip((f"{prefix}score_low", f"{prefix}score_high"), counts["score_interval"], strict=True))
    row["mean_disc_diff"] = found["mean_disc_diff"]
    row["forfeits"], row["opponent_forfeits"] = (found["forfeits"][side].total() for side in "ab")
    return row | {"notes": "; ".join(judgement.notes)}
