// Dao: every position, won, lost or drawn, with remoteness.
//
// Written for this game alone: positions are seen by the player to move, four stones each are ranked by two combinations
// (1820 · 495 = 900,900 dense codes), moves are undone by tables of rays, a byte counts what is open. Called `dao THREADS`.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

static const int N = 16;
static uint16_t four[1820], rest_four[495];
static int rank_of[1 << N], rest_rank[1 << 12];
static std::vector<int> rays[N][8];
static bool shape[1 << N];

// The bits of `set` at the places of `mask`, side by side; and back.
static unsigned gather(unsigned set, unsigned mask) {
    unsigned out = 0, bit = 1;
    for (; mask; mask &= mask - 1, bit <<= 1)
        if (set & mask & -mask) out |= bit;
    return out;
}
static unsigned spread(unsigned set, unsigned mask) {
    unsigned out = 0;
    for (; mask; mask &= mask - 1, set >>= 1)
        if (set & 1) out |= mask & -mask;
    return out;
}
static uint32_t code(unsigned own, unsigned other) { return rank_of[own] * 495 + rest_rank[gather(other, 0xffff & ~own)]; }

static bool won(unsigned own, unsigned other) {
    static const int corner[4] = {0, 3, 12, 15};
    static const unsigned wall[4] = {1 << 1 | 1 << 4 | 1 << 5, 1 << 2 | 1 << 6 | 1 << 7, 1 << 8 | 1 << 9 | 1 << 13, 1 << 10 | 1 << 11 | 1 << 14};
    if (shape[own]) return true;
    for (int i = 0; i < 4; i++)
        if ((own >> corner[i] & 1) && (other & wall[i]) == wall[i]) return true;
    return false;
}

template <class Work>
static void run(int threads, uint32_t count, uint32_t chunk, Work work) {
    std::atomic<uint32_t> next{0};
    auto loop = [&](int thread) {
        for (;;) {
            uint64_t first = uint64_t(next.fetch_add(1)) * chunk;
            if (first >= count) return;
            work(thread, uint32_t(first), uint32_t(std::min<uint64_t>(count, first + chunk)));
        }
    };
    std::vector<std::thread> others;
    for (int t = 1; t < threads && count > chunk; t++) others.emplace_back(loop, t);
    loop(0);
    for (auto& other : others) other.join();
}

int main(int argc, char** argv) {
    int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    int count = 0;
    for (int set = 0; set < 1 << N; set++)
        if (__builtin_popcount(set) == 4) rank_of[set] = count, four[count++] = set;
    count = 0;
    for (int set = 0; set < 1 << 12; set++)
        if (__builtin_popcount(set) == 4) rest_rank[set] = count, rest_four[count++] = set;
    for (int i = 0; i < 4; i++) shape[0xf << 4 * i] = shape[0x1111 << i] = true;
    for (int s = 0; s < 11; s++)
        if (s % 4 < 3) shape[0x33 << s] = true;
    shape[1 | 1 << 3 | 1 << 12 | 1 << 15] = true;
    static const int ways[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1}, {0, 1}, {1, -1}, {1, 0}, {1, 1}};
    for (int s = 0; s < N; s++)
        for (int d = 0; d < 8; d++)
            for (int r = s / 4 + ways[d][0], c = s % 4 + ways[d][1]; r >= 0 && r < 4 && c >= 0 && c < 4; r += ways[d][0], c += ways[d][1])
                rays[s][d].push_back(r * 4 + c);
    const uint32_t SIZE = 1820 * 495;
    std::vector<std::atomic<uint8_t>> value(SIZE), open(SIZE);
    std::vector<std::vector<uint32_t>> level(threads), next(threads);
    run(threads, SIZE, 1 << 13, [&](int thread, uint32_t first, uint32_t end) {
        for (uint32_t at = first; at < end; at++) {
            unsigned own = four[at / 495], other = spread(rest_four[at % 495], 0xffff & ~own), all = own | other;
            if (won(other, own) || won(own, other)) {
                value[at] = won(other, own) ? 1 : 2;
                level[thread].push_back(at);
                continue;
            }
            int moves = 0;
            for (unsigned left = own; left; left &= left - 1)
                for (auto& ray : rays[__builtin_ctz(left)]) moves += !ray.empty() && !(all >> ray[0] & 1);
            open[at] = moves;
            if (moves == 0) value[at] = 1, level[thread].push_back(at);
        }
    });
    for (int remoteness = 0;; remoteness++) {
        std::vector<uint32_t> now;
        for (auto& part : level) now.insert(now.end(), part.begin(), part.end()), part.clear();
        if (now.empty()) break;
        run(threads, now.size(), 1 << 10, [&](int thread, uint32_t first, uint32_t end) {
            for (uint32_t index = first; index < end; index++) {
                uint32_t at = now[index];
                bool lost = value[at].load(std::memory_order_relaxed) & 1;
                unsigned mover = four[at / 495], moved = spread(rest_four[at % 495], 0xffff & ~mover), all = mover | moved;
                for (unsigned left = moved; left; left &= left - 1) {
                    int to = __builtin_ctz(left);
                    for (int d = 0; d < 8; d++) {
                        // The stone came along d and went no further.
                        if (!rays[to][d].empty() && !(all >> rays[to][d][0] & 1)) continue;
                        for (int from : rays[to][7 - d]) {
                            if (all >> from & 1) break;
                            uint32_t before = code((moved & ~(1u << to)) | 1u << from, mover);
                            if (value[before].load(std::memory_order_relaxed)) continue;
                            if (!lost && open[before].fetch_sub(1, std::memory_order_relaxed) != 1) continue;
                            uint8_t none = 0;
                            if (value[before].compare_exchange_strong(none, (lost ? 2 : 1) + 2 * (remoteness + 1), std::memory_order_relaxed))
                                next[thread].push_back(before);
                        }
                    }
                }
            }
        });
        std::swap(level, next);
    }
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - wall).count();
    double busy = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    unsigned black = 1 | 1 << 5 | 1 << 10 | 1 << 15, white = 1 << 3 | 1 << 6 | 1 << 9 | 1 << 12;
    int start = value[code(black, white)];
    std::printf("wall %.4f\ncpu %.4f\nstart %s\nremoteness %d\n", seconds, busy, start == 0 ? "draw" : start & 1 ? "lose" : "win",
                start ? (start - 1) / 2 : -1);
}
