// Harness of direct circuits behind a wrapper: sim/README.md, "Direct circuits". The generated half
// supplies a Design with the devices at the ports of the wrapper, what the surroundings of the core
// drive, and the channels inside the core.
//
//   harness JOB RESULT     reads the job description, writes the result as JSON
//
// A run ends when every output has been delivered and no device has anything left. It records, cycle
// by cycle, what is driven at the core and a hash of its channels: the cycle simulator plays the
// first back and compares the second. With the hashes of the simulator in the job it stops in the
// first cycle that differs and tells all channels.
#ifndef LOOM_WRAPPED_HPP
#define LOOM_WRAPPED_HPP

#include <memory>

#include "loom_devices.hpp"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace loom {

// What is driven at a port of the core: a valid with its data, or a ready.
struct Driven {
    const CData* bit;
    const void* data;
    int width;
};

template <class Design>
class WrappedHarness {
    Job job_;
    VerilatedContext context_;
    Design design_;
    std::vector<std::unique_ptr<Device>> devices_;
    std::vector<Driven> driven_;
    std::vector<Channel> channels_;
    struct Watch {
        bool waiting = false;
        uint64_t data = 0;
    };
    std::vector<Watch> watches_;
    std::string status_ = "done", channel_json_ = "[]";
    Findings findings_;
    int64_t mismatch_ = -1;
    uint64_t c_ = 0, delivered_at_ = 0, quiet_ = 0, time_ = 0;
    std::vector<uint64_t> record_;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave_;
#endif

    // Cycles without any transfer after which a run that has delivered everything has ended.
    static constexpr uint64_t kRest = 128;

    void clock(int level) {
        design_.top->clk = static_cast<CData>(level);
        design_.top->eval();
#if VM_TRACE
        if (wave_) wave_->dump(time_);
#endif
        ++time_;
        context_.timeInc(1);
    }

    uint64_t hash() const {
        uint64_t h = 0x4C4F4F4D;
        for (const auto& ch : channels_) {
            h = mix(h, *ch.valid ? (*ch.ready ? 3 : 1) : 0);
            if (*ch.valid) h = mix(h, ch.payload());
        }
        return h;
    }

    // record adds the cycle: its hash, a bit for everything driven, and the data of valid ones.
    void record(uint64_t h) {
        record_.push_back(h);
        size_t bits = record_.size();
        record_.resize(bits + (driven_.size() + 63) / 64);
        for (size_t i = 0; i < driven_.size(); ++i) {
            const Driven& d = driven_[i];
            if (!*d.bit) continue;
            record_[bits + i / 64] |= 1ull << (i % 64);
            if (d.width) record_.push_back(word(d.data, d.width) & mask(d.width));
        }
    }

    bool all_delivered() const {
        for (size_t k : job_.expected)
            if (design_.delivered(k).empty()) return false;
        return true;
    }

    bool busy() const {
        for (const auto& d : devices_)
            if (d->busy()) return true;
        return false;
    }

    // observe looks at the settled cycle, false when the run is over.
    bool observe() {
        uint64_t h = hash();
        record(h);
        if (job_.lockstep) {
            if (c_ >= job_.hashes.size()) return false;
            if (h != job_.hashes[c_]) {
                mismatch_ = static_cast<int64_t>(c_);
                status_ = "mismatch";
                return false;
            }
        }
        bool moved = false;
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            bool valid = *ch.valid;
            moved |= valid && *ch.ready;
            uint64_t data = valid ? ch.payload() : 0;
            // What is left when all is delivered may go with what is held for the run.
            if (watches_[i].waiting && (!valid || data != watches_[i].data) && !delivered_at_)
                findings_.add(c_, text("channel %s: valid or data changed before the token was taken", ch.name));
            watches_[i].waiting = valid && !*ch.ready;
            watches_[i].data = data;
        }
        for (auto& d : devices_) moved |= d->observe(c_);
        if (!delivered_at_ && all_delivered()) delivered_at_ = c_ + 1;
        for (size_t k = 0; k < design_.outputs(); ++k)
            if (design_.delivered(k).size() > 1) return false; // the outcome tells
        quiet_ = moved || busy() ? 0 : quiet_ + 1;
        if (delivered_at_ && quiet_ >= kRest) return false;
        if (quiet_ >= job_.quiet) {
            status_ = "deadlock";
            return false;
        }
        if (c_ + 1 >= job_.max_cycles) {
            status_ = "budget";
            return false;
        }
        return true;
    }

    void simulate() {
        design_.reset(true);
        for (auto& d : devices_) d->quiesce();
        for (int i = 0; i < 4; ++i) {
            clock(0);
            clock(1);
        }
        design_.reset(false);
        for (;;) {
            for (auto& d : devices_) d->drive(c_);
            clock(0);
            if (!observe()) break;
            clock(1);
            ++c_;
            for (auto& d : devices_) d->respond(c_);
        }
        if (status_ == "done")
            for (auto& d : devices_) d->finish(c_);
        if (status_ != "mismatch") return;
        channel_json_ = "[";
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            channel_json_ += text("%s[%d,%d,%" PRIu64 ",0]", i ? "," : "", *ch.valid, *ch.ready, ch.payload());
        }
        channel_json_ += "]";
    }

    // store writes words to a file, if it has a name.
    static void store(const std::string& path, const std::vector<uint64_t>& words) {
        if (path.empty()) return;
        FILE* f = std::fopen(path.c_str(), "wb");
        if (!f || std::fwrite(words.data(), sizeof(uint64_t), words.size(), f) != words.size() || std::fclose(f) != 0) fail("cannot write " + path);
    }

    static void numbers(FILE* f, const char* key, const std::vector<std::vector<uint64_t>>& lists) {
        std::fprintf(f, "\"%s\":[", key);
        for (size_t i = 0; i < lists.size(); ++i) {
            std::fprintf(f, "%s[", i ? "," : "");
            for (size_t k = 0; k < lists[i].size(); ++k) std::fprintf(f, "%s%" PRIu64, k ? "," : "", lists[i][k]);
            std::fputc(']', f);
        }
        std::fprintf(f, "],\n");
    }

public:
    explicit WrappedHarness(Job job) : job_(std::move(job)), design_(&context_), driven_(design_.driven()), channels_(design_.channels()), watches_(channels_.size()) {
        devices_ = design_.devices(job_, findings_);
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
        store(job_.record, record_);
        store(job_.traffic_path, *job_.traffic);
        FILE* f = std::fopen(path, "wb");
        if (!f) fail(std::string("cannot write ") + path);
        std::fprintf(f, "{\"status\":\"%s\",\"cycles\":%" PRIu64 ",\"mismatch_cycle\":%" PRId64 ",\n", status_.c_str(),
                     status_ == "done" ? delivered_at_ : c_, mismatch_);
        std::vector<std::vector<uint64_t>> outputs, memories;
        for (size_t k = 0; k < design_.outputs(); ++k) outputs.push_back(design_.delivered(k));
        numbers(f, "outputs", outputs);
        for (const auto& r : job_.regions) memories.push_back(r.values());
        numbers(f, "memories", memories);
        std::fprintf(f, "\"findings\":[%s],\n\"channels\":%s}\n", findings_.json().c_str(), channel_json_.c_str());
        if (std::fclose(f) != 0) fail(std::string("cannot write ") + path);
        return 0;
    }
};

}  // namespace loom

#endif
