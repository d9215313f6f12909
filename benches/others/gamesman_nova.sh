#!/bin/sh
# Positions per second of gamesman-nova 0.2.4 on m,n,k boards: `sh gamesman_nova.sh TOOLS [BOARD…]`.
# TOOLS is a directory of its own for the program; nothing of it becomes a dependency of ours.
# The solver writes to SQLite. The database in memory is measured, the one in a file is read for the positions.
set -eu
tools=$1
shift
[ $# -gt 0 ] || set -- 3-3-3 3-4-3 3-5-3
if [ ! -x "$tools/bin/nova" ]; then
    CARGO_TARGET_DIR="$tools/nova_target" cargo install --root "$tools" --locked gamesman-nova --version 0.2.4
fi
for board in "$@"; do
    file=$(mktemp -u "${TMPDIR:-/tmp}/nova.XXXXXX")
    DATABASE=$file "$tools/bin/nova" build mnk -v "$board" -m overwrite
    BOARD=$board FILE=$file NOVA="$tools/bin/nova" python3 - <<'PYTHON'
import os, resource, sqlite3, subprocess

board, nova = os.environ["BOARD"], os.environ["NOVA"]
table = "mnk_" + board.replace("-", "_")
database = sqlite3.connect(os.environ["FILE"])
positions = database.execute(f"select count(*) from {table}").fetchone()[0]
start = database.execute(f"select utility_1, remoteness from {table} where ply = 0").fetchone()


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


best = float("inf")
for _ in range(3 if positions < 1_000_000 else 1):
    before = used()
    environment = dict(os.environ, DATABASE=":memory:")
    subprocess.run([nova, "build", "mnk", "-v", board, "-m", "overwrite"], env=environment, check=True)
    best = min(best, used() - before)
print(f"gamesman-nova {board:<8} {positions:>9} positions {best:>8.3f} s {positions / best:>9.0f} positions/s"
      f"   value {start[0]:+d} in {start[1]}")
PYTHON
    rm -f "$file"
done
