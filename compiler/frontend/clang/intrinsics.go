package clang

import (
	"bytes"
	"context"
	"errors"
	"regexp"

	"loom/internal/tools"
)

// Intrinsic is the start of the names under which intrinsics that the importer does not
// know pass through it, as ordinary functions: loom.intr.tanh.f64 is llvm.tanh.f64.
const Intrinsic = "loom.intr."

// unknown is how the importer reports an intrinsic that it does not know.
var unknownIntrinsic = regexp.MustCompile(`unhandled intrinsic:.*?@llvm\.([\w.]+)\(`)

// later are intrinsics newer than the importer; a retry for each would cost time.
var later = []string{
	"tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "sincos", "ldexp", "frexp", "exp10", "ucmp", "scmp",
}

var laterCall = regexp.MustCompile(`@llvm\.((?:` + alternatives(later) + `)\.v?\w[\w.]*)\(`)

func alternatives(words []string) string {
	var b bytes.Buffer
	for i, w := range words {
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString(regexp.QuoteMeta(w))
	}
	return b.String()
}

// maxUnknown bounds how many unknown intrinsics are given another name.
const maxUnknown = 30

// importAll imports a module in which some intrinsics may be unknown to the importer.
func importAll(ctx context.Context, file string, ll []byte) ([]byte, error) {
	ll = withSigns(importable(ll))
	ll = laterCall.ReplaceAll(ll, []byte("@"+Intrinsic+"$1("))
	for range maxUnknown {
		out, err := onFile(ctx, tools.MLIRTranslate, ".ll", file, ll, "--import-llvm", "--mlir-print-debuginfo", asNumbers)
		var failed *tools.FailedError
		if err == nil || !errors.As(err, &failed) {
			return sortLayout(out), err
		}
		m := unknownIntrinsic.FindStringSubmatch(failed.Output)
		if m == nil {
			return nil, err
		}
		renamed := asFunction(ll, m[1])
		if bytes.Equal(renamed, ll) {
			return nil, err
		}
		ll = renamed
	}
	return nil, errors.New("the module has too many intrinsics that cannot be imported")
}

// asFunction gives an intrinsic the name of an ordinary function. What only describes
// the program (its arguments are metadata) is dropped.
func asFunction(ll []byte, name string) []byte {
	var out bytes.Buffer
	mark := []byte("@llvm." + name + "(")
	for line := range bytes.Lines(ll) {
		switch {
		case !bytes.Contains(line, mark):
		case bytes.HasPrefix(line, []byte("declare ")):
			line = bytes.ReplaceAll(line, []byte(" immarg"), nil)
			if bytes.Contains(line, []byte("(metadata")) {
				continue
			}
		case bytes.Contains(line, append(mark[:len(mark):len(mark)], "metadata"...)):
			continue
		}
		out.Write(bytes.ReplaceAll(line, mark, []byte("@"+Intrinsic+name+"(")))
	}
	return out.Bytes()
}

// unsignedWithSign matches operations on a value that clang knows not to be
// negative.
var unsignedWithSign = regexp.MustCompile(`(?m)^(\s*%\S+ = )(zext|uitofp) nneg `)

// withSigns replaces them by the signed forms, which have the same result for such a
// value: the importer would drop the flag, and the signed form implies a known sign.
func withSigns(ll []byte) []byte {
	return unsignedWithSign.ReplaceAllFunc(ll, func(m []byte) []byte {
		m = bytes.Replace(m, []byte("zext nneg "), []byte("sext "), 1)
		return bytes.Replace(m, []byte("uitofp nneg "), []byte("sitofp "), 1)
	})
}
