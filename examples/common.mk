# What the examples share: loom itself, and the kernel's hardware and host function in out/.
LOOM ?= ../../bin/loom
OUT  ?= out
# What make run takes as the device: verilator, the RTL, or cycle, which needs no Verilator.
MODEL ?= verilator

all: $(OUT)/scale_host.c

$(LOOM):
	$(MAKE) -C ../.. build

$(OUT)/scale_host.c: ../scale.c ../small.yaml | $(LOOM)
	$(LOOM) build ../scale.c --arch ../small.yaml -o $(OUT)

clean:
	rm -rf $(OUT)

.PHONY: all run clean
