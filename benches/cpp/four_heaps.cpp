// Four heaps, a move takes 1 to 3 stones from one heap, the last mover wins; every position is valued.
//
// pull:       four nested loops, one running index, limits outside the loops they belong to, out at the first lost
//             option. The yardstick.
// push:       a lost position marks all it is reached from; nobody else does any work.
// rows:       the outer heaps as whole rows, which gcc turns into vector code, then the last heap by pushing: what an
//             expert of this machine writes.
// remoteness: the recurrence with the number of moves to the end.
// The heaps are read at run time, the 3 is the rule and stands in the code. One byte a position, 16 bits for remoteness.
// (The nimber of a heap would do; the general table is measured.)
#include <algorithm>

#include "common.hpp"

const int MOST = 3;

struct Input {
    int heap[4];
    int sd, sc, sb, sa;  // what one stone of each heap is worth in a position's number
    size_t size;

    explicit Input(Numbers& numbers) {
        for (int& each : heap) each = numbers.next();
        sd = 1;
        sc = sd * (heap[3] + 1);
        sb = sc * (heap[2] + 1);
        sa = sb * (heap[1] + 1);
        size = static_cast<size_t>(sa) * (heap[0] + 1);
    }
};

__attribute__((noinline)) Zeroed<char> pull(const Input& in) {
    Zeroed<char> win(in.size);
    char* at = &win[0];
    int sc = in.sc, sb = in.sb, sa = in.sa;
    for (int a = 0; a <= in.heap[0]; a++) {
        int most_a = std::min(a, MOST);
        for (int b = 0; b <= in.heap[1]; b++) {
            int most_b = std::min(b, MOST);
            for (int c = 0; c <= in.heap[2]; c++) {
                int most_c = std::min(c, MOST);
                for (int d = 0; d <= in.heap[3]; d++, at++) {
                    int most_d = std::min(d, MOST);
                    for (int t = 1; t <= most_d; t++)
                        if (!at[-t]) goto won;
                    for (int t = 1; t <= most_c; t++)
                        if (!at[-t * sc]) goto won;
                    for (int t = 1; t <= most_b; t++)
                        if (!at[-t * sb]) goto won;
                    for (int t = 1; t <= most_a; t++)
                        if (!at[-t * sa]) goto won;
                    continue;
                won:
                    *at = 1;
                }
            }
        }
    }
    return win;
}

__attribute__((noinline)) Zeroed<char> push(const Input& in) {
    Zeroed<char> win(in.size);
    char* at = &win[0];
    int sc = in.sc, sb = in.sb, sa = in.sa;
    for (int a = 0; a <= in.heap[0]; a++) {
        int most_a = std::min(in.heap[0] - a, MOST);
        for (int b = 0; b <= in.heap[1]; b++) {
            int most_b = std::min(in.heap[1] - b, MOST);
            for (int c = 0; c <= in.heap[2]; c++) {
                int most_c = std::min(in.heap[2] - c, MOST);
                for (int d = 0; d <= in.heap[3]; d++, at++) {
                    if (*at) continue;
                    int most_d = std::min(in.heap[3] - d, MOST);
                    for (int t = 1; t <= most_d; t++) at[t] = 1;
                    for (int t = 1; t <= most_c; t++) at[t * sc] = 1;
                    for (int t = 1; t <= most_b; t++) at[t * sb] = 1;
                    for (int t = 1; t <= most_a; t++) at[t * sa] = 1;
                }
            }
        }
    }
    return win;
}

__attribute__((noinline)) Zeroed<char> rows(const Input& in) {
    Zeroed<char> win(in.size);
    int width = in.heap[3] + 1;
    char* row = &win[0];
    for (int a = 0; a <= in.heap[0]; a++)
        for (int b = 0; b <= in.heap[1]; b++)
            for (int c = 0; c <= in.heap[2]; c++, row += width) {
                auto options = [&](int limit, int step) {
                    for (int t = 1; t <= std::min(limit, MOST); t++) {
                        const char* other = row - t * step;
                        for (int d = 0; d < width; d++) row[d] |= !other[d];
                    }
                };
                options(a, in.sa);
                options(b, in.sb);
                options(c, in.sc);
                for (int d = 0; d < width; d++)
                    if (!row[d])
                        for (int t = 1; t <= std::min(width - 1 - d, MOST); t++) row[d + t] = 1;
            }
    return win;
}

__attribute__((noinline)) Zeroed<uint16_t> remoteness(const Input& in) {
    Zeroed<uint16_t> r(in.size);
    uint16_t* at = &r[0];
    int sc = in.sc, sb = in.sb, sa = in.sa;
    for (int a = 0; a <= in.heap[0]; a++)
        for (int b = 0; b <= in.heap[1]; b++)
            for (int c = 0; c <= in.heap[2]; c++)
                for (int d = 0; d <= in.heap[3]; d++, at++) {
                    int lost = INT32_MAX, won = -1;
                    auto look = [&](int option) {
                        if (option & 1) won = std::max(won, option);
                        else lost = std::min(lost, option);
                    };
                    for (int t = 1; t <= std::min(d, MOST); t++) look(at[-t]);
                    for (int t = 1; t <= std::min(c, MOST); t++) look(at[-t * sc]);
                    for (int t = 1; t <= std::min(b, MOST); t++) look(at[-t * sb]);
                    for (int t = 1; t <= std::min(a, MOST); t++) look(at[-t * sa]);
                    *at = lost != INT32_MAX ? lost + 1 : won + 1;
                }
    return r;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in(numbers);
    auto wins = [&](const auto& win) { report_wins(win, in.size - 1); };
    if (arguments.is("pull")) measure(arguments, [&] { return pull(in); }, wins);
    else if (arguments.is("push")) measure(arguments, [&] { return push(in); }, wins);
    else if (arguments.is("rows")) measure(arguments, [&] { return rows(in); }, wins);
    else if (arguments.is("remoteness"))
        measure(arguments, [&] { return remoteness(in); }, [&](const auto& r) { report_remoteness(r, in.size - 1); });
    else arguments.unknown();
}
