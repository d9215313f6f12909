#!/usr/bin/env bash
# Runs one game on several machines, over plain ssh.
#
#   ssh.sh HOSTS FOLDER GAME [NAME=VALUE …]
#
# HOSTS is a file with one host:port a line. FOLDER is where each machine keeps its part of the table; where machines share it, the
# table can be read there as it is. `perfectplay` is the same program on all of them, and rules files have the same path.
set -euo pipefail

if (( $# < 3 )); then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
hosts=$1 folder=$2
shift 2

# Remarks and empty lines are left out, as `perfectplay` leaves them out.
mapfile -t lines < <(sed 's/#.*//; s/[[:space:]]//g; /^$/d' "$hosts")
list=$(printf '%s\n' "${lines[@]}")
# The words of the game, safe for another shell.
printf -v words '%q ' "$@"

pids=()
# Whoever is left ends by itself once one of them is gone: this makes it sooner.
trap 'kill "${pids[@]}" 2>/dev/null || true' INT TERM EXIT
for process in "${!lines[@]}"; do
    host=${lines[$process]%:*}
    printf -v where '%q' "$folder"
    ssh -o BatchMode=yes "$host" \
        "mkdir -p $where && cat > $where/hosts && exec perfectplay cluster run $words--hosts $where/hosts --process $process -o $where" \
        <<< "$list" &
    pids+=($!)
done
code=0
for pid in "${pids[@]}"; do
    wait "$pid" || code=$?
done
exit "$code"
