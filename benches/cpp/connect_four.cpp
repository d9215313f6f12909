// Connect Four on a board of (rows + 1) x columns <= 64 bits: is the start won, drawn or lost?
//
// alpha_beta: what a good contestant writes. A column is rows + 1 bits from the bottom up, the spare bit stays empty. Two boards:
// the discs of the mover, and all discs. A move that wins at once is seen by masks and never searched; neither are moves that let
// the other win at once. The rest is ordered by how many squares it makes that would win, then from the centre outwards.
// Null windows: is it more than a draw, and if not, is it a draw? The table has 2^23 places of a key and a bound on the value; what comes
// later takes a place. Positions and their mirror images count as one.
#include "common.hpp"

struct Input {
    int rows, columns;
};

struct Result {
    int value;
    long positions;
};

class Search {
    int rows, columns, height;
    uint64_t bottom = 0, board = 0;
    std::vector<int> order;
    static const int PLACES = 23;
    struct Entry {
        uint64_t key;
        int8_t low, high;
    };
    Zeroed<Entry> table{1ul << PLACES};

public:
    long positions = 0;

    explicit Search(const Input& in) : rows(in.rows), columns(in.columns), height(in.rows + 1) {
        for (int c = 0; c < columns; c++) bottom |= 1ull << (c * height);
        board = bottom * ((1ull << rows) - 1);
        for (int i = 0; i < columns; i++) order.push_back(columns / 2 + (i % 2 ? -(i + 1) / 2 : i / 2));
        for (int& column : order) column = column < 0 ? column + columns : column % columns;
    }

    // The squares that would make four with these discs, empty or not.
    uint64_t fours(uint64_t own, uint64_t all) const {
        uint64_t found = (own << 1) & (own << 2) & (own << 3);
        for (int step : {height, height - 1, height + 1}) {
            uint64_t pair = (own << step) & (own << 2 * step);
            found |= pair & (own << 3 * step);
            found |= pair & (own >> step);
            pair = (own >> step) & (own >> 2 * step);
            found |= pair & (own << step);
            found |= pair & (own >> 3 * step);
        }
        return found & board & ~all;
    }

    uint64_t mirrored(uint64_t discs) const {
        uint64_t out = 0, column = (1ull << height) - 1;
        for (int c = 0; c < columns; c++) out |= (discs >> (c * height) & column) << ((columns - 1 - c) * height);
        return out;
    }

    // The value for the mover, who cannot win at once: exact within the window alpha, alpha + 1, else a bound.
    int value(uint64_t own, uint64_t all, int alpha) {
        positions++;
        uint64_t possible = (all + bottom) & board;
        uint64_t threats = fours(own ^ all, all);
        if (uint64_t forced = possible & threats) {
            if (forced & (forced - 1)) return -1;
            possible = forced;
        }
        possible &= ~(threats >> 1);
        if (!possible) return ((all + bottom) & board) ? -1 : 0;
        if (__builtin_popcountll(all) >= rows * columns - 2) return 0;

        uint64_t key = own + all + bottom, other = 0;
        other = mirrored(own) + mirrored(all) + bottom;
        if (other < key) key = other;
        Entry& entry = table[key * 0x9e3779b97f4a7c15ull >> (64 - PLACES)];
        int low = -1, high = 1;
        if (entry.key == key) {
            low = entry.low;
            high = entry.high;
            if (low > alpha) return low;
            if (high <= alpha) return high;
        }

        uint64_t moves[16];
        int scores[16], count = 0;
        for (int column : order) {
            uint64_t move = possible & (((1ull << rows) - 1) << (column * height));
            if (!move) continue;
            int score = __builtin_popcountll(fours(own | move, all | move));
            int at = count++;
            for (; at > 0 && scores[at - 1] < score; at--) {
                moves[at] = moves[at - 1];
                scores[at] = scores[at - 1];
            }
            moves[at] = move;
            scores[at] = score;
        }
        int best = -1;
        for (int i = 0; i < count && best <= alpha; i++) {
            // After a move that leaves the other no answer to a threat, the mover wins: the callee sees it.
            int found = -value(own ^ all, all | moves[i], -alpha - 1);
            best = std::max(best, found);
        }
        // The place may have another key by now.
        if (entry.key != key) entry = {key, -1, 1};
        if (best > alpha) entry.low = std::max<int>(entry.low, best);
        else entry.high = std::min<int>(entry.high, best);
        return best;
    }

    int start() {
        if (value(0, 0, 0) > 0) return 1;
        return value(0, 0, -1) < 0 ? -1 : 0;
    }
};

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.rows = numbers.next();
    in.columns = numbers.next();
    if (numbers.next() != 4 || in.rows < 2 || in.columns < 4 || in.columns > 16 || (in.rows + 1) * in.columns > 63) {
        std::fprintf(stderr, "four in a row, on a board of at most 63 bits\n");
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
