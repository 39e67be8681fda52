"""The base class of environments and the environment loader, under the import paths of rlglue-py3."""
