// Dots and Boxes with at most 60 lines: by how much does the player who starts win?
//
// alpha_beta: a position is the set of lines drawn; what was taken before does not matter for what follows. A window on the difference
// from here on. A line that closes boxes and lets the same player go on is tried first; where it closes a box and makes no
// other box ready to be closed, nothing is better, and it is the only move. Then come lines that give nothing away, then the rest. Lines
// are numbered as in the rules file: flat ones row by row, then upright ones. The table has 2^23 places of a key, a bound from below and
// one from above; what comes later takes a place. Positions that are turned or mirrored count as different, as in plain programs.
// The value is found by null windows, halving what is open.
#include "common.hpp"

struct Input {
    int rows, columns;
};

struct Result {
    int value;
    long positions;
};

class Search {
    std::vector<uint64_t> boxes;
    std::vector<std::vector<int>> beside;
    int lines;
    static const int PLACES = 23;
    struct Entry {
        uint64_t key;
        int8_t low, high;
    };
    Zeroed<Entry> table{1ul << PLACES};

    int sides(int box, uint64_t drawn) const { return __builtin_popcountll(boxes[box] & drawn); }

public:
    long positions = 0;

    explicit Search(const Input& in) {
        int flat = (in.rows + 1) * in.columns;
        lines = flat + in.rows * (in.columns + 1);
        beside.resize(lines);
        for (int r = 0; r < in.rows; r++)
            for (int c = 0; c < in.columns; c++) {
                int own[4] = {r * in.columns + c, (r + 1) * in.columns + c, flat + r * (in.columns + 1) + c,
                              flat + r * (in.columns + 1) + c + 1};
                uint64_t mask = 0;
                for (int line : own) {
                    mask |= 1ull << line;
                    beside[line].push_back(boxes.size());
                }
                boxes.push_back(mask);
            }
    }

    // The difference from here on for the mover: exact within the window alpha, alpha + 1, else a bound.
    int value(uint64_t drawn, int alpha) {
        positions++;
        int open = 0;
        for (uint64_t box : boxes) open += (box & ~drawn) != 0;
        if (open <= alpha) return open;
        if (-open > alpha) return -open;
        if (!open) return 0;
        uint64_t key = drawn + 1;
        Entry& entry = table[key * 0x9e3779b97f4a7c15ull >> (64 - PLACES)];
        if (entry.key == key) {
            if (entry.low > alpha) return entry.low;
            if (entry.high <= alpha) return entry.high;
        }
        int moves[64], ranks[64], count = 0;
        for (int line = 0; line < lines; line++) {
            if (drawn >> line & 1) continue;
            int closed = 0, ready = 0;
            for (int box : beside[line]) {
                int have = sides(box, drawn);
                closed += have == 3;
                ready += have == 2;
            }
            if (closed && !ready) {
                moves[0] = line;
                ranks[0] = 2;
                count = 1;
                break;
            }
            int rank = closed ? 2 : ready ? 0 : 1;
            int at = count++;
            for (; at > 0 && ranks[at - 1] < rank; at--) {
                moves[at] = moves[at - 1];
                ranks[at] = ranks[at - 1];
            }
            moves[at] = line;
            ranks[at] = rank;
        }
        int best = -open - 1;
        for (int i = 0; i < count && best <= alpha; i++) {
            uint64_t next = drawn | 1ull << moves[i];
            int closed = 0;
            for (int box : beside[moves[i]]) closed += sides(box, next) == 4;
            int found = closed ? closed + value(next, alpha - closed) : -value(next, -alpha - 1);
            best = std::max(best, found);
        }
        if (entry.key != key) entry = {key, -128, 127};
        if (best > alpha) entry.low = std::max<int>(entry.low, best);
        else entry.high = std::min<int>(entry.high, best);
        return best;
    }

    int start() {
        int low = -(int)boxes.size(), high = boxes.size();
        while (low < high) {
            int middle = low + (high - low) / 2;
            int found = value(0, middle);
            if (found > middle) low = found;
            else high = found;
        }
        return low;
    }
};

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.rows = numbers.next();
    in.columns = numbers.next();
    if (in.rows < 1 || in.columns < 1 || (in.rows + 1) * in.columns + in.rows * (in.columns + 1) > 60) {
        std::fprintf(stderr, "at most 60 lines\n");
        return 2;
    }
    if (!arguments.is("alpha_beta")) arguments.unknown();
    measure(
        arguments,
        [&] {
            Search search(in);
            int value = search.start();
            return Result{value, search.positions};
        },
        [](const Result& result) {
            print("value", result.value);
            print("positions", result.positions);
        });
}
