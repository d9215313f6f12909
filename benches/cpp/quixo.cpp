// Quixo on four by four cubes: every position, won, lost or drawn, with remoteness.
//
// Written as one would who has a week for this game alone: positions are seen by the player to move, so that 3^16 dense codes
// do for both players; moves are undone instead of stored; a byte counts the moves that are still open, a byte holds the value;
// levels are carried back by all threads. Half tables take codes apart. Called `quixo THREADS`.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

static const int SIDE = 4, N = 16, HALF = 6561;
static const uint32_t SIZE = 43046721;
static uint32_t power[N + 1];
static uint8_t digits[HALF][8];
static uint32_t flipped[HALF];
static uint8_t mine[HALF], theirs[HALF];
static bool line[1 << N];

struct Move {
    int from, to, step, far;
};
static std::vector<Move> moves;
static std::vector<int> border, ways;

static void prepare() {
    power[0] = 1;
    for (int i = 0; i < N; i++) power[i + 1] = power[i] * 3;
    for (int half = 0; half < HALF; half++) {
        int rest = half;
        for (int i = 0; i < 8; i++) {
            digits[half][i] = rest % 3;
            rest /= 3;
            int d = digits[half][i];
            flipped[half] += (d == 0 ? 0 : 3 - d) * power[i];
            mine[half] |= (d == 1) << i;
            theirs[half] |= (d == 2) << i;
        }
    }
    std::vector<int> masks;
    int down = 0, up = 0;
    for (int i = 0; i < SIDE; i++) {
        int row = 0, column = 0;
        for (int k = 0; k < SIDE; k++) row |= 1 << (i * SIDE + k), column |= 1 << (k * SIDE + i);
        masks.push_back(row), masks.push_back(column);
        down |= 1 << (i * SIDE + i), up |= 1 << (i * SIDE + SIDE - 1 - i);
    }
    masks.push_back(down), masks.push_back(up);
    for (int set = 0; set < 1 << N; set++)
        for (int mask : masks) line[set] |= (set & mask) == mask;
    for (int s = 0; s < N; s++) {
        int r = s / SIDE, c = s % SIDE;
        if (r != 0 && r != SIDE - 1 && c != 0 && c != SIDE - 1) continue;
        std::vector<int> ends = {r * SIDE, r * SIDE + SIDE - 1, c, N - SIDE + c};
        std::sort(ends.begin(), ends.end());
        ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
        int count = 0;
        for (int to : ends) {
            if (to == s) continue;
            int sign = to > s ? 1 : -1, step = to / SIDE == r ? sign : sign * SIDE;
            moves.push_back({s, to, step, (to - s) / step});
            count++;
        }
        border.push_back(s);
        ways.push_back(count);
    }
}

// Values: 0 open, 1 + 2·remoteness lost, 2 + 2·remoteness won.
static std::vector<std::atomic<uint8_t>> *value_of, *open_of;

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
    for (int t = 1; t < threads; t++) others.emplace_back(loop, t);
    loop(0);
    for (auto& other : others) other.join();
}

int main(int argc, char** argv) {
    int threads = argc > 1 ? std::atoi(argv[1]) : 2;
    auto wall = std::chrono::steady_clock::now();
    std::clock_t cpu = std::clock();
    prepare();
    std::vector<std::atomic<uint8_t>> value(SIZE), open(SIZE);
    value_of = &value, open_of = &open;
    std::vector<std::vector<uint32_t>> level(threads), next(threads);
    run(threads, SIZE, 1 << 16, [&](int thread, uint32_t first, uint32_t end) {
        for (uint32_t code = first; code < end; code++) {
            uint32_t low = code % HALF, high = code / HALF;
            int own = mine[low] | mine[high] << 8, other = theirs[low] | theirs[high] << 8;
            if (line[own] || line[other]) {
                value[code].store(line[own] ? 2 : 1, std::memory_order_relaxed);
                level[thread].push_back(code);
                continue;
            }
            int count = 0;
            for (size_t b = 0; b < border.size(); b++) count += (other >> border[b] & 1) ? 0 : ways[b];
            open[code].store(count, std::memory_order_relaxed);
            if (count == 0) {
                value[code].store(1, std::memory_order_relaxed);
                level[thread].push_back(code);
            }
        }
    });
    int remoteness = 0;
    for (;; remoteness++) {
        std::vector<uint32_t> all;
        for (auto& part : level) all.insert(all.end(), part.begin(), part.end()), part.clear();
        if (all.empty()) break;
        run(threads, all.size(), 1 << 12, [&](int thread, uint32_t first, uint32_t end) {
            for (uint32_t at = first; at < end; at++) {
                uint32_t code = all[at], low = code % HALF, high = code / HALF;
                bool lost = value[code].load(std::memory_order_relaxed) & 1;
                // Seen by the player who moved here.
                uint32_t seen = flipped[low] + flipped[high] * HALF;
                uint8_t d[N];
                for (int i = 0; i < 8; i++) d[i] = (3 - digits[low][i]) % 3, d[i + 8] = (3 - digits[high][i]) % 3;
                for (const Move& m : moves) {
                    if (d[m.to] != 1) continue;
                    uint32_t before = seen;
                    for (int k = 0; k < m.far; k++) {
                        int here = m.from + k * m.step, there = here + m.step;
                        before += d[here] * power[there] - d[there] * power[there];
                    }
                    before -= d[m.from] * power[m.from];
                    for (int taken = 0; taken < 2; taken++, before += power[m.from]) {
                        if (value[before].load(std::memory_order_relaxed)) continue;
                        if (lost) {
                            uint8_t none = 0;
                            if (value[before].compare_exchange_strong(none, 2 + 2 * (remoteness + 1), std::memory_order_relaxed))
                                next[thread].push_back(before);
                        } else if (open[before].fetch_sub(1, std::memory_order_relaxed) == 1) {
                            uint8_t none = 0;
                            if (value[before].compare_exchange_strong(none, 1 + 2 * (remoteness + 1), std::memory_order_relaxed))
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
    uint64_t won = 0, lost = 0;
    for (auto& v : value) won += v && !(v & 1), lost += v & 1;
    int start = value[0];
    std::printf("wall %.3f\ncpu %.3f\nstart %s\nremoteness %d\nwon %llu\nlost %llu\ndrawn %llu\nlevels %d\n", seconds, busy,
                start == 0 ? "draw" : start & 1 ? "lose" : "win", start ? (start - 1) / 2 : -1, (unsigned long long)won,
                (unsigned long long)lost, (unsigned long long)(SIZE - won - lost), remoteness);
}
