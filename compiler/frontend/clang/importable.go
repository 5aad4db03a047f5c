package clang

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
)

// What hardware cannot do must reach the pass that reports it, with its line in the
// source. Some of it the importer does not read at all; that gets another form here,
// of calls of functions with names of their own.
const (
	// Assembly starts the names of functions that stand for inline assembly.
	Assembly = "loom.asm."
	// ComputedGoto is the function that stands for the choice of a label at run time.
	ComputedGoto = "loom.goto"
)

var (
	asmCall      = regexp.MustCompile(`call ((?:[\w{}<>, ()]*?)\S) asm (?:\w+ )*"[^"]*", "[^"]*"\(`)
	elementType  = regexp.MustCompile(` elementtype\([^()]*(?:\([^()]*\)[^()]*)*\)`)
	blockAddress = regexp.MustCompile(`blockaddress\(@[^,]+, %(?:"[^"]*"|[-\w$.]+)\)`)
	// noConstructors is the list that is left when clang has run all of them.
	noConstructors = regexp.MustCompile(`(?m)^@llvm\.global_[cd]tors = appending global \[0 x .*\n`)
	indirectBr     = regexp.MustCompile(`^\s*indirectbr ptr (\S+), \[(.*)\](.*)`)
)

// importable gives what the importer does not read a form that it does.
func importable(ll []byte) []byte {
	ll = noConstructors.ReplaceAll(barriers(ll), nil)
	if !bytes.Contains(ll, []byte(" asm ")) && !bytes.Contains(ll, []byte("blockaddress(")) && !bytes.Contains(ll, []byte("unnamed_addr")) &&
		!bytes.Contains(ll, []byte("#dbg_assign(")) {
		return ll
	}
	var out, more bytes.Buffer
	n := 0
	for line := range bytes.Lines(ll) {
		switch {
		case line[0] == '@':
			// The importer prints this word where it does not read it again.
			line = bytes.Replace(line, []byte(" local_unnamed_addr"), nil, 1)
			line = bytes.Replace(line, []byte(" unnamed_addr"), nil, 1)
		case bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("#dbg_assign(")):
			line = assigned(line)
		case bytes.Contains(line, []byte(" asm ")):
			if m := asmCall.FindSubmatch(line); m != nil {
				n++
				name := fmt.Sprintf("@%s%d", Assembly, n)
				line = bytes.Replace(line, m[0], fmt.Appendf(nil, "call %s (...) %s(", m[1], name), 1)
				line = elementType.ReplaceAll(line, nil)
				fmt.Fprintf(&more, "declare %s %s(...)\n", m[1], name)
			}
		case bytes.Contains(line, []byte("indirectbr ")):
			if m := indirectBr.FindSubmatch(line); m != nil {
				line = switchOf(n, string(m[1]), string(m[2]), string(m[3]))
				if !bytes.Contains(more.Bytes(), []byte(ComputedGoto)) {
					fmt.Fprintf(&more, "declare i32 @%s(ptr)\n", ComputedGoto)
				}
				n++
			}
		}
		if bytes.Contains(line, []byte("blockaddress(")) {
			line = blockAddress.ReplaceAll(line, []byte("null"))
		}
		out.Write(line)
	}
	out.Write(more.Bytes())
	return out.Bytes()
}

var (
	// emptyAsm matches inline assembly without an instruction.
	emptyAsm = regexp.MustCompile(`call (?:[\w{}<>, ()]*?\S) asm (?:\w+ )*"(?:\s|\\09|\\0A|#[^"]*)*", "([^"]*)"\(`)
	// keptAsm is such a statement that hands its input on as its result.
	keptAsm = regexp.MustCompile(`^(\s*%\S+ = )(?:tail )?call (\w+) asm [^(]*"=[^",]*,0(?:,~[^"]*)?"\((\w+) (?:noundef )?([^ ,()]+)\)(?:.*(, !dbg !\d+))?`)
)

// barriers takes inline assembly out that has no instruction: it keeps compilers from
// moving or removing things, and there is nothing of that kind between a kernel and its
// hardware.
func barriers(ll []byte) []byte {
	if !bytes.Contains(ll, []byte(" asm ")) {
		return ll
	}
	var out bytes.Buffer
	for line := range bytes.Lines(ll) {
		if emptyAsm.Match(line) {
			if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("call void asm ")) || bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("tail call void asm ")) {
				continue
			}
			if m := keptAsm.FindSubmatch(bytes.TrimRight(line, "\n")); m != nil && bytes.Equal(m[2], m[3]) {
				line = fmt.Appendf(nil, "%sfreeze %s %s%s\n", m[1], m[2], m[4], m[5])
			}
		}
		out.Write(line)
	}
	return out.Bytes()
}

// switchOf is a branch with the same targets as an indirect one.
func switchOf(n int, address, labels, dbg string) []byte {
	list := strings.Split(labels, ", ")
	var b bytes.Buffer
	fmt.Fprintf(&b, "  %%loom.goto.%d = call i32 @%s(ptr %s)%s\n", n, ComputedGoto, address, dbg)
	fmt.Fprintf(&b, "  switch i32 %%loom.goto.%d, %s [", n, list[0])
	for i, l := range list[1:] {
		fmt.Fprintf(&b, " i32 %d, %s", i+1, l)
	}
	fmt.Fprintf(&b, " ]%s\n", dbg)
	return b.Bytes()
}

// assigned is the record that a variable gets a value, of which that of assignment
// tracking is a longer form.
func assigned(line []byte) []byte {
	text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(string(line)), "#dbg_assign("), ")")
	var args []string
	depth, start := 0, 0
	for i, c := range text {
		switch c {
		case '(', '[', '{', '<':
			depth++
		case ')', ']', '}', '>':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	args = append(args, strings.TrimSpace(text[start:]))
	if len(args) != 7 {
		return nil
	}
	return fmt.Appendf(nil, "    #dbg_value(%s, %s, %s, %s)\n", args[0], args[1], args[2], args[6])
}
