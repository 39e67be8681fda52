"""`othello bench glue`: the table, not the figures."""

import re

from othello_lab.commands.bench import glue as bench


def test_the_benchmark_runs() -> None:
    beside, hosted = bench.compare(0.5)
    assert re.match(r"rlglue [1-9][\d,]* steps/s, bare sockets [1-9][\d,]* steps/s, ratio \d", beside)
    assert hosted.startswith("hosted server: ")
    speed = bench.run_alone(0.3)
    assert list(speed.times) == ["server", "experiment", "agent", "environment"]
    assert re.search(r"server [\d.]+ \+ [\d.]+, experiment [\d.]+ \+ [\d.]+, agent", str(speed))
    assert 0 < sum(speed.times["server"]) < 60
