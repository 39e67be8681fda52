"""TD(lambda) with accumulating eligibility traces."""

import numpy as np
from numpy.typing import NDArray


class Traces:
    """The decaying sum of the gradients of a game's predictions so far, float32 [weights].

    Predictions V_1, V_2, ... follow each other with discounts d_1, d_2, ..., where d_t leads from V_t to
    V_(t+1). With g_t the gradient of V_t by the weights w:

        e_t = lambda * d_(t-1) * e_(t-1) + g_t
        w  += alpha * (target_t - V_t) * e_t       target_t = r_t + d_t * V_(t+1)

    Sutton 1988, equation 4, with one lambda between neighbours; Sutton and Barto, 2nd edition, equations 12.5
    and 12.7. A discount below 0 leads to a prediction of the other side, whose gain is this side's
    loss: the older gradients change their sign with it, so that the predictions of both sides are one chain.
    """

    def __init__(self, weights: int, lam: float) -> None:
        self._traces = np.zeros(weights, np.float32)
        self._lam = lam
        self._decay = 0.0

    def clear(self) -> None:
        """Begin a chain of predictions."""
        self._decay = 0.0

    def add(self, gradient: NDArray[np.float32], discount: float) -> NDArray[np.float32]:
        """Take the gradient of the next prediction and the discount from it on; return the traces now."""
        if self._decay:
            self._traces *= np.float32(self._decay)
            self._traces += gradient
        else:
            self._traces[:] = gradient
        self._decay = self._lam * discount
        return self._traces
