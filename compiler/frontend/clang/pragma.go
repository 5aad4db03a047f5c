package clang

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// LOOM's own pragmas stand in front of loops:
//
//	#pragma loom accel       this loop is to become hardware
//	#pragma loom unroll N    clang unrolls the loop N times
//
// and one in front of a parameter:
//
//	#pragma loom target("rom")   nobody writes its array during a run
//
// clang ignores pragmas that it does not know, so it is given the files with these
// replaced, by an overlay of the file system: names, lines and columns stay what
// they are. unroll becomes clang's own; accel becomes the initiation interval of software
// pipelining, which nothing but code generation looks at and which stays with the loop as
// metadata. In front of anything but a loop clang refuses both. target becomes an attribute
// (rom.go), which clang refuses where it cannot stand.
const accelHint = "pipeline_initiation_interval(1)"

var (
	loomPragma = regexp.MustCompile(`^([ \t]*#[ \t]*pragma[ \t]+)loom\b(.*)$`)
	loomInline = regexp.MustCompile(`\b_Pragma[ \t]*\([ \t]*"[ \t]*loom\b((?:[^"\\]|\\")*)"[ \t]*\)`)
	include    = regexp.MustCompile(`^[ \t]*#[ \t]*(?:include|include_next|import)[ \t]*(["<])([^">]+)[">]`)
	targetName = regexp.MustCompile(`^\(?[ \t]*\\?"?([-\w\[\],]+?)\\?"?[ \t]*\)?$`)
	comment    = regexp.MustCompile(`/\*.*?\*/|//.*$|/\*.*$`)
)

const known = "'accel', 'unroll N' and 'target(rom)'"

// isAttribute reports whether a hint stands for itself, not behind #pragma.
func isAttribute(hint string) bool { return strings.HasPrefix(hint, "__attribute__") }

// hint is what clang reads for the words behind "loom"; fault is what is wrong with
// them.
func hint(words string) (clang, fault string) {
	words = strings.TrimSpace(comment.ReplaceAllString(words, " "))
	name, rest, _ := strings.Cut(words, " ")
	rest = strings.TrimSpace(strings.ReplaceAll(rest, "\t", " "))
	if at := strings.IndexAny(name, "\t("); at >= 0 {
		name, rest = name[:at], strings.TrimSpace(name[at:]+" "+rest)
	}
	switch name {
	case "accel":
		if rest != "" {
			return "", fmt.Sprintf("'#pragma loom accel' takes nothing, found '%s'", rest)
		}
		return "clang loop " + accelHint, ""
	case "unroll":
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") {
			rest = strings.TrimSpace(rest[1 : len(rest)-1])
		}
		if rest == "" {
			return "", "'#pragma loom unroll' takes a number of iterations, found none"
		}
		return "clang loop unroll_count(" + rest + ")", ""
	case "target":
		if m := targetName.FindStringSubmatch(rest); m != nil {
			return `__attribute__((annotate("loom.target=` + m[1] + `")))`, ""
		}
		return "", fmt.Sprintf("'#pragma loom target' takes a name, as in target(rom), found '%s'", strings.ReplaceAll(rest, `\`, ""))
	case "":
		return "", "'#pragma loom' names nothing; the pragmas are " + known
	}
	return "", fmt.Sprintf("unknown pragma 'loom %s'; the pragmas are %s", name, known)
}

// rewrite replaces the pragmas of a source text and reports whether there were any. A
// pragma that makes no sense becomes an #error, which counts where the code around it
// does.
func rewrite(text string) (out string, changed bool) {
	if !strings.Contains(text, "loom") || !strings.Contains(text, "ragma") {
		return text, false
	}
	lines := strings.Split(text, "\n")
	var s scanner
	for i, l := range lines {
		code := s.code()
		s.line(l)
		if !code {
			continue
		}
		end := ""
		if strings.HasSuffix(l, "\r") {
			l, end = l[:len(l)-1], "\r"
		}
		if m := loomPragma.FindStringSubmatch(l); m != nil {
			h, fault := hint(m[2])
			lines[i], changed = m[1]+h+end, true
			switch {
			case isAttribute(h):
				lines[i] = h + end
			case fault != "":
				// The position of the error is that of the directive.
				lines[i] = strings.Replace(m[1], "pragma", "error ", 1) + fault + end
			}
			continue
		}
		if loomInline.MatchString(l) {
			changed = true
			lines[i] = loomInline.ReplaceAllStringFunc(l, func(p string) string {
				h, fault := hint(loomInline.FindStringSubmatch(p)[1])
				if fault != "" {
					h = "GCC error \\\"" + strings.ReplaceAll(fault, `"`, "'") + "\\\""
				}
				if isAttribute(h) {
					return h
				}
				return `_Pragma("` + h + `")`
			}) + end
		}
	}
	return strings.Join(lines, "\n"), changed
}

// scanner follows comments and strings that go over several lines.
type scanner struct {
	inComment bool
	raw       string // what ends the raw string that is open, "" for none
}

// code reports whether the next line begins as code.
func (s *scanner) code() bool { return !s.inComment && s.raw == "" }

var rawString = regexp.MustCompile(`^R"([^ ()\\\t]{0,16})\(`)

func (s *scanner) line(l string) {
	for i := 0; i < len(l); i++ {
		rest := l[i:]
		switch {
		case s.inComment:
			at := strings.Index(rest, "*/")
			if at < 0 {
				return
			}
			s.inComment = false
			i += at + 1
		case s.raw != "":
			at := strings.Index(rest, s.raw)
			if at < 0 {
				return
			}
			i += at + len(s.raw) - 1
			s.raw = ""
		case strings.HasPrefix(rest, "//"):
			return
		case strings.HasPrefix(rest, "/*"):
			s.inComment = true
			i++
		case rest[0] == 'R' && (i == 0 || !word(l[i-1]) || strings.ContainsRune("uUL8", rune(l[i-1]))):
			if m := rawString.FindStringSubmatch(rest); m != nil {
				s.raw = ")" + m[1] + "\""
				i += len(m[0]) - 1
			}
		case rest[0] == '"', rest[0] == '\'' && (i == 0 || !word(l[i-1])): // not the ' of 1'000
			for i++; i < len(l) && l[i] != rest[0]; i++ {
				if l[i] == '\\' {
					i++
				}
			}
		}
	}
}

func word(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// overlay is a file system overlay in clang's format.
type overlay struct {
	Version  int            `json:"version"`
	External bool           `json:"use-external-names"`
	Roots    []overlayEntry `json:"roots"`
}

type overlayEntry struct {
	Type     string `json:"type"`
	Name     string `json:"name"`
	Contents string `json:"external-contents"`
}

// maxHeaders bounds the headers that are searched for pragmas.
const maxHeaders = 2000

// pragmas gives the options with which clang finds LOOM's pragmas in a file and in the
// headers of the project that it includes; none where there are no pragmas. done removes
// what was written for them.
func pragmas(file string, flags []string) (options []string, done func(), err error) {
	done = func() {}
	o := overlay{}
	seen := map[string]bool{}
	var texts []string
	dirs := includeDirs(flags)
	queue := []string{file}
	for len(queue) > 0 && len(seen) < maxHeaders {
		path, aerr := filepath.Abs(queue[0])
		queue = queue[1:]
		if aerr != nil || seen[path] {
			continue
		}
		seen[path] = true
		data, rerr := os.ReadFile(path)
		if rerr != nil || len(data) > 16<<20 {
			continue // clang reports it
		}
		text := string(data)
		if out, changed := rewrite(text); changed {
			o.Roots = append(o.Roots, overlayEntry{"file", path, ""})
			texts = append(texts, out)
		}
		for _, l := range strings.Split(text, "\n") {
			if m := include.FindStringSubmatch(l); m != nil {
				where := dirs
				if m[1] == `"` {
					where = append([]string{filepath.Dir(path)}, dirs...)
				}
				for _, d := range where {
					queue = append(queue, filepath.Join(d, m[2]))
				}
			}
		}
	}
	if len(texts) == 0 {
		return nil, done, nil
	}
	dir, err := os.MkdirTemp("", "loom-pragmas")
	if err != nil {
		return nil, done, err
	}
	done = func() { os.RemoveAll(dir) }
	for i, text := range texts {
		o.Roots[i].Contents = filepath.Join(dir, fmt.Sprintf("%d%s", i, filepath.Ext(o.Roots[i].Name)))
		if err := os.WriteFile(o.Roots[i].Contents, []byte(text), 0o600); err != nil {
			return nil, done, err
		}
	}
	data, err := json.Marshal(o)
	if err != nil {
		return nil, done, err
	}
	list := filepath.Join(dir, "overlay.json")
	return []string{"-ivfsoverlay", list}, done, os.WriteFile(list, data, 0o600)
}

// includeDirs are the directories of -I.
func includeDirs(flags []string) []string {
	var out []string
	for i, f := range flags {
		dir, ok := strings.CutPrefix(f, "-I")
		switch {
		case ok && dir == "" && i+1 < len(flags):
			out = append(out, flags[i+1])
		case ok && dir != "":
			out = append(out, dir)
		}
	}
	return out
}

var (
	metadataNode = regexp.MustCompile(`(?m)^!(\d+) = (distinct )?!\{(.*)\}$`)
	followup     = regexp.MustCompile(`^!"llvm\.loop\.unroll\.followup_all", !(\d+)$`)
)

// mergeHints gives loops that are to be unrolled what clang kept for the time after that:
// a loop under both pragmas is marked all along, and the unrolled loop with it.
func mergeHints(ll []byte) []byte {
	if !strings.Contains(string(ll), "llvm.loop.unroll.followup_all") {
		return ll
	}
	nodes := map[string][]string{}
	text := map[string]string{}
	for _, m := range metadataNode.FindAllStringSubmatch(string(ll), -1) {
		nodes[m[1]], text[m[1]] = strings.Split(m[3], ", "), m[3]
	}
	return metadataNode.ReplaceAllFunc(ll, func(line []byte) []byte {
		m := metadataNode.FindStringSubmatch(string(line))
		self := "!" + m[1]
		if m[2] == "" || len(nodes[m[1]]) == 0 || nodes[m[1]][0] != self {
			return line
		}
		var out []string
		for _, op := range nodes[m[1]] {
			f := followup.FindStringSubmatch(text[strings.TrimPrefix(op, "!")])
			if f == nil {
				out = append(out, op)
				continue
			}
			for _, later := range nodes[f[1]] {
				if later != "!"+f[1] && !slices.Contains(out, later) && text[strings.TrimPrefix(later, "!")] != `!"llvm.loop.unroll.disable"` {
					out = append(out, later)
				}
			}
		}
		return []byte("!" + m[1] + " = distinct !{" + strings.Join(out, ", ") + "}")
	})
}
