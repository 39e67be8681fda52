"""Othello for other libraries. The import registers `OthelloLab/Othello-v0` with Gymnasium.

Gymnasium imports the module before the colon of `othello_lab.environment.adapters:OthelloLab/Othello-v0`. The
name `othello_lab:OthelloLab/Othello-v0` works only if the program imports Gymnasium before `othello_lab`.
"""

try:
    from gymnasium.envs.registration import register, registry
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "othello_lab.environment.adapters needs Gymnasium: python -m pip install 'othello-lab[gymnasium]'",
        name="gymnasium",
    ) from None

ID = "OthelloLab/Othello-v0"

if ID not in registry:
    register(
        id=ID,
        entry_point="othello_lab.environment.adapters.gymnasium_env:OthelloEnv",
        vector_entry_point="othello_lab.environment.adapters.vector:OthelloVectorEnv",
    )
