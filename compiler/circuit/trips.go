package circuit

const (
	// assumedTrips is how many iterations a loop is taken to have whose number is not known: few,
	// as the shorter the activations of a loop are, the more of them are under way at a time.
	assumedTrips = 4
	// maxTrips is how many iterations are told apart: what waits for a loop that is longer than
	// any latency is one token.
	maxTrips = 1 << 10
)

// trips is how many iterations an activation of a stream has, at most maxTrips; known is false
// where its operands are no constants, or its step is none of addition and subtraction.
func trips(u *Unit) (n int, known bool) {
	var v [3]int64
	for i, o := range u.In {
		x, ok := constantOf(o)
		if !ok {
			return assumedTrips, false
		}
		v[i] = x
	}
	at, step, bound := v[0], v[1], v[2]
	switch u.Op.StrAttr("step_op") {
	case "+=":
	case "-=":
		step = -step
	default:
		return assumedTrips, false
	}
	for ; n < maxTrips; n++ {
		more := false
		switch u.Op.StrAttr("cont_cond") {
		case "<":
			more = at < bound
		case "<=":
			more = at <= bound
		case ">":
			more = at > bound
		case ">=":
			more = at >= bound
		case "!=":
			more = at != bound
		}
		if !more {
			break
		}
		at = signed(uint64(at+step), u.In[0].Width)
	}
	return n, true
}

// constantOf is the number at an operand: an immediate, or what comes from a constant.
func constantOf(o Operand) (int64, bool) {
	if o.Immediate() {
		return signed(o.Value, o.Width), true
	}
	ch := o.Channel
	for ch.From.Unit != nil && ch.From.Unit.Kind == Fork {
		ch = ch.From.Unit.In[0].Channel
	}
	if u := ch.From.Unit; u != nil && u.Kind == Constant {
		return signed(u.Value, o.Width), true
	}
	return 0, false
}

// signed is a number of that many bits.
func signed(v uint64, width int) int64 { return int64(v<<(64-width)) >> (64 - width) }
