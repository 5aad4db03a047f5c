package loom_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom"
	"loom/compiler/arch"
	"loom/internal/browser"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/sim/trace"
)

// picture is a kernel on a fabric, a run, and their page.
type picture struct {
	m    *loom.Mapping
	run  *loom.Run
	file string
}

// architecture is a shipped fabric, or one of testdata/arch.
func architecture(t *testing.T, name string) *loom.Fabric {
	t.Helper()
	f, err := loom.LoadFabric(loom.Source{Name: name + ".yaml", Text: string(testkit.Architecture(t, name))}, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// paint maps a kernel onto a fabric, runs it, and writes viz.html, or a page without a
// run.
func paint(t *testing.T, kernel, fabric string, size int, played bool) *picture {
	t.Helper()
	f := architecture(t, fabric)
	if strings.HasSuffix(kernel, ".c") {
		toolstest.Need(t, "clang-19", "mlir-opt-19", "mlir-translate-19")
	}
	src, err := loom.ReadSource(testkit.Testdata(t, "kernels", kernel))
	if err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), src, loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	p := &picture{}
	if p.m, err = loom.Map(t.Context(), k, f, loom.MapOptions{}); err != nil {
		t.Fatal(err)
	}
	if played {
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: int64(size)})
		if err != nil {
			t.Fatal(err)
		}
		if p.run, err = p.m.RunCycles(in, loom.Environment{}, true); err != nil {
			t.Fatal(err)
		}
	}
	p.write(t)
	return p
}

func (p *picture) write(t *testing.T) {
	t.Helper()
	files, err := p.m.Artifacts(p.run)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := files.Write(dir); err != nil {
		t.Fatal(err)
	}
	p.file = filepath.Join(dir, p.m.Name()+".viz.html")
}

// load shows a page with the checks of testdata/page.
func load(t *testing.T, b *browser.Page, file string) {
	t.Helper()
	checks, err := os.ReadFile(testkit.Testdata(t, "page", "checks.js"))
	if err != nil {
		t.Fatal(err)
	}
	b.Load(file)
	b.Eval(string(checks)+";0", nil)
}

// none reports what a check finds.
func none(t *testing.T, b *browser.Page, at, check string) {
	t.Helper()
	var wrong []string
	b.Eval(check, &wrong)
	for i, w := range wrong {
		if i == 8 {
			t.Errorf("%s: %s: %d more", at, check, len(wrong)-i)
			break
		}
		t.Errorf("%s: %s", at, w)
	}
}

// shot keeps what the browser shows, for a person: LOOM_SHOTS names the directory.
func shot(b *browser.Page, name string) {
	if dir := os.Getenv("LOOM_SHOTS"); dir != "" {
		b.Screenshot(filepath.Join(dir, strings.NewReplacer(" ", "_", "/", "_").Replace(name)+".png"))
	}
}

var windows = [][2]int{{1600, 1000}, {1280, 720}, {2560, 1440}}

// TestPicture looks at the page of a kernel on a 6x6 mesh in windows of three sizes: every
// label is legible, nothing overlaps or lies outside, every node can be clicked.
func TestPicture(t *testing.T) {
	p := paint(t, "scan.mlir", "mesh6x6", 12, true)
	b := browser.Open(t)
	for _, w := range windows {
		at := fmt.Sprintf("dot %dx%d", w[0], w[1])
		b.Size(w[0], w[1])
		load(t, b, p.file)
		looks(t, b, at, 8.2, true, w == windows[0])
		if w == windows[0] {
			clicks(t, b, p)
			keys(t, b)
			plays(t, b, p)
			checksFail(t, b)
		}
	}
	for _, c := range b.Complaints {
		t.Error(c)
	}
}

// TestPictures does the same for other fabrics and kernels, in both colour schemes.
func TestPictures(t *testing.T) {
	if os.Getenv("LOOM_SOAK") == "" {
		t.Skip("set LOOM_SOAK=1 for more pictures")
	}
	b := browser.Open(t)
	for _, c := range []struct {
		kernel, fabric string
		size           int
		least          float64
		all, played    bool
	}{
		{"vecadd.mlir", "torus4x5", 16, 8.5, true, true},
		{"vecadd.mlir", "mesh_io_ring4x5", 16, 8.5, true, true},
		{"crc.mlir", "mesh8x8", 8, 8, false, true},
		{"c/dot_unsigned.c", "mesh6x6", 20, 8.5, true, true},
		{"dot.mlir", "mesh6x6", 0, 8.5, true, false},
		{"c/matmul.c", "mesh12x12", 8, 8, false, true},
		{"histogram.mlir", "mixed10x10", 64, 8, false, true},
	} {
		p := paint(t, c.kernel, c.fabric, c.size, c.played)
		for i, w := range windows {
			at := fmt.Sprintf("%s %s %dx%d", strings.TrimPrefix(c.kernel, "c/"), c.fabric, w[0], w[1])
			b.Dark(i%2 == 0)
			b.Size(w[0], w[1])
			load(t, b, p.file)
			looks(t, b, at, c.least, c.all, true)
			if w != windows[0] {
				continue
			}
			clicks(t, b, p)
			if c.played {
				plays(t, b, p)
			}
			responds(t, b, at)
		}
	}
	for _, c := range b.Complaints {
		t.Error(c)
	}
}

// TestFabricPicture looks at the page of a fabric alone.
func TestFabricPicture(t *testing.T) {
	b := browser.Open(t)
	for _, name := range []string{"mesh6x6", "torus4x5", "mesh_io_ring4x5", "mixed10x10"} {
		if name != "torus4x5" && os.Getenv("LOOM_SOAK") == "" {
			continue
		}
		f := architecture(t, name)
		files, err := f.Artifacts()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := files.Write(dir); err != nil {
			t.Fatal(err)
		}
		b.Size(1280, 720)
		load(t, b, filepath.Join(dir, f.Name+".fabric.viz.html"))
		least := 8.5
		if name == "mixed10x10" {
			least = 8
		}
		looks(t, b, name, least, least > 8, true)
		var missed []string
		b.Eval(`F.components.filter(c => c.kind !== "fifo" && !compNodes.has(c.id)).map(c => c.name)`, &missed)
		if len(missed) > 0 {
			t.Errorf("%s: not drawn: %q", name, missed)
		}
	}
	for _, c := range b.Complaints {
		t.Error(c)
	}
}

// looks checks what can be seen, with every in each colouring and each view. No label has
// fewer pixels than least; with all, each is shown.
func looks(t *testing.T, b *browser.Page, at string, least float64, all, every bool) {
	t.Helper()
	names, views := []string{}, []string{"all", "graph", "fabric"}
	b.Eval(`colours().map(c => c[0])`, &names)
	if !every {
		names, views = names[:1], views[:1]
	}
	for _, name := range names {
		b.Eval(fmt.Sprintf(`colour(%q)`, name), nil)
		none(t, b, at+" "+name, "faint(4.5)")
	}
	for _, view := range views {
		b.Eval(fmt.Sprintf(`(G || %q !== "graph") && show(%q), T && go(Math.floor(T.shown / 2))`, view, view), nil)
		b.Settle()
		where := at + " " + view
		none(t, b, where, fmt.Sprintf("smallLabels(%g, %t)", least, all))
		none(t, b, where, "overlaps()")
		none(t, b, where, "outside()")
		none(t, b, where, "faint(4.5)")
		shot(b, where)
	}
	b.Eval(`show("all")`, nil)
	b.Settle()
	var part float64
	if b.Eval(`filled("fabric")`, &part); part < 0.83 {
		t.Errorf("%s: the fabric fills %.2f of its pane", at, part)
	}
}

// clicks clicks every node, every component and every line, and looks at what belongs to
// it in the other panes.
func clicks(t *testing.T, b *browser.Page, p *picture) {
	t.Helper()
	ops := map[int]bool{}
	comps := map[string][]int{}
	for _, o := range p.m.Data.Ops {
		if o.Comp != "" {
			ops[o.Index] = true
			comps[o.Comp] = append(comps[o.Comp], o.Index)
		}
	}
	var drawn []struct{ Op, Line int }
	b.Eval(`G.nodes.map(n => ({op: n.op, line: n.line}))`, &drawn)
	found := 0
	for _, n := range drawn {
		if ops[n.Op] {
			found++
		}
	}
	if found != len(ops) {
		t.Errorf("%d of %d operations are drawn", found, len(ops))
	}
	type seen struct {
		Chosen  map[string]any
		Nodes   []int
		Comps   []string
		Lines   []int
		Details string
	}
	look := func() (s seen) {
		b.Eval(`({chosen, nodes: graphNodes.map((g, i) => g.classList.contains("hot") ? i : -1).filter(i => i >= 0),
			comps: [...compNodes].filter(([, g]) => g.classList.contains("hot")).map(([id]) => F.components[id].name),
			lines: [...document.querySelectorAll(".line.hot")].map(e => +e.dataset.line), details: byId("details").textContent})`, &s)
		return s
	}
	at := func(selector string) (out [][2]float64) {
		b.Eval(fmt.Sprintf("spots(%q)", selector), &out)
		return out
	}
	for i, spot := range at("#graph .node rect") {
		b.Click(spot[0], spot[1])
		s := look()
		if s.Chosen["node"] != float64(i) || !slices.Contains(s.Nodes, i) {
			t.Fatalf("a click on node %d selects %v", i, s.Chosen)
		}
		if op := drawn[i].Op; ops[op] {
			if want := p.m.Data.Ops[op].Comp; !slices.Contains(s.Comps, want) || !strings.Contains(s.Details, want) {
				t.Errorf("node %d is on %s; marked %q, told %q", i, want, s.Comps, s.Details)
			}
			if l := p.m.Kernel.Graph.Regions[0].Entry().Ops[op].Pos.Line; l > 0 && !slices.Contains(s.Lines, l) {
				t.Errorf("node %d is of line %d; marked %v", i, l, s.Lines)
			}
		}
	}
	var names []string
	b.Eval(`[...document.querySelectorAll("#fabric .node[data-comp]")].map(g => F.components[g.dataset.comp].name)`, &names)
	for i, spot := range at("#fabric .node[data-comp] rect") {
		b.Click(spot[0], spot[1])
		s := look()
		if s.Chosen["comp"] != names[i] || !strings.Contains(s.Details, names[i]) {
			t.Fatalf("a click on %s selects %v and tells %q", names[i], s.Chosen, s.Details)
		}
		for _, op := range comps[names[i]] {
			if !slices.ContainsFunc(s.Nodes, func(n int) bool { return drawn[n].Op == op }) {
				t.Errorf("%s executes operation %d, which is not marked", names[i], op)
			}
		}
	}
	var lines []int
	b.Eval(`[...lineRows.values()].map(e => +e.dataset.line)`, &lines)
	if len(lines) == 0 {
		t.Error("no line is linked to operations")
	}
	for i, l := range lines {
		var spot [2]float64
		b.Eval(fmt.Sprintf(`(() => { const e = [...lineRows.values()][%d]; e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect(); return [r.x + 30, r.y + r.height / 2]; })()`, i), &spot)
		b.Click(spot[0], spot[1])
		s := look()
		for n, d := range drawn {
			if d.Line == l && d.Op >= 0 && !slices.Contains(s.Nodes, n) {
				t.Errorf("line %d does not mark node %d", l, n)
			}
		}
	}
	b.Eval(`select(null)`, nil)
}

// keys uses the page without a mouse.
func keys(t *testing.T, b *browser.Page) {
	t.Helper()
	expect := func(what, expression, want string) {
		t.Helper()
		var got any
		if b.Eval(expression, &got); fmt.Sprint(got) != want {
			t.Errorf("%s: %s is %v, want %s", what, expression, got, want)
		}
	}
	press := func(keys ...string) {
		for _, k := range keys {
			b.Key(k)
		}
	}
	b.Eval(`document.activeElement.blur(), select(null), colour("loops"), go(0), 0`, nil)
	press("/")
	expect("/", `document.activeElement.id`, "search")
	press("s", "t", "r", "e", "a", "m", "Enter")
	expect("search", `G.nodes[chosen.node].label`, "stream")
	expect("search", `byId("found").textContent`, "1 found")
	press("Escape")
	expect("escape", `String(chosen) + document.querySelectorAll(".found, .hot").length`, "null0")
	press("ArrowDown", "n", "p", "ArrowDown")
	expect("down, n, p, down", `chosen.node`, "1")
	press("ArrowUp")
	expect("up", `chosen.node`, "0")
	press("ArrowRight", "ArrowRight", "ArrowLeft")
	expect("right, right, left", `now`, "1")
	press("End")
	expect("end", `now === T.shown - 1`, "true")
	press("Home")
	expect("home", `now`, "0")
	press("j", "7", "Enter")
	expect("jump", `now`, "7")
	press("c")
	expect("c", `document.body.dataset.colour`, "active")
	press("c", "c", "c", "c")
	expect("c", `document.body.dataset.colour`, "loops")
	expect("recurrence", `document.querySelectorAll("#graph .node.critical").length === M.timing.loops[recurrence].recurrence_cycle.length`, "true")
	press("r")
	expect("r", `document.querySelectorAll(".node.critical").length`, "0")
	press("3")
	expect("3", `getComputedStyle(byId("graphpane")).display + (byId("fabric").clientWidth > 1590)`, "nonetrue")
	press("2")
	expect("2", `getComputedStyle(byId("fabricpane")).display`, "none")
	press("1", "+", "+")
	expect("+", `panes.graph.scale > 1.5 && panes.fabric.scale > 1.5`, "true")
	press("f")
	expect("f", `panes.graph.scale + panes.fabric.scale`, "2")
	press("?")
	expect("?", `byId("keys").open`, "true")
	press("Escape")
	expect("escape", `byId("keys").open`, "false")
	press(" ")
	expect("space", `timer !== null`, "true")
	press(" ")
	expect("space", `timer`, "<nil>")
	// The timeline jumps to where it is clicked.
	var spot [2]float64
	b.Eval(`(() => { const r = byId("timeline").getBoundingClientRect(); return [r.x + cycleX(byId("timeline"), 20) + 1, r.y + 40]; })()`, &spot)
	b.Click(spot[0], spot[1])
	expect("timeline", `now`, "20")
	b.Eval(`select(null), go(0), 0`, nil)
}

// event is a line of a .sim.trace, read here without package trace.
type event struct {
	Cycle           int
	Kind            string
	Module, Channel *int
	Data            string
}

// plays steps through the run and compares what is lit, and the values, with the trace.
func plays(t *testing.T, b *browser.Page, p *picture) {
	t.Helper()
	states, tokens, cycles := follow(t, p.run.Trace)
	for i, timing := range p.m.Data.Timing.Loops {
		var shown struct {
			Measured   float64
			Iterations int64
		}
		b.Eval(fmt.Sprintf(`({measured: T.measured[%d], iterations: T.iterations[%[1]d].length})`, i), &shown)
		k := slices.IndexFunc(p.run.Loops, func(l trace.LoopStat) bool { return l.Op == timing.Op })
		if k < 0 || shown.Measured != p.run.Loops[k].II || shown.Iterations != p.run.Loops[k].Iterations {
			t.Errorf("loop %d: the page shows %+v, the run %+v", i, shown, p.run.Loops)
		}
	}
	f := p.m.Fabric.Arch
	comps := map[string]int{}
	for _, c := range f.Comps {
		comps[c.Name] = c.ID
	}
	var nodes []struct {
		Op   int
		Comp string `json:"component"`
	}
	b.Eval(`G.nodes`, &nodes)
	// The channels of an edge, from the steps of the mapping; those of lanes have tags and
	// are left out here.
	channels := make([][]int, len(p.m.Data.Edges))
	for i, e := range p.m.Data.Edges {
		for k, s := range e.Steps {
			switch {
			case k == len(e.Steps)-1:
			case s.Comp == "":
				channels[i] = append(channels[i], f.Inputs[s.Out].Chan.ID)
			default:
				channels[i] = append(channels[i], f.Comps[comps[s.Comp]].Out[s.Out].Chan.ID)
			}
		}
	}
	tagged := slices.ContainsFunc(f.Channels, func(c *arch.Channel) bool { return c.TagWidth > 0 })
	b.Eval(`document.activeElement.blur(), select(null), colour("roles"), go(0), 0`, nil)
	stride := max(1, cycles/120)
	for c := 0; c < cycles; c += stride {
		if stride > 1 {
			b.Eval(fmt.Sprintf("go(%d)", c), nil)
		} else if c > 0 {
			b.Key("ArrowRight")
		}
		var got struct {
			Cycle int
			Nodes [][2]string
			Comps map[string]string
			Edges []int
			Wrong int
			Lines int
		}
		moving := []int{}
		for ch := range tokens {
			if _, moves := tokens[ch][c]; moves {
				moving = append(moving, ch)
			}
		}
		b.Eval(fmt.Sprintf("snapshot(%s)", strings.ReplaceAll(fmt.Sprint(moving), " ", ",")), &got)
		if got.Cycle != c {
			t.Fatalf("the page shows cycle %d, want %d", got.Cycle, c)
		}
		want := map[string]string{}
		for id, s := range states[c] {
			if len(f.Comps[id].In) > 0 && f.Comps[id].Buffer() == 0 {
				want[strconv.Itoa(id)] = s
			}
		}
		if d := cmp.Diff(want, got.Comps); d != "" {
			t.Fatalf("cycle %d: components: -trace +page:\n%s", c, d)
		}
		for i, n := range nodes {
			state := ""
			if n.Comp != "" {
				state = states[c][comps[n.Comp]]
			}
			if got.Nodes[i][0] != state {
				t.Errorf("cycle %d: node %d is %q, the trace has %q", c, i, got.Nodes[i][0], state)
			}
			if text, ok := latest(p, channels, tokens, n.Op, c); ok && state != "data" && state != "room" && got.Nodes[i][1] != text {
				t.Errorf("cycle %d: node %d shows %q, the trace has %q", c, i, got.Nodes[i][1], text)
			}
		}
		var lit []int
		for i, list := range channels {
			if slices.ContainsFunc(list, func(ch int) bool { _, moves := tokens[ch][c]; return moves }) {
				lit = append(lit, i)
			}
		}
		if !tagged && !slices.Equal(lit, got.Edges) {
			t.Errorf("cycle %d: edges %v are lit, the trace has %v", c, got.Edges, lit)
		}
		if got.Wrong > 0 || got.Lines == 0 && len(moving) > 0 {
			t.Errorf("cycle %d: %d lines of the fabric are lit wrongly, of %d", c, got.Wrong, got.Lines)
		}
	}
}

// follow reads a trace: the state of components by cycle, the tokens by channel and cycle.
func follow(t *testing.T, text []byte) (states []map[int]string, tokens map[int]map[int]uint64, cycles int) {
	t.Helper()
	tokens = map[int]map[int]uint64{}
	open := map[int]string{}
	sc := bufio.NewScanner(bytes.NewReader(text))
	sc.Buffer(nil, 64<<20)
	sc.Scan()
	for sc.Scan() {
		var e event
		if err := json.Unmarshal(sc.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		for len(states) <= e.Cycle {
			states = append(states, map[int]string{})
			for id, s := range open {
				if s == "active" {
					delete(open, id) // of one cycle
				} else {
					states[len(states)-1][id] = s
				}
			}
		}
		set := map[string]string{"fire": "active", "stall_in": "data", "stall_out": "room"}[e.Kind]
		switch {
		case set != "":
			open[*e.Module], states[e.Cycle][*e.Module] = set, set
		case e.Kind == "idle":
			delete(open, *e.Module)
			delete(states[e.Cycle], *e.Module)
		case e.Kind == "transfer":
			if tokens[*e.Channel] == nil {
				tokens[*e.Channel] = map[int]uint64{}
			}
			n, err := strconv.ParseUint(strings.TrimPrefix(e.Data, "0x"), 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			tokens[*e.Channel][e.Cycle] = n
		}
	}
	return states, tokens, len(states)
}

// latest is the value that an operation with one result sent last, as text; ok is
// false for other operations.
func latest(p *picture, channels [][]int, tokens map[int]map[int]uint64, op, cycle int) (text string, ok bool) {
	if op < 0 || op >= len(p.m.Data.Ops) || p.m.Data.Ops[op].Unit == "" {
		return "", false
	}
	o := p.m.Kernel.Graph.Regions[0].Entry().Ops[op]
	if o.NumResults() != 1 {
		return "", false
	}
	for i, e := range p.m.Data.Edges {
		if e.Src.Op != op || len(channels[i]) == 0 {
			continue
		}
		for c := cycle; c >= 0; c-- {
			v, moved := tokens[channels[i][0]][c]
			if !moved {
				continue
			}
			switch o.Result(0).Type.String() {
			case "none":
				return "•", true
			case "i1":
				return strconv.FormatUint(v&1, 10), true
			case "i32", "index":
				return strconv.Itoa(int(int32(v))), true
			}
			return "", false
		}
		return "", true
	}
	return "", false
}

// checksFail spoils the page in ways that the checks must notice.
func checksFail(t *testing.T, b *browser.Page) {
	t.Helper()
	for _, c := range []struct{ spoil, check string }{
		{`graphNodes[3].querySelector("text").setAttribute("font-size", 6)`, "smallLabels(8.5, true)"},
		{`graphNodes[3].querySelector("text").classList.add("far")`, "smallLabels(8.5, true)"},
		{`graphNodes[3].setAttribute("transform", "translate(0 -45)")`, "overlaps()"},
		{`[...compNodes.values()].at(-1).setAttribute("transform", "translate(900 0)")`, "outside()"},
		{`graphNodes[3].querySelector("text").style.fill = "#88a"`, "faint(4.5)"},
		{`byId("legend").style.width = "300px"`, "outside()"},
	} {
		b.Eval(c.spoil+", 0", nil)
		var wrong []string
		if b.Eval(c.check, &wrong); len(wrong) == 0 {
			t.Errorf("%s does not notice %s", c.check, c.spoil)
		}
		b.Eval(`byId("legend").style.width = "", redraw()`, nil)
	}
}

// responds measures how long a step and a new drawing take.
func responds(t *testing.T, b *browser.Page, at string) {
	t.Helper()
	var ms struct{ Step, Draw, Search float64 }
	b.Eval(`(() => {
		const time = (n, f) => { const t0 = performance.now(); for (let i = 0; i < n; i++) f(i); document.body.getBoundingClientRect(); return (performance.now() - t0) / n; };
		return {step: T ? time(20, i => go(i * 37 % T.shown)) : 0, draw: time(2, redraw), search: time(5, () => { search("load"); search(""); })};
	})()`, &ms)
	t.Logf("%s: a step takes %.1f ms, drawing %.0f ms, a search %.1f ms", at, ms.Step, ms.Draw, ms.Search)
	if ms.Step > 200 || ms.Draw > 3000 || ms.Search > 300 {
		t.Errorf("%s: slow: %+v", at, ms)
	}
}
