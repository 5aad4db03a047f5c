package latency

import (
	"fmt"
	"strconv"
	"strings"
)

// DRAM chooses a model of dynamic memory behind a controller and an interconnect
// (package sim/dram) instead of latencies: `--memory ddr4-2400`. The zero value
// chooses none.
type DRAM struct {
	// Device is a name of Devices.
	Device string
	// MHz is the clock of the fabric or circuit.
	MHz int64
	// Transactions is how many reads, and as many writes, a port has under way.
	Transactions int64
	// Interconnect is the cycles of the clock that a request takes to the controller,
	// and a response back.
	Interconnect int64
}

// Device are the times of a memory and its controller, in picoseconds where nothing else
// is said. One rank is modelled.
type Device struct {
	Name string
	// Burst is the bytes of one access to a row, BurstTime how long they take on the data
	// bus: the peak bandwidth.
	Burst, BurstTime int64
	// Groups of Banks each; RowBytes are kept by a bank that is open.
	Groups, Banks, RowBytes int64
	// CL and CWL go from a read or write command to its data; RCD from opening a row to the
	// command, RP from closing it to opening the next, RAS from opening to closing.
	CL, CWL, RCD, RP, RAS int64
	// CCDShort and CCDLong lie between two commands to different banks groups, and to one.
	CCDShort, CCDLong int64
	// RRD lies between two rows that are opened, FAW between one and the fourth after it.
	RRD, FAW int64
	// WTR goes from written data to a read command, RTW is the gap on the data bus in the
	// other direction; RTP from a read command to closing the row, WR from written data.
	WTR, RTW, RTP, WR int64
	// Every REFI all banks are closed for RFC.
	RFC, REFI int64
	// Controller is what the controller and the physical interface add, there and back.
	Controller int64
	// Writes is how many bursts the controller collects before it writes them, so that the
	// bus turns around rarely.
	Writes int64
}

// Devices are the memories that there are models of.
//
// Sources: the speed bins and refresh parameters of JESD79-3F (DDR3-1600K, 4 Gb), JESD79-4
// (DDR4-2400R, 8 Gb devices of 8 bits) and JESD209-4 (LPDDR4-3200, 8 Gb per channel of 16
// bits), as the data sheets of memory makers repeat them; DDR3 and LPDDR4 are 32 bits wide, as on
// small boards, DDR4 64. The time in the controller is not standardised: 40 ns there and back is
// the order of what vendors state for soft and hard controllers without load.
var Devices = []Device{
	{Name: "ddr3-1600", Burst: 32, BurstTime: 5000, Groups: 1, Banks: 8, RowBytes: 4096,
		CL: 13750, CWL: 10000, RCD: 13750, RP: 13750, RAS: 35000, CCDShort: 5000, CCDLong: 5000, RRD: 7500, FAW: 40000,
		WTR: 7500, RTW: 2500, RTP: 7500, WR: 15000, RFC: 260000, REFI: 7800000, Controller: 40000, Writes: 16},
	{Name: "ddr4-2400", Burst: 64, BurstTime: 3332, Groups: 4, Banks: 4, RowBytes: 8192,
		CL: 13328, CWL: 9996, RCD: 13320, RP: 13320, RAS: 32000, CCDShort: 3332, CCDLong: 4998, RRD: 4900, FAW: 21000,
		WTR: 7500, RTW: 1666, RTP: 7500, WR: 15000, RFC: 350000, REFI: 7800000, Controller: 40000, Writes: 16},
	{Name: "lpddr4-3200", Burst: 64, BurstTime: 5000, Groups: 1, Banks: 8, RowBytes: 4096,
		CL: 17500, CWL: 8750, RCD: 18000, RP: 18000, RAS: 42000, CCDShort: 5000, CCDLong: 5000, RRD: 10000, FAW: 40000,
		WTR: 10000, RTW: 2500, RTP: 7500, WR: 18000, RFC: 280000, REFI: 3904000, Controller: 40000, Writes: 16},
}

// Defaults of what Parse leaves out: a fast fabric, and what a port of a hard controller may have under
// way (sixteen commands: Zynq UltraScale+, UG1085, "AXI Interface Programming").
const (
	defaultMHz          = 200
	defaultTransactions = 16
	defaultInterconnect = 4
)

// Bounds of the numbers of a DRAM.
const (
	maxMHz          = 2000
	MaxTransactions = 1024
	maxInterconnect = 1000
)

// DeviceNames lists the memories that there are models of.
func DeviceNames() []string {
	var out []string
	for _, d := range Devices {
		out = append(out, d.Name)
	}
	return out
}

// ParseDRAM reads DEVICE or DEVICE,mhz=N,transactions=N,interconnect=N, any of the latter left out.
func ParseDRAM(s string) (Profile, error) {
	fields := strings.Split(s, ",")
	d := DRAM{Device: fields[0], MHz: defaultMHz, Transactions: defaultTransactions, Interconnect: defaultInterconnect}
	if _, ok := d.device(); !ok {
		return Profile{}, fmt.Errorf("memory %q is none of %s", fields[0], strings.Join(DeviceNames(), ", "))
	}
	seen := map[string]bool{}
	for _, f := range fields[1:] {
		key, text, _ := strings.Cut(f, "=")
		var at *int64
		least, most := int64(1), int64(0)
		switch key {
		case "mhz":
			at, most = &d.MHz, maxMHz
		case "transactions":
			at, most = &d.Transactions, MaxTransactions
		case "interconnect":
			at, least, most = &d.Interconnect, 0, maxInterconnect
		default:
			return Profile{}, fmt.Errorf("memory %q has %q, known are mhz=, transactions= and interconnect=", s, f)
		}
		if seen[key] {
			return Profile{}, fmt.Errorf("memory %q gives %s twice", s, key)
		}
		seen[key] = true
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least || n > most {
			return Profile{}, fmt.Errorf("memory %q: %s takes %d to %d, found %q", s, key, least, most, text)
		}
		*at = n
	}
	return d.profile(), nil
}

func (d DRAM) device() (Device, bool) {
	for _, x := range Devices {
		if x.Name == d.Device {
			return x, true
		}
	}
	return Device{}, false
}

// Timing returns the times of the device.
func (d DRAM) Timing() Device {
	x, _ := d.device()
	return x
}

// String spells the memory as ParseDRAM reads it, without what is as by default.
func (d DRAM) String() string {
	s := d.Device
	for _, x := range []struct {
		key        string
		is, except int64
	}{{"mhz", d.MHz, defaultMHz}, {"transactions", d.Transactions, defaultTransactions}, {"interconnect", d.Interconnect, defaultInterconnect}} {
		if x.is != x.except {
			s += fmt.Sprintf(",%s=%d", x.key, x.is)
		}
	}
	return s
}

// Cycle is the clock period in picoseconds.
func (d DRAM) Cycle() int64 { return 1_000_000 / d.MHz }

// cycles is how many cycles of the clock a read takes that needs that many picoseconds in the
// memory.
func (d DRAM) cycles(ps int64) int64 {
	return (ps+d.Timing().Controller+d.Cycle()-1)/d.Cycle() + 2*d.Interconnect
}

// open is the latency of a read from a row that is open, behind a burst of other elements: what a stream sees.
func (d DRAM) open() int64 { return d.cycles(d.Timing().CL+d.Timing().BurstTime) + streamWait }

// streamWait is the cycles in which a port passes a burst of 16 elements.
const streamWait = 16

// profile bounds the latency of one access without load: one that the controller takes into its queue
// of writes, and a read behind a refresh and a row to close.
func (d DRAM) profile() Profile {
	x := d.Timing()
	return Profile{Min: d.cycles(0), Max: d.cycles(x.RFC+x.RAS+x.RP+x.RCD+x.CL+x.BurstTime) + streamWait, DRAM: d}
}
