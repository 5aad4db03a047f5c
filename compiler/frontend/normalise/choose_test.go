package normalise

import (
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
)

const manyNames = `
namespace ns {
template <typename T, int N> T dot(const T *a, const T *b) { T s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; return s; }
template int dot<int, 4>(const int *, const int *);
template float dot<float, 4>(const float *, const float *);
struct V { float x; float norm(float s) const; };
float V::norm(float s) const { return x * s; }
}
void scale(int *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }
void scale(float *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }
`

// TestNames finds functions by every spelling that users have.
func TestNames(t *testing.T) {
	m, debug := importSource(t, "names.cpp", manyNames, clang.Options{})
	mod := newModule(m, debug)
	for _, c := range []struct{ want, link string }{
		{"_Z5scalePfi", "_Z5scalePfi"},
		{"scale(float*, int)", "_Z5scalePfi"},
		{"scale(int *,int)", "_Z5scalePii"},
		{"ns::dot<int, 4>", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"ns::dot<float,4>", "_ZN2ns3dotIfLi4EEET_PKS1_S3_"},
		{"dot<int, 4>(int const*, int const*)", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"ns::dot<int, 4>(const int *, const int *)", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"norm", "_ZNK2ns1V4normEf"},
		{"V::norm", "_ZNK2ns1V4normEf"},
		{"ns::V::norm(float)", "_ZNK2ns1V4normEf"},
	} {
		f, err := mod.choose(c.want, &diag.List{})
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if f.link != c.link {
			t.Errorf("%s: found %s, want %s", c.want, f.link, c.link)
		}
	}
	for _, bad := range []string{"scale", "dot", "ns::dot", "orm", "scale(double*, int)", "", "nrm"} {
		f, err := mod.choose(bad, &diag.List{})
		if err == nil {
			t.Errorf("%s: found %s", bad, f.link)
		}
	}
}
