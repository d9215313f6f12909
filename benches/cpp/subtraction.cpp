// One heap, a move takes one of the listed numbers: won and lost heaps up to n, for ratios at sizes where memory counts.
//
// bytes: the recurrence as everybody writes it, one byte a heap, out at the first lost option. The yardstick.
#include "common.hpp"

struct Input {
    long n;
    std::vector<int> moves;
};

__attribute__((noinline)) Zeroed<char> bytes(const Input& in) {
    Zeroed<char> lose(in.n);
    for (long n = 0; n < in.n; n++) {
        char won = 0;
        for (int s : in.moves) {
            if (n >= s && lose[n - s]) {
                won = 1;
                break;
            }
        }
        lose[n] = !won;
    }
    return lose;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.n = numbers.next();
    in.moves = numbers.list();
    if (!arguments.is("bytes")) arguments.unknown();
    measure(arguments, [&] { return bytes(in); }, [](const Zeroed<char>& lose) {
        long lost = 0;
        for (size_t n = 0; n < lose.size(); n++) lost += lose[n];
        print("positions", lose.size());
        print("won", lose.size() - lost);
        print("lost", lost);
    });
    return 0;
}
