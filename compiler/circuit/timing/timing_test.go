package timing

import "testing"

// TestLookup: what was measured comes back, between widths lies between them, beyond them goes on, and what is
// not in the table is reported.
func TestLookup(t *testing.T) {
	get := func(k Key) Row {
		t.Helper()
		r, err := Lookup(k)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for _, r := range rows {
		if got := get(r.Key); got != r {
			t.Errorf("%+v: %+v, measured was %+v", r.Key, got, r)
		}
	}
	add := func(w int) Row { return get(Key{"loom_op_addi", "", w, 2}) }
	at24 := add(24)
	if l, h := add(16), add(32); at24.LUT < l.LUT || at24.LUT > h.LUT || at24.Delays[Forward].NS <= min(l.Delays[Forward].NS, h.Delays[Forward].NS)-0.01 ||
		at24.Delays[Forward].NS > max(l.Delays[Forward].NS, h.Delays[Forward].NS) {
		t.Errorf("24 bits %+v do not lie between 16 %+v and 32 %+v", at24, l, h)
	}
	if w := add(96); w.LUT <= add(64).LUT {
		t.Errorf("96 bits take %d look-up tables, 64 bits %d", w.LUT, add(64).LUT)
	}
	if five := get(Key{"loom_fork", "", 0, 5}); five.FF != 5 {
		t.Errorf("a fork to five has %d registers", five.FF)
	}
	or, and := get(Key{"loom_op_ori", "", 8, 2}), get(Key{"loom_op_andi", "", 8, 2})
	if or.Delays != and.Delays || or.Module != "loom_op_ori" {
		t.Errorf("or %+v is not as and %+v", or, and)
	}
	if get(Key{"loom_stream", "-= step", 32, 0}).Delays != get(Key{"loom_stream", "+= step", 32, 0}).Delays {
		t.Error("a stream that counts down is not as one that counts up")
	}
	if w := get(Key{"loom_op_trunci", "", 32, 1}); w.LUT != 0 || w.Delays[Forward].NS != 0 {
		t.Errorf("a truncation is wires, found %+v", w)
	}
	for _, k := range []Key{{"loom_nothing", "", 8, 2}, {"loom_op_cmpi", "gt", 8, 2}} {
		if _, err := Lookup(k); err == nil {
			t.Errorf("%+v has a row", k)
		}
	}
}

// TestSense: the table says what is known of the units without measuring.
func TestSense(t *testing.T) {
	for _, r := range rows {
		for p, d := range r.Delays {
			if d.NS < 0 || d.NS > 25 || d.Levels < 0 || d.Levels > 12 {
				t.Errorf("%+v: %v takes %+v", r.Key, Path(p), d)
			}
		}
		if r.Module == "loom_fifo" && r.N > 1 && (r.Delays[Forward].NS > 0 || r.Delays[Backward].NS > 0) {
			t.Errorf("%+v: a FIFO cuts both ways, found %+v", r.Key, r.Delays)
		}
		if r.Module == "loom_join" && (r.Delays[Backward].NS == 0 || r.Delays[Through].NS == 0 || r.Delays[Launch].NS > 0) {
			t.Errorf("%+v: a join has paths from ready and valid to ready, and no register; found %+v", r.Key, r.Delays)
		}
	}
}
