package config

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
)

// WriteJSON writes config.json: the image and, slice by slice, every field by
// name with its lowest bit (counted from the start of its slice), its width and
// its value. Of a PE's function units only the selected one's fields are listed:
// the others share their bits.
func (img *Image) WriteJSON(w io.Writer) error {
	words := img.Encode()
	b := bufio.NewWriter(w)
	str := func(s string) string {
		out, _ := json.Marshal(s)
		return string(out)
	}
	fmt.Fprintf(b, "{\n  \"fabric\": %s,\n", str(img.Layout.Fabric.Name))
	fmt.Fprintf(b, "  \"layout_hash\": \"0x%016x\",\n", img.Layout.Hash)
	fmt.Fprintf(b, "  \"word_width_bits\": %d,\n  \"word_count\": %d,\n  \"byte_size\": %d,\n", WordBits, len(words), 4*len(words))
	// An Image holds a setting for every slice, so what is encoded is complete.
	fmt.Fprintf(b, "  \"complete\": true,\n  \"words\": [")
	for i, x := range words {
		switch {
		case i > 0 && i%8 == 0:
			b.WriteString(",\n    ")
		case i > 0:
			b.WriteString(", ")
		default:
			b.WriteString("\n    ")
		}
		fmt.Fprintf(b, "%d", x)
	}
	b.WriteString("\n  ],\n  \"slices\": [")
	for i := range img.Layout.Slices {
		s := &img.Layout.Slices[i]
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(b, "\n    {\"name\": %s, \"kind\": %s, \"word_offset\": %d, \"word_count\": %d, \"bits\": %d,",
			str(s.Comp.Name), str(s.Comp.Kind.String()), s.WordOffset, s.WordCount, s.Bits)
		opcode := -1
		if s.PE != nil {
			opcode = img.Settings[s.Comp.ID].PE.Opcode
			if len(s.Comp.PE.FUs) > 0 {
				fmt.Fprintf(b, " \"function_unit\": %s,", str(s.Comp.PE.FUs[opcode].Name))
			}
		}
		b.WriteString(" \"fields\": [")
		own := words[s.WordOffset : s.WordOffset+s.WordCount]
		first := true
		for _, f := range s.Fields {
			if f.FU >= 0 && f.FU != opcode {
				continue
			}
			if !first {
				b.WriteString(",")
			}
			first = false
			fmt.Fprintf(b, "\n      {\"name\": %s, \"bit\": %d, \"width\": %d, \"value\": %d}", str(f.Name), f.Bit, f.Width, GetBits(own, f.Bit, f.Width))
		}
		b.WriteString("]}")
	}
	b.WriteString("\n  ]\n}\n")
	return b.Flush()
}
