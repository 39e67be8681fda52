"""The base class of environments and their loader, under the same import paths as in rlglue-py3."""
