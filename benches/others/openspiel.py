"""Positions per second of OpenSpiel's exact solvers in Python: `python openspiel.py [GAME] [RUNS]`.

Each solver values every reachable position of a small two-player game. Processor time, the best of several runs.
"""

import sys
import time

import pyspiel
from open_spiel.python.algorithms import minimax_solver, value_iteration


def best(solve, runs):
    times = []
    for _ in range(runs):
        start = time.process_time()
        result = solve()
        times.append(time.process_time() - start)
    return min(times), result


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "tic_tac_toe"
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    game = pyspiel.load_game(name)
    start = str(game.new_initial_state())

    def minimax():
        return minimax_solver.MinimaxSolver(name).solve()

    seconds, table = best(minimax, runs)
    line = "{:<32} {:<16} {:>10} positions {:>9.4f} s {:>12.0f} positions/s   value {:+.0f}"
    # The table of this solver holds no ends: they are read off on the way.
    print(line.format("MinimaxSolver (Python)", name, len(table), seconds, len(table) / seconds, table[start].value))

    def iterate():
        return value_iteration.value_iteration(game, -1, 0.01, cyclic_game=True)

    seconds, values = best(iterate, runs)
    print(line.format("value_iteration (Python)", name, len(values), seconds, len(values) / seconds, values[start]))


if __name__ == "__main__":
    main()
