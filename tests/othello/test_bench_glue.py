"""`othello bench glue`: the table, not the figures."""

import re

from othello.bench import measure_glue as bench


def test_the_benchmark_runs() -> None:
    comparison = bench.run(0.5)
    assert comparison.glue > 0
    assert "ratio" in str(comparison)
    speed = bench.run_alone(0.3)
    assert list(speed.times) == ["server", "experiment", "agent", "environment"]
    assert re.search(r"server [\d.]+ \+ [\d.]+, experiment [\d.]+ \+ [\d.]+, agent", str(speed))
    assert 0 < sum(speed.times["server"]) < 60
