// Can I Win (LeetCode 464): pick different numbers from 1 to `most`, who brings the total to `desired` wins.
//
// table:      every set of picked numbers, the larger first (a pick makes the mask larger); the sum of a set from the
//             sum without its lowest number; out at the first winning pick. The yardstick.
// search:     the memoised search of the editorials, which stops at the first winning pick and so sees few positions:
//             it answers for the start only.
// remoteness: the table with the number of moves to the end.
// If all numbers together fall short, nobody wins: a draw, told before anything is searched.
#include <algorithm>

#include "common.hpp"

struct Input {
    int most, desired;
    bool draw() const { return most * (most + 1) / 2 < desired; }
};

__attribute__((noinline)) Zeroed<char> table(const Input& in) {
    unsigned full = (1u << in.most) - 1;
    Zeroed<char> win(full + 1);
    Zeroed<uint16_t> sum(full + 1);
    for (unsigned mask = 1; mask <= full; mask++) sum[mask] = sum[mask & (mask - 1)] + __builtin_ctz(mask) + 1;
    for (unsigned mask = full + 1; mask-- > 0;) {
        if (sum[mask] >= in.desired) continue;
        for (unsigned left = full & ~mask; left; left &= left - 1)
            if (!win[mask | (left & -left)]) {
                win[mask] = 1;
                break;
            }
    }
    return win;
}

__attribute__((noinline)) Zeroed<uint8_t> remoteness(const Input& in) {
    unsigned full = (1u << in.most) - 1;
    Zeroed<uint8_t> r(full + 1);
    Zeroed<uint16_t> sum(full + 1);
    for (unsigned mask = 1; mask <= full; mask++) sum[mask] = sum[mask & (mask - 1)] + __builtin_ctz(mask) + 1;
    for (unsigned mask = full + 1; mask-- > 0;) {
        if (sum[mask] >= in.desired) continue;
        int lost = INT32_MAX, won = -1;
        for (unsigned left = full & ~mask; left; left &= left - 1) {
            int option = r[mask | (left & -left)];
            if (option & 1) won = std::max(won, option);
            else lost = std::min(lost, option);
        }
        r[mask] = lost != INT32_MAX ? lost + 1 : won + 1;
    }
    return r;
}

struct Search {
    int most;
    std::vector<signed char> known;

    bool wins(unsigned mask, int missing) {
        if (missing <= 0) return false;
        if (known[mask] >= 0) return known[mask];
        bool result = false;
        for (int k = most; k >= 1 && !result; k--)
            if (!(mask >> (k - 1) & 1)) result = !wins(mask | 1u << (k - 1), missing - k);
        known[mask] = result;
        return result;
    }
};

__attribute__((noinline)) bool search(const Input& in) {
    Search search{in.most, std::vector<signed char>(1u << in.most, -1)};
    return search.wins(0, in.desired);
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.most = numbers.next();
    in.desired = numbers.next();
    if (in.draw()) {
        print("winner", "draw");
        return 0;
    }
    auto wins = [&](const auto& win) { report_wins(win, 0); };
    if (arguments.is("table")) measure(arguments, [&] { return table(in); }, wins);
    else if (arguments.is("remoteness"))
        measure(arguments, [&] { return remoteness(in); }, [&](const auto& r) { report_remoteness(r, 0); });
    else if (arguments.is("search"))
        measure(arguments, [&] { return search(in); }, [](bool win) { print("winner", win ? "first" : "second"); });
    else arguments.unknown();
}
