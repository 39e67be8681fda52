"""Results of trials for programs: JSON and CSV."""

from collections.abc import Sequence
from typing import Any

from experiment.compare.judging.trial import Judgement
from experiment.run.results.text_files import csv_text


def as_json(judgement: Judgement) -> dict[str, Any]:
    """Return a trial's result as `othello match --json` gives it, and what both are called."""
    trial = judgement.trial
    names = {"agent": trial.agent, "opponent": trial.opponent}
    return {**names, **judgement.summary.as_json(), "notes": list(judgement.notes)}


def as_csv(judgements: Sequence[Judgement]) -> str:
    """Return a table with a line for each trial, and its heading."""
    rows = [_row(judgement) for judgement in judgements]
    return csv_text([list(rows[0]), *(row.values() for row in rows)])


def _row(judgement: Judgement) -> dict[str, Any]:
    found = as_json(judgement)
    row = {key: found[key] for key in ("agent", "opponent", "a", "b", "size", "seed", "openings", "repeat")}
    for prefix, counts in (("", found), ("black_", found["as_black"]), ("white_", found["as_white"])):
        row |= {prefix + key: counts[key] for key in ("games", "win", "draw", "loss", "score")}
        row |= dict(zip((f"{prefix}score_low", f"{prefix}score_high"), counts["score_interval"], strict=True))
    row["mean_disc_diff"] = found["mean_disc_diff"]
    row["forfeits"], row["opponent_forfeits"] = (found["forfeits"][side].total() for side in "ab")
    return row | {"notes": "; ".join(judgement.notes)}
