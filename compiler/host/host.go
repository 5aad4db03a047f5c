package host

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/templates"
)

func render(name string, data any) ([]byte, error) {
	text, err := templates.Render(name, data)
	if err != nil {
		return nil, fmt.Errorf("host: %w", err)
	}
	return []byte(text), nil
}

// status is one return code of the driver or of a host function.
type status struct {
	Name string // without LOOM_ACCEL_
	Code int
	Doc  string
}

// statuses are the return codes, in the order of the header.
var statuses = []status{
	{"OK", 0, "done"},
	{"NO_DEVICE", -1, "no LOOM fabric at that address"},
	{"WRONG_IMAGE", -2, "the image belongs to another fabric or layout"},
	{"BAD_ARGUMENT", -3, "port, region, word or element out of range"},
	{"CONFIG_FAILED", -4, "the fabric refused the image"},
	{"HW_ERROR", -5, "the fabric raised an error: loom_accel_error"},
	{"TIMEOUT", -6, "the run takes longer than the limit"},
	{"OUT_OF_RANGE", -7, "host function: a value does not fit the fabric's index"},
	{"OVERLAP", -8, "host function: arrays overlap that were assumed to be apart"},
	{"NO_MEMORY", -9, "host function: too little scratch memory for its arrays, or for tables that the fabric does not reach"},
	{"NOT_OPEN", -10, "the handle is not open"},
	{"BUSY", -11, "a run is under way: wait for it, or reset"},
	{"NOT_RUNNING", -12, "there is no run to wait for"},
	{"NO_IMAGE", -13, "no image has been chosen"},
	{"STOPPED", -14, "something else has reset the fabric during the run"},
	{"NOT_REACHABLE", -15, "the fabric cannot reach an array: the address hook refused it"},
}

// Driver returns loom_accel.h and loom_accel.c. They are the same for every
// fabric: what differs is in config.h.
func Driver() (header, source []byte, err error) {
	errors := slices.DeleteFunc(arch.HardwareErrors(), func(e arch.HardwareError) bool { return e.Code == 0 })
	data := map[string]any{"Registers": Registers, "Version": Version, "MaxPorts": MaxPorts, "MaxRegions": MaxRegions,
		"Statuses": statuses, "Errors": errors}
	if header, err = render("loom_accel.h.tmpl", data); err != nil {
		return nil, nil, err
	}
	source, err = render("loom_accel.c.tmpl", data)
	return header, source, err
}

// CType is the C type that holds a value of type t: the next standard width for
// integers, 64 bits for index.
func CType(t ir.Type) string {
	switch t := t.(type) {
	case *ir.IntegerType:
		for _, w := range []int{8, 16, 32, 64} {
			if t.Width <= w {
				return fmt.Sprintf("int%d_t", w)
			}
		}
	case *ir.IndexType:
		return "uint64_t"
	case *ir.FloatType:
		switch t.Name {
		case "f32":
			return "float"
		case "f64":
			return "double"
		}
		return "uint16_t"
	}
	return "uint64_t"
}
