"""Under the import paths of rlglue-py3: an environment's base class and its loader."""
