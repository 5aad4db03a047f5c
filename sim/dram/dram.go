// Package dram models a memory controller and its dynamic memory, as far as it decides when an
// access is answered: banks with a row open each, commands in the order of the requests, turning
// the data bus around between reads and writes, which are collected, refresh, and the way there and
// back. Times are integers, in picoseconds: verilator/harness/loom_dram.hpp is the same model, and the two agree in
// every cycle (sim/README.md, "DRAM").
//
// What is left out: more than one rank, reads that overtake others for an open row, and power.
package dram

import (
	"fmt"

	"loom/compiler/latency"
)

// closed is the row of a bank without one.
const closed = -1

// bank is one of the banks.
type bank struct {
	row    int64
	opened int64 // when the row was
	close  int64 // from when on it may be closed
}

// Stats counts what the memory did.
type Stats struct {
	// Requests are transactions, Bytes what they asked for; Reads and Writes are bursts, Moved
	// their bytes.
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
	Reads    int64 `json:"bursts_read"`
	Writes   int64 `json:"bursts_written"`
	Moved    int64 `json:"bytes_moved"`
	// Hits found their row open, Misses no row, Conflicts another one. Refreshes is how often an
	// access waited for one, Turns how often the data bus changed direction, Forwarded the reads
	// of what was still to be written.
	Hits      int64 `json:"row_hits"`
	Misses    int64 `json:"row_misses"`
	Conflicts int64 `json:"row_conflicts"`
	Refreshes int64 `json:"refresh_waits"`
	Turns     int64 `json:"bus_turns"`
	Forwarded int64 `json:"forwarded"`
	// Busy is how many picoseconds the data bus was in use.
	Busy int64 `json:"bus_busy_ps"`
	// Waits are the picoseconds that bursts waited, by cause, summed up over all bursts: several may wait at a time.
	Waits Waits `json:"waits_ps"`
}

// Waits are times by what was waited for, in the order in which a burst waits: for the bursts before it, for a
// refresh, for its row to be opened, for the bus to turn around.
type Waits struct {
	Bus     int64 `json:"bus"`
	Refresh int64 `json:"refresh"`
	Row     int64 `json:"row"`
	Turn    int64 `json:"turn"`
}

// Report is what a memory did in a run.
type Report struct {
	// Memory is the profile, as latency.ParseDRAM reads it.
	Memory string `json:"memory"`
	Stats
	// GBs are the gigabytes (10^9) per second that requests asked for, Peak those of the data bus.
	GBs  float64 `json:"gb_per_s"`
	Peak float64 `json:"peak_gb_per_s"`
	// Use is the percentage of the run in which the data bus was in use.
	Use float64 `json:"bus_use_percent"`
}

// Report sums up a run of some cycles.
func (c *Controller) Report(cycles int64) Report {
	r := Report{Memory: c.memory.String(), Stats: c.stats, Peak: float64(c.d.Burst) * 1000 / float64(c.d.BurstTime)}
	if cycles > 0 {
		r.GBs = float64(c.stats.Bytes) * 1000 / float64(cycles*c.period)
		r.Use = 100 * float64(c.stats.Busy) / float64(cycles*c.period)
	}
	return r
}

// String is the report in a line.
func (r Report) String() string {
	rows := r.Hits + r.Misses + r.Conflicts
	percent := 0.0
	if rows > 0 {
		percent = 100 * float64(r.Hits) / float64(rows)
	}
	return fmt.Sprintf("%s: %.2f of %.1f GB/s in %d transactions of %.1f bytes; %.0f %% of %d bursts in open rows, %d waits for refresh, %d turns of the bus",
		r.Memory, r.GBs, r.Peak, r.Requests, float64(r.Bytes)/float64(max(r.Requests, 1)), percent, rows, r.Refreshes, r.Turns)
}

// Causes is a line with what bursts waited for on average.
func (r Report) Causes() string {
	n := 1000 * float64(max(r.Reads+r.Writes, 1))
	w := r.Waits
	return fmt.Sprintf("a burst of the memory waited %.1f ns for those before it, %.1f for refreshes, %.1f for its row, %.1f for turns of the bus, which was in use %.1f %% of the time",
		float64(w.Bus)/n, float64(w.Refresh)/n, float64(w.Row)/n, float64(w.Turn)/n, r.Use)
}

// Controller is a memory behind its controller. Create one with New.
type Controller struct {
	memory latency.DRAM
	d      latency.Device
	period int64 // of the clock

	banks     []bank
	epoch     int64 // refreshes until the last access
	lastCAS   int64 // of the last read or write command
	lastGroup int64
	lastEnd   int64 // of the data
	writing   bool  // the last command was a write
	opened    [4]int64
	oldest    int // of opened

	queue []int64 // bursts to be written
	drain int64   // when the last ones were

	served []int64 // the cycles of the last request, by burst

	stats Stats
}

// New returns an idle memory.
func New(memory latency.DRAM) *Controller {
	d := memory.Timing()
	c := &Controller{memory: memory, d: d, period: memory.Cycle(), banks: make([]bank, d.Groups*d.Banks)}
	long := -d.REFI // long before the beginning
	for i := range c.banks {
		c.banks[i] = bank{row: closed, opened: long, close: long}
	}
	c.opened = [4]int64{long, long, long, long}
	c.lastCAS, c.lastEnd, c.lastGroup, c.drain = long, long, -1, long
	return c
}

// Stats is what happened up to now.
func (c *Controller) Stats() Stats { return c.stats }

// Serve takes a request of a cycle and returns the cycle from which on there is a response to what is at an
// address of it. The response to a write is that to its last address. Requests come in the order of their
// cycles; what is returned is valid until the next.
func (c *Controller) Serve(cycle int64, write bool, addr uint64, bytes int64) (due func(addr uint64) int64) {
	from := int64(addr / uint64(c.d.Burst))
	to := int64((addr + uint64(bytes) - 1) / uint64(c.d.Burst))
	c.stats.Bytes += bytes
	c.stats.Requests++
	at := (cycle+c.memory.Interconnect)*c.period + c.d.Controller/2
	end := at
	c.served = c.served[:0]
	for line := from; line <= to; line++ {
		if write {
			end = max(end, c.write(at, line))
		} else {
			end = max(end, c.read(at, line))
		}
		back := end + c.d.Controller - c.d.Controller/2
		c.served = append(c.served, max(cycle+1, (back+c.period-1)/c.period+c.memory.Interconnect))
	}
	return func(a uint64) int64 { return c.served[int64(a/uint64(c.d.Burst))-from] }
}

// write queues a burst, and writes all that are queued when they are enough. It returns when the
// queue has taken the burst.
func (c *Controller) write(at, line int64) int64 {
	c.queue = append(c.queue, line)
	if int64(len(c.queue)) < c.d.Writes {
		return at
	}
	taken := max(at, c.drain)
	for _, l := range c.queue {
		c.drain = c.access(taken, l, true)
	}
	c.queue = c.queue[:0]
	return taken
}

// read returns when a burst has been read.
func (c *Controller) read(at, line int64) int64 {
	for _, l := range c.queue {
		if l == line {
			c.stats.Forwarded++
			return at
		}
	}
	return c.access(at, line, false)
}

// ready moves a command behind the refresh in which it falls, and closes the rows where there was one.
func (c *Controller) ready(at int64) int64 {
	n := at / c.d.REFI
	if at <= 0 || n == 0 {
		return at
	}
	if begin := n * c.d.REFI; at < begin+c.d.RFC {
		at = begin + c.d.RFC
		c.stats.Refreshes++
	}
	if n != c.epoch {
		c.epoch = n
		for i := range c.banks {
			c.banks[i].row = closed
		}
	}
	return at
}

// access reads or writes a burst that is asked for at a time, and returns when its data has been on
// the bus. Bursts in a row lie in the groups in turn, then in the columns of a row; the bank is
// mixed with the row, so that arrays of a power of two do not meet in one.
func (c *Controller) access(at, line int64, write bool) int64 {
	d := &c.d
	group, rest := line%d.Groups, line/d.Groups
	rest /= d.RowBytes / d.Burst
	row := rest / d.Banks
	b := &c.banks[group*d.Banks+(rest^row)%d.Banks]

	gap := d.CCDShort
	if group == c.lastGroup {
		gap = d.CCDLong
	}
	bus := max(at, c.lastCAS+gap)
	cas := c.ready(bus)
	waits := &c.stats.Waits
	waits.Bus += bus - at
	waits.Refresh += cas - bus
	waited := cas
	if b.row == row {
		c.stats.Hits++
	} else {
		open := max(at, b.opened+d.RAS+d.RP, c.opened[(c.oldest+3)%4]+d.RRD, c.opened[c.oldest]+d.FAW)
		if b.row != closed {
			open = max(open, max(at, b.close)+d.RP)
			c.stats.Conflicts++
		} else {
			c.stats.Misses++
		}
		open = c.ready(open)
		b.row, b.opened, b.close = row, open, open+d.RAS
		c.opened[c.oldest] = open
		c.oldest = (c.oldest + 1) % 4
		cas = max(cas, open+d.RCD)
	}
	waits.Row += cas - waited
	waited = cas
	delay := d.CL
	switch {
	case write && !c.writing:
		delay = d.CWL
		cas = max(cas, c.lastEnd+d.RTW-d.CWL)
	case write:
		delay = d.CWL
	case c.writing:
		cas = max(cas, c.lastEnd+d.WTR)
	}
	waits.Turn += cas - waited
	if write != c.writing {
		c.stats.Turns++
	}
	end := cas + delay + d.BurstTime
	if write {
		c.stats.Writes++
		b.close = max(b.close, end+d.WR)
	} else {
		c.stats.Reads++
		b.close = max(b.close, cas+d.RTP)
	}
	c.stats.Moved += d.Burst
	c.stats.Busy += d.BurstTime
	c.lastCAS, c.lastGroup, c.lastEnd, c.writing = cas, group, end, write
	return end
}
