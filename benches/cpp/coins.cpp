// A row of coins, a move takes the first or the last (AtCoder DP L, LeetCode 486 and 877).
//
// table:   D[i][j], the mover's lead with coins i..j left, row by row so that memory is walked in order; the whole
//          table is kept, as for reading off best moves. The yardstick. (By length the same table is several times slower.)
// rolling: one row at a time, for those who want the value alone.
// length:  one line of values by length, for those who want the value alone and know that gcc can vectorise it.
// 32 bits: the sum of the coins is below 2^31.
#include <algorithm>

#include "common.hpp"

using Coins = std::vector<int>;

__attribute__((noinline)) Zeroed<int> table(const Coins& coins) {
    size_t n = coins.size(), width = n + 1;
    Zeroed<int> lead(width * width);
    for (size_t i = n; i-- > 0;) {
        const int* below = &lead[(i + 1) * width];
        int* row = &lead[i * width];
        for (size_t j = i + 1; j <= n; j++) row[j] = std::max(coins[i] - below[j], coins[j - 1] - row[j - 1]);
    }
    return lead;
}

__attribute__((noinline)) int rolling(const Coins& coins) {
    size_t n = coins.size();
    std::vector<int> row(n + 1);
    for (size_t i = n; i-- > 0;) {
        row[i] = 0;
        for (size_t j = i + 1; j <= n; j++) row[j] = std::max(coins[i] - row[j], coins[j - 1] - row[j - 1]);
    }
    return n == 0 ? 0 : row[n];
}

__attribute__((noinline)) int length(const Coins& coins) {
    size_t n = coins.size();
    std::vector<int> line(n + 1);
    for (size_t size = 1; size <= n; size++)
        for (size_t i = 0; i + size <= n; i++) line[i] = std::max(coins[i] - line[i + 1], coins[i + size - 1] - line[i]);
    return line[0];
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Coins coins = numbers.list();
    size_t n = coins.size();
    auto report = [&](int value) { print("value", value); };
    auto report_table = [&](const Zeroed<int>& lead) {
        long won = 0, lost = 0;
        for (size_t i = 0; i <= n; i++)
            for (size_t j = i; j <= n; j++) {
                won += lead[i * (n + 1) + j] > 0;
                lost += lead[i * (n + 1) + j] < 0;
            }
        long positions = (n + 1) * (n + 2) / 2;
        print("value", n == 0 ? 0 : lead[n]);
        print("positions", positions);
        print("won", won);
        print("lost", lost);
        print("drawn", positions - won - lost);
    };
    if (arguments.is("table")) measure(arguments, [&] { return table(coins); }, report_table);
    else if (arguments.is("rolling")) measure(arguments, [&] { return rolling(coins); }, report);
    else if (arguments.is("length")) measure(arguments, [&] { return length(coins); }, report);
    else arguments.unknown();
}
