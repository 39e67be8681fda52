"""Under the import paths of rlglue-py3: the task specification parser."""
