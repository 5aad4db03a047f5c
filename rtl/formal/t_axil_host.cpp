// A random AXI4-Lite master for loom_axil_host: requests of all kinds in flight at once,
// pauses on all five channels, responses and values compared with a model of the register
// map (docs/registers.md). Prints the number of accesses and of errors.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>

#include "Vt_axil_host.h"
#include "verilated.h"

struct Write { uint32_t addr, data, strb; };
struct Read { uint32_t addr, data, resp; bool known; };

static std::mt19937 generator;
static uint32_t pick(uint32_t n) { return uint32_t(generator() % n); }

// The model: what writes leave, in the order in which they were sent.
static uint32_t irq_enable, enables[8], mem_select, mem_addr, mem_hi;
static uint64_t cells[2][5];
static const uint32_t elements[2] = {5, 3};

static uint32_t count() { return mem_select < 2 ? elements[mem_select] : 0; }
static uint32_t merge(uint32_t old, const Write& w) {
    uint32_t mask = 0;
    for (int b = 0; b < 4; b++) mask |= (w.strb >> b & 1) ? 0xFFu << 8 * b : 0;
    return (old & ~mask) | (w.data & mask);
}
static uint32_t write(const Write& w) {  // the response
    const uint32_t a = w.addr & ~3u, error = 2;
    const bool part = w.strb != 0 && w.strb != 15;
    if (a == 0x10 || a == 0x34) return 0;
    if (a == 0x1C || a == 0x20) return part ? error : 0;
    if (a == 0x30) return irq_enable = merge(irq_enable, w) & 3, 0;
    if (a >= 0x40 && a < 0x60) {
        static const uint32_t wide[8] = {~0u, 0xFF, 0, 0, ~0u, 1, 0, 0};
        const uint32_t k = (a - 0x40) / 4;
        return enables[k] = merge(enables[k], w) & wide[k], 0;
    }
    if (a == 0x74) return mem_select = merge(mem_select, w), 0;
    if (a == 0x7C) return mem_addr = merge(mem_addr, w), 0;
    if (a == 0x84) return mem_hi = merge(mem_hi, w), 0;
    if (a == 0x80) {
        if (part || mem_addr >= count()) return error;
        if (w.strb) cells[mem_select][mem_addr++] = uint64_t(mem_hi) << 32 | w.data;
        return 0;
    }
    return (a >= 0x400 && a < 0x400 + 8 * 40) || (a >= 0xC00 && a < 0xC00 + 8 * 2) || (a >= 0x208 && a < 0x210) ? 0 : error;
}
static Read read(uint32_t addr) {
    const uint32_t a = addr & ~3u;
    auto is = [&](uint32_t v) { return Read{addr, v, 0, true}; };
    switch (a) {
    case 0x00: return is(0x4D4F4F4C);
    case 0x04: return is(3);
    case 0x08: return is(0x89ABCDEF);
    case 0x0C: return is(0x01234567);
    case 0x14: return is(0x11);
    case 0x18: case 0x24: case 0x34: case 0x60: case 0x64: case 0x68: case 0x6C: return is(0);
    case 0x28: return Read{addr, 0, 0, false};
    case 0x2C: return is(33 << 16 | 40);
    case 0x30: return is(irq_enable);
    case 0x38: return is(2);
    case 0x70: return is(2);
    case 0x74: return is(mem_select);
    case 0x78: return is(count());
    case 0x7C: return is(mem_addr);
    case 0x84: return is(mem_hi);
    case 0x80:
        if (mem_addr >= count()) return Read{addr, 0, 2, true};
        mem_hi = uint32_t(cells[mem_select][mem_addr] >> 32);
        return is(uint32_t(cells[mem_select][mem_addr++]));
    }
    if (a >= 0x40 && a < 0x60) return is(enables[(a - 0x40) / 4]);
    if (a >= 0x800 && a < 0x800 + 8 * 33) return Read{addr, 0, 0, false};
    return Read{addr, 0, 2, true};
}
static uint32_t address() {
    switch (pick(8)) {
    case 0: return pick(2) ? pick(4096) : 0x1F8 + pick(0x20);
    case 1: return 0x400 * (1 + pick(3)) + pick(0x180);
    case 2: return 0x40 + pick(0x30);
    case 3: return 0x74 + pick(0x14);
    case 4: return 0x80;
    default: return pick(0x90);
    }
}

int main(int argc, char** argv) {
    Vt_axil_host top;
    generator.seed(argc > 1 ? uint32_t(atoi(argv[1])) : 1);
    std::deque<Write> aw, w;
    std::deque<Read> ar, r;
    std::deque<uint32_t> b;
    int errors = 0, accesses = 0, waited = 0;
    auto tell = [&](const char* what, uint32_t got, uint32_t want) {
        if (errors++ < 10) printf("%s: %x, not %x\n", what, got, want);
    };
    top.rst = 1;
    for (int cycle = 0; cycle < 60000 && errors < 100; cycle++) {
        top.clk = 0;
        top.eval();
        // A burst of writes or one of reads begins when everything before it is done; now
        // and then identity registers are read while writes are under way.
        const bool quiet = b.empty() && r.empty();
        if (cycle > 4 && quiet) {
            waited = 0;
            const uint32_t n = 1 + pick(6);
            if (pick(2)) {
                for (uint32_t k = 0; k < n; k++) {
                    Write x{address(), uint32_t(generator()), pick(3) ? 15 : pick(16)};
                    if (((x.addr & ~3u) == 0x74 || (x.addr & ~3u) == 0x7C) && pick(4)) x.data = pick(x.addr & 8 ? 6 : 3);
                    if ((x.addr & ~3u) == 0x10) x.data &= ~2u;  // no run
                    aw.push_back(x);
                    w.push_back(x);
                    b.push_back(write(x));
                }
            }
            const bool alone = b.empty();
            for (uint32_t k = 0; k < n; k++) {
                const Read x = read(alone ? address() : 4 * pick(4));
                ar.push_back(x);
                r.push_back(x);
            }
            accesses += 2 * int(n);
        }
        if (++waited > 2000) tell("no response", 0, 1), waited = 0, b.clear(), r.clear();
        const uint32_t pace = cycle / 2000 % 4 + 1;  // from no pauses to many
        auto go = [&](auto& valid, const auto& queue) { valid = valid || (!queue.empty() && pick(pace) == 0); };
        go(top.awvalid, aw);
        go(top.wvalid, w);
        go(top.arvalid, ar);
        if (!aw.empty()) top.awaddr = aw.front().addr;
        if (!w.empty()) top.wdata = w.front().data, top.wstrb = w.front().strb;
        if (!ar.empty()) top.araddr = ar.front().addr;
        top.bready = pick(pace) == 0;
        top.rready = pick(pace) == 0;
        top.rst = cycle < 4;
        top.eval();
        const bool awx = top.awvalid && top.awready, wx = top.wvalid && top.wready, arx = top.arvalid && top.arready;
        if (!top.rst && top.bvalid && top.bready) {
            if (b.empty()) tell("B without a write", top.bresp, 0);
            else if (top.bresp != b.front()) tell("bresp", top.bresp, b.front());
            if (!b.empty()) b.pop_front();
        }
        if (!top.rst && top.rvalid && top.rready) {
            if (r.empty()) tell("R without a read", top.rresp, 0);
            else if (top.rresp != r.front().resp) tell("rresp", top.rresp, r.front().resp);
            else if (r.front().known && top.rdata != r.front().data) tell("rdata", top.rdata, r.front().data);
            if (!r.empty()) r.pop_front();
        }
        if (top.broken) tell("rule", top.broken, 0);
        top.clk = 1;
        top.eval();
        if (awx) aw.pop_front(), top.awvalid = 0;
        if (wx) w.pop_front(), top.wvalid = 0;
        if (arx) ar.pop_front(), top.arvalid = 0;
    }
    printf("accesses %d, errors %d\n", accesses, errors);
    return 0;
}
