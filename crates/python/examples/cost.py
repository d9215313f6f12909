"""What a small solve costs beyond the solve: best of twenty rounds of 500."""

import time

import perfectplay

ROUNDS, SOLVES = 20, 500


def beyond() -> float:
    """Seconds a solve that are not the solve, in one round."""
    begun, solving = time.perf_counter(), 0.0
    for number in range(SOLVES):
        solving += perfectplay.solve("nim", piles=[number % 5, 3]).seconds
    return (time.perf_counter() - begun - solving) / SOLVES


rounds = sorted(beyond() for _ in range(ROUNDS))
print(f"beyond the solve: best {rounds[0] * 1e6:.1f} µs, median {rounds[ROUNDS // 2] * 1e6:.1f} µs")
