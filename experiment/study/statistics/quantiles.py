"""The .975 quantiles that 95 % intervals are made of."""

NORMAL = 1.959964
"""Of the normal distribution."""
_T = (
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
)  # fmt: skip
"""Of Student's t with 1 to 30 degrees of freedom."""


def student(freedom: int) -> float:
    """Return the .975 quantile of Student's t with this many degrees of freedom, at least 1.

    Beyond the table two terms of the expansion of Cornish and Fisher do, Abramowitz and Stegun 26.7.5.
    """
    if freedom <= len(_T):
        return _T[freedom - 1]
    first = (NORMAL**3 + NORMAL) / 4
    second = (5 * NORMAL**5 + 16 * NORMAL**3 + 3 * NORMAL) / 96
    return NORMAL + first / freedom + second / freedom**2
