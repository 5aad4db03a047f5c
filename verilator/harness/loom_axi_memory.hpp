// The memory behind an AXI4 master of a wrapped direct circuit.
#ifndef LOOM_AXI_MEMORY_HPP
#define LOOM_AXI_MEMORY_HPP

#include "loom_axi.hpp"
#include "loom_devices.hpp"

namespace loom {

class AxiMemory : public Device {
    Job& job_;
    Findings& findings_;
    RegionMemory memory_;
    AxiSlave slave_;
    uint64_t broken_ = 0;
    bool refused_ = false;

public:
    AxiMemory(Job& job, Findings& findings, AxiPort port, uint64_t number)
        : job_(job), findings_(findings), memory_(job.regions), slave_(port, number) {}

    void quiesce() override { slave_.quiesce(); }
    void drive(uint64_t c) override {
        slave_.drive_ready(job_, [&](uint64_t stream) { return stalled(job_, stream, c); });
        slave_.drive_read(c, memory_);
        slave_.drive_write(c, memory_);
    }
    bool observe(uint64_t c) override {
        uint64_t broken = slave_.port().broken.get();
        for (int rule = 0; rule < 20; ++rule)
            if ((broken & ~broken_) >> rule & 1) findings_.add(c, text("rule %d of rtl/formal/f_axi4.sv is broken at %s", rule, slave_.port().name));
        broken_ |= broken;
        bool moved = slave_.observe(job_, c, memory_);
        if (!refused_ && !slave_.refused().empty()) {
            refused_ = true;
            findings_.add(c, text("%s accesses what is in no array", slave_.port().name));
        }
        return moved;
    }
    bool busy() const override { return slave_.busy(); }
};

}  // namespace loom

#endif
