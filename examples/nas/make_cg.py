"""The matrices of the NAS parallel benchmark CG, as its routine `makea` makes them.

    matrix = make_matrix(CLASSES["S"])      # 1400 x 1400, 78,148 entries
    python make_cg.py S cg_S.npz            # for scipy.sparse.load_npz

The matrix is a sum of n outer products of random sparse vectors, weighted by a geometric
sequence, so that its condition is known (Bailey et al.: The NAS parallel benchmarks, RNR
technical report RNR-94-007, section 2.2.3). NPB's program draws one number after the other;
here the whole sequence is computed at once, and the same numbers come out. Class B takes a few
seconds.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

SEED = 314159265
MULTIPLIER = 5**13
MODULUS_BITS = 46
RCOND = 0.1
"""The smallest eigenvalue before the shift, and the ratio of the last weight to the first."""


@dataclass(frozen=True)
class CGClass:
    """A problem class: `n` rows of `nonzer` random entries, and the run it is made for.

    `niter` outer iterations with the matrix shifted by `shift` give the eigenvalue
    estimate `zeta`.
    """

    n: int
    nonzer: int
    niter: int
    shift: float
    zeta: float


CLASSES = {
    "S": CGClass(1400, 7, 15, 10.0, 8.5971775078648),
    "W": CGClass(7000, 8, 15, 12.0, 10.362595087124),
    "A": CGClass(14000, 11, 15, 20.0, 17.130235054029),
    "B": CGClass(75000, 13, 75, 60.0, 22.712745482631),
    "C": CGClass(150000, 15, 75, 110.0, 28.973605592845),
}


def random_integers(count: int) -> NDArray[np.uint64]:
    """The first `count` states of NPB's generator, x[k+1] = 5**13 * x[k] modulo 2**46.

    Products wrap around at 2**64, a multiple of the modulus.
    """
    factors = np.full(count, MULTIPLIER, np.uint64)
    factors[0] = MULTIPLIER * SEED % 2**64
    return np.multiply.accumulate(factors) & np.uint64(2**MODULUS_BITS - 1)


def sparse_vectors(n: int, nonzer: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """`n` vectors of `nonzer` random entries: their places (from 0) and values, a row each.

    Numbers come in pairs of a value and a place. A place beyond `n`, or one that the vector
    has already, is passed over together with its value (NPB's `sprnvc`).
    """
    bound = 1 << (n - 1).bit_length()
    pairs = int(n * nonzer * 1.05 * bound / n) + 100
    # The program draws one number before.
    states = random_integers(2 * pairs + 1)[1:].reshape(pairs, 2)
    uniform = states.astype(np.float64) * 0.5**MODULUS_BITS
    drawn = (uniform[:, 1] * bound).astype(np.int64)
    inside = np.flatnonzero(drawn < n)
    candidates = iter(enumerate(drawn[inside].tolist()))
    taken = np.empty((n, nonzer), np.int64)
    for vector in range(n):
        places: dict[int, int] = {}
        while len(places) < nonzer:
            number, place = next(candidates)
            places.setdefault(place, number)
        taken[vector] = list(places.values())
    chosen = inside[taken]
    return drawn[chosen], uniform[chosen, 0]


def make_matrix(problem: CGClass) -> Any:
    """The matrix of a class as a `scipy.sparse.csr_array` of doubles with sorted indices."""
    n, nonzer = problem.n, problem.nonzer
    places, values = sparse_vectors(n, nonzer)
    # Vector i is set to 0.5 at place i, which becomes its last entry if it has none there.
    diagonal = np.arange(n)[:, None]
    own = places == diagonal
    values[own] = 0.5
    places = np.hstack([places, diagonal])
    values = np.hstack([values, np.full((n, 1), 0.5)])
    kept = np.ones(places.shape, bool)
    kept[:, -1] = ~own.any(axis=1)
    ratio = RCOND ** (1.0 / n)
    weights = np.multiply.accumulate(np.concatenate([[1.0], np.full(n - 1, ratio)]))

    # Entry (row, column) of the sum has a term for each vector with entries at both.
    both = kept[:, :, None] & kept[:, None, :]
    positions = (places[:, :, None] * n + places[:, None, :])[both]
    terms = (values[:, None, :] * (weights[:, None] * values)[:, :, None])[both]
    on_diagonal = positions == np.broadcast_to(diagonal[:, :, None] * (n + 1), both.shape)[both]
    terms[on_diagonal] = terms[on_diagonal] + RCOND - problem.shift
    return _sum_terms(positions, terms, n)


def _sum_terms(positions: NDArray[np.int64], terms: NDArray[np.float64], n: int) -> Any:
    """The matrix with these row-major positions, equal ones added in their order."""
    order = np.argsort(positions, kind="stable")
    positions = positions[order]
    first = np.concatenate([[True], positions[1:] != positions[:-1]])
    entries = np.bincount(np.cumsum(first) - 1, terms[order])
    positions = positions[first]
    counts = np.bincount(positions // n, minlength=n)
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return sparse.csr_array((entries, (positions % n).astype(np.int32), starts), shape=(n, n))


def main() -> None:
    """Write the matrix of a class to a file."""
    parser = argparse.ArgumentParser(description="write the matrix of a class of NAS CG")
    parser.add_argument("problem", choices=CLASSES, metavar="CLASS", help=", ".join(CLASSES))
    parser.add_argument("file", metavar="FILE.npz")
    options = parser.parse_args()
    sparse.save_npz(options.file, make_matrix(CLASSES[options.problem]), compressed=False)


if __name__ == "__main__":
    main()
