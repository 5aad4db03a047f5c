package cycle

import "loom/compiler/circuit"

// Eager runs f with direct circuits in which every fork has a memory.
func Eager(f func()) {
	defer func() { wiringOf = (*circuit.Circuit).Wiring }()
	wiringOf = func(*circuit.Circuit) *circuit.Wiring { return &circuit.Wiring{} }
	f()
}

// EvaluateAll makes the simulator evaluate and clock every unit in every cycle:
// what it would do without keeping track of changes.
func (s *Sim) EvaluateAll() {
	s.awake = s.awake[:0]
	for i := range s.units {
		s.awake = append(s.awake, int32(i))
	}
	s.clockAll = true
}
