// Four heaps, take 1 to 3, searched from the start with a hash map: the way of one who has no index.
//
// unordered: std::unordered_map from the packed position to its value, memoised recursion, every option looked up.
// open:      a good open-addressing table instead: power of two, 16-byte entries, multiplicative hash, linear probing,
//            doubled at 7/10 full.
// Remoteness is kept (a 16-bit value), so that no option may be skipped and every reachable position is met.
// Recursion is at most as deep as there are stones. `bytes` is what the tables hold at the end.
#include <algorithm>
#include <unordered_map>

#include "common.hpp"

const int MOST = 3;

struct Input {
    int heap[4];
};

struct Unordered {
    std::unordered_map<uint64_t, uint16_t> map;

    const uint16_t* find(uint64_t key) const {
        auto found = map.find(key);
        return found == map.end() ? nullptr : &found->second;
    }
    void insert(uint64_t key, uint16_t value) { map.emplace(key, value); }
    size_t size() const { return map.size(); }
    // A node is a pointer, the pair and, for malloc, eight bytes and rounding to 16: 32. A bucket is a pointer.
    size_t bytes() const { return map.size() * 32 + map.bucket_count() * sizeof(void*); }
    template <class F>
    void each(F f) const {
        for (auto& entry : map) f(entry.second);
    }
};

struct Open {
    struct Entry {
        uint64_t key;
        uint16_t value;
    };
    static constexpr uint64_t NONE = ~0ull;
    std::vector<Entry> entries = std::vector<Entry>(1024, Entry{NONE, 0});
    size_t count = 0, mask = 1023;
    int shift = 64 - 10;

    size_t slot(uint64_t key) const {
        size_t at = (key * 0x9e3779b97f4a7c15ull) >> shift;
        while (entries[at].key != key && entries[at].key != NONE) at = (at + 1) & mask;
        return at;
    }
    const uint16_t* find(uint64_t key) const {
        const Entry& entry = entries[slot(key)];
        return entry.key == key ? &entry.value : nullptr;
    }
    void insert(uint64_t key, uint16_t value) {
        if (++count * 10 > entries.size() * 7) {
            std::vector<Entry> old(entries.size() * 2, Entry{NONE, 0});
            old.swap(entries);
            mask = entries.size() - 1;
            shift--;
            for (const Entry& entry : old)
                if (entry.key != NONE) entries[slot(entry.key)] = entry;
        }
        entries[slot(key)] = Entry{key, value};
    }
    size_t size() const { return count; }
    size_t bytes() const { return entries.size() * sizeof(Entry); }
    template <class F>
    void each(F f) const {
        for (auto& entry : entries)
            if (entry.key != NONE) f(entry.value);
    }
};

template <class Map>
struct Search {
    Map map;
    int start = 0;

    int remoteness(uint64_t key) {
        if (const uint16_t* known = map.find(key)) return *known;
        int lost = INT32_MAX, won = -1;
        for (int shift = 0; shift < 64; shift += 16) {
            int stones = key >> shift & 0xffff;
            for (int take = 1; take <= std::min(stones, MOST); take++) {
                int option = remoteness(key - (static_cast<uint64_t>(take) << shift));
                if (option & 1) won = std::max(won, option);
                else lost = std::min(lost, option);
            }
        }
        int result = lost != INT32_MAX ? lost + 1 : won + 1;
        map.insert(key, result);
        return result;
    }
};

template <class Map>
__attribute__((noinline)) Search<Map> solve(const Input& in) {
    Search<Map> search{{}, 0};
    uint64_t key = 0;
    for (int i = 0; i < 4; i++) key |= static_cast<uint64_t>(in.heap[i]) << (16 * i);
    search.start = search.remoteness(key);
    return search;
}

int main(int count, char** values) {
    Arguments arguments(count, values);
    Numbers numbers(arguments.file);
    Input in;
    for (int& each : in.heap) each = numbers.next();
    auto report = [&](const auto& search) {
        long won = 0;
        search.map.each([&](uint16_t value) { won += value & 1; });
        print("winner", search.start & 1 ? "first" : "second");
        print("remoteness", search.start);
        print("positions", search.map.size());
        print("won", won);
        print("lost", search.map.size() - won);
        print("bytes", search.map.bytes());
    };
    if (arguments.is("unordered")) measure(arguments, [&] { return solve<Unordered>(in); }, report);
    else if (arguments.is("open")) measure(arguments, [&] { return solve<Open>(in); }, report);
    else arguments.unknown();
}
