"""Checks the yardsticks against brute force on small random instances: `python3 check.py DIRECTORY_OF_PROGRAMS`.

The brute force is one plain fixed point over the moves of a game written out as Python functions; nothing of a
program's method is used. Compared are the winner, the remoteness and the number of positions won, lost and drawn.
"""

import functools
import itertools
import os
import random
import subprocess
import sys
import tempfile

PROGRAMS = sys.argv[1] if len(sys.argv) > 1 else "."
CHECKED = 0


def run(program, variant, numbers):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write(" ".join(map(str, numbers)))
    out = subprocess.run(
        [os.path.join(PROGRAMS, program), variant, "1", file.name], capture_output=True, text=True, check=True
    ).stdout
    os.unlink(file.name)
    return dict(line.split() for line in out.splitlines())


def label(positions, options, ends):
    """Outcome and remoteness of every position by a fixed point; `ends` gives "lose", "win", "draw" or None."""
    found = {}
    for p in positions:
        end = ends(p)
        if end is None and not options(p):
            end = "lose"
        if end:
            found[p] = (end, 0)
    level = 0
    while True:
        level += 1
        new = {}
        for p in positions:
            if p in found:
                continue
            after = [found.get(q) for q in options(p)]
            if any(a and a[0] == "lose" and a[1] == level - 1 for a in after):
                new[p] = ("win", level)
            elif all(a and a[0] == "win" for a in after) and max(a[1] for a in after) == level - 1:
                new[p] = ("lose", level)
        found.update(new)
        if not new and level > len(positions):
            break
    for p in positions:
        found.setdefault(p, ("draw", None))
    return found


def compare(program, variant, numbers, labels, start, drawn=True, remoteness=True):
    global CHECKED
    out = run(program, variant, numbers)
    outcome, steps = labels[start]
    want = {"winner": {"win": "first", "lose": "second", "draw": "draw"}[outcome]}
    if "positions" in out:
        counts = [sum(1 for o, _ in labels.values() if o == each) for each in ("win", "lose", "draw")]
        want |= {"positions": str(len(labels)), "won": str(counts[0]), "lost": str(counts[1])}
        if drawn:
            want["drawn"] = str(counts[2])
    if remoteness and "remoteness" in out:
        want["remoteness"] = str(steps)
    got = {name: out.get(name) for name in want}
    assert got == want, (program, variant, numbers, got, want)
    CHECKED += 1


def stones():
    n = random.randint(0, 30)
    moves = random.sample(range(1, 12), random.randint(1, 5))
    labels = label(range(n + 1), lambda p: [p - m for m in moves if m <= p], lambda p: None)
    for variant in ("pull", "push", "remoteness"):
        compare("stones", variant, [n, len(moves)] + moves, labels, n, drawn=False)


def four_heaps():
    heaps = [random.randint(0, 5) for _ in range(4)]
    most = 3
    positions = list(itertools.product(*(range(h + 1) for h in heaps)))

    def options(p):
        return [p[:i] + (p[i] - t,) + p[i + 1:] for i in range(4) for t in range(1, min(most, p[i]) + 1)]

    labels = label(positions, options, lambda p: None)
    for program, variant in (("four_heaps", "pull"), ("four_heaps", "push"), ("four_heaps", "rows"), ("four_heaps", "remoteness"),
                             ("hashed", "unordered"), ("hashed", "open")):
        compare(program, variant, heaps, labels, tuple(heaps), drawn=False)


def can_i_win():
    most = random.randint(1, 6)
    desired = random.randint(1, 22)
    if most * (most + 1) // 2 < desired:
        return
    positions = range(1 << most)
    total = lambda p: sum(k + 1 for k in range(most) if p >> k & 1)
    labels = label(positions, lambda p: [p | 1 << k for k in range(most) if not p >> k & 1],
                   lambda p: "lose" if total(p) >= desired else None)
    for variant in ("table", "remoteness", "search"):
        compare("can_i_win", variant, [most, desired], labels, 0, drawn=False)


def cat_and_mouse():
    n = random.randint(3, 6)
    while True:
        edges = {frozenset(random.sample(range(n), 2)) for _ in range(random.randint(n - 1, 2 * n))}
        graph = [sorted(b for e in edges if a in e for b in e - {a}) for a in range(n)]
        if all(any(b for b in row) for row in graph):
            break
    positions = list(itertools.product(range(n), range(n), range(2)))

    def options(p):
        m, c, t = p
        return [(x, c, 1) for x in graph[m]] if t == 0 else [(m, x, 0) for x in graph[c] if x]

    def ends(p):
        m, c, t = p
        winner = 0 if m == 0 else 1 if m == c else None
        return None if winner is None else "win" if winner == t else "lose"

    labels = label(positions, options, ends)
    numbers = [n] + [x for row in graph for x in [len(row)] + row]
    for variant in ("queue", "remoteness"):
        compare("cat_and_mouse", variant, numbers, labels, (1, 2, 0))


def digraph_token():
    n = random.randint(1, 12)
    arrows = [sorted(random.sample(range(n), min(n, random.choice((0, 1, 1, 2, 3))))) for _ in range(n)]
    start = random.randrange(n)
    labels = label(range(n), lambda p: arrows[p], lambda p: None)
    numbers = [n, start] + [x for row in arrows for x in [len(row)] + row]
    for variant in ("queue", "lists", "remoteness"):
        compare("digraph_token", variant, numbers, labels, start)


def m_n_k():
    rows, columns = random.choice(((1, 1), (1, 4), (2, 2), (2, 3), (3, 2), (1, 6), (3, 3)))
    k = random.randint(1, 3)
    n = rows * columns
    lines = []
    for r, c, (dr, dc) in itertools.product(range(rows), range(columns), ((0, 1), (1, 0), (1, 1), (1, -1))):
        squares = [(r + t * dr, c + t * dc) for t in range(k)]
        if all(0 <= a < rows and 0 <= b < columns for a, b in squares):
            lines.append([a * columns + b for a, b in squares])

    @functools.cache
    def value(p):
        mover = 1 + (n - p.count(0)) % 2
        if any(all(p[at] == 3 - mover for at in line) for line in lines):
            return -100
        best = -1000
        for at in range(n):
            if p[at] == 0:
                v = value(p[:at] + (mover,) + p[at + 1:])
                best = max(best, -v + 1 if v > 20 else -v - 1 if v < -20 else v - 1)
        return 0 if best == -1000 else best

    def labels(positions):
        name = lambda v: ("win", 100 - v) if v > 20 else ("lose", 100 + v) if v < -20 else ("draw", -v)
        return {p: name(value(p)) for p in positions}

    everything = list(itertools.product(range(3), repeat=n))
    possible = [p for p in everything if p.count(1) - p.count(2) == (n - p.count(0)) % 2]
    compare("m_n_k", "all", [rows, columns, k], labels(everything), (0,) * n)
    for variant in ("counted", "remoteness"):
        compare("m_n_k", variant, [rows, columns, k], labels(possible), (0,) * n)


def scores():
    global CHECKED
    piles = [random.randint(0, 9) for _ in range(random.randint(0, 9))]

    @functools.cache
    def two(i, m):
        return max((sum(piles[i:i + x]) - two(i + x, max(m, x)) for x in range(1, min(2 * m, len(piles) - i) + 1)),
                   default=0)

    @functools.cache
    def ends(i, j):
        return max(piles[i] - ends(i + 1, j), piles[j - 1] - ends(i, j - 1)) if i < j else 0

    for variant in ("table", "transposed"):
        out = run("stone_game_2", variant, [len(piles)] + piles)
        assert int(out["value"]) == two(0, 1), (variant, piles, out)
    for variant in ("table", "rolling", "length"):
        out = run("coins", variant, [len(piles)] + piles)
        assert int(out["value"]) == ends(0, len(piles)), (variant, piles, out)
        if variant == "table":
            n = len(piles)
            table = [ends(i, j) for i in range(n + 1) for j in range(i, n + 1)]
            assert int(out["positions"]) == len(table) and int(out["won"]) == sum(v > 0 for v in table)
            assert int(out["lost"]) == sum(v < 0 for v in table) and int(out["drawn"]) == table.count(0)
    CHECKED += 5


if __name__ == "__main__":
    random.seed(1)
    for _ in range(60):
        for game in (stones, four_heaps, can_i_win, cat_and_mouse, digraph_token, m_n_k, scores):
            game()
    print(f"{CHECKED} runs agree with brute force")
