package arch

import (
	"strconv"
	"strings"
)

// LegalName turns any text into an identifier that SystemVerilog and C accept:
// letters, digits and single underscores, starting with a letter, no keyword.
// Legal names come back unchanged.
func LegalName(s string) string {
	var b strings.Builder
	under := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		case '0' <= c && c <= '9':
			if b.Len() == 0 {
				b.WriteByte('n')
			}
		default:
			// Runs of other characters become one underscore, and none in front:
			// simulators escape double underscores in the names they generate.
			under = b.Len() > 0
			continue
		}
		if under {
			b.WriteByte('_')
			under = false
		}
		b.WriteByte(c)
	}
	switch {
	case b.Len() == 0:
		return "x"
	case keywords[b.String()]:
		b.WriteString("_x")
	}
	return b.String()
}

// Namer hands out distinct legal names.
type Namer struct{ taken map[string]bool }

// Unique returns a legal name made from want that no earlier call returned: want
// itself where it is free, else with the smallest number from 2 appended.
func (n *Namer) Unique(want string) string {
	if n.taken == nil {
		n.taken = map[string]bool{}
	}
	base := LegalName(want)
	name := base
	for i := 2; n.taken[name]; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	n.taken[name] = true
	return name
}

// keywords are the reserved words of IEEE 1800-2017 and those of C99 and C++11
// that are legal in SystemVerilog, together: generated names also appear in test
// benches.
var keywords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
accept_on alias always always_comb always_ff always_latch and assert assign assume automatic before begin
bind bins binsof bit break buf bufif0 bufif1 byte case casex casez cell chandle checker class clocking cmos
config const constraint context continue cover covergroup coverpoint cross deassign default defparam design
disable dist do edge else end endcase endchecker endclass endclocking endconfig endfunction endgenerate
endgroup endinterface endmodule endpackage endprimitive endprogram endproperty endspecify endsequence
endtable endtask enum event eventually expect export extends extern final first_match for force foreach
forever fork forkjoin function generate genvar global highz0 highz1 if iff ifnone ignore_bins illegal_bins
implements implies import incdir include initial inout input inside instance int integer interconnect
interface intersect join join_any join_none large let liblist library local localparam logic longint
macromodule matches medium modport module nand negedge nettype new nexttime nmos nor noshowcancelled not
notif0 notif1 null or output package packed parameter pmos posedge primitive priority program property
protected pull0 pull1 pulldown pullup pulsestyle_ondetect pulsestyle_onevent pure rand randc randcase
randsequence rcmos real realtime ref reg reject_on release repeat restrict return rnmos rpmos rtran rtranif0
rtranif1 s_always s_eventually s_nexttime s_until s_until_with scalared sequence shortint shortreal
showcancelled signed small soft solve specify specparam static string strong strong0 strong1 struct super
supply0 supply1 sync_accept_on sync_reject_on table tagged task this throughout time timeprecision timeunit
tran tranif0 tranif1 tri tri0 tri1 triand trior trireg type typedef union unique unique0 unsigned until
until_with untyped use uwire var vectored virtual void wait wait_order wand weak weak0 weak1 while wildcard
wire with within wor xnor xor
alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t compl const_cast constexpr
decltype delete double dynamic_cast explicit false float friend goto inline long mutable namespace noexcept
not_eq nullptr operator or_eq private public register reinterpret_cast short sizeof static_assert
static_cast switch template thread_local throw true try typeid typename using volatile wchar_t xor_eq
main clk rst`) {
		m[w] = true
	}
	return m
}()
