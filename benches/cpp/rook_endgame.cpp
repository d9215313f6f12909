// King and rook against king on the board of chess: every position, with remoteness.
//
// Written for this ending alone: dense codes of three squares and the turn, moves undone with tables of neighbours, a byte for what
// Black still has open. Only White can win, so won positions of White and lost ones of Black are carried back in turn. One thread:
// there are a third of a million positions and hardly a level that is worth waking another. Called `rook_endgame`.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

static const int S = 8, N = 64;
static std::vector<int> near[N];

static bool adjacent(int a, int b) {
    return std::abs(a / S - b / S) <= 1 && std::abs(a % S - b % S) <= 1;
}

// Whether a rook on r reaches s past the piece on p.
static bool reaches(int r, int s, int p) {
    if (r == s || (r / S != s / S && r % S != s % S)) return false;
    int step = r / S == s / S ? (s > r ? 1 : -1) : (s > r ? S : -S);
    for (int at = r + step; at != s; at += step)
        if (at == p) return false;
    return true;
}

static int code(int w, int t, int b) { return (w * N + t) * N + b; }

int main() {
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    for (int a = 0; a < N; a++)
        for (int b = 0; b < N; b++)
            if (a != b && adjacent(a, b)) near[a].push_back(b);
    // 255: not decided.
    std::vector<uint8_t> white(N * N * N, 255), black(N * N * N, 255), open(N * N * N, 0);
    std::vector<int> level, next;
    for (int w = 0; w < N; w++)
        for (int t = 0; t < N; t++)
            for (int b = 0; b < N; b++) {
                if (w == t || t == b || w == b || adjacent(w, b)) continue;
                int count = 0;
                for (int to : near[b]) count += !adjacent(to, w) && (to == t || !reaches(t, to, w));
                open[code(w, t, b)] = count;
                if (count == 0 && reaches(t, b, w)) black[code(w, t, b)] = 0, level.push_back(code(w, t, b));
            }
    int remoteness = 0;
    while (!level.empty()) {
        // From lost positions of Black to those of White before them.
        remoteness++;
        next.clear();
        for (int at : level) {
            int w = at / (N * N), t = at / N % N, b = at % N;
            auto win = [&](int w, int t) {
                uint8_t& value = white[code(w, t, b)];
                if (value == 255) value = remoteness, next.push_back(code(w, t, b));
            };
            for (int from : near[w])
                if (from != t && from != b && !adjacent(from, b)) win(from, t);
            for (int step : {1, -1, S, -S})
                for (int from = t;;) {
                    if ((step == 1 && from % S == S - 1) || (step == -1 && from % S == 0)) break;
                    from += step;
                    if (from < 0 || from >= N || from == w || from == b) break;
                    win(w, from);
                }
        }
        // And back to those of Black.
        remoteness++;
        level.clear();
        for (int at : next) {
            int w = at / (N * N), t = at / N % N, b = at % N;
            // Black cannot have moved into check.
            if (reaches(t, b, w)) continue;
            for (int from : near[b]) {
                if (from == w || from == t || adjacent(from, w)) continue;
                int before = code(w, t, from);
                if (black[before] == 255 && --open[before] == 0) black[before] = remoteness, level.push_back(before);
            }
        }
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    double busy = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    std::printf("wall %.4f\ncpu %.4f\nstart win\nremoteness %d\n", seconds, busy, white[code(0, 9, 45)]);
}
