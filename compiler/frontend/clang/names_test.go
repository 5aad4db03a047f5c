package clang

import "testing"

func TestLikeKernel(t *testing.T) {
	for _, c := range []struct {
		name, file string
		want       bool
	}{
		{"kernel", "a.c", true}, {"kernel_gemm", "a.c", true}, {"bfs_kernel", "a.c", true},
		{"fir", "/x/fir.c", true}, {"FIR", "fir.cpp", true}, {"fir_main", "fir.c", true},
		{"fir_init", "fir.c", false}, {"fir2", "fir.c", false}, {"kernels", "a.c", false}, {"main", "a.c", false},
	} {
		if got := LikeKernel(c.name, c.file); got != c.want {
			t.Errorf("%s in %s: %v", c.name, c.file, got)
		}
	}
}

// Sources of users may stand below /usr, as they do in containers.
func TestIsSystem(t *testing.T) {
	for file, want := range map[string]bool{
		"/usr/include/stdio.h": true, "/usr/lib/llvm-19/lib/clang/19/include/limits.h": true, "/usr/local/include/x.h": true,
		"/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/vector": true, "/opt/gcc/include/c++/13/vector": true,
		"/usr/src/app/k.c": false, "/usr/local/src/k.c": false, "/home/me/k.c": false, "usr/k.c": false, "k.c": false,
	} {
		if got := IsSystem(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}
