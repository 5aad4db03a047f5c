package dram_test

import (
	"testing"

	"loom/compiler/latency"
	"loom/sim/dram"
)

func memory(t *testing.T, s string) latency.DRAM {
	t.Helper()
	p, err := latency.ParseDRAM(s)
	if err != nil {
		t.Fatal(err)
	}
	return p.DRAM
}

// TestOneAccess follows single accesses through the times of DDR4-2400 at 100 MHz (10 ns per cycle), four cycles
// of interconnect and 20 ns of controller each way.
func TestOneAccess(t *testing.T) {
	m := memory(t, "ddr4-2400,mhz=100")
	const way = 4*10_000 + 20_000
	d := m.Timing()
	cycles := func(ps int64) int64 { return (ps+d.Controller+9999)/10_000 + 8 }
	for _, x := range []struct {
		name   string
		before []int64 // addresses read long before
		at     int64   // cycle
		addr   uint64
		write  bool
		ps     int64
	}{
		{"no row is open", nil, 0, 0, false, d.RCD + d.CL + d.BurstTime},
		{"the row is open", []int64{0}, 50, 256, false, d.CL + d.BurstTime},
		{"another row of the bank is open", []int64{0}, 50, 8192 * 4 * 5, false, d.RP + d.RCD + d.CL + d.BurstTime},
		{"a write waits for nothing", nil, 50, 0, true, 0},
	} {
		c := dram.New(m)
		for _, b := range x.before {
			c.Serve(0, false, uint64(b), 4)
		}
		if got, want := c.Serve(x.at, x.write, x.addr, 4)(x.addr)-x.at, cycles(x.ps); got != want {
			t.Errorf("%s: %d cycles, want %d", x.name, got, want)
		}
	}

	// In a refresh: the way to the controller ends just behind its beginning.
	c := dram.New(m)
	at := (d.REFI-way)/10_000 + 1
	begin := (at+4)*10_000 + 20_000
	wait := d.REFI + d.RFC - begin
	if got, want := c.Serve(at, false, 0, 4)(0)-at, cycles(wait+d.RCD+d.CL+d.BurstTime); got != want {
		t.Errorf("refresh: %d cycles, want %d", got, want)
	}
}

// TestWaits: what a read takes is what it waited for, by cause, and the time of its data; each cause appears where it
// must.
func TestWaits(t *testing.T) {
	m := memory(t, "ddr4-2400,mhz=1000,interconnect=0")
	d := m.Timing()
	c := dram.New(m)
	serve := func(cycle int64, write bool, addr uint64) (took int64, w dram.Waits) {
		before := c.Stats().Waits
		took = (c.Serve(cycle, write, addr, d.Burst)(addr) - cycle) * 1000
		w = c.Stats().Waits
		return took, dram.Waits{Bus: w.Bus - before.Bus, Refresh: w.Refresh - before.Refresh, Row: w.Row - before.Row, Turn: w.Turn - before.Turn}
	}
	want := func(what string, took int64, got, w dram.Waits) {
		t.Helper()
		if got != w {
			t.Errorf("%s: waited for %+v, want %+v", what, got, w)
		}
		// The times of a run are rounded up to cycles, of 1000 ps here.
		if exact := d.Controller + d.CL + d.BurstTime + w.Bus + w.Refresh + w.Row + w.Turn; took < exact || took >= exact+1000 {
			t.Errorf("%s: took %d ps, the causes and the data %d", what, took, exact)
		}
	}
	took, w := serve(100, false, 0)
	want("a closed row", took, w, dram.Waits{Row: d.RCD})
	took, w = serve(101, false, uint64(d.Groups*d.Burst))
	want("the burst behind it", took, w, dram.Waits{Bus: 100_000 + d.RCD + d.CCDLong - 101_000})
	for i := range uint64(d.Writes) { // the queue is written behind the last one
		serve(300, true, i*uint64(d.Groups*d.Burst))
	}
	if _, w = serve(301, false, uint64(d.Groups*d.Burst)*100); w.Turn == 0 || w.Bus == 0 {
		t.Errorf("a read behind writes waits for %+v", w)
	}
	begin := 2 * d.REFI / 1000
	if _, w = serve(begin+1, false, 0); w.Refresh == 0 || w.Row != d.RCD || w.Bus != 0 || w.Turn != 0 {
		t.Errorf("a read in a refresh waits for %+v", w)
	}
}

// TestBandwidth keeps every device busy: reads in a row come at the rate of the data bus but for refresh,
// and reads of one element per row at that of RC or FAW.
func TestBandwidth(t *testing.T) {
	for _, name := range latency.DeviceNames() {
		m := memory(t, name+",mhz=1000,interconnect=0")
		d := m.Timing()
		const n = 20_000
		stream, last := dram.New(m), int64(0)
		for i := range uint64(n) {
			last = stream.Serve(0, false, i*uint64(d.Burst), d.Burst)(i * uint64(d.Burst))
		}
		ideal := float64(n*d.BurstTime) / 1000
		lost := 1 + float64(d.RFC)/float64(d.REFI-d.RFC)
		if share := ideal * lost / float64(last); share < 0.95 || share > 1.01 {
			t.Errorf("%s: a stream takes %d cycles, at the rate of the bus with refresh %.0f", name, last, ideal*lost)
		}
		if r := stream.Report(last); r.GBs > r.Peak {
			t.Errorf("%s: %v", name, r)
		}

		rows := dram.New(m)
		step := uint64(d.RowBytes * d.Groups * d.Banks)
		for i := range uint64(1000) {
			last = rows.Serve(0, false, i*step*uint64(d.Banks), 4)(i * step * uint64(d.Banks)) // the bank is mixed with the row
		}
		if s := rows.Stats(); s.Hits != 0 {
			t.Errorf("%s: %d rows were found open", name, s.Hits)
		}
		if least := 999 * (d.RAS + d.RP) / 1000; last < least {
			t.Errorf("%s: 1000 rows of a bank take %d cycles, RC alone %d", name, last, least)
		}
	}
}

// TestWrites fills the queue of writes: the bus turns around once per queue, and a read of what is queued is
// served from it.
func TestWrites(t *testing.T) {
	m := memory(t, "ddr4-2400")
	d := m.Timing()
	c := dram.New(m)
	for i := range uint64(8 * uint64(d.Writes)) {
		c.Serve(int64(i), true, i*64, 64)
		c.Serve(int64(i), false, 1<<20+i*64, 64)
	}
	s := c.Stats()
	if s.Turns != 2*8-1 && s.Turns != 2*8 {
		t.Errorf("the bus turned %d times for 8 queues of writes between reads", s.Turns)
	}
	c.Serve(10_000, true, 1<<24, 4)
	if c.Serve(10_001, false, 1<<24, 4); c.Stats().Forwarded != 1 {
		t.Error("a read of a queued burst went to the memory")
	}
}
