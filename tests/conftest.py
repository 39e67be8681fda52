import os
import signal
import tempfile

import torch

# Unfinished games of the tests are not offered to whoever runs them.
_STATE = tempfile.TemporaryDirectory(prefix="othello-tests-")
os.environ["OTHELLO_STATE"] = _STATE.name

# Two test processes share two cores, and the networks here are small: more threads only wait for each other.
torch.set_num_threads(1)

# A test run that was started in the background, or with nohup, ignores these, and so would whatever the tests
# start and then interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP"):
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
