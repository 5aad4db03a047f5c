// Harness of direct circuits: sim/README.md, "Direct circuits". The generated half supplies a
// Design with tables of ports, accesses and channels. A run is as long as the cycle simulator's,
// and every channel is compared in every cycle. Several runs follow each other without a reset.
//
//   harness JOB RESULT     reads the job description, writes the result as JSON
#ifndef LOOM_DIRECT_HPP
#define LOOM_DIRECT_HPP

#include <memory>

#include "loom_access.hpp"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace loom {

template <class Design>
class DirectHarness {
    Job job_;
    VerilatedContext context_;
    Design design_;
    std::vector<Stream> inputs_, outputs_;
    std::vector<Access> accesses_;
    std::vector<Channel> channels_;
    std::vector<std::deque<uint64_t>> tokens_;
    std::vector<bool> offered_;
    std::vector<std::vector<uint64_t>> delivered_;
    size_t launch_ = 0;    // the run, of those in a row
    std::string earlier_;  // what those before it delivered, as JSON
    struct Watch {
        bool waiting = false;
        uint64_t data = 0;
    };
    std::vector<Watch> watches_;
    std::string status_ = "done", channel_json_ = "[]", findings_;
    int64_t mismatch_ = -1;
    uint64_t c_ = 0, time_ = 0;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave_;
#endif

    void finding(const std::string& what) {
        if (findings_.size() < 2000) findings_ += (findings_.empty() ? "\"" : ",\"") + what + "\"";
    }
    void clock(int level) {
        design_.top->clk = static_cast<CData>(level);
        design_.top->eval();
#if VM_TRACE
        if (wave_) wave_->dump(time_);
#endif
        ++time_;
        context_.timeInc(1);
    }
    bool stalled(uint64_t stream) const { return job_.stall && roll(job_.stall_seed, stream, c_) % 100 < job_.stall; }

    void drive() {
        for (size_t k = 0; k < inputs_.size(); ++k) {
            if (!tokens_[k].empty() && !offered_[k] && !stalled(1000 + k)) offered_[k] = true;
            inputs_[k].valid.set(offered_[k]);
            inputs_[k].data.set(offered_[k] ? tokens_[k].front() : 0);
        }
        for (size_t k = 0; k < outputs_.size(); ++k) outputs_[k].ready.set(!stalled(2000 + k));
        for (auto& a : accesses_) a.drive([this](uint64_t stream) { return stalled(stream); });
    }

    uint64_t hash() const {
        uint64_t h = 0x4C4F4F4D;
        for (const auto& ch : channels_) {
            h = mix(h, *ch.valid ? (*ch.ready ? 3 : 1) : 0);
            if (*ch.valid) h = mix(h, ch.payload());
        }
        return h;
    }

    bool all_delivered() const {
        for (size_t k : job_.expected)
            if (delivered_[k].empty()) return false;
        return true;
    }

    std::vector<Region>& regions() { return launch_ < job_.launches.size() ? job_.launches[launch_].regions : job_.regions; }

    // offer gives the inputs the tokens of the run.
    void offer() {
        for (const auto& t : launch_ < job_.launches.size() ? job_.launches[launch_].tokens : job_.tokens) tokens_.at(t.first).push_back(t.second);
    }

    // next goes on with the run behind the one that ends.
    void next() {
        earlier_ += (earlier_.empty() ? "{" : ",{") + outcome() + "}";
        for (auto& d : delivered_) d.clear();
        for (auto& w : watches_) w.waiting = false;
        ++launch_;
        offer();
    }

    // outcome is what the run has delivered and written, as members of a JSON object.
    std::string outcome() {
        std::vector<std::vector<uint64_t>> memories;
        for (const auto& r : regions()) memories.push_back(r.values());
        return "\"outputs\":" + numbers(delivered_) + ",\"memories\":" + numbers(memories);
    }

    // observe looks at the settled cycle, false when it differs from the reference.
    bool observe() {
        if (hash() != job_.hashes[c_]) {
            mismatch_ = static_cast<int64_t>(c_);
            status_ = "mismatch";
            return false;
        }
        // What is left when all is delivered may go with what is held for the run.
        for (size_t i = 0; i < channels_.size() && !all_delivered(); ++i) {
            const auto& ch = channels_[i];
            bool valid = *ch.valid;
            uint64_t data = valid ? ch.payload() : 0;
            if (watches_[i].waiting && (!valid || data != watches_[i].data))
                finding(text("cycle %" PRIu64 ": channel %s: valid or data changed before the token was taken", c_, ch.name));
            watches_[i].waiting = valid && !*ch.ready;
            watches_[i].data = data;
        }
        for (size_t k = 0; k < inputs_.size(); ++k)
            if (offered_[k] && inputs_[k].ready) {
                tokens_[k].pop_front();
                offered_[k] = false;
            }
        for (size_t k = 0; k < outputs_.size(); ++k)
            if (outputs_[k].valid && outputs_[k].ready) delivered_[k].push_back(outputs_[k].data.get());
        for (auto& a : accesses_) a.advance(job_, c_, regions());
        return true;
    }

    void respond() {
        for (bool store : {true, false})
            for (auto& a : accesses_)
                if (a.store() == store && !a.respond(c_, regions()))
                    finding(text("cycle %" PRIu64 ": an access of %s is beyond the end of its array", c_, a.name()));
    }

    void simulate() {
        design_.top->rst = 1;
        for (const auto& s : inputs_) s.valid.set(0);
        for (const auto& s : outputs_) s.ready.set(0);
        for (auto& a : accesses_) a.drive([](uint64_t) { return true; });
        for (int i = 0; i < 4; ++i) {
            clock(0);
            clock(1);
        }
        design_.top->rst = 0;
        while (c_ < job_.hashes.size()) {
            drive();
            clock(0);
            if (!observe()) break;
            clock(1);
            ++c_;
            respond();
            if (launch_ < job_.launches.size() && c_ == job_.launches[launch_].end) next();
        }
        if (status_ == "done") return;
        channel_json_ = "[";
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            channel_json_ += text("%s[%d,%d,%" PRIu64 ",0]", i ? "," : "", *ch.valid, *ch.ready, ch.payload());
        }
        channel_json_ += "]";
    }

    static std::string numbers(const std::vector<std::vector<uint64_t>>& lists) {
        std::string out = "[";
        for (size_t i = 0; i < lists.size(); ++i) {
            out += i ? ",[" : "[";
            for (size_t k = 0; k < lists[i].size(); ++k) out += (k ? "," : "") + std::to_string(lists[i][k]);
            out += "]";
        }
        return out + "]";
    }

public:
    explicit DirectHarness(Job job)
        : job_(std::move(job)), design_(&context_), inputs_(design_.inputs()), outputs_(design_.outputs()), channels_(design_.channels()),
          tokens_(inputs_.size()), offered_(inputs_.size()), delivered_(outputs_.size()), watches_(channels_.size()) {
        for (const auto& port : design_.accesses()) accesses_.emplace_back(port, accesses_.size());
        offer();
    }

    int run(const char* path) {
#if VM_TRACE
        if (!job_.wave.empty()) {
            context_.traceEverOn(true);
            wave_ = std::make_unique<VerilatedFstC>();
            design_.top->trace(wave_.get(), 99);
            wave_->open(job_.wave.c_str());
        }
#endif
        simulate();
#if VM_TRACE
        if (wave_) wave_->close();
#endif
        design_.top->final();
        FILE* f = std::fopen(path, "wb");
        if (!f) fail(std::string("cannot write ") + path);
        std::fprintf(f, "{\"status\":\"%s\",\"cycles\":%" PRIu64 ",\"mismatch_cycle\":%" PRId64 ",\n", status_.c_str(), c_, mismatch_);
        std::fprintf(f, "%s,\n\"earlier\":[%s],\n", outcome().c_str(), earlier_.c_str());
        std::fprintf(f, "\"findings\":[%s],\n\"channels\":%s}\n", findings_.c_str(), channel_json_.c_str());
        if (std::fclose(f) != 0) fail(std::string("cannot write ") + path);
        return 0;
    }
};

}  // namespace loom

#endif
