package cheader

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/mapping"
)

// slots numbers the memories that the host reaches, by component ID.
func slots(f *arch.Fabric) map[int]int {
	out := map[int]int{}
	for slot, c := range f.HostMemories() {
		out[c.ID] = slot
	}
	return out
}

// memories writes the table of the on-chip memories that the host reaches.
func (h *header) memories() {
	var rows []string
	for slot, c := range h.img.Layout.Fabric.HostMemories() {
		rows = append(rows, fmt.Sprintf("    {\"%s\", %du, %du, %du}", c.Name, slot, c.Mem.ElemWidth, c.Mem.Elements))
	}
	h.printf("\n/* Every on-chip memory that the host may read and write. */\n#define %s_MEMORY_COUNT %du\n", h.upper, len(rows))
	if len(rows) > 0 {
		h.printf("LOOM_CONFIG_UNUSED static const loom_config_memory %s_memories[%d] = {\n%s\n};\n",
			h.lower, len(rows), strings.Join(rows, ",\n"))
	}
}

// contents writes the initial contents of the kernel's own memories, a table of them
// and a function that loads all.
func (h *header) contents(b *mapping.Binding) {
	h.printf("\n/* What the kernel's own arrays hold at the start of every run. */\n#define %s_CONTENTS_COUNT %du\n", h.upper, len(b.Contents))
	slots := slots(h.img.Layout.Fabric)
	var rows []string
	for _, c := range b.Contents {
		width := h.img.Layout.Fabric.Comps[c.Mem].Mem.ElemWidth
		name := h.lower + "_" + h.names.Unique("contents_"+c.Name)
		h.array(name, width, c.Data)
		rows = append(rows, fmt.Sprintf("    {%du, %du, %du, %du, %s}", slots[c.Mem], c.First, width, len(c.Data), name))
	}
	if len(rows) > 0 {
		h.printf("LOOM_CONFIG_UNUSED static const loom_config_contents %s_contents[%d] = {\n%s\n};\n",
			h.lower, len(rows), strings.Join(rows, ",\n"))
	}
	h.printf(`
#ifdef LOOM_ACCEL_H
/* Loads all of them. loom_accel.h must be included before this file. */
LOOM_CONFIG_UNUSED static inline int %[1]s_load_contents(loom_accel *dev)
{
`, h.lower)
	if len(rows) == 0 {
		h.printf("    (void)dev;\n    return LOOM_ACCEL_OK;\n}\n#endif\n")
		return
	}
	h.printf(`    int status = LOOM_ACCEL_OK;
    uint32_t i;
    for (i = 0; i < %[1]s_CONTENTS_COUNT && status == LOOM_ACCEL_OK; i++) {
        const loom_config_contents *c = &%[2]s_contents[i];
        status = loom_accel_write_memory(dev, c->slot, c->first, c->elem_width, c->data, c->count);
    }
    return status;
}
#endif
`, h.upper, h.lower)
}

// tables writes the constant arrays of the kernel in external memory and a table of them.
func (h *header) tables(b *mapping.Binding) {
	f := h.img.Layout.Fabric
	h.printf("\n/* Constant arrays that the kernel reads from external memory, which must hold them in\n" +
		" * every run, at the addresses in their registers. */\n")
	var rows []string
	for _, t := range b.Tables {
		name := h.lower + "_" + h.names.Unique("table_"+t.Name)
		h.array(name, 8*t.ElemBytes, t.Data)
		for _, at := range t.Places() {
			if k := f.SizeRegister(f.Comps[at.Mem], at.Region); k >= 0 {
				h.printf("#define %s_TABLE_%d_SIZE_REGISTER %du /* takes its size in bytes */\n", h.upper, len(rows), k)
			}
			rows = append(rows, fmt.Sprintf("    {%du, %du, %du, %s}", f.BaseRegister(f.Comps[at.Mem], at.Region), 8*t.ElemBytes, len(t.Data), name))
		}
	}
	h.printf("#define %s_TABLE_COUNT %du\n", h.upper, len(rows))
	if len(rows) > 0 {
		h.printf("LOOM_CONFIG_UNUSED static const loom_config_table %s_tables[%d] = {\n%s\n};\n",
			h.lower, len(rows), strings.Join(rows, ",\n"))
	}
}

// array writes constant elements.
func (h *header) array(name string, width int, data []uint64) {
	h.printf("LOOM_CONFIG_UNUSED static const uint%d_t %s[%d] = {", width, name, max(len(data), 1))
	format, perLine := fmt.Sprintf(" 0x%%0%dxu", width/4), 96/(width/4+5)
	if width == 64 {
		format, perLine = " UINT64_C(0x%016x)", 4
	}
	for i, x := range data {
		if i%perLine == 0 {
			h.printf("\n   ")
		}
		h.printf(format, x)
		if i < len(data)-1 {
			h.printf(",")
		}
	}
	if len(data) == 0 {
		h.printf("0u") // C has no empty arrays
	}
	h.printf("\n};\n")
}
