package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"loom/compiler/diag"
)

// Hex is a 64-bit number spelled 0x… in JSON.
type Hex uint64

// MarshalText spells h as 0x….
func (h Hex) MarshalText() ([]byte, error) {
	return []byte("0x" + strconv.FormatUint(uint64(h), 16)), nil
}

// UnmarshalText reads 0x….
func (h *Hex) UnmarshalText(text []byte) error {
	digits, ok := strings.CutPrefix(string(text), "0x")
	v, err := strconv.ParseUint(digits, 16, 64)
	if !ok || err != nil {
		return fmt.Errorf("%q is no number of the form 0x…", text)
	}
	*h = Hex(v)
	return nil
}

// JSON renders the mapping as map.json: two-space indentation, a final newline,
// the same bytes for the same mapping.
func (m *Mapping) JSON() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		panic(err) // only plain data in there
	}
	return b.Bytes()
}

// Read parses map.json. file names it in errors. Unknown keys, a foreign format
// version and trailing text are errors; whether the content fits a kernel and a
// fabric is checked by Bind, Image and the mapping checker.
func Read(file string, data []byte) (*Mapping, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	m := &Mapping{}
	if err := dec.Decode(m); err != nil {
		return nil, readError(file, data, dec.InputOffset(), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, readError(file, data, dec.InputOffset(), fmt.Errorf("text after the end of the mapping"))
	}
	if m.Format != Format {
		return nil, diag.New(diag.Pos{File: file}, "map.json has format %d, this tool reads format %d", m.Format, Format).
			WithHelp("map the kernel again with this version of loom")
	}
	return m, nil
}

// readError places a JSON error at its line and column.
func readError(file string, data []byte, offset int64, err error) error {
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
		if e.Field != "" {
			err = fmt.Errorf("key \"%s\" cannot hold a value of kind %s", e.Field, e.Value)
		} else {
			err = fmt.Errorf("a mapping is an object, not a value of kind %s", e.Value)
		}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		offset, err = int64(len(data)), errors.New("the file ends before the mapping does")
	}
	offset = min(max(offset, 0), int64(len(data)))
	before := data[:offset]
	line := bytes.Count(before, []byte{'\n'}) + 1
	col := len(before) - (bytes.LastIndexByte(before, '\n') + 1)
	msg := strings.TrimPrefix(err.Error(), "json: ")
	return diag.New(diag.Pos{File: file, Line: line, Col: max(col, 1)}, "not a mapping: %s", msg)
}

// UnmarshalJSON reads a pair; encoding/json would fill up a shorter list.
func (r *Route) UnmarshalJSON(text []byte) error {
	var l []int
	if err := json.Unmarshal(text, &l); err != nil {
		return err
	}
	if len(l) != 2 {
		return fmt.Errorf("a route is a pair of output and input, not %d numbers", len(l))
	}
	*r = Route{l[0], l[1]}
	return nil
}
