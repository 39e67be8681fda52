"""Under the import paths of rlglue-py3: an agent's base class and its loader."""
