package page_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/explore"
	"loom/explore/page"
	"loom/explore/space"
	"loom/internal/browser"
)

// sample is an exploration of 12 points: 0 to 7 run both kernels, with less time the larger they are, but for 7.
func sample() *page.Data {
	d := &page.Data{Name: "</script><b>sample", Objectives: []space.Objective{space.LUTTime, space.LUTs, space.Time}, Kernels: []string{"fir", "gcd"}, Complete: true,
		Parameters:  []page.Parameter{{Name: "rows", Values: []string{"4", "5"}, Numbers: true}, {Name: "units", Values: []string{"all", "few"}}},
		Evaluations: map[int]int{0: 12, 1: 10}, Seconds: map[int]float64{0: 0.5, 1: 2},
		Views: map[int]map[string]string{2: {"fir": "point2/fir.point2.viz.html"}},
		Text:  func(hash string) (string, error) { return "name: " + hash + "\npattern: <x>\n", nil }}
	for i := range 12 {
		r := &explore.Record{Number: i, Parameters: map[string]string{"rows": []string{"4", "5"}[i%2], "units": []string{"all", "few"}[i/6]}, Architecture: fmt.Sprint("hash", i),
			Area: &explore.Area{PEs: 16, LUTs: 10000 + 2000*i, FFs: 5000, DSPs: 4, BRAMs: 1, MHz: 80}, Rung: explore.RungTechnology, Verdict: explore.Short, Reason: "gcd: too few PEs",
			Kernels: []explore.KernelResult{{Kernel: "fir", Verdict: explore.OK}, {Kernel: "gcd", Verdict: explore.Short, Reason: "too few PEs"}}}
		if i < 8 {
			r.Verdict, r.Rung, r.Reason = explore.Measured, explore.RungRoute, ""
			r.Kernels = []explore.KernelResult{{Kernel: "fir", Verdict: explore.OK, PEs: 9, Cycles: int64(900 - 50*i), Interval: "1", Limit: "one iteration per cycle"}, {Kernel: "gcd", Verdict: explore.OK, PEs: 4, Cycles: 100}}
			r.NS = math.Sqrt(float64(900-50*i)*100) * 12.5
			if i == 7 {
				r.NS = 9999
			}
			if i == 2 {
				r.Verdict = explore.Finalist
			}
			r.LUTNS = r.NS * float64(r.Area.LUTs)
		}
		d.Records = append(d.Records, r)
	}
	built := *d.Records[3]
	built.Shipped, built.LUTNS, built.Number = "mesh4x4", 2*built.LUTNS, -1
	d.Reference = []*explore.Record{&built, {Shipped: "mesh6x6", Verdict: explore.Short, Reason: "gcd: too few PEs"}}
	return d
}

func TestFront(t *testing.T) {
	if got := page.Front(sample().Records); !slices.Equal(got, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v", got)
	}
}

// TestPage looks at the page as a reader does: dots, the parameters under the pointer, a click, the tables.
func TestPage(t *testing.T) {
	html, err := page.HTML(sample())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	p := browser.Open(t)
	text := func(expression string) string {
		var s string
		p.Eval(expression, &s)
		return s
	}
	for _, dark := range []bool{false, true} {
		p.Dark(dark)
		for _, width := range []int{1300, 600} {
			p.Size(width, 900)
			p.Load(file)
			var n struct{ Dots, Front, Built, Wide int }
			p.Eval(`({Dots: document.querySelectorAll("#chart .pt").length, Front: document.querySelectorAll("#chart .front").length, Built: document.querySelectorAll("#chart .built").length,
				Wide: Math.max(0, document.documentElement.scrollWidth - innerWidth)})`, &n)
			if n.Dots != 8 || n.Front != 7 || n.Built != 1 || n.Wide != 0 {
				t.Errorf("width %d: %+v", width, n)
			}
		}
	}
	p.Size(1300, 1200)
	p.Load(file)
	if got := text(`document.getElementById("summary").textContent`); !strings.Contains(got, "12 points, 8 of them run every kernel; the winner, point 2, takes 0.") || !strings.Contains(got, "LUT × ns of mesh4x4") {
		t.Error(got)
	}
	if got := text(`document.getElementById("point").textContent`); !strings.Contains(got, "name: hash2") || !strings.Contains(got, "pattern: <x>") {
		t.Errorf("the winner is not shown: %s", got)
	}
	if got := text(`document.querySelector("#point a").getAttribute("href")`); got != "point2/fir.point2.viz.html" {
		t.Errorf("the map is at %s", got)
	}
	var at struct{ X, Y float64 }
	p.Eval(`(() => { const r = document.querySelector('[data-point="5"]').getBoundingClientRect(); return {X: r.x + r.width / 2, Y: r.y + r.height / 2}; })()`, &at)
	p.Click(at.X, at.Y)
	p.Settle()
	if got := text(`document.getElementById("tip").hidden ? "hidden" : document.getElementById("tip").textContent`); !strings.Contains(got, "point 5") || !strings.Contains(got, "rows5") || !strings.Contains(got, "unitsall") {
		t.Errorf("under the pointer: %s", got)
	}
	if got := text(`document.getElementById("pointtitle").textContent + document.getElementById("point").textContent`); !strings.Contains(got, "Point 5") || !strings.Contains(got, "name: hash5") || !strings.Contains(got, "650") {
		t.Errorf("after a click: %s", got)
	}
	p.Eval(`document.querySelector('[data-point="0"]').focus()`, nil)
	p.Key("Enter")
	if got := text(`document.getElementById("pointtitle").textContent`); got != "Point 0" {
		t.Errorf("after Enter: %s", got)
	}
	for id, want := range map[string][]string{"effects": {"rows", "units", "4 of 6)", "2 of 6)"}, "kernels": {"gcd", "too few PEs", "fir", "550"}, "reference": {"mesh4x4", "runs every kernel", "mesh6x6", "too few PEs"},
		"rungs": {"cost model", "12", "42 ms"}} {
		got := text(`document.getElementById("` + id + `").textContent`)
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q: %s", id, w, got)
			}
		}
	}
	if len(p.Complaints) > 0 {
		t.Error(p.Complaints)
	}
}

// TestEmpty: a page of an exploration in which nothing runs says so.
func TestEmpty(t *testing.T) {
	d := sample()
	d.Records, d.Reference = d.Records[9:], d.Reference[1:]
	html, err := page.HTML(d)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, html, 0o644); err != nil {
		t.Fatal(err)
	}
	p := browser.Open(t)
	p.Load(file)
	var got string
	p.Eval(`document.body.innerText`, &got)
	if !strings.Contains(got, "none was found that does") || !strings.Contains(got, "no fabric runs every kernel yet") || len(p.Complaints) > 0 {
		t.Errorf("%s %v", got, p.Complaints)
	}
}
