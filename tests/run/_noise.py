"""The noise of cereus/kernel/noise.hpp, written a second time; for the tests of stencils beside it."""
import numpy as np


def noise(shape, low, seed):
    """Between 0 and 1, from global indices that begin at `low` (z, y, x)."""
    x = np.full(shape, seed, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for axis in range(3):  # x, y, z
            n = 2 - axis
            index = np.arange(low[n], low[n] + shape[n], dtype=np.int64).astype(np.uint64) + np.uint64(1000)
            x = x + np.uint64(0x9E3779B97F4A7C15) * index.reshape([-1 if d == n else 1 for d in range(3)])
            x ^= x >> np.uint64(30)
            x *= np.uint64(0xBF58476D1CE4E5B9)
            x ^= x >> np.uint64(27)
            x *= np.uint64(0x94D049BB133111EB)
            x ^= x >> np.uint64(31)
    return (x >> np.uint64(40)).astype(np.float64) * (1 / 16777216)
