// A memory controller and its dynamic memory: the model of sim/dram, which states what it models,
// in the same integers.
#ifndef LOOM_DRAM_HPP
#define LOOM_DRAM_HPP

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace loom {

class Dram {
public:
    // The numbers of the job, in the order in which job.go writes them.
    struct Config {
        int64_t period, transactions, interconnect;
        int64_t burst, burst_time, groups, banks, row_bytes, cl, cwl, rcd, rp, ras, ccd_short, ccd_long, rrd, faw, wtr, rtw, rtp, wr, rfc, refi,
            controller, writes;
    };
    static constexpr size_t kNumbers = sizeof(Config) / sizeof(int64_t);

private:
    static constexpr int64_t kClosed = -1;
    struct Bank {
        int64_t row, opened, close;
    };
    Config d_;
    std::vector<Bank> banks_;
    int64_t epoch_ = 0, last_cas_, last_group_ = -1, last_end_, drain_;
    bool writing_ = false;
    std::array<int64_t, 4> opened_;
    size_t oldest_ = 0;
    std::vector<int64_t> queue_;
    uint64_t first_ = 0;
    std::vector<uint64_t> served_;  // the cycles of the last request, by burst

    int64_t ready(int64_t at) {
        int64_t n = at / d_.refi;
        if (at <= 0 || n == 0) return at;
        at = std::max(at, n * d_.refi + d_.rfc);
        if (n != epoch_) {
            epoch_ = n;
            for (auto& b : banks_) b.row = kClosed;
        }
        return at;
    }

    int64_t access(int64_t at, int64_t line, bool write) {
        int64_t group = line % d_.groups, rest = line / d_.groups / (d_.row_bytes / d_.burst), row = rest / d_.banks;
        Bank& b = banks_[static_cast<size_t>(group * d_.banks + (rest ^ row) % d_.banks)];
        int64_t cas = ready(std::max(at, last_cas_ + (group == last_group_ ? d_.ccd_long : d_.ccd_short)));
        if (b.row != row) {
            int64_t open = std::max({at, b.opened + d_.ras + d_.rp, opened_[(oldest_ + 3) % 4] + d_.rrd, opened_[oldest_] + d_.faw});
            if (b.row != kClosed) open = std::max(open, std::max(at, b.close) + d_.rp);
            open = ready(open);
            b = {row, open, open + d_.ras};
            opened_[oldest_] = open;
            oldest_ = (oldest_ + 1) % 4;
            cas = std::max(cas, open + d_.rcd);
        }
        if (write && !writing_) cas = std::max(cas, last_end_ + d_.rtw - d_.cwl);
        if (!write && writing_) cas = std::max(cas, last_end_ + d_.wtr);
        int64_t end = cas + (write ? d_.cwl : d_.cl) + d_.burst_time;
        b.close = std::max(b.close, write ? end + d_.wr : cas + d_.rtp);
        last_cas_ = cas;
        last_group_ = group;
        last_end_ = end;
        writing_ = write;
        return end;
    }

    int64_t write(int64_t at, int64_t line) {
        queue_.push_back(line);
        if (static_cast<int64_t>(queue_.size()) < d_.writes) return at;
        int64_t taken = std::max(at, drain_);
        for (int64_t l : queue_) drain_ = access(taken, l, true);
        queue_.clear();
        return taken;
    }

    int64_t read(int64_t at, int64_t line) {
        return std::find(queue_.begin(), queue_.end(), line) != queue_.end() ? at : access(at, line, false);
    }

public:
    explicit Dram(const Config& d)
        : d_(d), banks_(static_cast<size_t>(d.groups * d.banks), {kClosed, -d.refi, -d.refi}), last_cas_(-d.refi), last_end_(-d.refi), drain_(-d.refi) {
        opened_.fill(-d.refi);
    }

    // room reports whether a port with that many transactions under way may begin another.
    bool room(size_t under_way) const { return under_way < static_cast<uint64_t>(d_.transactions); }

    // serve takes a request of a cycle.
    void serve(uint64_t cycle, bool is_write, uint64_t addr, uint64_t bytes) {
        uint64_t burst = static_cast<uint64_t>(d_.burst);
        int64_t c = static_cast<int64_t>(cycle), at = (c + d_.interconnect) * d_.period + d_.controller / 2, end = at;
        first_ = addr / burst;
        served_.clear();
        for (uint64_t line = first_; line <= (addr + bytes - 1) / burst; ++line) {
            end = std::max(end, is_write ? write(at, static_cast<int64_t>(line)) : read(at, static_cast<int64_t>(line)));
            int64_t back = end + d_.controller - d_.controller / 2;
            served_.push_back(static_cast<uint64_t>(std::max(c + 1, (back + d_.period - 1) / d_.period + d_.interconnect)));
        }
    }
    // served returns the cycle of the response to what is at an address of the last request.
    uint64_t served(uint64_t addr) const { return served_[static_cast<size_t>(addr / static_cast<uint64_t>(d_.burst) - first_)]; }
};

}  // namespace loom

#endif
