package clang

import (
	"path/filepath"
	"strings"
)

// LikeKernel reports whether a function's plain name is one that kernels have, in any
// case: kernel, kernel_… or …_kernel, or that of its file without the extension, with or
// without _main behind it.
func LikeKernel(name, file string) bool {
	base := strings.ToLower(strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)))
	name = strings.ToLower(name)
	return name == "kernel" || strings.HasPrefix(name, "kernel_") || strings.HasSuffix(name, "_kernel") || name == base || name == base+"_main"
}

// IsSystem reports whether a path, as debug information spells it, is that of a header of
// the system or of the C++ library. Below /usr all is, but for the folders of sources.
func IsSystem(file string) bool {
	own := strings.HasPrefix(file, "/usr/src/") || strings.HasPrefix(file, "/usr/local/src/")
	return strings.HasPrefix(file, "/usr/") && !own || strings.Contains(file, "/include/c++/")
}
