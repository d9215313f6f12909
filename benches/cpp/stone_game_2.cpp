// Stone Game II (LeetCode 1140): dp[i][m] is the most stones the mover gets from the piles i.. with bound m.
//
// table:      the solution of the editorials: suffix sums, everything is taken where 2m reaches the end. The yardstick.
// transposed: the same with dp[m][i], so that the x <= m options lie side by side; few see that.
// The rules count the difference, which is twice the mover's stones less the total.
#include <algorithm>

#include "common.hpp"

struct Input {
    int n;
    std::vector<int> piles;
};

static std::vector<int> suffixes(const Input& in) {
    std::vector<int> suffix(in.n + 1);
    for (int i = in.n - 1; i >= 0; i--) suffix[i] = suffix[i + 1] + in.piles[i];
    return suffix;
}

__attribute__((noinline)) int table(const Input& in) {
    int n = in.n, width = n + 1;
    std::vector<int> suffix = suffixes(in);
    Zeroed<int> dp(static_cast<size_t>(width) * width);
    for (int i = n - 1; i >= 0; i--) {
        for (int m = 1; m <= n; m++) {
            if (i + 2 * m >= n) {
                dp[i * width + m] = suffix[i];
                continue;
            }
            int least = INT32_MAX;
            for (int x = 1; x <= 2 * m; x++) least = std::min(least, dp[(i + x) * width + std::max(m, x)]);
            dp[i * width + m] = suffix[i] - least;
        }
    }
    return n == 0 ? 0 : 2 * dp[1] - suffix[0];
}

__attribute__((noinline)) int transposed(const Input& in) {
    int n = in.n, width = n + 1;
    std::vector<int> suffix = suffixes(in);
    Zeroed<int> dp(static_cast<size_t>(width) * width);
    for (int i = n - 1; i >= 0; i--) {
        for (int m = 1; m <= n; m++) {
            if (i + 2 * m >= n) {
                dp[m * width + i] = suffix[i];
                continue;
            }
            int least = INT32_MAX;
            const int* same = &dp[m * width + i];
            for (int x = 1; x <= m; x++) least = std::min(least, same[x]);
            for (int x = m + 1; x <= 2 * m; x++) least = std::min(least, dp[x * width + i + x]);
            dp[m * width + i] = suffix[i] - least;
        }
    }
    return n == 0 ? 0 : 2 * dp[width] - suffix[0];
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.piles = numbers.list();
    in.n = in.piles.size();
    auto report = [&](int value) { print("value", value); };
    if (arguments.is("table")) measure(arguments, [&] { return table(in); }, report);
    else if (arguments.is("transposed")) measure(arguments, [&] { return transposed(in); }, report);
    else arguments.unknown();
}
