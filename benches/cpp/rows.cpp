// All intervals of a row of coins, as they are usually programmed.
//
// rolling:   values only, one line of 64-bit values by length, which gcc can vectorise. The yardstick for values.
// rolling32: the same in 32 bits.
// rows:      the whole table in 32 bits, filled row by row from the last, so that memory is walked in order. The yardstick
//            for tables.
// length:    the same table in the textbook order: by length, each length along its diagonal.
#include <algorithm>

#include "common.hpp"

using Coins = std::vector<long>;

template <class T>
__attribute__((noinline)) long rolling(const Coins& coins) {
    size_t n = coins.size();
    std::vector<T> coin(coins.begin(), coins.end()), line(n + 1);
    for (size_t size = 1; size <= n; size++)
        for (size_t i = 0; i + size <= n; i++) line[i] = std::max(coin[i] - line[i + 1], coin[i + size - 1] - line[i]);
    return line[0];
}

__attribute__((noinline)) Zeroed<int> rows(const Coins& coins) {
    size_t n = coins.size(), width = n + 1;
    std::vector<int> coin(coins.begin(), coins.end());
    Zeroed<int> lead(width * width);
    for (size_t i = n; i-- > 0;) {
        const int* below = &lead[(i + 1) * width];
        int* row = &lead[i * width];
        for (size_t j = i + 1; j <= n; j++) row[j] = std::max(coin[i] - below[j], coin[j - 1] - row[j - 1]);
    }
    return lead;
}

__attribute__((noinline)) Zeroed<int> length(const Coins& coins) {
    size_t n = coins.size(), width = n + 1;
    std::vector<int> coin(coins.begin(), coins.end());
    Zeroed<int> lead(width * width);
    for (size_t size = 1; size <= n; size++)
        for (size_t i = 0; i + size <= n; i++) {
            size_t j = i + size;
            lead[i * width + j] =
                std::max(coin[i] - lead[(i + 1) * width + j], coin[j - 1] - lead[i * width + j - 1]);
        }
    return lead;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Coins coins(numbers.next());
    for (long& coin : coins) coin = numbers.next();
    size_t n = coins.size();
    auto report = [&](long value) { print("value", value); };
    // A sum over the table, each cell times its place: equal tables have equal ones.
    auto report_table = [&](const Zeroed<int>& lead) {
        uint64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j <= n; j++) sum += (uint64_t)(int64_t)lead[i * (n + 1) + j] * (i * (n + 1) + j);
        print("value", n == 0 ? 0 : lead[n]);
        std::printf("hash %016llx\n", (unsigned long long)sum);
    };
    if (arguments.is("rolling")) measure(arguments, [&] { return rolling<int64_t>(coins); }, report);
    else if (arguments.is("rolling32")) measure(arguments, [&] { return rolling<int32_t>(coins); }, report);
    else if (arguments.is("rows")) measure(arguments, [&] { return rows(coins); }, report_table);
    else if (arguments.is("length")) measure(arguments, [&] { return length(coins); }, report_table);
    else arguments.unknown();
}
