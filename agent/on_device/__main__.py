"""`python -m agent.on_device`: self-play on a GPU, or wherever torch computes."""

import sys

from agent.on_device.command import main

sys.exit(main(sys.argv[1:]))
