// RAMs at the ports of a direct circuit.
#ifndef LOOM_BRAM_HPP
#define LOOM_BRAM_HPP

#include <deque>

#include "loom_devices.hpp"

namespace loom {

// A port of a RAM; region is the number of its array among the job's.
struct BRAMPort {
    const char* name;
    size_t region;
    uint64_t latency;
    Signal en, we, addr, din, dout;
};

// BRAM is the RAM behind a port: it reads and writes at the end of a cycle with en, reads what was
// there before, and gives it latency cycles later. What it gives in other cycles is noise.
class BRAM : public Device {
    Job& job_;
    BRAMPort port_;
    uint64_t number_;
    Findings& findings_;
    struct Read {
        uint64_t due, value;
    };
    std::deque<Read> reads_;
    bool writes_ = false;
    uint64_t index_ = 0, value_ = 0;

public:
    BRAM(Job& job, BRAMPort port, uint64_t number, Findings& findings) : job_(job), port_(port), number_(number), findings_(findings) {}
    void quiesce() override { port_.dout.set(0); }
    void drive(uint64_t c) override {
        uint64_t v = roll(1, 5000 + number_, c);
        if (!reads_.empty() && reads_.front().due == c) {
            v = reads_.front().value;
            reads_.pop_front();
        }
        port_.dout.set(v);
    }
    bool observe(uint64_t c) override {
        if (!port_.en) return false;
        Region& r = job_.regions[port_.region];
        index_ = port_.addr.get();
        if (index_ >= r.bytes.size() / r.element) {
            findings_.add(c, text("an access of %s is beyond the end of its array", port_.name));
        } else if (port_.we) {
            writes_ = true;
            value_ = port_.din.get();
        } else {
            uint64_t v = 0;
            for (uint64_t b = 0; b < r.element; ++b) v |= static_cast<uint64_t>(r.bytes[index_ * r.element + b]) << (8 * b);
            reads_.push_back({c + port_.latency, v});
        }
        return true;
    }
    void respond(uint64_t) override {
        if (!writes_) return;
        writes_ = false;
        Region& r = job_.regions[port_.region];
        for (uint64_t b = 0; b < r.element; ++b) r.bytes[index_ * r.element + b] = static_cast<uint8_t>(value_ >> (8 * b));
    }
    bool busy() const override { return !reads_.empty(); }
};

}  // namespace loom

#endif
