// Signals of the model as the harness reaches them, and what everything shares.
#ifndef LOOM_SIGNAL_HPP
#define LOOM_SIGNAL_HPP

#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "verilated.h"

namespace loom {

// Random number of the environment: sim/README.md, "The environment of a run".
inline uint64_t roll(uint64_t seed, uint64_t stream, uint64_t n) {
    uint64_t z = seed + 0x9E3779B97F4A7C15ull * (stream * 0x100000001ull + n + 1);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

inline uint64_t mix(uint64_t h, uint64_t v) {
    h = (h ^ v) * 0x9FB21C651E98DF25ull;
    return h ^ (h >> 32);
}

inline uint64_t mask(int width) { return width >= 64 ? ~0ull : (1ull << width) - 1; }

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "harness: %s\n", what.c_str());
    std::exit(2);
}

inline std::string text(const char* format, ...) {
    char buf[512];
    va_list args;
    va_start(args, format);
    std::vsnprintf(buf, sizeof buf, format, args);
    va_end(args);
    return buf;
}

// word reads up to 64 bits from bit `from` of a signal of `width` bits: Verilator
// keeps it in the smallest of 8, 16, 32, 64 bits, or in words of 32.
inline uint64_t word(const void* at, int width, int from = 0) {
    if (width <= 8) return *static_cast<const CData*>(at) >> from;
    if (width <= 16) return *static_cast<const SData*>(at) >> from;
    if (width <= 32) return *static_cast<const IData*>(at) >> from;
    if (width <= 64) return *static_cast<const QData*>(at) >> from;
    const auto* p = static_cast<const EData*>(at);
    const int last = (width - 1) / 32, k = from / 32, shift = from % 32;
    uint64_t v = p[k];
    if (k < last) v |= static_cast<uint64_t>(p[k + 1]) << 32;
    v >>= shift;
    if (shift && k + 2 <= last) v |= static_cast<uint64_t>(p[k + 2]) << (64 - shift);
    return v;
}

// A port of the model; one that it does not have reads as 0, as words beyond the
// width do.
struct Signal {
    void* at = nullptr;
    int width = 0;

    // words is the number of 64-bit words of the value.
    int words() const { return (width + 63) / 64; }
    uint64_t get(int k = 0) const { return at && 64 * k < width ? word(at, width, 64 * k) : 0; }
    explicit operator bool() const { return get() != 0; }
    void set(uint64_t v, int k = 0) const {
        if (!at) return;
        if (width <= 8) *static_cast<CData*>(at) = static_cast<CData>(v & mask(width));
        else if (width <= 16) *static_cast<SData*>(at) = static_cast<SData>(v & mask(width));
        else if (width <= 32) *static_cast<IData*>(at) = static_cast<IData>(v & mask(width));
        else if (width <= 64) *static_cast<QData*>(at) = v & mask(width);
        else {
            auto* p = static_cast<EData*>(at);
            p[2 * k] = static_cast<EData>(v);
            if (64 * k + 32 < width) p[2 * k + 1] = static_cast<EData>(v >> 32);
        }
    }
};

// A boundary channel.
struct Stream {
    const char* name;
    Signal valid, ready, data;
};

// A channel inside the core: a payload of up to 64 bits and the tag above it.
struct Channel {
    const char* name;
    const CData* valid;
    const CData* ready;
    const void* data;
    int payload_bits, tag_bits;

    uint64_t payload() const { return payload_bits ? word(data, payload_bits + tag_bits) & mask(payload_bits) : 0; }
    uint64_t tag() const { return tag_bits ? word(data, payload_bits + tag_bits, payload_bits) & mask(tag_bits) : 0; }
};

// An AXI4 master, and what its checker reports. Sizes are in bytes.
struct AxiPort {
    const char* name;
    int element, bus;
    Signal broken;
    Signal arvalid, arready, arid, araddr, rvalid, rid, rdata, rresp, r_number;
    Signal awvalid, awready, awid, awaddr, wvalid, wready, wdata, wstrb, bvalid, bid, bresp, b_number;
    // Of a master whose elements have different sizes (element is 0): they name the size.
    Signal arsize, awsize;
    // Of a master with bursts: without them every transaction is one beat.
    Signal arlen, rlast, awlen, wlast;
};

// The host port of an on-chip memory.
struct HostPort {
    const char* name;
    uint64_t elements;
    Signal en, we, addr, wdata, rdata;
};

}  // namespace loom

#endif
