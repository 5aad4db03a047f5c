// The model of <adg>_top as the device of a program in the same process: a register access
// is one on the AXI4-Lite bus, and the memory behind the AXI4 masters is that of the
// program, at its own addresses. The clock runs during register accesses and in pass().
//
// The environment gives the settings and takes the report:
//   LOOM_SIM         "latency MIN MAX SEED stall PERCENT SEED cycles MAX", and "dram" with numbers
//   LOOM_SIM_DMA     lines "ADDRESS FILE": the memory behind the masters is these files, mapped,
//                    each from its address on
//   LOOM_SIM_WAVE    file for the waveform, in a model that has one
//   LOOM_SIM_REPORT  file for the report, one JSON object, written at exit
#ifndef LOOM_HOSTSIM_HPP
#define LOOM_HOSTSIM_HPP

#include <fcntl.h>
#include <memory>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loom_axi.hpp"
#if VM_TRACE
#include "verilated_fst_c.h"
#endif

namespace loom {

// ProgramMemory is the memory of this process, where the fabric may access what the process
// may, or files that stand for memory at addresses of its own. Other addresses get error
// responses, as on a bus.
class ProgramMemory : public Memory {
    struct Range {
        uint64_t from, to;
        bool read, write;
    };
    std::vector<Range> ranges_;
    std::vector<std::pair<Range, uint8_t*>> files_;

    bool allowed(uint64_t addr, uint64_t n, bool write) const {
        for (const auto& r : ranges_)
            if (addr >= r.from && addr < r.to && r.to - addr >= n) return write ? r.write : r.read;
        return false;
    }
    void look() {
        ranges_.clear();
        FILE* f = std::fopen("/proc/self/maps", "r");
        if (!f) fail("cannot read /proc/self/maps");
        char line[1024], perms[8];
        Range r{};
        while (std::fgets(line, sizeof line, f))
            if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s", &r.from, &r.to, perms) == 3) {
                r.read = perms[0] == 'r';
                r.write = perms[1] == 'w';
                ranges_.push_back(r);
            }
        std::fclose(f);
    }

public:
    // add maps a file as memory from an address on.
    void add(uint64_t from, const char* path) {
        struct stat st {};
        int fd = open(path, O_RDWR);
        if (fd < 0 || fstat(fd, &st) != 0 || st.st_size == 0) fail(std::string("no memory in ") + path);
        void* p = mmap(nullptr, static_cast<size_t>(st.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        close(fd);
        if (p == MAP_FAILED) fail(std::string("cannot map ") + path);
        files_.push_back({{from, from + static_cast<uint64_t>(st.st_size), true, true}, static_cast<uint8_t*>(p)});
    }
    uint8_t* find(uint64_t addr, uint64_t n, bool write) override {
        for (const auto& f : files_)
            if (addr >= f.first.from && addr < f.first.to && f.first.to - addr >= n) return f.second + (addr - f.first.from);
        if (!files_.empty()) return nullptr;
        if (!allowed(addr, n, write)) look();
        return allowed(addr, n, write) ? reinterpret_cast<uint8_t*>(static_cast<uintptr_t>(addr)) : nullptr;
    }
};

template <class Design>
class Device {
    // The registers that the report follows.
    enum : uint32_t { kControl = 0x010, kCfgLast = 0x020, kCyclesLo = 0x024, kCyclesHi = 0x028 };

    VerilatedContext context_;
    Design design_{&context_};
    ProgramMemory memory_;
    std::vector<AxiSlave> buses_;
    Job job_;
    uint64_t c_ = 0, time_ = 0, images_ = 0, starts_ = 0, busy_ = 0, refused_ = 0;
    bool open_run_ = false;
    std::string first_;  // the first rule that was broken or access that was refused
#if VM_TRACE
    std::unique_ptr<VerilatedFstC> wave_;
#endif

    static Device*& only() {
        static Device* d = nullptr;
        return d;
    }

    void note(std::string what) {
        if (first_.empty()) first_ = std::move(what);
    }

    void sample() {
#if VM_TRACE
        if (wave_) wave_->dump(time_);
#endif
        ++time_;
        context_.timeInc(1);
    }
    bool stalled(uint64_t stream) const {
        return job_.stall && roll(job_.stall_seed, stream, c_) % 100 < job_.stall;
    }

    // settle drives the memories' responses of this cycle and lets the signals settle; the
    // caller has driven the register bus.
    void settle() {
        for (auto& b : buses_) {
            b.drive_ready(job_, [this](uint64_t stream) { return stalled(stream); });
            b.drive_read(c_, memory_);
            b.drive_write(c_, memory_);
        }
        design_.top->clk = 0;
        design_.top->eval();
        sample();
    }
    // edge ends the cycle.
    void edge() {
        if (design_.top->axi_broken) {
            for (const auto& b : buses_)
                if (uint64_t bits = b.port().broken.get())
                    note(text("cycle %" PRIu64 ": rules %" PRIx64 " of AXI4 are broken at memory %s", c_, bits, b.port().name));
            stop("broken");
        }
        for (auto& b : buses_) b.observe(job_, c_, memory_);
        design_.top->clk = 1;
        design_.top->eval();
        sample();
        if (++c_ == job_.max_cycles) stop("budget");
    }

    // stop ends the program.
    [[noreturn]] void stop(const char* status) {
        report(status);
        std::fflush(nullptr);
        _exit(70);
    }

    void report(const char* status) {
        const char* path = std::getenv("LOOM_SIM_REPORT");
#if VM_TRACE
        if (wave_) wave_->close();
#endif
        for (auto& b : buses_) {
            std::string what = b.refused();
            if (!what.empty()) note(what);
        }
        if (!path) return;
        FILE* f = std::fopen(path, "wb");
        if (!f) fail(std::string("cannot write ") + path);
        std::fprintf(f, "{\"status\":\"%s\",\"clock_cycles\":%" PRIu64 ",\"run_cycles\":%" PRIu64 ",\"launches\":%" PRIu64 ",\"image_loads\":%" PRIu64
                        ",\"refused_registers\":%" PRIu64 ",\"note\":\"%s\"}\n",
                     status, c_, busy_, starts_, images_, refused_, first_.c_str());
        if (std::fclose(f) != 0) fail(std::string("cannot write ") + path);
    }

    uint32_t read_bus(uint32_t offset, bool count) {
        auto& t = *design_.top;
        bool asked = false, taken = false;
        for (;;) {
            asked = asked || !stalled(6000);
            t.s_axil_arvalid = asked && !taken;
            t.s_axil_araddr = offset & 0xfff;
            t.s_axil_rready = !stalled(6001);
            settle();
            bool ar = t.s_axil_arvalid && t.s_axil_arready, r = t.s_axil_rvalid && t.s_axil_rready;
            uint32_t value = t.s_axil_rdata;
            uint32_t response = t.s_axil_rresp;
            edge();
            taken = taken || ar;
            if (!r) continue;
            t.s_axil_arvalid = 0;
            t.s_axil_rready = 0;
            if (response && count && ++refused_) note(text("the read of register 0x%03x is refused", offset & 0xfff));
            return value;
        }
    }

    // end_run adds the clock cycles of the last run to those of all.
    void end_run() {
        if (!open_run_) return;
        open_run_ = false;
        uint64_t lo = read_bus(kCyclesLo, false);
        busy_ += lo | static_cast<uint64_t>(read_bus(kCyclesHi, false)) << 32;
    }

public:
    Device() {
        for (const auto& port : design_.buses()) buses_.emplace_back(port, buses_.size());
        job_.max_cycles = 0;
        if (const char* s = std::getenv("LOOM_SIM")) {
            int end = 0;
            if (std::sscanf(s, "latency %" SCNu64 " %" SCNu64 " %" SCNu64 " stall %" SCNu64 " %" SCNu64 " cycles %" SCNu64 "%n", &job_.latency_min,
                            &job_.latency_max, &job_.latency_seed, &job_.stall, &job_.stall_seed, &job_.max_cycles, &end) != 6)
                fail("LOOM_SIM cannot be read");
            if (const char* at = std::strstr(s + end, "dram")) {
                std::vector<uint64_t> numbers;
                char* next = nullptr;
                for (at += 4;; at = next) {
                    uint64_t v = std::strtoull(at, &next, 10);
                    if (next == at) break;
                    numbers.push_back(v);
                }
                job_.dram = make_dram(numbers);
            }
        }
        if (const char* s = std::getenv("LOOM_SIM_DMA"))
            for (std::string list = s; !list.empty();) {
                std::string line = list.substr(0, list.find('\n'));
                list.erase(0, line.size() + 1);
                char* path = nullptr;
                uint64_t from = std::strtoull(line.c_str(), &path, 0);
                if (*path++ != ' ') fail("LOOM_SIM_DMA cannot be read");
                memory_.add(from, path);
            }
#if VM_TRACE
        if (const char* path = std::getenv("LOOM_SIM_WAVE")) {
            context_.traceEverOn(true);
            wave_ = std::make_unique<VerilatedFstC>();
            design_.top->trace(wave_.get(), 99);
            wave_->open(path);
        }
#endif
        auto& t = *design_.top;
        t.s_axil_awvalid = t.s_axil_wvalid = t.s_axil_bready = t.s_axil_arvalid = t.s_axil_rready = 0;
        t.rst = 1;
        for (int i = 0; i < 4; ++i) {
            for (const auto& b : buses_) b.quiesce();
            t.clk = 0;
            t.eval();
            sample();
            t.clk = 1;
            t.eval();
            sample();
        }
        t.rst = 0;
        only() = this;
        std::atexit([] {
            only()->end_run();
            only()->report("done");
        });
    }

    uint32_t read(uint32_t offset) { return read_bus(offset, true); }

    void write(uint32_t offset, uint32_t value) {
        auto& t = *design_.top;
        if ((offset & 0xfff) == kControl) end_run();
        bool addressed = false, address_taken = false, given = false, data_taken = false;
        for (;;) {
            addressed = addressed || !stalled(6002);
            given = given || !stalled(6003);
            t.s_axil_awvalid = addressed && !address_taken;
            t.s_axil_awaddr = offset & 0xfff;
            t.s_axil_wvalid = given && !data_taken;
            t.s_axil_wdata = value;
            t.s_axil_wstrb = 15;
            t.s_axil_bready = !stalled(6004);
            settle();
            bool aw = t.s_axil_awvalid && t.s_axil_awready, w = t.s_axil_wvalid && t.s_axil_wready, b = t.s_axil_bvalid && t.s_axil_bready;
            uint32_t response = t.s_axil_bresp;
            edge();
            address_taken = address_taken || aw;
            data_taken = data_taken || w;
            if (!b) continue;
            t.s_axil_awvalid = t.s_axil_wvalid = t.s_axil_bready = 0;
            if (response && ++refused_) note(text("the write of register 0x%03x is refused", offset & 0xfff));
            if (!response && (offset & 0xfff) == kCfgLast) ++images_;
            if (!response && (offset & 0xfff) == kControl && (value & 2u)) {
                ++starts_;
                open_run_ = true;
            }
            return;
        }
    }

    int interrupt() const { return design_.top->irq; }
    uint64_t cycles() const { return c_; }
    void pass(uint64_t n) {
        for (; n > 0; --n) {
            settle();
            edge();
        }
    }
};

}  // namespace loom

#endif
