package inputs

import "strings"

// kind is what follows from the spelling of a C type for its values.
type kind int

const (
	noKind kind = iota
	unsignedKind
	truthKind
	textKind
)

// kindOf reads the spelling of a type: of an array that of its elements.
func kindOf(spelling string) kind {
	words := strings.FieldsFunc(spelling, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	has := map[string]bool{}
	for _, w := range words {
		has[w] = true
	}
	switch {
	case has["bool"] || has["_Bool"]:
		return truthKind
	case has["unsigned"] || has["size_t"]:
		return unsignedKind
	case has["char"] && !has["signed"]:
		return textKind
	}
	for w := range has {
		if strings.HasPrefix(w, "uint") {
			return unsignedKind
		}
	}
	return noKind
}
