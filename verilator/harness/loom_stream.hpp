// AXI4-Streams at the ports of a direct circuit: one that gives the elements of an array, and one
// that takes them.
#ifndef LOOM_STREAM_HPP
#define LOOM_STREAM_HPP

#include "loom_devices.hpp"

namespace loom {

// The ports of a stream; region is the number of its array among the job's. bits are those of an
// element.
struct StreamPort {
    const char* name;
    size_t region;
    int bits;
    Signal tvalid, tready, tdata, tlast;
};

// StreamSource gives the elements of an array in order, with pauses. The bits above an element, and all
// of them while tvalid is low, mean nothing and are noise.
class StreamSource : public Device {
    Job& job_;
    StreamPort port_;
    uint64_t number_, next_ = 0;
    bool offered_ = false;

public:
    StreamSource(Job& job, StreamPort port, uint64_t number) : job_(job), port_(port), number_(number) {}
    void quiesce() override { port_.tvalid.set(0); }
    void drive(uint64_t c) override {
        const Region& r = job_.regions[port_.region];
        if (next_ < r.bytes.size() / r.element && !stalled(job_, 3000 + number_, c)) offered_ = true;
        uint64_t v = roll(1, 3000 + number_, c);
        if (offered_) {
            v &= ~mask(port_.bits);
            for (uint64_t b = 0; b < r.element; ++b) v |= (static_cast<uint64_t>(r.bytes[next_ * r.element + b]) << (8 * b)) & mask(port_.bits);
        }
        port_.tvalid.set(offered_);
        port_.tdata.set(v);
    }
    bool observe(uint64_t) override {
        if (!offered_ || !port_.tready) return false;
        ++next_;
        offered_ = false;
        return true;
    }
};

// StreamSink takes the elements of an array in order, with pauses, and watches the rules of the
// protocol: a beat that is offered stays, and the last one of the run has tlast.
class StreamSink : public Device {
    Job& job_;
    StreamPort port_;
    uint64_t number_, next_ = 0, data_ = 0;
    Findings& findings_;
    bool waits_ = false, last_ = false, closed_ = true;

public:
    StreamSink(Job& job, StreamPort port, uint64_t number, Findings& findings) : job_(job), port_(port), number_(number), findings_(findings) {}
    void quiesce() override { port_.tready.set(0); }
    void drive(uint64_t c) override { port_.tready.set(!stalled(job_, 3000 + number_, c)); }
    bool observe(uint64_t c) override {
        bool valid = static_cast<bool>(port_.tvalid), last = static_cast<bool>(port_.tlast);
        uint64_t v = port_.tdata.get();
        if (waits_ && (!valid || v != data_ || last != last_)) findings_.add(c, text("the stream of %s withdraws or changes a beat that was not taken", port_.name));
        waits_ = valid && !port_.tready;
        data_ = v;
        last_ = last;
        if (!valid || waits_) return false;
        Region& r = job_.regions[port_.region];
        if (next_ > 0 && closed_) findings_.add(c, text("the stream of %s has a beat behind the one with tlast", port_.name));
        if (next_ >= r.bytes.size() / r.element) {
            findings_.add(c, text("the stream of %s has more beats than the array has elements", port_.name));
            return true;
        }
        for (uint64_t b = 0; b < r.element; ++b) r.bytes[next_ * r.element + b] = static_cast<uint8_t>((v & mask(port_.bits)) >> (8 * b));
        if (v & ~mask(port_.bits)) findings_.add(c, text("the stream of %s has bits above its element", port_.name));
        ++next_;
        closed_ = last;
        return true;
    }
    void finish(uint64_t c) override {
        if (!closed_) findings_.add(c, text("the stream of %s ends without tlast", port_.name));
    }
};

}  // namespace loom

#endif
