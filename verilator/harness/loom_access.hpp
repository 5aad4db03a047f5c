// The memory behind the requests and responses of an access of a direct circuit.
#ifndef LOOM_ACCESS_HPP
#define LOOM_ACCESS_HPP

#include <algorithm>
#include <deque>

#include "loom_job.hpp"

namespace loom {

// The ports of an access to an array: region is the number of its array among the job's.
struct AccessPort {
    const char* name;
    size_t region;
    bool store;
    Signal req_valid, req_ready, req_addr, req_data, rsp_valid, rsp_ready, rsp_data;
};

// Access is the memory behind a port: an access takes effect when its response comes.
class Access {
    struct Pending {
        uint64_t due, index, data;
    };
    AccessPort port_;
    uint64_t number_, accepted_ = 0, last_ = 0, value_ = 0;
    std::deque<Pending> queue_;
    bool offered_ = false;

public:
    Access(AccessPort port, uint64_t number) : port_(port), number_(number) {}

    bool store() const { return port_.store; }

    template <class Stalled>
    void drive(Stalled stalled) const {
        port_.req_ready.set(!stalled(3000 + number_));
        port_.rsp_valid.set(offered_);
        port_.rsp_data.set(offered_ ? value_ : 0);
    }

    // waits reports whether a response will be offered.
    bool waits() const { return !queue_.empty() && !offered_; }

    // advance does what the ports of cycle c transfer; true if they do.
    bool advance(const Job& job, uint64_t c, const std::vector<Region>& regions) {
        bool moved = false;
        if (port_.rsp_valid && port_.rsp_ready) {
            queue_.pop_front();
            offered_ = false;
            moved = true;
        }
        if (port_.req_valid && port_.req_ready) {
            moved = true;
            uint64_t index = port_.req_addr.get(), base = 0, bytes = 1;
            if (port_.region < regions.size()) bytes = regions[port_.region].element, base = regions[port_.region].base;
            last_ = std::max(due(job, 4000 + number_, accepted_++, c, port_.store, base + index * bytes, bytes)(base + index * bytes), last_ + 1);
            queue_.push_back({last_, index, port_.req_data.get()});
        }
        return moved;
    }

    // respond offers the first response if it is due in cycle c, which begins; false where the
    // element does not exist.
    bool respond(uint64_t c, std::vector<Region>& regions) {
        if (offered_ || queue_.empty() || queue_.front().due > c) return true;
        offered_ = true;
        value_ = 0;
        if (port_.region >= regions.size()) return false;
        Region& r = regions[port_.region];
        const Pending& p = queue_.front();
        if (p.index >= r.bytes.size() / r.element) return false;
        uint8_t* at = &r.bytes[p.index * r.element];
        for (uint64_t b = 0; b < r.element; ++b) {
            if (port_.store) at[b] = static_cast<uint8_t>(p.data >> (8 * b));
            else value_ |= static_cast<uint64_t>(at[b]) << (8 * b);
        }
        return true;
    }

    const char* name() const { return port_.name; }
};

}  // namespace loom

#endif
