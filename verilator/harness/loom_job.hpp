// The job description that job.go writes.
#ifndef LOOM_JOB_HPP
#define LOOM_JOB_HPP

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "loom_dram.hpp"
#include "loom_signal.hpp"

namespace loom {

// One memref argument, or a table, which cannot be written: of the kernel, or a ROM argument.
struct Region {
    uint64_t base = 0, element = 1;  // byte address, bytes of an element
    std::vector<uint8_t> bytes;
    bool constant = false;

    bool contains(uint64_t addr, uint64_t n) const {
        return addr >= base && addr - base < bytes.size() && bytes.size() - (addr - base) >= n;
    }
    std::vector<uint64_t> values() const {
        std::vector<uint64_t> out(bytes.size() / element);
        for (size_t i = 0; i < bytes.size(); ++i) out[i / element] |= static_cast<uint64_t>(bytes[i]) << (8 * (i % element));
        return out;
    }
};

// What the host writes into an on-chip memory before the run.
struct Contents {
    size_t host;
    uint64_t first;
    std::vector<uint64_t> data;
};

// The size of an array, of a region of an external memory with bounds.
struct Size {
    size_t memory;
    int region;
    uint64_t bytes;
};

// A run of a direct circuit behind which another follows.
struct Launch {
    uint64_t end = 0;  // the first cycle of the next run
    std::vector<std::pair<size_t, uint64_t>> tokens;
    std::vector<Region> regions;
};

struct Job {
    std::vector<uint32_t> image;
    uint64_t latency_min = 4, latency_max = 4, latency_seed = 0;
    std::shared_ptr<Dram> dram;  // decides on the latency where there is one
    // What it is asked, where that is recorded: cycle, write, address, bytes, and the cycle of the last response.
    std::shared_ptr<std::vector<uint64_t>> traffic = std::make_shared<std::vector<uint64_t>>();
    uint64_t stall = 0, stall_seed = 0;
    uint64_t max_cycles = 0, quiet = 1024;
    std::vector<std::pair<size_t, uint64_t>> tokens;  // input, data
    std::vector<size_t> expected;                     // outputs that owe one token
    std::vector<Region> regions;
    std::vector<Contents> contents;
    std::vector<Size> sizes;
    std::vector<Launch> launches;  // those before the last, whose tokens and regions are the job's
    std::vector<uint64_t> hashes;  // lock-step: one per cycle
    bool lockstep = false;
    std::string wave, record, traffic_path;
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

// make_dram makes the memory of a job.
inline std::shared_ptr<Dram> make_dram(const std::vector<uint64_t>& numbers) {
    Dram::Config config;
    if (numbers.size() != Dram::kNumbers) fail("the memory has the numbers of another version");
    std::memcpy(&config, numbers.data(), sizeof config);
    return std::make_shared<Dram>(config);
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
    std::vector<uint64_t> list() {
        std::vector<uint64_t> out(num());
        for (auto& v : out) v = num();
        return out;
    }
};

inline Job read_job(const char* path) {
    Job job;
    Reader in(path);
    std::string key;
    while (in.word(key)) {
        if (key == "image") {
            for (uint64_t w : in.list()) job.image.push_back(static_cast<uint32_t>(w));
        } else if (key == "latency") {
            job.latency_min = in.num();
            job.latency_max = in.num();
            job.latency_seed = in.num();
        } else if (key == "dram") {
            job.dram = make_dram(in.list());
        } else if (key == "stall") {
            job.stall = in.num();
            job.stall_seed = in.num();
        } else if (key == "cycles") {
            job.max_cycles = in.num();
        } else if (key == "quiet") {
            job.quiet = in.num();
        } else if (key == "token") {
            size_t input = in.num();
            job.tokens.emplace_back(input, in.num());
        } else if (key == "expect") {
            job.expected.push_back(in.num());
        } else if (key == "region" || key == "table") {
            Region r;
            r.constant = key == "table";
            r.base = in.num();
            r.element = in.num();
            for (uint64_t v : in.list())
                for (uint64_t b = 0; b < r.element; ++b) r.bytes.push_back(static_cast<uint8_t>(v >> (8 * b)));
            job.regions.push_back(std::move(r));
        } else if (key == "next") {
            Launch l;
            l.end = in.num();
            l.tokens.swap(job.tokens);
            l.regions.swap(job.regions);
            job.launches.push_back(std::move(l));
        } else if (key == "size") {
            Size s;
            s.memory = in.num();
            s.region = static_cast<int>(in.num());
            s.bytes = in.num();
            job.sizes.push_back(s);
        } else if (key == "contents") {
            Contents c;
            c.host = in.num();
            c.first = in.num();
            c.data = in.list();
            job.contents.push_back(std::move(c));
        } else if (key == "lockstep") {
            std::string raw = read_all(in.line().c_str());
            job.lockstep = true;
            job.hashes.resize(raw.size() / 8);
            for (size_t i = 0; i < job.hashes.size(); ++i)
                for (int b = 7; b >= 0; --b)
                    job.hashes[i] = job.hashes[i] << 8 | static_cast<unsigned char>(raw[i * 8 + static_cast<size_t>(b)]);
        } else if (key == "wave") {
            job.wave = in.line();
        } else if (key == "record") {
            job.record = in.line();
        } else if (key == "traffic") {
            job.traffic_path = in.line();
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

// Due tells the cycle of the response to what is at an address of a request.
class Due {
    const Dram* dram_;
    uint64_t cycle_;

public:
    Due(const Dram* dram, uint64_t cycle) : dram_(dram), cycle_(cycle) {}
    uint64_t operator()(uint64_t addr) const { return dram_ ? dram_->served(addr) : cycle_; }
};

// due serves request n of a stream; what it returns is valid until the next.
inline Due due(const Job& job, uint64_t stream, uint64_t n, uint64_t c, bool write, uint64_t addr, uint64_t bytes) {
    if (job.dram) {
        job.dram->serve(c, write, addr, bytes);
        if (!job.traffic_path.empty()) job.traffic->insert(job.traffic->end(), {c, write, addr, bytes, job.dram->served(addr + bytes - 1)});
        return {job.dram.get(), 0};
    }
    return {nullptr, c + job.latency_min + roll(job.latency_seed, stream, n) % (job.latency_max - job.latency_min + 1)};
}

// run_job is main of a harness: it runs the job of a file and writes the result to another.
template <class Harness>
int run_job(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s JOB RESULT\n", argv[0]);
        return 2;
    }
    Harness harness(read_job(argv[1]));
    return harness.run(argv[2]);
}

}  // namespace loom

#endif
