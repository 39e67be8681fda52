"""The RL-Glue 3 protocol, with the import paths of rlglue-py3. Begin with `rlglue.glue` and `rlglue.wire`."""
