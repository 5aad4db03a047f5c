#!/bin/sh
# Installs the Debian packages that are missing for a set of commands: "run" (all that
# loom itself calls) or "test" (and what the tests call). The packages and how each is
# detected stand in internal/tools, which loom doctor reads, too. Needs root or sudo
# only when something is missing.
#
# Versions the RTL and the MLIR checks are written for: verilator 5.006 or newer
# 5.x, yosys 0.23 or newer, iverilog 11 or newer, LLVM/MLIR 19 (its version is in
# the package name).
set -eu
cd "$(dirname "$0")/.."

set_name="${1:-test}"
if ! command -v go >/dev/null 2>&1; then
    echo "deps: Go is not installed; LOOM needs Go 1.25 or newer (https://go.dev/doc/install)" >&2
    exit 3
fi
missing="$(go run ./internal/tools/missing "$set_name")"
if [ -z "$missing" ]; then
    echo "deps: every tool is present"
    exit 0
fi
sudo=""
if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "deps: these packages are missing, and there is no sudo; please run as root:" >&2
        echo "  apt-get update && apt-get install -y --no-install-recommends $missing" >&2
        exit 3
    fi
    sudo="sudo"
fi
echo "deps: installing $missing"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
# shellcheck disable=SC2086 # a list of packages
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
missing="$(go run ./internal/tools/missing "$set_name")"
if [ -n "$missing" ]; then
    echo "deps: after the installation this is still not found: $missing (bin/loom doctor lists what needs it)" >&2
    exit 3
fi
echo "deps: done"
