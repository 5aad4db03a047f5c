package synth

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Part is a module of a design that stays apart in synthesis.
type Part struct {
	// Name is that of the source.
	Name string
	// Count is how many of it the design has.
	Count int
	// Cells are those of one, without the parts inside it.
	Cells Cells
	// All are those of one with the parts inside it.
	All Cells

	inside map[string]int // parts, and how many of each
}

// Parts is a design synthesised with some of its modules apart, each flattened within.
type Parts struct {
	// Total are the cells of all.
	Total Cells
	// Top are the cells of what stands around the parts.
	Top Cells
	// Parts are by the names that Yosys gives to modules with their parameters.
	Parts map[string]*Part
	// Instances has the names of the parts that the top instantiates, by the last part of the
	// instance's name.
	Instances map[string]string
}

// hierarchyLine is a module in the hierarchy, indented by its depth, and how many of it the one around it has.
var hierarchyLine = regexp.MustCompile(`(?m)^( +)(\S+) +(\d+)$`)

var heading = regexp.MustCompile(`(?m)^=== (.*) ===$`)

// PEs are the modules of processing elements, as a pattern.
const PEs = "*_pe_*"

// FabricParts are the modules of a fabric that stay apart in synthesis, as patterns: its components,
// each flattened within.
var FabricParts = []string{PEs, "*loom_switch*", "*loom_fifo*", "*loom_memory*", "*loom_extmemory*", "*loom_temporal_sw*",
	"*loom_read_cache*", "*loom_load_lane*", "*loom_store_lane*", "*loom_cfg_slice*"}

// XilinxApart synthesises a design for Xilinx 7 with the modules whose names match a pattern of keep
// apart: flattened as a whole a large design takes an hour.
func XilinxApart(ctx context.Context, d Design, keep []string) (*Parts, error) {
	const stat, top = "stat.txt", "top.json"
	script := fmt.Sprintf("hierarchy -top %s; setattr -mod -set keep_hierarchy 1 %s; synth_xilinx -flatten -noiopad -top %s; tee -o %s stat -top %s; json -o %s %s",
		d.Top, strings.Join(keep, " "), d.Top, stat, d.Top, top, d.Top)
	if _, err := d.yosys(ctx, script); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(d.Dir, stat))
	if err != nil {
		return nil, err
	}
	p, err := readParts(string(text), d.Top)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", stat, err)
	}
	if text, err = os.ReadFile(filepath.Join(d.Dir, top)); err != nil {
		return nil, err
	}
	var doc struct {
		Modules map[string]struct {
			Cells map[string]struct{ Type string }
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w", top, err)
	}
	p.Instances = map[string]string{}
	for name, c := range doc.Modules[d.Top].Cells {
		if id := strings.TrimPrefix(c.Type, `\`); p.Parts[id] != nil {
			p.Instances[name[strings.LastIndexByte(name, '.')+1:]] = id
		}
	}
	return p, nil
}

// readParts reads the statistics of a design by module: a section for each module and, where there
// are several, one for the hierarchy, with the number of each and the cells of all.
func readParts(stat, top string) (*Parts, error) {
	sections := map[string]string{}
	at := heading.FindAllStringSubmatchIndex(stat, -1)
	for i, h := range at {
		end := len(stat)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		sections[strings.TrimPrefix(stat[h[2]:h[3]], `\`)] = stat[h[1]:end]
	}
	own, ok := sections[top]
	if !ok {
		return nil, fmt.Errorf("no statistics of %s", top)
	}
	p := &Parts{Top: Count(own), Parts: map[string]*Part{}}
	p.Total = p.Top
	total, several := sections["design hierarchy"]
	if !several {
		return p, nil
	}
	hierarchy, sum, _ := strings.Cut(total, "Number of wires")
	p.Total = Count(sum)
	// A line names a module inside that of the last line with a smaller indentation.
	type level struct {
		indent, count int
		part          *Part
	}
	levels := []level{{indent: -1, count: 1}}
	for _, m := range hierarchyLine.FindAllStringSubmatch(hierarchy, -1) {
		id := strings.TrimPrefix(m[2], `\`)
		text, ok := sections[id]
		if !ok || id == top {
			continue
		}
		for levels[len(levels)-1].indent >= len(m[1]) {
			levels = levels[:len(levels)-1]
		}
		outer := levels[len(levels)-1]
		n, _ := strconv.Atoi(m[3])
		part := p.Parts[id]
		if part == nil {
			part = &Part{Name: sourceName(m[2]), Cells: Count(text), inside: map[string]int{}}
			p.Parts[id] = part
		}
		part.Count += n * outer.count
		if outer.part != nil {
			outer.part.inside[id] = n
		}
		levels = append(levels, level{len(m[1]), n * outer.count, part})
	}
	for _, part := range p.Parts {
		part.All = p.all(part)
	}
	return p, nil
}

// all are the cells of a part with those inside it.
func (p *Parts) all(part *Part) Cells {
	c := part.Cells
	for id, n := range part.inside {
		c.add(p.all(p.Parts[id]), n)
	}
	return c
}
