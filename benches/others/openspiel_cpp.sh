#!/bin/sh
# Positions per second of OpenSpiel's C++ solvers, which the Python package does not offer: `sh openspiel_cpp.sh TOOLS [GAME…]`.
# Compiles the few files that are needed from the source package of PyPI (some minutes) and our driver.
set -eu
tools=$1
shift
[ $# -gt 0 ] || set -- tic_tac_toe "mnk(m=3,n=4,k=3)"
here=$(cd "$(dirname "$0")" && pwd)
out=$tools/openspiel_build
source=$tools/sdist/open_spiel-2.0.2
mkdir -p "$out" "$tools/sdist"
if [ ! -d "$source" ]; then
    python3 - "$tools/sdist/open_spiel.tar.gz" <<'PYTHON'
import re, sys, urllib.request
index = "https://pypi.org/simple/open-spiel/"
links = re.findall(r'href="([^"#]+open_spiel-2\.0\.2\.tar\.gz)', urllib.request.urlopen(index).read().decode())
open(sys.argv[1], "wb").write(urllib.request.urlopen(links[0]).read())
PYTHON
    tar xzf "$tools/sdist/open_spiel.tar.gz" -C "$tools/sdist"
fi
flags="-std=c++17 -O3 -march=native -DNDEBUG -w -I. -Iopen_spiel -Iopen_spiel/abseil-cpp -Iopen_spiel/json/include"
cd "$source"
files="spiel spiel_utils game_parameters observer action_view utils/usage_logging utils/status
       algorithms/value_iteration algorithms/get_all_states algorithms/minimax games/tic_tac_toe/tic_tac_toe games/mnk/mnk"
for file in $(for name in $files; do echo "open_spiel/$name.cc"; done) \
    $(cd open_spiel/abseil-cpp/absl && for part in base strings numeric random container hash synchronization time types \
        debugging profiling crc; do find "$part" -name '*.cc'; done |
        grep -vE 'test|benchmark|mock|gentables|print_hash|fuzz|chi_square' | sed 's,^,open_spiel/abseil-cpp/absl/,'); do
    object=$out/$(echo "$file" | tr / _).o
    [ -f "$object" ] || g++ $flags -c "$file" -o "$object"
done
g++ $flags "$here/openspiel_driver.cpp" "$out"/*.o -lpthread -lrt -o "$out/openspiel"
for game in "$@"; do "$out/openspiel" "$game"; done
