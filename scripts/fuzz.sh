#!/bin/sh
# Runs every fuzz target of the tree for a number of seconds each: scripts/fuzz.sh SECONDS [PATTERN].
# What Go's fuzzer calls minimising an interesting input takes up to a minute per input unless
# bounded, in which nothing new is tried.
set -eu
seconds=$1
pattern=${2:-}
git grep -l '^func Fuzz' -- '*_test.go' | xargs -n 1 dirname | sort -u | while read -r dir; do
	sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$dir"/*_test.go | grep -e "${pattern:-.}" | while read -r target; do
		echo "== $target ($dir), $seconds s"
		${GO:-go} test "./$dir" -run '^$' -fuzz "^$target\$" -fuzztime "${seconds}s" -fuzzminimizetime 10x
	done
done
