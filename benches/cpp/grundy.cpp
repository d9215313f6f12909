// Grundy's game, a heap split into two unequal heaps: the plain double loop, which is what everybody writes.
//
// Small data types, a stamp instead of clearing the set of seen values, every pair once. Instance: the number of terms.
#include "common.hpp"
#include "sequence.hpp"

int main(int count, char** words) {
    Arguments arguments(count, words);
    Numbers numbers(arguments.file);
    long terms = numbers.next();
    auto plain = [&] {
        std::vector<uint16_t> g(terms, 0);
        std::vector<uint32_t> seen(1 << 16, 0);
        for (long n = 0; n < terms; n++) {
            uint32_t stamp = n + 1;
            for (long a = 1; 2 * a < n; a++) seen[g[a] ^ g[n - a]] = stamp;
            uint16_t mex = 0;
            while (seen[mex] == stamp) mex++;
            g[n] = mex;
        }
        return g;
    };
    if (!arguments.is("plain")) arguments.unknown();
    measure(arguments, plain, report_sequence);
}
