// What the yardsticks share: reading an instance of plain numbers, timing the solve, printing what came out.
//
// Every program is called `program VARIANT REPEATS FILE` and prints lines `name value`:
//   ns         the best processor time of one solve, tables allocated within it, input not read within it
//   winner     first, second or draw; `value` for a score
//   remoteness moves to the end, if the variant finds it
//   positions, won, lost, drawn   counts over the whole table, for the mover, made after the clock stopped
// REPEATS 0 reads the instance and stops: instruction counts subtract it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

// All whole numbers of a file, in order.
struct Numbers {
    std::vector<char> text;
    const char* at = nullptr;

    explicit Numbers(const char* path) {
        FILE* file = std::fopen(path, "rb");
        if (!file) {
            std::fprintf(stderr, "cannot read %s\n", path);
            std::exit(2);
        }
        std::fseek(file, 0, SEEK_END);
        text.resize(std::ftell(file) + 1);
        std::rewind(file);
        size_t got = std::fread(text.data(), 1, text.size() - 1, file);
        text[got] = 0;
        std::fclose(file);
        at = text.data();
    }

    long next() {
        while (*at && *at != '-' && (*at < '0' || *at > '9')) at++;
        if (!*at) {
            std::fprintf(stderr, "the instance ends too early\n");
            std::exit(2);
        }
        bool negative = *at == '-';
        if (negative) at++;
        long value = 0;
        while (*at >= '0' && *at <= '9') value = value * 10 + (*at++ - '0');
        return negative ? -value : value;
    }

    std::vector<int> list() {
        std::vector<int> values(next());
        for (int& value : values) value = next();
        return values;
    }
};

// A table that is zero from the start, like a contestant's global array: no pass to clear it, and memory that is never
// used costs nothing.
template <class T>
struct Zeroed {
    T* data;
    size_t count;

    explicit Zeroed(size_t count) : data(static_cast<T*>(std::calloc(count, sizeof(T)))), count(count) {
        if (!data && count > 0) {
            std::fprintf(stderr, "out of memory\n");
            std::exit(2);
        }
    }
    Zeroed(Zeroed&& other) noexcept : data(other.data), count(other.count) { other.data = nullptr; }
    Zeroed(const Zeroed&) = delete;
    ~Zeroed() { std::free(data); }
    T& operator[](size_t at) { return data[at]; }
    const T& operator[](size_t at) const { return data[at]; }
    size_t size() const { return count; }
};

struct Arguments {
    std::string variant;
    int repeats;
    const char* file;

    Arguments(int count, char** values) {
        if (count != 4) {
            std::fprintf(stderr, "usage: %s VARIANT REPEATS FILE\n", values[0]);
            std::exit(2);
        }
        variant = values[1];
        repeats = std::atoi(values[2]);
        file = values[3];
    }

    bool is(const char* name) const { return variant == name; }

    [[noreturn]] void unknown() const {
        std::fprintf(stderr, "unknown variant %s\n", variant.c_str());
        std::exit(2);
    }
};

inline void print(const char* name, long value) { std::printf("%s %ld\n", name, value); }
inline void print(const char* name, const char* value) { std::printf("%s %s\n", name, value); }

// Time that a core worked for this program: on a machine that others use too, the clock on the wall says little.
inline int64_t now() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000ll + time.tv_nsec;
}

// Runs `solve` so often, prints the best time, hands the last result to `report`.
template <class Solve, class Report>
void measure(const Arguments& arguments, Solve solve, Report report) {
    int64_t best = INT64_MAX;
    for (int run = 0; run < arguments.repeats; run++) {
        int64_t start = now();
        auto result = solve();
        best = std::min(best, now() - start);
        if (run + 1 == arguments.repeats) report(result);
    }
    if (arguments.repeats > 0) print("ns", best);
}

// Counts of a table of won (1) and lost (0), and who wins from position `start`.
template <class Table>
void report_wins(const Table& win, size_t start) {
    long won = 0;
    for (size_t i = 0; i < win.size(); i++) won += win[i] != 0;
    print("winner", win[start] ? "first" : "second");
    print("positions", win.size());
    print("won", won);
    print("lost", win.size() - won);
}

// The same from remoteness: odd is won, even is lost, since the last mover wins and players alternate.
template <class Table>
void report_remoteness(const Table& remoteness, size_t start) {
    long won = 0;
    for (size_t i = 0; i < remoteness.size(); i++) won += remoteness[i] & 1;
    print("winner", remoteness[start] & 1 ? "first" : "second");
    print("remoteness", remoteness[start]);
    print("positions", remoteness.size());
    print("won", won);
    print("lost", remoteness.size() - won);
}
