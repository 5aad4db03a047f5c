// Run-time half of the co-simulation harness: everything that does not depend on
// the design. The generated half (harness.cpp) supplies a Design with accessors for
// the ports and a table of the channels; verilator/README.md fixes what the
// environment does in every cycle.
//
//   harness JOB RESULT     reads the job description, writes the result as JSON
#ifndef LOOM_HARNESS_HPP
#define LOOM_HARNESS_HPP

#include <cinttypes>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "verilated.h"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace loom {

// A channel as the model stores it.
struct Channel {
    const CData* valid;
    const CData* ready;
    const void* data;
    int width;

    uint64_t value() const {
        if (width <= 8) return *static_cast<const CData*>(data);
        if (width <= 16) return *static_cast<const SData*>(data);
        if (width <= 32) return *static_cast<const IData*>(data);
        return *static_cast<const QData*>(data);
    }
};

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

[[noreturn]] inline void fail(const std::string& what) {
    std::fprintf(stderr, "harness: %s\n", what.c_str());
    std::exit(2);
}

// One memref argument.
struct Region {
    uint64_t base = 0;
    int bytes = 1;
    std::vector<uint64_t> data;
    uint64_t end() const { return base + data.size() * static_cast<uint64_t>(bytes); }
};

// The job description: see job.go, which writes it.
struct Job {
    std::vector<uint32_t> image;
    uint64_t latency_min = 4, latency_max = 4, latency_seed = 0;
    uint64_t stall = 0, stall_seed = 0;
    uint64_t max_cycles = 0, quiet = 1024;
    std::vector<std::pair<int, uint64_t>> tokens;  // input, data
    std::vector<int> expected;                     // outputs that owe one token
    std::vector<Region> regions;
    std::vector<uint64_t> hashes;  // lock-step: one per cycle
    bool lockstep = false;
    std::string wave;
    int64_t dump_from = 0, dump_to = -1;
    std::string dump_path;
};

// read_all loads a whole file.
inline std::string read_all(const char* path) {
    FILE* f = std::fopen(path, "rb");
    if (!f) fail(std::string("cannot read ") + path);
    std::string text;
    char buf[1 << 16];
    size_t n;
    while ((n = std::fread(buf, 1, sizeof buf, f)) > 0) text.append(buf, n);
    std::fclose(f);
    return text;
}

// Reader splits the job file into blank-separated words.
class Reader {
    std::string text_;
    size_t at_ = 0;

public:
    explicit Reader(const char* path) : text_(read_all(path)) {}
    bool word(std::string& out) {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        if (at_ >= text_.size()) return false;
        size_t from = at_;
        while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '\n') ++at_;
        out = text_.substr(from, at_ - from);
        return true;
    }
    // line takes the rest of the line: a path.
    std::string line() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        size_t from = at_;
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        return text_.substr(from, at_ - from);
    }
    uint64_t num() {
        std::string w;
        if (!word(w)) fail("job file ends early");
        return std::strtoull(w.c_str(), nullptr, 0);
    }
};

inline Job read_job(const char* path) {
    Job job;
    Reader in(path);
    std::string key;
    while (in.word(key)) {
        if (key == "image") {
            job.image.resize(in.num());
            for (auto& w : job.image) w = static_cast<uint32_t>(in.num());
        } else if (key == "latency") {
            job.latency_min = in.num();
            job.latency_max = in.num();
            job.latency_seed = in.num();
        } else if (key == "stall") {
            job.stall = in.num();
            job.stall_seed = in.num();
        } else if (key == "cycles") {
            job.max_cycles = in.num();
        } else if (key == "quiet") {
            job.quiet = in.num();
        } else if (key == "token") {
            int input = static_cast<int>(in.num());
            job.tokens.emplace_back(input, in.num());
        } else if (key == "expect") {
            job.expected.push_back(static_cast<int>(in.num()));
        } else if (key == "region") {
            Region r;
            r.base = in.num();
            r.bytes = static_cast<int>(in.num());
            r.data.resize(in.num());
            for (auto& d : r.data) d = in.num();
            job.regions.push_back(std::move(r));
        } else if (key == "lockstep") {
            std::string raw = read_all(in.line().c_str());
            job.lockstep = true;
            job.hashes.resize(raw.size() / 8);
            for (size_t i = 0; i < job.hashes.size(); ++i)
                for (int b = 7; b >= 0; --b)
                    job.hashes[i] = job.hashes[i] << 8 | static_cast<unsigned char>(raw[i * 8 + b]);
        } else if (key == "wave") {
            job.wave = in.line();
        } else if (key == "dump") {
            job.dump_from = static_cast<int64_t>(in.num());
            job.dump_to = static_cast<int64_t>(in.num());
            job.dump_path = in.line();
        } else {
            fail("unknown job entry " + key);
        }
    }
    return job;
}

// Memory is all of external memory: the memref arguments in one address space.
class Memory {
    std::vector<Region>& regions_;

    uint64_t* find(uint64_t addr, int bytes) {
        for (auto& r : regions_)
            if (addr >= r.base && addr < r.end()) {
                if (r.bytes != bytes || (addr - r.base) % static_cast<uint64_t>(bytes)) return nullptr;
                return &r.data[(addr - r.base) / static_cast<uint64_t>(bytes)];
            }
        return nullptr;
    }

public:
    explicit Memory(std::vector<Region>& regions) : regions_(regions) {}
    bool load(uint64_t addr, int bytes, uint64_t& data) {
        uint64_t* p = find(addr, bytes);
        data = p ? *p : 0;
        return p != nullptr;
    }
    bool store(uint64_t addr, int bytes, uint64_t data) {
        uint64_t* p = find(addr, bytes);
        if (p) *p = data;
        return p != nullptr;
    }
};

// Queue is one request port of a memory: accepted requests and when to answer.
struct Queue {
    struct Request {
        uint64_t addr, data, due;
    };
    std::deque<Request> pending;
    uint64_t accepted = 0, last = 0;
    bool any = false;

    void accept(const Job& job, uint64_t stream, uint64_t c, uint64_t addr, uint64_t data) {
        uint64_t span = job.latency_max - job.latency_min + 1;
        uint64_t due = c + job.latency_min + roll(job.latency_seed, stream, accepted++) % span;
        if (any && due <= last) due = last + 1;
        any = true;
        last = due;
        pending.push_back({addr, data, due});
    }
    bool due(uint64_t c) const { return !pending.empty() && pending.front().due == c; }
};

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
    Memory memory_;
    std::vector<Channel> channels_;
    std::vector<std::vector<uint64_t>> outputs_;
    std::vector<std::deque<uint64_t>> inputs_;
    std::vector<bool> offered_;
    std::vector<size_t> owed_;  // tokens expected per output
    std::vector<Queue> loads_, stores_;
    std::vector<Watch> watches_;
    std::vector<std::string> findings_;
    std::string status_, channel_json_, request_json_;
    int64_t mismatch_ = -1;
    uint64_t c_ = 0, last_move_ = 0, time_ = 0;
    unsigned error_code_ = 0;
    FILE* dump_ = nullptr;
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave_;
#endif

    static std::string text(const char* format, ...) {
        char buf[512];
        va_list args;
        va_start(args, format);
        std::vsnprintf(buf, sizeof buf, format, args);
        va_end(args);
        return buf;
    }

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

    void load_image() {
        design_.top->rst = 1;
        design_.top->cfg_valid = 0;
        design_.top->cfg_data = 0;
        design_.top->cfg_last = 0;
        design_.quiesce();
        for (int i = 0; i < 4; ++i) {
            settle();
            tick();
        }
        design_.top->rst = 0;
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
        // The loader raises running in the cycle after the last word.
        for (int i = 0; i < 16; ++i) {
            settle();
            if (design_.top->running || design_.top->error_valid) return;
            tick();
        }
        fail("the fabric did not start after the configuration image");
    }

    bool stalled(uint64_t stream) const {
        return job_.stall && roll(job_.stall_seed, stream, c_) % 100 < job_.stall;
    }

    void drive() {
        for (int k = 0; k < Design::kInputs; ++k) {
            auto& queue = inputs_[k];
            if (!queue.empty() && !offered_[k] && !stalled(1000 + static_cast<uint64_t>(k))) offered_[k] = true;
            design_.drive_input(k, offered_[k], offered_[k] ? queue.front() : 0);
        }
        for (int k = 0; k < Design::kOutputs; ++k) design_.drive_output(k, !stalled(2000 + static_cast<uint64_t>(k)));
        // Loads of all memories sample before any store takes effect.
        for (int m = 0; m < Design::kMemories; ++m) {
            bool due = loads_[m].due(c_), err = false;
            uint64_t data = 0;
            if (due) {
                err = !memory_.load(loads_[m].pending.front().addr, Design::memory_bytes(m), data);
                loads_[m].pending.pop_front();
            }
            design_.drive_load(m, !stalled(3000 + 2 * static_cast<uint64_t>(m)), due, err, data);
        }
        for (int m = 0; m < Design::kMemories; ++m) {
            bool due = stores_[m].due(c_), err = false;
            if (due) {
                const auto& r = stores_[m].pending.front();
                err = !memory_.store(r.addr, Design::memory_bytes(m), r.data);
                stores_[m].pending.pop_front();
            }
            design_.drive_store(m, !stalled(3001 + 2 * static_cast<uint64_t>(m)), due, err);
        }
    }

    uint64_t hash() const {
        uint64_t h = 0x4C4F4F4D;
        for (const auto& ch : channels_) {
            h = mix(h, static_cast<uint64_t>(*ch.valid | *ch.ready << 1));
            if (*ch.valid) h = mix(h, ch.value());
        }
        for (int m = 0; m < Design::kMemories; ++m) {
            uint64_t addr = 0, data = 0;
            bool ready = false;
            if (design_.load_request(m, addr, ready) && ready) h = mix(mix(h, 0x100 + 2 * static_cast<uint64_t>(m)), addr);
            if (design_.store_request(m, addr, data, ready) && ready)
                h = mix(mix(mix(h, 0x101 + 2 * static_cast<uint64_t>(m)), addr), data);
        }
        return h;
    }

    // dump_requests lists the requests accepted in this cycle: memory, store, addr, data.
    std::string dump_requests() const {
        std::string out;
        for (int m = 0; m < Design::kMemories; ++m) {
            uint64_t addr = 0, data = 0;
            bool ready = false;
            if (design_.load_request(m, addr, ready) && ready) out += text("%s[%d,0,%" PRIu64 ",0]", out.empty() ? "" : ",", m, addr);
            if (design_.store_request(m, addr, data, ready) && ready)
                out += text("%s[%d,1,%" PRIu64 ",%" PRIu64 "]", out.empty() ? "" : ",", m, addr, data);
        }
        return "[" + out + "]";
    }

    std::string dump_channels() const {
        std::string out = "[";
        for (size_t i = 0; i < channels_.size(); ++i) {
            const auto& ch = channels_[i];
            out += text("%s[%d,%d,%" PRIu64 "]", i ? "," : "", *ch.valid, *ch.ready, ch.value());
        }
        return out + "]";
    }

    bool delivered() const {
        for (int k : job_.expected)
            if (outputs_[k].empty()) return false;
        for (const auto& q : inputs_)
            if (!q.empty()) return false;
        for (int m = 0; m < Design::kMemories; ++m)
            if (!loads_[m].pending.empty() || !stores_[m].pending.empty()) return false;
        return true;
    }

    // observe looks at the settled cycle, true when the run is over. Transfers it
    // sees take effect at the coming clock edge.
    bool observe() {
        if (job_.lockstep && c_ < job_.hashes.size() && hash() != job_.hashes[c_]) {
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
        if (delivered() && design_.top->idle) {
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
        size_t watch = 0;
        for (const auto& ch : channels_) {
            bool valid = *ch.valid, ready = *ch.ready;
            moved |= valid && ready;
            if (watches_[watch].broken(valid, ready, valid ? ch.value() : 0))
                finding(text("cycle %" PRIu64 ": channel %s: valid or data changed before the token was taken", c_,
                             Design::channel_name(static_cast<int>(watch))));
            ++watch;
        }
        for (int k = 0; k < Design::kInputs; ++k)
            if (offered_[k] && design_.input_ready(k)) {
                inputs_[k].pop_front();
                offered_[k] = false;
                moved = true;
            }
        for (int k = 0; k < Design::kOutputs; ++k) {
            uint64_t data = 0;
            bool valid = design_.output(k, data), ready = design_.output_ready(k);
            if (!valid || !ready) continue;
            outputs_[k].push_back(data);
            moved = true;
            // More than is owed: the run ends here, as in the simulator.
            surplus |= outputs_[k].size() > owed_[static_cast<size_t>(k)];
        }
        for (int m = 0; m < Design::kMemories; ++m) {
            uint64_t addr = 0, data = 0;
            bool ready = false;
            bool valid = design_.load_request(m, addr, ready);
            if (watches_[watch++].broken(valid, ready, addr))
                finding(text("cycle %" PRIu64 ": memory %s: load request changed before it was taken", c_,
                             Design::memory_name(m)));
            if (valid && ready) {
                loads_[m].accept(job_, 4000 + 2 * static_cast<uint64_t>(m), c_, addr, 0);
                moved = true;
            }
            valid = design_.store_request(m, addr, data, ready);
            if (watches_[watch++].broken(valid, ready, addr ^ (data << 1 | data >> 63)))
                finding(text("cycle %" PRIu64 ": memory %s: store request changed before it was taken", c_,
                             Design::memory_name(m)));
            if (valid && ready) {
                stores_[m].accept(job_, 4001 + 2 * static_cast<uint64_t>(m), c_, addr, data);
                moved = true;
            }
        }
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

    static void numbers(FILE* f, const std::vector<uint64_t>& v) {
        std::fputc('[', f);
        for (size_t i = 0; i < v.size(); ++i) std::fprintf(f, "%s%" PRIu64, i ? "," : "", v[i]);
        std::fputc(']', f);
    }

    void write(const char* path) {
        FILE* f = std::fopen(path, "wb");
        if (!f) fail(std::string("cannot write ") + path);
        std::fprintf(f, "{\"status\":\"%s\",\"cycles\":%" PRIu64 ",\"error_code\":%u,\"mismatch_cycle\":%" PRId64
                        ",\n\"outputs\":[",
                     status_.c_str(), c_, error_code_, mismatch_);
        for (size_t k = 0; k < outputs_.size(); ++k) {
            if (k) std::fputc(',', f);
            numbers(f, outputs_[k]);
        }
        std::fprintf(f, "],\n\"memories\":[");
        for (size_t m = 0; m < job_.regions.size(); ++m) {
            if (m) std::fputc(',', f);
            numbers(f, job_.regions[m].data);
        }
        std::fprintf(f, "],\n\"findings\":[");
        for (size_t i = 0; i < findings_.size(); ++i) {
            if (i) std::fputc(',', f);
            quote(f, findings_[i]);
        }
        std::fprintf(f, "],\n\"requests\":%s,\n\"channels\":%s}\n", request_json_.c_str(), channel_json_.c_str());
        if (std::fclose(f) != 0) fail(std::string("cannot write ") + path);
    }

public:
    explicit Harness(Job job)
        : job_(std::move(job)), design_(&context_), memory_(job_.regions), channels_(design_.channels()),
          outputs_(Design::kOutputs), inputs_(Design::kInputs), offered_(Design::kInputs), owed_(Design::kOutputs), loads_(Design::kMemories),
          stores_(Design::kMemories), watches_(channels_.size() + 2 * Design::kMemories) {
        for (const auto& t : job_.tokens) {
            if (t.first < 0 || t.first >= Design::kInputs) fail("token for an input that does not exist");
            inputs_[static_cast<size_t>(t.first)].push_back(t.second);
        }
        for (int k : job_.expected) {
            if (k < 0 || k >= Design::kOutputs) fail("expected output does not exist");
            owed_[static_cast<size_t>(k)] = 1;
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
        load_image();
        for (;; ++c_) {
            drive();
            settle();
            if (observe()) break;
            tick();
        }
        for (int k = 0; k < Design::kOutputs; ++k) {
            size_t owed = owed_[static_cast<size_t>(k)];
            if (outputs_[k].size() > owed)
                finding(text("output %s delivered %zu tokens, expected %zu", Design::output_name(k), outputs_[k].size(),
                             owed));
        }
        channel_json_ = status_ == "done" ? "[]" : dump_channels();
        request_json_ = status_ == "mismatch" ? dump_requests() : "[]";
#if VM_TRACE
        if (wave_) wave_->close();
#endif
        if (dump_) std::fclose(dump_);
        design_.top->final();
        write(result);
        return 0;
    }
};

template <class Design>
int harness_main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s JOB RESULT\n", argv[0]);
        return 2;
    }
    Harness<Design> harness(read_job(argv[1]));
    return harness.run(argv[2]);
}

}  // namespace loom

#endif
