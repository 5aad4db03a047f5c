// Run-time half of the co-simulation harness: everything that does not depend on
// the design. The generated half (harness.cpp) supplies a Design with tables of the
// ports and channels; sim/README.md fixes what the environment does in every cycle.
//
//   harness JOB RESULT     reads the job description, writes the result as JSON
#ifndef LOOM_HARNESS_HPP
#define LOOM_HARNESS_HPP

#include <cstring>
#include <memory>

#include "loom_axi.hpp"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace loom {

// Watch checks that an offered token stays as it is until it is taken.
struct Watch {
    bool waiting = false;
    uint64_t data = 0;

    bool broken(bool valid, bool ready, uint64_t now) {
        bool bad = waiting && (!valid || now != data);
        waiting = valid && !ready;
        data = now;
        return bad;
    }
};

template <class Design>
class Harness {
    Job job_;
    VerilatedContext context_;
    Design design_;
    RegionMemory memory_;
    std::vector<Stream> inputs_, outputs_;
    std::vector<AxiSlave> buses_;
    std::vector<HostPort> hosts_;
    std::vector<Channel> channels_;
    std::vector<std::deque<uint64_t>> tokens_;        // to offer, by input
    std::vector<bool> offered_;                       // by input
    std::vector<std::vector<uint64_t>> delivered_;    // by output
    std::vector<size_t> owed_;                        // tokens expected, by output
    std::vector<Watch> watches_;                      // by channel
    std::vector<std::string> findings_;
    std::vector<std::vector<uint64_t>> final_;        // contents after the run, by host port
    std::string status_, channel_json_ = "[]", request_json_, rule_json_;
    int64_t mismatch_ = -1;
    uint64_t c_ = 0, last_move_ = 0, time_ = 0;
    unsigned error_code_ = 0;
    FILE* dump_ = nullptr;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave_;
#endif

    void finding(std::string what) {
        if (findings_.size() < 20) findings_.push_back(std::move(what));
    }

    void settle() {
        design_.top->clk = 0;
        design_.top->eval();
        sample();
    }
    void tick() {
        design_.top->clk = 1;
        design_.top->eval();
        sample();
    }
    void sample() {
#if VM_TRACE
        if (wave_) wave_->dump(time_);
#endif
        ++time_;
        context_.timeInc(1);
    }

    void reset() {
        design_.top->rst = 1;
        design_.top->cfg_valid = 0;
        design_.top->cfg_data = 0;
        design_.top->cfg_last = 0;
        for (const auto& s : inputs_) s.valid.set(0);
        for (const auto& s : outputs_) s.ready.set(0);
        for (const auto& b : buses_) b.quiesce();
        for (const auto& h : hosts_) h.en.set(0);
        for (int i = 0; i < 4; ++i) {
            settle();
            tick();
        }
        design_.top->rst = 0;
    }

    // load_image sends the configuration; the loader raises running in the second cycle after
    // the last word.
    void load_image() {
        size_t sent = 0;
        while (sent < job_.image.size()) {
            design_.top->cfg_valid = 1;
            design_.top->cfg_data = job_.image[sent];
            design_.top->cfg_last = sent + 1 == job_.image.size();
            settle();
            bool taken = design_.top->cfg_ready;
            tick();
            if (taken) ++sent;
        }
        design_.top->cfg_valid = 0;
        design_.top->cfg_last = 0;
        for (int i = 0; i < 16; ++i) {
            settle();
            if (design_.top->running || design_.top->error_valid) return;
            tick();
        }
        fail("the fabric did not start after the configuration image");
    }

    // load_contents writes what on-chip memories hold at the start, then reads all of
    // it back; false where anything differs.
    bool load_contents() {
        for (const auto& c : job_.contents) {
            const HostPort& h = hosts_.at(c.host);
            for (size_t i = 0; i < c.data.size(); ++i) {
                h.en.set(1);
                h.we.set(1);
                h.addr.set(c.first + i);
                h.wdata.set(c.data[i]);
                settle();
                tick();
            }
            h.en.set(0);
            h.we.set(0);
        }
        if (job_.contents.empty()) return true;
        auto found = read_contents();
        bool same = true;
        for (const auto& c : job_.contents)
            for (size_t i = 0; i < c.data.size(); ++i) {
                uint64_t v = found[c.host][c.first + i];
                if (v == c.data[i]) continue;
                same = false;
                finding(text("memory %s: the host wrote 0x%" PRIx64 " to element %" PRIu64 " and read back 0x%" PRIx64,
                             hosts_[c.host].name, c.data[i], c.first + i, v));
            }
        return same;
    }

    // read_contents reads all memories that the host can reach, together: while it
    // reads one of them the fabric's accesses to the others must wait, too.
    std::vector<std::vector<uint64_t>> read_contents() {
        std::vector<std::vector<uint64_t>> out(hosts_.size());
        uint64_t most = 0;
        for (const auto& h : hosts_) {
            h.en.set(1);
            h.we.set(0);
            most = std::max(most, h.elements);
        }
        for (uint64_t i = 0; i < most; ++i) {
            for (const auto& h : hosts_) h.addr.set(std::min(i, h.elements - 1));
            settle();
            tick();
            for (size_t k = 0; k < hosts_.size(); ++k)
                if (i < hosts_[k].elements) out[k].push_back(hosts_[k].rdata.get());
        }
        for (const auto& h : hosts_) h.en.set(0);
        return out;
    }

    bool stalled(uint64_t stream) const {
        return job_.stall && roll(job_.stall_seed, stream, c_) % 100 < job_.stall;
    }

    void drive() {
        for (size_t k = 0; k < inputs_.size(); ++k) {
            const auto& queue = tokens_[k];
            if (!queue.empty() && !offered_[k] && !stalled(1000 + k)) offered_[k] = true;
            inputs_[k].valid.set(offered_[k]);
            inputs_[k].data.set(offered_[k] ? queue.front() : 0);
        }
        for (size_t k = 0; k < outputs_.size(); ++k) outputs_[k].ready.set(!stalled(2000 + k));
        for (auto& b : buses_) {
            b.drive_ready(job_, [this](uint64_t stream) { return stalled(stream); });
            b.drive_read(c_, memory_);
            b.drive_write(c_, memory_);
        }
    }

    uint64_t hash() const {
        uint64_t h = 0x4C4F4F4D;
        for (const auto& ch : channels_) {
            h = mix(h, *ch.valid ? (*ch.ready ? 3 : 1) : 0);
            if (!*ch.valid) continue;
            h = mix(h, ch.payload());
            if (ch.tag_bits) h = mix(h, ch.tag());
        }
        for (const auto& b : buses_) h = b.hash(h);
        return h;
    }

    std::string dump_requests() const {
        std::string out;
        for (const auto& b : buses_) {
            std::string one = b.dump();
            if (!out.empty() && !one.empty()) out += ",";
            out += one;
        }
        return "[" + out + "]";
    }

    std::string dump_channels() const {
        std::string out = "[";
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            out += text("%s[%d,%d,%" PRIu64 ",%" PRIu64 "]", i ? "," : "", *ch.valid, *ch.ready, ch.payload(), ch.tag());
        }
        return out + "]";
    }

    // rules_broken reads the AXI checkers, true when one reports a rule
    // broken in this cycle, or before the first.
    bool rules_broken() {
        if (!design_.top->axi_broken) return false;
        for (size_t m = 0; m < buses_.size(); ++m)
            if (uint64_t bits = buses_[m].port().broken.get())
                rule_json_ += text("%s[%zu,%" PRIu64 "]", rule_json_.empty() ? "" : ",", m, bits);
        return true;
    }

    bool all_delivered() const {
        for (size_t k : job_.expected)
            if (delivered_[k].empty()) return false;
        for (const auto& q : tokens_)
            if (!q.empty()) return false;
        for (const auto& b : buses_)
            if (b.busy()) return false;
        return true;
    }

    // observe looks at the settled cycle, true when the run is over. Transfers it
    // sees take effect at the coming clock edge.
    bool observe() {
        bool differs = job_.lockstep && c_ < job_.hashes.size() && hash() != job_.hashes[c_];
        if (rules_broken() || differs) {
            mismatch_ = static_cast<int64_t>(c_);
            status_ = "mismatch";
            return true;
        }
        if (dump_ && static_cast<int64_t>(c_) >= job_.dump_from && static_cast<int64_t>(c_) <= job_.dump_to)
            std::fprintf(dump_, "{\"cycle\":%" PRIu64 ",\"channels\":%s}\n", c_, dump_channels().c_str());
        if (design_.top->error_valid) {
            status_ = "error";
            error_code_ = design_.top->error_code;
            return true;
        }
        if (all_delivered() && design_.top->idle) {
            status_ = "done";
            return true;
        }
        if (job_.max_cycles && c_ >= job_.max_cycles) {
            status_ = "budget";
            return true;
        }
        if (job_.lockstep && c_ >= job_.hashes.size()) {
            // The reference has ended here for a reason of its own.
            status_ = "open";
            return true;
        }
        bool moved = false, surplus = false;
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            bool valid = *ch.valid, ready = *ch.ready;
            moved |= valid && ready;
            if (watches_[i].broken(valid, ready, valid ? mix(ch.payload(), ch.tag()) : 0))
                finding(text("cycle %" PRIu64 ": channel %s: valid or data changed before the token was taken", c_, ch.name));
        }
        for (size_t k = 0; k < inputs_.size(); ++k)
            if (offered_[k] && inputs_[k].ready) {
                tokens_[k].pop_front();
                offered_[k] = false;
                moved = true;
            }
        for (size_t k = 0; k < outputs_.size(); ++k) {
            if (!outputs_[k].valid || !outputs_[k].ready) continue;
            delivered_[k].push_back(outputs_[k].data.get());
            moved = true;
            // More than is owed: the run ends here, as in the simulator.
            surplus |= delivered_[k].size() > owed_[k];
        }
        for (auto& b : buses_) moved |= b.observe(job_, c_, memory_);
        if (moved) last_move_ = c_ + 1;
        if (surplus) {
            status_ = "deadlock";
            ++c_;
            return true;
        }
        if (!job_.lockstep && c_ + 1 - last_move_ >= job_.quiet) {
            status_ = "deadlock";
            return true;
        }
        return false;
    }

    static void quote(FILE* f, const std::string& s) {
        std::fputc('"', f);
        for (char ch : s) {
            if (ch == '"' || ch == '\\') std::fputc('\\', f);
            std::fputc(ch, f);
        }
        std::fputc('"', f);
    }

    template <class Lists>
    static void numbers(FILE* f, const char* key, const Lists& lists) {
        std::fprintf(f, "\"%s\":[", key);
        const char* comma = "";
        for (const auto& list : lists) {
            std::fprintf(f, "%s[", comma);
            comma = "";
            for (uint64_t v : list) {
                std::fprintf(f, "%s%" PRIu64, comma, v);
                comma = ",";
            }
            std::fputc(']', f);
            comma = ",";
        }
        std::fprintf(f, "],\n");
    }

    void write(const char* path) {
        FILE* f = std::fopen(path, "wb");
        if (!f) fail(std::string("cannot write ") + path);
        std::fprintf(f, "{\"status\":\"%s\",\"cycles\":%" PRIu64 ",\"error_code\":%u,\"mismatch_cycle\":%" PRId64 ",\n",
                     status_.c_str(), c_, error_code_, mismatch_);
        numbers(f, "outputs", delivered_);
        std::vector<std::vector<uint64_t>> memories;
        for (const auto& r : job_.regions) memories.push_back(r.values());
        numbers(f, "memories", memories);
        numbers(f, "contents", final_);
        std::fprintf(f, "\"findings\":[");
        for (size_t i = 0; i < findings_.size(); ++i) {
            if (i) std::fputc(',', f);
            quote(f, findings_[i]);
        }
        std::fprintf(f, "],\n\"rules\":[%s],\n\"requests\":%s,\n\"channels\":%s}\n", rule_json_.c_str(), request_json_.c_str(),
                     channel_json_.c_str());
        if (std::fclose(f) != 0) fail(std::string("cannot write ") + path);
    }

    // simulate runs the design to its end.
    void simulate() {
        reset();
        if (!load_contents()) {
            status_ = "mismatch";
            return;
        }
        load_image();
        for (;; ++c_) {
            drive();
            settle();
            if (observe()) break;
            tick();
        }
        for (size_t k = 0; k < outputs_.size(); ++k)
            if (delivered_[k].size() > owed_[k])
                finding(text("output %s delivered %zu tokens, expected %zu", outputs_[k].name, delivered_[k].size(), owed_[k]));
        if (status_ != "done") channel_json_ = dump_channels();
        if (status_ == "mismatch") request_json_ = dump_requests();
        else if (!hosts_.empty()) final_ = read_contents();
    }

public:
    explicit Harness(Job job)
        : job_(std::move(job)), design_(&context_), memory_(job_.regions), inputs_(design_.inputs()), outputs_(design_.outputs()),
          hosts_(design_.hosts()), channels_(design_.channels()), tokens_(inputs_.size()), offered_(inputs_.size()),
          delivered_(outputs_.size()), owed_(outputs_.size()), watches_(channels_.size()), request_json_("[]") {
        for (const auto& port : design_.buses()) buses_.emplace_back(port, buses_.size());
        for (const auto& t : job_.tokens) {
            if (t.first >= inputs_.size()) fail("token for an input that does not exist");
            tokens_[t.first].push_back(t.second);
        }
        for (size_t k : job_.expected) {
            if (k >= outputs_.size()) fail("expected output does not exist");
            owed_[k] = 1;
        }
        for (const auto& c : job_.contents)
            if (c.host >= hosts_.size() || c.first + c.data.size() > hosts_[c.host].elements)
                fail("contents for a memory that does not exist");
        // Regions without an array have no limit, as behind a register after its reset.
        const std::vector<Signal> sizes = design_.sizes();
        for (const auto& s : sizes)
            for (int r = 0; r < s.words(); ++r) s.set(~0ull, r);
        for (const auto& s : job_.sizes) {
            if (s.memory >= sizes.size() || s.region >= sizes[s.memory].words()) fail("size of a region that does not exist");
            sizes[s.memory].set(s.bytes, s.region);
        }
    }

    int run(const char* result) {
#if VM_TRACE
        if (!job_.wave.empty()) {
            context_.traceEverOn(true);
            wave_ = std::make_unique<VerilatedFstC>();
            design_.top->trace(wave_.get(), 99);
            wave_->open(job_.wave.c_str());
        }
#endif
        if (!job_.dump_path.empty()) dump_ = std::fopen(job_.dump_path.c_str(), "wb");
        simulate();
#if VM_TRACE
        if (wave_) wave_->close();
#endif
        if (dump_) std::fclose(dump_);
        design_.top->final();
        write(result);
        return 0;
    }
};

}  // namespace loom

#endif
