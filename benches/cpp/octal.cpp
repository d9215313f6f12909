// Octal games: the plain double loop, as for Grundy's game. Instance: the number of terms, then the list of digits, the
// first for taking nothing.
#include "common.hpp"
#include "sequence.hpp"

int main(int count, char** words) {
    Arguments arguments(count, words);
    Numbers numbers(arguments.file);
    long terms = numbers.next();
    std::vector<int> digits = numbers.list();
    auto plain = [&] {
        std::vector<uint16_t> g(terms, 0);
        std::vector<uint32_t> seen(1 << 16, 0);
        for (long n = 0; n < terms; n++) {
            uint32_t stamp = n + 1;
            for (long taken = 0; taken < (long)digits.size() && taken <= n; taken++) {
                long left = n - taken;
                if (digits[taken] & 1 && left == 0) seen[0] = stamp;
                if (digits[taken] & 2 && left > 0) seen[g[left]] = stamp;
                if (digits[taken] & 4)
                    for (long a = 1; 2 * a <= left; a++) seen[g[a] ^ g[left - a]] = stamp;
            }
            uint16_t mex = 0;
            while (seen[mex] == stamp) mex++;
            g[n] = mex;
        }
        return g;
    };
    if (!arguments.is("plain")) arguments.unknown();
    measure(arguments, plain, report_sequence);
}
