package clang

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"loom/internal/tools"
)

// Marks on variables are annotations of clang, annotate("loom.target=rom"), which PolyArch
// LOOM's sources spell LOOM_TARGET("rom"). For a parameter clang calls an intrinsic with the
// address of the variable that holds it, which would keep that variable in memory; so between
// front end and optimiser the call becomes a mark on the function, ROMMark with the positions
// of the parameters, and the parameters become noalias: nothing that is written overlaps
// with them.

// ROMMark is the attribute of a function with the positions of its parameters that are
// marked as ROM, separated by blanks. MLIR's importer passes it through.
const ROMMark = "loom.rom"

var (
	targetText  = regexp.MustCompile(`(?m)^@([-\w$.]+) = .* c"loom\.target=([^"]*)\\00"`)
	otherText   = regexp.MustCompile(`(?m)^@([-\w$.]+) = .* c"([^"]*)\\00", section "llvm\.metadata"`)
	targetCall  = regexp.MustCompile(`^ *(?:tail )?call void @llvm\.var\.annotation[^(]*\(ptr (?:nonnull )?(%[^,]+), ptr (?:nonnull )?@([-\w$.]+), ptr (?:nonnull )?@([-\w$.]+), i32 (\d+),`)
	storedParam = regexp.MustCompile(`^ *store (ptr|\w+|<[^>]*>) (%[^,]+), ptr (%[^,]+)`)
	globalMark  = regexp.MustCompile(`\{ ptr @("[^"]*"|[-\w$.]+), ptr @([-\w$.]+), ptr @([-\w$.]+), i32 (\d+),`)
	attrGroup   = regexp.MustCompile(`\) (?:(?:local_)?unnamed_addr )?#\d+`)
)

// targets makes marks of annotations. A mark that makes no sense is an error at its line,
// in the form of clang's.
func targets(ll []byte) ([]byte, error) {
	if !bytes.Contains(ll, []byte(`c"loom.target=`)) {
		return ll, nil
	}
	spec, text := map[string]string{}, map[string]string{}
	for _, m := range targetText.FindAllSubmatch(ll, -1) {
		spec[string(m[1])] = string(m[2])
	}
	for _, m := range otherText.FindAllSubmatch(ll, -1) {
		text[string(m[1])] = string(m[2])
	}
	var faults []string
	fault := func(file, line, format string, args ...any) {
		faults = append(faults, fmt.Sprintf("%s:%s:1: error: %s\n", text[file], line, fmt.Sprintf(format, args...)))
	}
	known := func(s, file, line string) bool {
		if s == "rom" || s == "extmemory" || s == "spatial" || s == "temporal" || strings.HasPrefix(s, "pe[") {
			return true
		}
		fault(file, line, `unknown target "%s"; the targets are "rom", "extmemory", "spatial", "temporal" and "pe[X,Y]"`, s)
		return false
	}
	var out bytes.Buffer
	var function [][]byte // the lines of the function that is open
	for line := range bytes.Lines(ll) {
		switch {
		case function == nil && bytes.HasPrefix(line, []byte("define ")):
			function = [][]byte{line}
			continue
		case function == nil:
			out.Write(line)
			if !bytes.HasPrefix(line, []byte("@llvm.global.annotations")) {
				continue
			}
			for _, m := range globalMark.FindAllSubmatch(line, -1) {
				s, marked := spec[string(m[2])]
				at, file := string(m[4]), string(m[3])
				if !marked || !known(s, file, at) || s != "rom" {
					continue
				}
				def := regexp.MustCompile(`(?m)^@` + regexp.QuoteMeta(string(m[1])) + ` = [^\n]*\bconstant `)
				if !def.Match(ll) {
					fault(file, at, "'%s' is no constant array and no parameter, so it cannot be ROM", strings.Trim(string(m[1]), `"`))
				}
			}
			continue
		}
		function = append(function, line)
		if line[0] == '}' {
			out.Write(marked(function, spec, known, fault))
			function = nil
		}
	}
	if len(faults) > 0 {
		return nil, &tools.FailedError{Name: tools.Clang, Err: errors.New("marks that make no sense"), Output: strings.Join(faults, "")}
	}
	return out.Bytes(), nil
}

// marked replaces the annotations of a function by its mark.
func marked(lines [][]byte, spec map[string]string, known func(s, file, line string) bool, fault func(file, line, format string, args ...any)) []byte {
	params := parameters(string(lines[0]))
	holds := map[string]int{} // parameters by the variable that holds them
	var kept [][]byte
	var rom []int
	for _, line := range lines {
		if m := storedParam.FindSubmatch(line); m != nil {
			if i := slices.Index(params, string(m[2])); i >= 0 {
				if _, twice := holds[string(m[3])]; !twice {
					holds[string(m[3])] = i
				}
			}
		}
		m := targetCall.FindSubmatch(line)
		s, target := "", false
		if m != nil {
			s, target = spec[string(m[2])]
		}
		if !target {
			kept = append(kept, line)
			continue
		}
		file, at := string(m[3]), string(m[4])
		if !known(s, file, at) || s != "rom" {
			continue
		}
		if i, param := holds[string(m[1])]; param {
			rom = append(rom, i)
		} else {
			fault(file, at, "a local variable cannot be ROM: make it a static const array, or take the mark away")
		}
	}
	if len(rom) > 0 {
		slices.Sort(rom)
		rom = slices.Compact(rom)
		head := string(kept[0])
		for _, i := range rom {
			p := parameterTexts(head)[i]
			if at := strings.LastIndexByte(p, ' '); strings.HasPrefix(p, "ptr ") && !strings.Contains(p, " noalias ") {
				head = strings.Replace(head, p, p[:at]+" noalias"+p[at:], 1)
			}
		}
		list := strings.Trim(fmt.Sprint(rom), "[]")
		head = attrGroup.ReplaceAllStringFunc(head, func(m string) string {
			at := strings.LastIndex(m, "#")
			return m[:at] + fmt.Sprintf(`"%s"="%s" `, ROMMark, list) + m[at:]
		})
		kept[0] = []byte(head)
	}
	return bytes.Join(kept, nil)
}

// parameterTexts are the parameters of a function as its first line has them.
func parameterTexts(head string) (out []string) {
	at := strings.IndexByte(head, '@')
	if at < 0 {
		return nil
	}
	if strings.HasPrefix(head[at:], `@"`) {
		at += 2 + strings.IndexByte(head[at+2:], '"')
	}
	open := strings.IndexByte(head[at:], '(')
	if open < 0 {
		return nil
	}
	rest := head[at+open+1:]
	depth, from := 0, 0
	for i, c := range rest {
		switch {
		case strings.ContainsRune("([{<", c):
			depth++
		case c == ')' && depth == 0, c == ',' && depth == 0:
			if p := strings.TrimSpace(rest[from:i]); p != "" {
				out = append(out, p)
			}
			if from = i + 1; c == ')' {
				return out
			}
		case strings.ContainsRune(")]}>", c):
			depth--
		}
	}
	return out
}

// parameters are the names of the parameters of a function.
func parameters(head string) (out []string) {
	for _, p := range parameterTexts(head) {
		out = append(out, p[strings.LastIndexByte(p, ' ')+1:])
	}
	return out
}
