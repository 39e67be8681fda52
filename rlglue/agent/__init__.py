"""The base class of agents and their loader, under the same import paths as in rlglue-py3."""
