// Cat and Mouse (LeetCode 913): the mouse runs for the hole 0, the cat hunts it and may not enter the hole.
//
// queue:      the editorial's retrograde analysis: what each position still has open, a queue of decided positions, the
//             graph is its own reverse because it is undirected. The yardstick.
// remoteness: the same, which finds the number of moves to the end by the way, since the queue runs level by level.
// Flat arrays sized by the number of vertices; the queue holds mouse, cat and turn, so that nothing is divided.
#include "common.hpp"

struct Input {
    int n;
    std::vector<std::vector<int>> graph;
};

enum : uint8_t { OPEN = 0, MOUSE = 1, CAT = 2 };

struct State {
    int16_t mouse, cat, turn;
};

struct Table {
    std::vector<uint8_t> winner;
    std::vector<uint16_t> steps;
};

template <bool STEPS>
__attribute__((noinline)) Table solve(const Input& in) {
    int n = in.n, size = n * n * 2;
    Table table;
    std::vector<uint8_t>& winner = table.winner;
    winner.assign(size, OPEN);
    if (STEPS) table.steps.assign(size, 0);
    auto number = [n](int mouse, int cat, int turn) { return (mouse * n + cat) * 2 + turn; };
    std::vector<uint8_t> open(size);
    std::vector<int> hunts(n);
    for (int v = 0; v < n; v++)
        for (int to : in.graph[v]) hunts[v] += to != 0;
    for (int mouse = 0; mouse < n; mouse++)
        for (int cat = 0; cat < n; cat++) {
            open[number(mouse, cat, 0)] = in.graph[mouse].size();
            open[number(mouse, cat, 1)] = hunts[cat];
        }
    std::vector<State> queue;
    queue.reserve(size);
    for (int cat = 0; cat < n; cat++)
        for (int turn = 0; turn < 2; turn++) {
            winner[number(0, cat, turn)] = MOUSE;
            queue.push_back({0, int16_t(cat), int16_t(turn)});
            if (cat > 0) {
                winner[number(cat, cat, turn)] = CAT;
                queue.push_back({int16_t(cat), int16_t(cat), int16_t(turn)});
            }
        }
    for (size_t head = 0; head < queue.size(); head++) {
        auto [mouse, cat, turn] = queue[head];
        int at = number(mouse, cat, turn);
        uint8_t who = winner[at];
        auto decide = [&](int16_t m, int16_t c, int16_t mover) {
            int before = number(m, c, mover);
            if (winner[before] != OPEN) return;
            if (who == (mover == 0 ? MOUSE : CAT) || --open[before] == 0) {
                winner[before] = who;
                if (STEPS) table.steps[before] = table.steps[at] + 1;
                queue.push_back({m, c, mover});
            }
        };
        if (turn == 1) {
            for (int from : in.graph[mouse]) decide(from, cat, 0);
        } else if (cat != 0) {
            for (int from : in.graph[cat]) decide(mouse, from, 1);
        }
    }
    return table;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    in.n = numbers.next();
    for (int v = 0; v < in.n; v++) in.graph.push_back(numbers.list());
    auto report = [&](const Table& table) {
        long counts[3] = {0, 0, 0};
        for (size_t at = 0; at < table.winner.size(); at++) {
            uint8_t who = table.winner[at];
            counts[who == OPEN ? 0 : (who == MOUSE) == (at % 2 == 0) ? 1 : 2]++;
        }
        int start = (1 * in.n + 2) * 2;
        uint8_t who = table.winner[start];
        print("winner", who == OPEN ? "draw" : who == MOUSE ? "first" : "second");
        if (!table.steps.empty() && who != OPEN) print("remoteness", table.steps[start]);
        print("positions", table.winner.size());
        print("won", counts[1]);
        print("lost", counts[2]);
        print("drawn", counts[0]);
    };
    if (arguments.is("queue")) measure(arguments, [&] { return solve<false>(in); }, report);
    else if (arguments.is("remoteness")) measure(arguments, [&] { return solve<true>(in); }, report);
    else arguments.unknown();
}
