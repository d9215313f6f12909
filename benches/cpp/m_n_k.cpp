// k in a row on a board of at most 16 squares, positions as numbers in base 3 (0 empty, 1 first, 2 second).
//
// all:        every one of the 3^squares numbers, from the fullest board down, since a mark makes the number larger;
//             the mover is told by the number of marks. The yardstick.
// counted:    the same, but boards with impossible numbers of marks are skipped (they are most of them).
// remoteness: `counted` with the number of moves to the end. Winners hurry, losers linger, draws end with a full board.
// The masks of both players come from two tables of half a board each, a table of all masks tells who has a line:
// what a contestant does once the plain loop over lines is too slow. One byte a position.
#include <algorithm>

#include "common.hpp"

struct Input {
    int rows, columns, k;
};

// Everything that depends on the board alone; made anew in every solve, since it is part of the work.
struct Board {
    int squares, low;
    std::vector<int> power;
    std::vector<uint16_t> first_low, second_low, first_high, second_high;
    std::vector<char> line;

    explicit Board(const Input& in) : squares(in.rows * in.columns), low(squares / 2), power(squares + 1, 1) {
        for (int i = 0; i < squares; i++) power[i + 1] = power[i] * 3;
        halves(first_low, second_low, 0, low);
        halves(first_high, second_high, low, squares);
        line.assign(1 << squares, 0);
        const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        std::vector<int> lines;
        for (int r = 0; r < in.rows; r++)
            for (int c = 0; c < in.columns; c++)
                for (auto& step : steps) {
                    int r1 = r + (in.k - 1) * step[0], c1 = c + (in.k - 1) * step[1];
                    if (r1 >= in.rows || c1 < 0 || c1 >= in.columns) continue;
                    int mask = 0;
                    for (int t = 0; t < in.k; t++) mask |= 1 << ((r + t * step[0]) * in.columns + c + t * step[1]);
                    lines.push_back(mask);
                }
        for (int mask = 0; mask < 1 << squares; mask++)
            for (int each : lines)
                if ((mask & each) == each) {
                    line[mask] = 1;
                    break;
                }
    }

    void halves(std::vector<uint16_t>& first, std::vector<uint16_t>& second, int from, int to) {
        int size = power[to - from];
        first.assign(size, 0);
        second.assign(size, 0);
        for (int code = 0; code < size; code++)
            for (int i = from, rest = code; i < to; i++, rest /= 3) {
                if (rest % 3 == 1) first[code] |= 1 << i;
                if (rest % 3 == 2) second[code] |= 1 << i;
            }
    }
};

const signed char LOST = -1, DRAWN = 0, WON = 1, SKIPPED = 2;

template <bool COUNTED>
__attribute__((noinline)) Zeroed<signed char> solve(const Input& in) {
    Board board(in);
    int highs = board.power[board.squares - board.low], lows = board.power[board.low];
    int full = (1 << board.squares) - 1;
    Zeroed<signed char> value(static_cast<size_t>(highs) * lows);
    for (int high = highs - 1; high >= 0; high--) {
        for (int low = lows - 1; low >= 0; low--) {
            int code = high * lows + low;
            int first = board.first_high[high] | board.first_low[low];
            int second = board.second_high[high] | board.second_low[low];
            int marks = __builtin_popcount(first | second);
            if (COUNTED && __builtin_popcount(first) != (marks + 1) / 2) {
                value[code] = SKIPPED;
                continue;
            }
            int mover = marks & 1;
            signed char best = LOST;
            if (!board.line[mover ? first : second]) {
                int empty = full & ~(first | second);
                if (!empty) best = DRAWN;
                for (; empty; empty &= empty - 1) {
                    int option = code + board.power[__builtin_ctz(empty)] * (mover + 1);
                    best = std::max<signed char>(best, -value[option]);
                    if (best == WON) break;
                }
            }
            value[code] = best;
        }
    }
    return value;
}

// Larger is better for the mover: 100 - r won in r moves, -100 + r lost in r, -r drawn in r.
__attribute__((noinline)) Zeroed<signed char> remoteness(const Input& in) {
    Board board(in);
    int highs = board.power[board.squares - board.low], lows = board.power[board.low];
    int full = (1 << board.squares) - 1;
    Zeroed<signed char> value(static_cast<size_t>(highs) * lows);
    for (int high = highs - 1; high >= 0; high--) {
        for (int low = lows - 1; low >= 0; low--) {
            int code = high * lows + low;
            int first = board.first_high[high] | board.first_low[low];
            int second = board.second_high[high] | board.second_low[low];
            int marks = __builtin_popcount(first | second);
            if (__builtin_popcount(first) != (marks + 1) / 2) {
                value[code] = 127;
                continue;
            }
            int mover = marks & 1, best = -100;
            if (!board.line[mover ? first : second]) {
                int empty = full & ~(first | second);
                if (!empty) best = 0;
                for (; empty; empty &= empty - 1) {
                    int option = value[code + board.power[__builtin_ctz(empty)] * (mover + 1)];
                    int mine = option > 20 ? -option + 1 : option < -20 ? -option - 1 : option - 1;
                    best = std::max(best, mine);
                    if (best == 99) break;
                }
            }
            value[code] = best;
        }
    }
    return value;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.rows = numbers.next();
    in.columns = numbers.next();
    in.k = numbers.next();
    if (in.rows * in.columns > 16) return 2;
    auto report = [&](const auto& value) {
        long counts[3] = {0, 0, 0};
        for (size_t at = 0; at < value.size(); at++)
            if (value[at] < SKIPPED) counts[value[at] + 1]++;
        print("winner", value[0] == WON ? "first" : value[0] == LOST ? "second" : "draw");
        print("positions", counts[0] + counts[1] + counts[2]);
        print("won", counts[2]);
        print("lost", counts[0]);
        print("drawn", counts[1]);
    };
    auto report_key = [&](const auto& value) {
        long counts[3] = {0, 0, 0};
        for (size_t at = 0; at < value.size(); at++)
            if (value[at] != 127) counts[(value[at] > 20) - (value[at] < -20) + 1]++;
        int start = value[0];
        print("winner", start > 20 ? "first" : start < -20 ? "second" : "draw");
        print("remoteness", start > 20 ? 100 - start : start < -20 ? 100 + start : -start);
        print("positions", counts[0] + counts[1] + counts[2]);
        print("won", counts[2]);
        print("lost", counts[0]);
        print("drawn", counts[1]);
    };
    if (arguments.is("all")) measure(arguments, [&] { return solve<false>(in); }, report);
    else if (arguments.is("counted")) measure(arguments, [&] { return solve<true>(in); }, report);
    else if (arguments.is("remoteness")) measure(arguments, [&] { return remoteness(in); }, report_key);
    else arguments.unknown();
}
