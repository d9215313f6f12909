// One heap of n stones, a move removes one of the listed numbers, who cannot move loses (AtCoder DP K).
//
// pull:       the recurrence as everybody writes it: sorted moves, out at the first lost option. The yardstick.
// push:       the trick of those who have seen it before: a lost position marks all it is reached from.
// remoteness: the recurrence with the number of moves to the end: no early exit is possible.
// One byte a position (a bit table or vector<bool> is slower here), 32 bits for remoteness.
#include <algorithm>

#include "common.hpp"

struct Input {
    int n;
    std::vector<int> moves;
};

__attribute__((noinline)) Zeroed<char> pull(const Input& in) {
    Zeroed<char> win(in.n + 1);
    for (int left = 0; left <= in.n; left++) {
        for (int take : in.moves) {
            if (take > left) break;
            if (!win[left - take]) {
                win[left] = 1;
                break;
            }
        }
    }
    return win;
}

__attribute__((noinline)) Zeroed<char> push(const Input& in) {
    Zeroed<char> win(in.n + 1);
    for (int left = 0; left <= in.n; left++) {
        if (win[left]) continue;
        for (int take : in.moves) {
            if (take > in.n - left) break;
            win[left + take] = 1;
        }
    }
    return win;
}

__attribute__((noinline)) Zeroed<int> remoteness(const Input& in) {
    Zeroed<int> r(in.n + 1);
    for (int left = 0; left <= in.n; left++) {
        int lost = INT32_MAX, won = -1;
        for (int take : in.moves) {
            if (take > left) break;
            int option = r[left - take];
            if (option & 1) won = std::max(won, option);
            else lost = std::min(lost, option);
        }
        r[left] = lost != INT32_MAX ? lost + 1 : won + 1;
    }
    return r;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.n = numbers.next();
    in.moves = numbers.list();
    std::sort(in.moves.begin(), in.moves.end());
    auto wins = [&](const auto& win) { report_wins(win, in.n); };
    if (arguments.is("pull")) measure(arguments, [&] { return pull(in); }, wins);
    else if (arguments.is("push")) measure(arguments, [&] { return push(in); }, wins);
    else if (arguments.is("remoteness"))
        measure(arguments, [&] { return remoteness(in); }, [&](const auto& r) { report_remoteness(r, in.n); });
    else arguments.unknown();
}
