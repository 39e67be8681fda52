"""The base class of agents and the agent loader, under the same import paths as in rlglue-py3."""
