#!/bin/sh
# Takes every kernel of testdata/kernels through the whole flow on the smallest
# shipped fabric that fits and proves it under Verilator, fast and slow memory.
# Usage: kernels.sh LOOM OUTDIR
set -eu
loom="$1"
out="$2"
passed=0
failed=0
for kernel in testdata/kernels/*.mlir; do
    name="$(basename "$kernel" .mlir)"
    done=""
    for arch in mesh4x4 mesh6x6 mesh8x8 mesh12x12; do
        if ! "$loom" build "$kernel" --arch "testdata/arch/$arch.yaml" -o "$out/$name" >/dev/null 2>&1; then
            continue
        fi
        echo "== $name on $arch"
        done="yes"
        if "$loom" build "$kernel" --arch "testdata/arch/$arch.yaml" -o "$out/$name" --cosim --random 1 --size 16 &&
            "$loom" cosim --dfg "$out/$name/$name.dfg.mlir" --adg "$out/$name/$arch.fabric.mlir" \
                --map "$out/$name/$name.$arch.map.json" --random 2 --size 12 \
                --latency random:1,40,7 --stall 30 -o "$out/$name/slow"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
        fi
        break
    done
    if [ -z "$done" ]; then
        echo "== $name fits no shipped fabric"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
