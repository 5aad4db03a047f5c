package clang

import "testing"

// TestBarriers: assembly without an instruction is taken out, with its value handed on;
// anything else stays for the message.
func TestBarriers(t *testing.T) {
	const same = "="
	const clobbers = `,~{dirflag},~{fpsr},~{flags}"`
	for _, c := range []struct{ before, after string }{
		{`  call void asm sideeffect "", "r,~{memory}` + clobbers + `(i32 %15) #2, !dbg !5` + "\n", ""},
		{`  tail call void asm "# here\0A", "=*m,*m` + clobbers + `(ptr elementtype(i32) %8, ptr elementtype(i32) %8) #2` + "\n", ""},
		{`  %22 = call i32 asm sideeffect "", "=r,0` + clobbers + `(i32 %21) #2, !dbg !7` + "\n", "  %22 = freeze i32 %21, !dbg !7\n"},
		{`  %22 = call i32 asm "nop", "=r,0` + clobbers + `(i32 %21) #2` + "\n", same},
		{`  %22 = call i32 asm "", "=r` + clobbers + `() #2` + "\n", same},
		{`  call void asm sideeffect "hlt", ""() #2` + "\n", same},
	} {
		want := c.after
		if want == same {
			want = c.before
		}
		if got := string(barriers([]byte(c.before))); got != want {
			t.Errorf("%sgot  %swant %s", c.before, got, want)
		}
	}
}
