package clang

import (
	"strings"
	"testing"
)

func TestRewrite(t *testing.T) {
	for in, want := range map[string]string{
		"#pragma loom accel":                              "#pragma clang loop pipeline_initiation_interval(1)",
		"  #  pragma   loom\taccel // why":                "  #  pragma   clang loop pipeline_initiation_interval(1)",
		"#pragma loom accel\r":                            "#pragma clang loop pipeline_initiation_interval(1)\r",
		"#pragma loom unroll 4":                           "#pragma clang loop unroll_count(4)",
		"#pragma loom unroll(N * 2) /* x */":              "#pragma clang loop unroll_count(N * 2)",
		"#pragma loom unroll":                             "#error  '#pragma loom unroll' takes a number of iterations, found none",
		"#pragma loom":                                    "#error  '#pragma loom' names nothing; the pragmas are 'accel', 'unroll N' and 'target(rom)'",
		"#pragma loom accel 3":                            "#error  '#pragma loom accel' takes nothing, found '3'",
		"#pragma loom pipeline":                           "#error  unknown pragma 'loom pipeline'; the pragmas are 'accel', 'unroll N' and 'target(rom)'",
		"#pragma loom target(\"rom\")":                    "__attribute__((annotate(\"loom.target=rom\")))",
		" # pragma loom target rom // why\r":              "__attribute__((annotate(\"loom.target=rom\")))\r",
		"#pragma loom target()":                           "#error  '#pragma loom target' takes a name, as in target(rom), found '()'",
		"f(_Pragma(\"loom target(\\\"rom\\\")\") int *w)": "f(__attribute__((annotate(\"loom.target=rom\"))) int *w)",
		"#pragma loomy accel":                             "",
		"#pragma omp loom accel":                          "",
		"// #pragma loom accel":                           "",
		"/*\n#pragma loom accel\n*/":                      "",
		"/* x */ int a; /*\n#pragma loom no*/":            "",
		"R\"x(\n#pragma loom accel\n)x\"":                 "",
		"s = \"/*\";\n#pragma loom accel":                 "s = \"/*\";\n#pragma clang loop pipeline_initiation_interval(1)",
		"c = '\"';\n#pragma loom accel":                   "c = '\"';\n#pragma clang loop pipeline_initiation_interval(1)",
		"n = 1'000;\n#pragma loom accel":                  "n = 1'000;\n#pragma clang loop pipeline_initiation_interval(1)",
		"// it's\n#pragma loom unroll 2":                  "// it's\n#pragma clang loop unroll_count(2)",
		"#define A _Pragma(\"loom accel\") for":           "#define A _Pragma(\"clang loop pipeline_initiation_interval(1)\") for",
		"_Pragma(\"loom fast\")":                          "_Pragma(\"GCC error \\\"unknown pragma 'loom fast'; the pragmas are 'accel', 'unroll N' and 'target(rom)'\\\"\")",
	} {
		out, changed := rewrite(in)
		if want == "" {
			want = in
		}
		if out != want || changed != (in != want) {
			t.Errorf("%q becomes %q, want %q", in, out, want)
		}
		if strings.Count(in, "\n") != strings.Count(out, "\n") {
			t.Errorf("%q: lines have moved", in)
		}
	}
}

// What clang keeps for the time after unrolling goes to the loop itself.
func TestMergeHints(t *testing.T) {
	const in = `  br label %12, !llvm.loop !11
!11 = distinct !{!11, !12, !13, !14}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.count", i32 2}
!14 = !{!"llvm.loop.unroll.followup_all", !15}
!15 = distinct !{!15, !12, !16, !17}
!16 = !{!"llvm.loop.unroll.disable"}
!17 = !{!"llvm.loop.pipeline.initiationinterval", i32 1}
`
	want := strings.Replace(in, "!11 = distinct !{!11, !12, !13, !14}", "!11 = distinct !{!11, !12, !13, !17}", 1)
	if got := string(mergeHints([]byte(in))); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
