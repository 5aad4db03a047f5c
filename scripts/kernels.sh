#!/bin/sh
# Takes every kernel of testdata/kernels through the whole flow on the smallest
# shipped fabric that fits and proves it under Verilator, fast and slow memory; then
# those of testdata/kernels/c that its table puts on a fabric, from the source on.
# Usage: kernels.sh LOOM OUTDIR
set -eu
loom="$1"
out="$2"
passed=0
failed=0

# prove KERNEL ARCH INPUTS...: builds and co-simulates, then once more on slow memory, from
# the kernel again: it says more of its arrays than the graph, so the random inputs fit.
prove() {
    kernel="$1"
    name="$(basename "$kernel")"
    name="${name%.*}"
    arch="$2"
    shift 2
    if "$loom" build "$kernel" --arch "$arch" --domain function -o "$out/$name" --cosim "$@" &&
        "$loom" build "$kernel" --arch "$arch" --domain function -o "$out/$name/slow" --cosim "$@" \
            --latency random:1,40,7 --stall 30; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

for kernel in testdata/kernels/*.mlir; do
    name="$(basename "$kernel" .mlir)"
    done=""
    for arch in mesh4x4 mesh6x6 mesh8x8 mesh12x12; do
        if ! "$loom" build "$kernel" --arch "$arch" --domain function -o "$out/$name" >/dev/null 2>&1; then
            continue
        fi
        echo "== $name on $arch"
        done="yes"
        prove "$kernel" "$arch" --random 1 --size 16
        break
    done
    if [ -z "$done" ]; then
        echo "== $name fits no shipped fabric"
        failed=$((failed + 1))
    fi
done

c=testdata/kernels/c
# The rows of the table whose last cell is a fabric.
mkdir -p "$out"
sed -n 's/^| `\([^`]*\)` .* | \([a-z]*[0-9]*x[0-9]*\) |$/\1 \2/p' $c/README.md >"$out/c-kernels.txt"
while read -r file arch; do
    echo "== $file on $arch"
    # The comment at the head names the sizes of random inputs.
    size="$(sed -n 's|^.*Sizes: \([0-9 ]*\).*$|\1|p' "$c/$file" | awk '{print $NF}')"
    if [ -n "$size" ]; then
        prove "$c/$file" "$arch" --random 1 --size "$size"
    else
        prove "$c/$file" "$arch" --inputs "$c/${file%.*}.1.json"
    fi
done <"$out/c-kernels.txt"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
