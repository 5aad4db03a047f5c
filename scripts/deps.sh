#!/bin/sh
# Installs the Debian packages that the main job and the test suite call, where
# they are missing. Arguments choose the set: "run" (co-simulation) or "test"
# (everything). Needs root or sudo only when something is missing.
#
# Versions the RTL and the MLIR checks are written for: verilator 5.006 or newer
# 5.x, yosys 0.23 or newer, iverilog 11 or newer, LLVM/MLIR 19 (its version is in
# the package name).
set -eu

set_name="${1:-test}"
need=""
want() { # want COMMAND PACKAGE
    command -v "$1" >/dev/null 2>&1 || need="$need $2"
}

if ! command -v go >/dev/null 2>&1; then
    echo "deps: Go is not installed; LOOM needs Go 1.25 or newer (https://go.dev/doc/install)" >&2
    exit 3
fi
want make make
want g++ g++
want verilator verilator
want clang-19 clang-19
want mlir-opt-19 mlir-19-tools
if [ "$set_name" = test ]; then
    want yosys yosys
    want yosys-smtbmc yosys
    want iverilog iverilog
    want z3 z3
    want dot graphviz
fi

if [ -z "$need" ]; then
    echo "deps: every tool is present"
    exit 0
fi
echo "deps: installing$need"
sudo=""
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1; then
        sudo="sudo"
    else
        echo "deps: not root and no sudo; please run: apt-get install$need" >&2
        exit 3
    fi
fi
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a list of packages
$sudo apt-get install -y -qq --no-install-recommends $need >/dev/null
for tool in verilator g++; do
    command -v "$tool" >/dev/null 2>&1 || { echo "deps: $tool is still missing after the installation" >&2; exit 3; }
done
echo "deps: done"
