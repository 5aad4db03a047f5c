package lift

import (
	"fmt"
	"regexp"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// contiguous matches the spelling of a type of C++'s library that holds a pointer to
// elements side by side and their number; scattered of one whose elements are anywhere.
var (
	contiguous = regexp.MustCompile(`\bstd::(?:__\w+::)?(vector|basic_string|basic_string_view|span|valarray)<([^<>,]*)`)
	scattered  = regexp.MustCompile(`\bstd::(?:__\w+::)?(deque|list|forward_list|map|set|multimap|multiset|unordered_\w+|shared_ptr|unique_ptr|function)<`)
)

// containerText says what to do instead of passing a container of C++'s library as that
// parameter; empty for any other type.
func containerText(name, spelling string) string {
	if m := contiguous.FindStringSubmatch(spelling); m != nil {
		of := m[2]
		if of == "" {
			of = "T"
		}
		return fmt.Sprintf("std::%s holds a pointer to its elements; make two parameters of it, '%s *%s, std::size_t %s_size', and call the kernel with %s.data() and %s.size()",
			m[1], of, name, name, name, name)
	}
	if m := scattered.FindStringSubmatch(spelling); m != nil {
		return fmt.Sprintf("the elements of a std::%s are at any address; copy what the kernel needs of '%s' into an array", m[1], name)
	}
	return ""
}

// containerHelp is containerText for the parameter through which an address is reached,
// empty where it is reached through none.
func (r *lifter) containerHelp(addr *ir.Value) string {
	for addr.Def != nil && addr.Def.Name == opname.LLVMGetElementPtr {
		addr = addr.Def.Operand(0)
	}
	for _, p := range r.sig.params {
		if p.pointer == addr {
			return containerText(p.name, p.spelling)
		}
	}
	return ""
}
