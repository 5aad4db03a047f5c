package clang

import (
	"path/filepath"
	"strings"
)

// LikeKernel reports whether a function is called as kernels are: kernel, kernel_… or
// …_kernel, or like its file, or that and _main.
func LikeKernel(name, file string) bool {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	name = strings.ToLower(name)
	return name == "kernel" || strings.HasPrefix(name, "kernel_") || strings.HasSuffix(name, "_kernel") || name == base || name == base+"_main"
}

// IsSystem reports whether a file is a header of the system or of the C++ library.
func IsSystem(file string) bool {
	own := strings.HasPrefix(file, "/usr/src/") || strings.HasPrefix(file, "/usr/local/src/")
	return strings.HasPrefix(file, "/usr/") && !own || strings.Contains(file, "/include/c++/")
}
