// What the co-simulation puts at the ports of a wrapped direct circuit: a Device for each channel,
// array or bus. Here are those of channels and of memory ports; other styles of ports have a header of
// their own.
#ifndef LOOM_DEVICES_HPP
#define LOOM_DEVICES_HPP

#include <deque>

#include "loom_access.hpp"

namespace loom {

// Findings collects what is wrong, as a list of JSON strings.
class Findings {
    std::string json_;

public:
    void add(uint64_t c, const std::string& what) {
        if (json_.size() < 2000) json_ += (json_.empty() ? "\"" : ",\"") + text("cycle %" PRIu64 ": ", c) + what + "\"";
    }
    const std::string& json() const { return json_; }
};

// Device is what is at some ports of the wrapper.
class Device {
public:
    virtual ~Device() = default;
    // quiesce drives the ports under reset.
    virtual void quiesce() = 0;
    // drive gives what the ports get in cycle c; it looks at no output of the wrapper.
    virtual void drive(uint64_t c) = 0;
    // observe takes what is transferred in cycle c, which has settled; true if anything is.
    virtual bool observe(uint64_t c) = 0;
    // respond does what happens between two cycles; c is the one that begins.
    virtual void respond(uint64_t) {}
    // finish is called behind the last cycle of a run that has ended well.
    virtual void finish(uint64_t) {}
    // busy reports whether something is on its way that will come by itself.
    virtual bool busy() const { return false; }
};

// stalled reports whether a stream holds back in cycle c.
inline bool stalled(const Job& job, uint64_t stream, uint64_t c) { return job.stall && roll(job.stall_seed, stream, c) % 100 < job.stall; }

// ChannelInput offers the tokens of an input.
class ChannelInput : public Device {
    const Job& job_;
    Stream port_;
    uint64_t number_;
    std::deque<uint64_t> tokens_;
    bool offered_ = false;

public:
    ChannelInput(const Job& job, Stream port, uint64_t number) : job_(job), port_(port), number_(number) {
        for (const auto& t : job.tokens)
            if (t.first == number) tokens_.push_back(t.second);
    }
    void quiesce() override { port_.valid.set(0); }
    void drive(uint64_t c) override {
        if (!tokens_.empty() && !stalled(job_, 1000 + number_, c)) offered_ = true;
        port_.valid.set(offered_);
        port_.data.set(offered_ ? tokens_.front() : 0);
    }
    bool observe(uint64_t) override {
        if (!offered_ || !port_.ready) return false;
        tokens_.pop_front();
        offered_ = false;
        return true;
    }
};

// ChannelOutput takes the tokens of an output.
class ChannelOutput : public Device {
    const Job& job_;
    Stream port_;
    uint64_t number_;
    std::vector<uint64_t>& delivered_;

public:
    ChannelOutput(const Job& job, Stream port, uint64_t number, std::vector<uint64_t>& delivered)
        : job_(job), port_(port), number_(number), delivered_(delivered) {}
    void quiesce() override { port_.ready.set(0); }
    void drive(uint64_t c) override { port_.ready.set(!stalled(job_, 2000 + number_, c)); }
    bool observe(uint64_t) override {
        if (!port_.valid || !port_.ready) return false;
        delivered_.push_back(port_.data.get());
        return true;
    }
};

// MemoryAccess is the memory behind the requests of an access.
class MemoryAccess : public Device {
    Job& job_;
    Access access_;
    uint64_t number_;
    Findings& findings_;
    uint64_t c_ = 0;

public:
    MemoryAccess(Job& job, AccessPort port, uint64_t number, Findings& findings) : job_(job), access_(port, number), number_(number), findings_(findings) {}
    void quiesce() override {
        access_.drive([](uint64_t) { return true; });
    }
    void drive(uint64_t c) override {
        access_.drive([&](uint64_t stream) { return stalled(job_, stream, c); });
    }
    bool observe(uint64_t c) override { return access_.advance(job_, c, job_.regions); }
    void respond(uint64_t c) override {
        if (!access_.respond(c, job_.regions)) findings_.add(c, text("an access of %s is beyond the end of its array", access_.name()));
    }
    bool busy() const override { return access_.waits(); }
};

}  // namespace loom

#endif
