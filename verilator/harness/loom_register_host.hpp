// The host at the AXI4-Lite register file of a wrapped direct circuit: it does what loom_accel.c does
// for one run, but for the reset, with pauses on all five channels, and looks at the interrupt.
#ifndef LOOM_REGISTER_HOST_HPP
#define LOOM_REGISTER_HOST_HPP

#include "loom_devices.hpp"

namespace loom {

// The signals of an AXI4-Lite slave, and its interrupt.
struct AxiLitePort {
    Signal awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
    Signal arvalid, arready, araddr, rvalid, rready, rdata, rresp, irq;
};

class RegisterHost : public Device {
    // Registers of compiler/host/regmap.go, and bits of STATUS.
    enum : uint32_t {
        kMagic = 0x000, kControl = 0x010, kStatus = 0x014, kError = 0x018, kPorts = 0x02c, kIrqEnable = 0x030, kBaseCount = 0x038,
        kArgEnable = 0x040, kResultEnable = 0x050, kSize = 0x200, kArg = 0x400, kResult = 0x800, kBase = 0xc00
    };
    enum : uint64_t { kBusy = 2, kDone = 4, kFailed = 8 };

    struct Step {
        bool write;
        uint32_t offset;
        uint64_t value;  // written
    };
    Job& job_;
    Findings& findings_;
    AxiLitePort port_;
    std::vector<std::vector<uint64_t>>& results_;
    std::deque<Step> steps_;
    std::vector<uint64_t> words_;  // of results, as they are read
    bool finished_ = false;
    // Of the first step: what has been offered and taken.
    bool addressed_ = false, address_taken_ = false, given_ = false, data_taken_ = false;

    void put(uint32_t offset, uint64_t value) { steps_.push_back({true, offset, value & 0xffffffff}); }
    void put_pair(uint32_t offset, uint64_t value) {
        put(offset, value);
        put(offset + 4, value >> 32);
    }
    void get(uint32_t offset) { steps_.push_back({false, offset, 0}); }

    // answered ends a read.
    void answered(uint64_t c, uint32_t offset, uint64_t value) {
        if (offset == kMagic && value != 0x4d4f4f4c) findings_.add(c, "MAGIC is wrong");
        if (offset == kStatus && (value & kFailed)) {
            get(kError);
        } else if (offset == kStatus && (value & kDone)) {
            if (!port_.irq) findings_.add(c, "DONE without an interrupt");
            for (size_t k = 0; k < results_.size(); ++k) {
                get(kResult + 8 * static_cast<uint32_t>(k));
                get(kResult + 8 * static_cast<uint32_t>(k) + 4);
            }
        } else if (offset == kStatus) {
            if (!(value & kBusy)) findings_.add(c, "the status is neither busy nor done");
            get(kStatus);
        }
        if (offset == kError) {
            findings_.add(c, text("the status reports error %u", static_cast<unsigned>(value)));
            finished_ = true;
        }
        if (offset >= kResult && offset < kBase) {
            words_.push_back(value);
            if (words_.size() == 2 * results_.size())
                for (size_t k = 0; k < results_.size(); ++k) results_[k].push_back(words_[2 * k] | words_[2 * k + 1] << 32);
        }
    }

public:
    RegisterHost(Job& job, Findings& findings, AxiLitePort port, std::vector<size_t> bases, bool sizes,
                 std::vector<std::vector<uint64_t>>& results)
        : job_(job), findings_(findings), port_(port), results_(results) {
        get(kMagic);
        put(kIrqEnable, 3);
        for (size_t k = 0; k < bases.size(); ++k) put_pair(kBase + 8 * static_cast<uint32_t>(k), job.regions[bases[k]].base);
        for (size_t k = 0; sizes && k < bases.size(); ++k) put_pair(kSize + 8 * static_cast<uint32_t>(k), job.regions[bases[k]].bytes.size());
        std::vector<uint64_t> enable(4), expect(4);
        for (const auto& t : job.tokens) {
            put_pair(kArg + 8 * static_cast<uint32_t>(t.first), t.second);
            enable[t.first / 32] |= 1ull << (t.first % 32);
        }
        for (size_t k : job.expected) expect[k / 32] |= 1ull << (k % 32);
        for (uint32_t i = 0; i < 4; ++i) {
            put(kArgEnable + 4 * i, enable[i]);
            put(kResultEnable + 4 * i, expect[i]);
        }
        put(kControl, 2);
        get(kStatus);
    }

    void quiesce() override {
        for (const Signal* s : {&port_.awvalid, &port_.wvalid, &port_.bready, &port_.arvalid, &port_.rready}) s->set(0);
    }

    void drive(uint64_t c) override {
        quiesce();
        if (steps_.empty()) return;
        const Step& s = steps_.front();
        addressed_ = addressed_ || !stalled(job_, s.write ? 6002 : 6000, c);
        if (!s.write) {
            port_.arvalid.set(addressed_ && !address_taken_);
            port_.araddr.set(s.offset);
            port_.rready.set(!stalled(job_, 6001, c));
            return;
        }
        given_ = given_ || !stalled(job_, 6003, c);
        port_.awvalid.set(addressed_ && !address_taken_);
        port_.awaddr.set(s.offset);
        port_.wvalid.set(given_ && !data_taken_);
        port_.wdata.set(s.value);
        port_.wstrb.set(15);
        port_.bready.set(!stalled(job_, 6004, c));
    }

    bool observe(uint64_t c) override {
        if (steps_.empty()) return false;
        const Step s = steps_.front();
        bool moved = false;
        if (s.write ? port_.awvalid && port_.awready : port_.arvalid && port_.arready) address_taken_ = moved = true;
        if (port_.wvalid && port_.wready) data_taken_ = moved = true;
        const Signal &valid = s.write ? port_.bvalid : port_.rvalid, &ready = s.write ? port_.bready : port_.rready, &resp = s.write ? port_.bresp : port_.rresp;
        // What is not asked for must not come.
        if ((s.write ? port_.rvalid : port_.bvalid) || (valid && !address_taken_)) findings_.add(c, "a response of the register file that is not awaited");
        if (!(valid && ready)) return moved && !polls(s);
        if (resp) findings_.add(c, text("the register 0x%03x is refused", s.offset));
        uint64_t value = port_.rdata.get();
        steps_.pop_front();
        addressed_ = address_taken_ = given_ = data_taken_ = false;
        if (!s.write) answered(c, s.offset, value);
        return !polls(s);
    }

private:
    // polls reports a step by which nothing goes on: reading the status again and again is no
    // sign of life.
    static bool polls(const Step& s) { return !s.write && s.offset == kStatus; }
};

}  // namespace loom

#endif
