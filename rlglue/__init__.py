"""The RL-Glue 3 protocol: messages, server, clients, and the import paths of rlglue-py3.

Begin with `rlglue.glue`, which defines the RL_* calls, and `rlglue.wire`, which encodes them as bytes.
"""
