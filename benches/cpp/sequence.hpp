// What the programs on nim-sequences report: how many terms, the largest, and a hash of all.
#pragma once

#include "common.hpp"

inline void report_sequence(const std::vector<uint16_t>& g) {
    uint64_t hash = 0xcbf29ce484222325ull;
    for (uint16_t value : g) hash = (hash ^ value) * 0x100000001b3ull;
    print("positions", g.size());
    print("largest", *std::max_element(g.begin(), g.end()));
    std::printf("hash %016llx\n", (unsigned long long)hash);
}
