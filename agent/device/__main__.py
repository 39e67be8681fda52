"""`python -m agent.device`: self-play on a GPU, or wherever torch computes."""

import sys

from agent.device.command import main

sys.exit(main(sys.argv[1:]))
