// Positions per second of OpenSpiel's exact solvers in C++: `openspiel GAME [RUNS]`.
//
// ValueIteration values every reachable position; AlphaBetaSearch answers for the start only and counts nothing, so only
// its time is told.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "open_spiel/algorithms/minimax.h"
#include "open_spiel/algorithms/value_iteration.h"
#include "open_spiel/spiel.h"

static double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

int main(int count, char** values) {
    std::string name = count > 1 ? values[1] : "tic_tac_toe";
    int runs = count > 2 ? std::atoi(values[2]) : 3;
    auto game = open_spiel::LoadGame(name);
    double best = 1e300, value = 0;
    size_t positions = 0;
    for (int run = 0; run < runs; run++) {
        double start = now();
        auto solved = open_spiel::algorithms::ValueIteration(*game, -1, 0.01);
        best = std::min(best, now() - start);
        positions = solved.size();
        value = solved[game->NewInitialState()->ToString()];
    }
    const char* line = "%-32s %-16s %10zu positions %9.4f s %12.0f positions/s   value %+.0f\n";
    std::printf(line, "ValueIteration (C++)", name.c_str(), positions, best, positions / best, value);
    best = 1e300;
    for (int run = 0; run < runs; run++) {
        double start = now();
        value = open_spiel::algorithms::AlphaBetaSearch(*game, nullptr, nullptr, 100, open_spiel::Player{0}).first;
        best = std::min(best, now() - start);
    }
    std::printf("%-32s %-16s %31.4f s, the start only   value %+.0f\n", "AlphaBetaSearch (C++)", name.c_str(), best, value);
}
