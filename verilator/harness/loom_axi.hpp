// The memory behind the AXI4 masters of a fabric: sim/README.md, "Memory requests"
// and "Memory responses".
#ifndef LOOM_AXI_HPP
#define LOOM_AXI_HPP

#include <algorithm>
#include <deque>

#include "loom_job.hpp"

namespace loom {

// Memory is what lies behind the masters, in one address space.
class Memory {
public:
    virtual ~Memory() = default;
    // find returns n bytes at an address, to be read or written, null where there are none.
    virtual uint8_t* find(uint64_t addr, uint64_t n, bool write) = 0;
};

// RegionMemory holds the memref arguments and constant tables.
class RegionMemory : public Memory {
    std::vector<Region>& regions_;

public:
    explicit RegionMemory(std::vector<Region>& regions) : regions_(regions) {}
    uint8_t* find(uint64_t addr, uint64_t n, bool write) override {
        for (auto& r : regions_)
            if (r.contains(addr, n)) return write && r.constant ? nullptr : &r.bytes[addr - r.base];
        return nullptr;
    }
};

// A beat of a write: the words of WDATA and WSTRB.
struct Beat {
    std::vector<uint64_t> data, strobe;
};

// A beat of reads, or a burst of writes, that the bus has taken.
struct Transaction {
    uint64_t due, n, id, addr;
    std::vector<Beat> beats;  // of writes
    int bytes;                // of an element
    bool last = true;         // the last beat of a burst of reads
};

// Flight holds the transactions of one direction in the order of their responses.
class Flight {
    std::deque<Transaction> list_;
    uint64_t accepted_ = 0;
    size_t under_way_ = 0;

public:
    // accept takes a burst of elements: reads are one entry each.
    void accept(const Job& job, uint64_t stream, uint64_t c, bool write, Transaction x, uint64_t elements) {
        x.n = accepted_++;
        uint64_t bytes = static_cast<uint64_t>(x.bytes);
        auto due = loom::due(job, stream, x.n, c, write, x.addr, bytes * elements);
        if (write) {
            x.due = due(x.addr + bytes * (elements - 1));
            insert(std::move(x));
            return;
        }
        ++under_way_;
        for (uint64_t k = 0; k < elements; ++k) {
            Transaction e = x;
            e.addr = x.addr + bytes * k;
            e.last = k + 1 == elements;
            e.due = due(e.addr);
            insert(std::move(e));
        }
    }
    void insert(Transaction x) {
        for (const auto& y : list_)
            if (y.id == x.id) x.due = std::max(x.due, y.due + 1);
        auto at = std::upper_bound(list_.begin(), list_.end(), x.due, [](uint64_t due, const Transaction& y) { return due < y.due; });
        list_.insert(at, std::move(x));
    }
    // begin counts a write whose address has been taken.
    void begin() { ++under_way_; }
    // due returns the transaction whose response comes in cycle c, null for none.
    const Transaction* due(uint64_t c) const { return list_.empty() || list_.front().due > c ? nullptr : &list_.front(); }
    void pop() {
        if (list_.front().last) --under_way_;
        list_.pop_front();
    }
    bool empty() const { return list_.empty(); }
    size_t under_way() const { return under_way_; }
};

// AxiSlave serves one master.
class AxiSlave {
    AxiPort port_;
    uint64_t m_;  // number of the external memory
    Flight reads_, writes_;
    std::deque<std::pair<Transaction, uint64_t>> aws_;  // with their elements, that wait for data
    std::deque<Beat> ws_;                               // that wait for their address, or the rest of their burst
    std::deque<uint64_t> ends_;                         // the beats of each complete burst of data
    uint64_t beats_ = 0;                                // those of the one that is not

    std::string refused_;

    static constexpr uint64_t kDecodeError = 3;

    // bytes is the size of an element of which AR or AW tells.
    int bytes(const Signal& size) const { return port_.element ? port_.element : 1 << size.get(); }

    void refuse(const char* access, uint64_t addr, uint64_t c) {
        if (refused_.empty())
            refused_ = text("cycle %" PRIu64 ": the %s of address 0x%" PRIx64 " by memory %s is refused: the program has no such memory", c, access, addr, port_.name);
    }

    template <class Each>
    void transfers(Each each) const {
        if (port_.arvalid && port_.arready) each(0);
        if (port_.awvalid && port_.awready) each(1);
        if (port_.wvalid && port_.wready) each(2);
    }

public:
    AxiSlave(AxiPort port, uint64_t m) : port_(port), m_(m) {}

    const AxiPort& port() const { return port_; }
    // refused reports the first access that got an error response, "" for none.
    const std::string& refused() const { return refused_; }
    bool busy() const { return !reads_.empty() || !writes_.empty() || !aws_.empty() || !ws_.empty(); }

    void quiesce() const {
        for (const Signal* s : {&port_.arready, &port_.rvalid, &port_.awready, &port_.wready, &port_.bvalid}) s->set(0);
    }

    template <class Stalled>
    void drive_ready(const Job& job, Stalled stalled) const {
        port_.arready.set(!stalled(3000 + 2 * m_) && (!job.dram || job.dram->room(reads_.under_way())));
        port_.awready.set(!stalled(3001 + 2 * m_) && (!job.dram || job.dram->room(writes_.under_way())));
        port_.wready.set(!stalled(5000 + m_));
    }

    // drive_read gives the R of cycle c. The other bytes of the bus are
    // noise.
    void drive_read(uint64_t c, Memory& memory) {
        const Transaction* x = reads_.due(c);
        port_.rvalid.set(x != nullptr);
        port_.rlast.set(!x || x->last);
        if (!x) return;
        std::vector<uint64_t> data(static_cast<size_t>(port_.rdata.words()));
        for (size_t k = 0; k < data.size(); ++k) data[k] = roll(m_, x->n, k);
        const uint8_t* p = memory.find(x->addr, static_cast<uint64_t>(x->bytes), false);
        if (!p) refuse("read", x->addr, c);
        for (int b = 0; p && b < x->bytes; ++b) {
            uint64_t at = x->addr % static_cast<uint64_t>(port_.bus) + static_cast<uint64_t>(b), shift = 8 * (at % 8);
            data[at / 8] = (data[at / 8] & ~(0xffull << shift)) | static_cast<uint64_t>(p[b]) << shift;
        }
        for (size_t k = 0; k < data.size(); ++k) port_.rdata.set(data[k], static_cast<int>(k));
        port_.rid.set(x->id);
        port_.rresp.set(p ? 0 : kDecodeError);
        port_.r_number.set(x->n);
        reads_.pop();
    }

    // contains reports whether a burst of writes is inside of the memory.
    static bool contains(const Transaction& x, Memory& memory) {
        return memory.find(x.addr, static_cast<uint64_t>(x.bytes) * x.beats.size(), true) != nullptr;
    }

    // drive_write gives the B of cycle c.
    void drive_write(uint64_t c, Memory& memory) {
        const Transaction* x = writes_.due(c);
        port_.bvalid.set(x != nullptr);
        if (!x) return;
        port_.bid.set(x->id);
        bool inside = contains(*x, memory);
        port_.bresp.set(inside ? 0 : kDecodeError);
        if (!inside) refuse("write", x->addr, c);
        port_.b_number.set(x->n);
    }

    // write does what the B of this cycle has promised, at its clock edge.
    void write(uint64_t c, Memory& memory) {
        const Transaction* x = writes_.due(c);
        if (!x) return;
        bool inside = contains(*x, memory);
        uint64_t addr = x->addr;
        for (const Beat& beat : x->beats) {
            uint64_t from = addr - addr % static_cast<uint64_t>(port_.bus);
            for (uint64_t b = 0; inside && b < static_cast<uint64_t>(port_.bus); ++b)
                if (beat.strobe[b / 64] >> (b % 64) & 1)
                    if (uint8_t* p = memory.find(from + b, 1, true)) *p = static_cast<uint8_t>(beat.data[b / 8] >> (8 * (b % 8)));
            addr += static_cast<uint64_t>(x->bytes);
        }
        writes_.pop();
    }

    // observe takes what is transferred in cycle c, true if anything is.
    bool observe(const Job& job, uint64_t c, Memory& memory) {
        bool moved = port_.rvalid || port_.bvalid;
        write(c, memory);
        transfers([&](int channel) {
            moved = true;
            if (channel == 0)
                reads_.accept(job, 4000 + 2 * m_, c, false, {0, 0, port_.arid.get(), port_.araddr.get(), {}, bytes(port_.arsize)}, port_.arlen.get() + 1);
            if (channel == 1) {
                aws_.push_back({{0, 0, port_.awid.get(), port_.awaddr.get(), {}, bytes(port_.awsize)}, port_.awlen.get() + 1});
                writes_.begin();
            }
            if (channel == 2) {
                Beat w;
                for (int k = 0; k < port_.wdata.words(); ++k) w.data.push_back(port_.wdata.get(k));
                for (int k = 0; k < port_.wstrb.words(); ++k) w.strobe.push_back(port_.wstrb.get(k));
                ws_.push_back(std::move(w));
                ++beats_;
                if (!port_.wlast.at || port_.wlast) {
                    ends_.push_back(beats_);
                    beats_ = 0;
                }
            }
        });
        while (!aws_.empty() && !ends_.empty()) {
            Transaction x = std::move(aws_.front().first);
            x.beats.assign(ws_.begin(), ws_.begin() + static_cast<std::ptrdiff_t>(ends_.front()));
            ws_.erase(ws_.begin(), ws_.begin() + static_cast<std::ptrdiff_t>(ends_.front()));
            ends_.pop_front();
            writes_.accept(job, 4001 + 2 * m_, c, true, std::move(x), aws_.front().second);
            aws_.pop_front();
        }
        return moved;
    }

    // hash folds the transfers of this cycle into h, as lockstep.go does.
    uint64_t hash(uint64_t h) const {
        transfers([&](int channel) {
            h = mix(h, 0x100 + 4 * m_ + static_cast<uint64_t>(channel));
            if (channel == 0) h = mix(mix(mix(h, port_.araddr.get()), port_.arid.get()), port_.arlen.get());
            if (channel == 1) h = mix(mix(mix(h, port_.awaddr.get()), port_.awid.get()), port_.awlen.get());
            if (channel != 2) return;
            h = mix(mix(mix(h, port_.wstrb.get(0)), port_.wstrb.get(1)), !port_.wlast.at || port_.wlast);
            for (int k = 0; k < port_.wdata.words(); ++k) h = mix(h, port_.wdata.get(k));
        });
        return h;
    }

    // dump prints the transfers of this cycle as JSON objects, comma-separated.
    std::string dump() const {
        std::string out;
        transfers([&](int channel) {
            const Signal &addr = channel ? port_.awaddr : port_.araddr, &id = channel ? port_.awid : port_.arid, &len = channel ? port_.awlen : port_.arlen;
            out += text("%s{\"memory\":%" PRIu64 ",\"channel\":%d", out.empty() ? "" : ",", m_, channel);
            if (channel < 2) {
                out += text(",\"addr\":%" PRIu64 ",\"id\":%" PRIu64 ",\"len\":%" PRIu64 "}", addr.get(), id.get(), len.get());
                return;
            }
            out += text(",\"strobe\":[%" PRIu64 ",%" PRIu64 "],\"last\":%s,\"data\":[", port_.wstrb.get(0), port_.wstrb.get(1),
                        !port_.wlast.at || port_.wlast ? "true" : "false");
            for (int k = 0; k < port_.wdata.words(); ++k) out += text("%s%" PRIu64, k ? "," : "", port_.wdata.get(k));
            out += "]}";
        });
        return out;
    }
};

}  // namespace loom

#endif
