// A token on a directed graph, a move follows an arrow, who cannot move loses, play that never ends is a draw.
//
// queue:      reverse arrows in one array (counting sort by target), open options counted down, a queue of decided
//             nodes. The yardstick. (A vector of vectors for the reverse arrows takes about twice as long.)
// lists:      the same with a vector of vectors, as most write it.
// remoteness: `queue` with the number of moves to the end.
// The input is already in memory as arrows by source; turning it round is part of the solve.
#include "common.hpp"

struct Input {
    int n, start;
    std::vector<int> first, to;  // the arrows of v are to[first[v]..first[v + 1]]
};

enum : uint8_t { OPEN = 0, LOST = 1, WON = 2 };

struct Table {
    std::vector<uint8_t> value;
    std::vector<int> steps;
};

template <bool STEPS>
__attribute__((noinline)) Table solve(const Input& in) {
    int n = in.n;
    std::vector<int> begin(n + 1), from(in.to.size()), open(n);
    for (int to : in.to) begin[to]++;
    for (int v = 0, sum = 0; v <= n; v++) begin[v] = sum += begin[v];
    for (int v = n; v-- > 0;)
        for (int e = in.first[v]; e < in.first[v + 1]; e++) from[--begin[in.to[e]]] = v;

    Table table;
    table.value.assign(n, OPEN);
    if (STEPS) table.steps.assign(n, 0);
    std::vector<int> queue;
    queue.reserve(n);
    for (int v = 0; v < n; v++) {
        open[v] = in.first[v + 1] - in.first[v];
        if (open[v] == 0) {
            table.value[v] = LOST;
            queue.push_back(v);
        }
    }
    for (size_t head = 0; head < queue.size(); head++) {
        int at = queue[head];
        bool lost = table.value[at] == LOST;
        for (int e = begin[at]; e < begin[at + 1]; e++) {
            int before = from[e];
            if (table.value[before] != OPEN) continue;
            if (lost) table.value[before] = WON;
            else if (--open[before] == 0) table.value[before] = LOST;
            else continue;
            if (STEPS) table.steps[before] = table.steps[at] + 1;
            queue.push_back(before);
        }
    }
    return table;
}

__attribute__((noinline)) Table lists(const Input& in) {
    int n = in.n;
    std::vector<std::vector<int>> reverse(n);
    std::vector<int> open(n), queue;
    Table table;
    table.value.assign(n, OPEN);
    queue.reserve(n);
    for (int v = 0; v < n; v++) {
        for (int e = in.first[v]; e < in.first[v + 1]; e++) reverse[in.to[e]].push_back(v);
        open[v] = in.first[v + 1] - in.first[v];
        if (open[v] == 0) {
            table.value[v] = LOST;
            queue.push_back(v);
        }
    }
    for (size_t head = 0; head < queue.size(); head++) {
        int at = queue[head];
        bool lost = table.value[at] == LOST;
        for (int before : reverse[at]) {
            if (table.value[before] != OPEN) continue;
            if (lost) table.value[before] = WON;
            else if (--open[before] == 0) table.value[before] = LOST;
            else continue;
            queue.push_back(before);
        }
    }
    return table;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.n = numbers.next();
    in.start = numbers.next();
    in.first.push_back(0);
    for (int v = 0; v < in.n; v++) {
        for (long left = numbers.next(); left > 0; left--) in.to.push_back(numbers.next());
        in.first.push_back(in.to.size());
    }
    auto report = [&](const Table& table) {
        long counts[3] = {0, 0, 0};
        for (uint8_t each : table.value) counts[each]++;
        uint8_t start = table.value[in.start];
        print("winner", start == OPEN ? "draw" : start == WON ? "first" : "second");
        if (!table.steps.empty() && start != OPEN) print("remoteness", table.steps[in.start]);
        print("positions", in.n);
        print("won", counts[WON]);
        print("lost", counts[LOST]);
        print("drawn", counts[OPEN]);
    };
    if (arguments.is("queue")) measure(arguments, [&] { return solve<false>(in); }, report);
    else if (arguments.is("lists")) measure(arguments, [&] { return lists(in); }, report);
    else if (arguments.is("remoteness")) measure(arguments, [&] { return solve<true>(in); }, report);
    else arguments.unknown();
}
