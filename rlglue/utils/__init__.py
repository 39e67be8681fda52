"""The parser of task specifications, under the same import path as in rlglue-py3."""
