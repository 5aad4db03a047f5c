// The block-level protocol ap_ctrl_hs at the ports of a direct circuit.
#ifndef LOOM_AP_CTRL_HPP
#define LOOM_AP_CTRL_HPP

#include "loom_devices.hpp"

namespace loom {

// APScalar is an argument, by the number of the input; APResult a result, by that of the output.
struct APScalar {
    size_t number;
    Signal port;
};
struct APResult {
    size_t number;
    Signal port, vld;
};

// APControl makes one run: it holds ap_start and the arguments until ap_ready. Arguments are noise
// before and after.
class APControl : public Device {
    const Job& job_;
    Signal start_, done_, idle_, ready_;
    std::vector<APScalar> scalars_;
    std::vector<APResult> results_;
    size_t done_number_;
    std::vector<std::vector<uint64_t>>& delivered_;
    Findings& findings_;
    enum { before, running, after } state_ = before;

    uint64_t argument(size_t number) const {
        for (const auto& t : job_.tokens)
            if (t.first == number) return t.second;
        return 0;
    }

public:
    APControl(const Job& job, Signal start, Signal done, Signal idle, Signal ready, std::vector<APScalar> scalars, std::vector<APResult> results,
              size_t done_number, std::vector<std::vector<uint64_t>>& delivered, Findings& findings)
        : job_(job), start_(start), done_(done), idle_(idle), ready_(ready), scalars_(std::move(scalars)), results_(std::move(results)),
          done_number_(done_number), delivered_(delivered), findings_(findings) {}
    void quiesce() override { start_.set(0); }
    void drive(uint64_t c) override {
        if (state_ == before && !stalled(job_, 1000, c)) state_ = running;
        start_.set(state_ == running);
        for (const auto& s : scalars_) s.port.set(state_ == running ? argument(s.number) : roll(1, 1000 + s.number, c));
    }
    bool observe(uint64_t c) override {
        bool done = static_cast<bool>(done_);
        if (static_cast<bool>(idle_) != (state_ != running)) findings_.add(c, "ap_idle is wrong");
        if (done != static_cast<bool>(ready_)) findings_.add(c, "ap_ready does not come with ap_done");
        if (done && state_ != running) findings_.add(c, "ap_done without a run");
        for (const auto& r : results_) {
            if (!r.vld) continue;
            if (done) findings_.add(c, "a result comes with ap_done, not before it");
            delivered_[r.number].push_back(r.port.get());
        }
        if (done) {
            delivered_[done_number_].push_back(0);
            state_ = after;
        }
        return done;
    }
};

}  // namespace loom

#endif
