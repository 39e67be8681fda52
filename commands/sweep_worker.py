"""The process of one run of a sweep: `sweep_worker experiment train --in-process ...`.

The run stops, as after Ctrl-C, when its standard input ends. This also happens if the sweep is killed.
"""

import _thread
import sys

from othello_lab.commands.cli import main
from othello_lab.experiment.workers.child import on_parents_end

_HELP = {"-h", "--help", "help"}
"""Words that ask for help. Then no sweep controls the standard input."""

if __name__ == "__main__":
    try:
        if not _HELP & {*sys.argv}:
            on_parents_end(_thread.interrupt_main)
        main()
    except KeyboardInterrupt:  # while it was still starting
        sys.exit("stopped: the sweep that started this is gone")
