# LOOM: the commands a user and a contributor need. `make help` lists them.

GO      ?= go
BIN     := bin/loom
OUT     ?= out
# How many times longer the soak campaigns run than their shortest.
SOAK    ?= 1
# make soak SECONDS=600 runs only the random programs of the lowering, for that
# time, from seed SEED on.
SEED    ?= 0

# What is live in the tests and in Go's compiler is small: collecting garbage less often saves a quarter of their time.
export GOGC ?= 400

# Every artifact of the demo goes here.
DEMO := $(OUT)/demo

# Python packages that some tests use (scripts/python.txt).
VENV := .venv

# The packages whose tests take longest.
LONGEST := ./rtl ./cmd/loom ./sim/cycle ./internal/e2e . ./internal/ckernels ./rtlgen ./verilator

.PHONY: help all build demo test lint kernels bench bench-memory bench-direct soak soak-c fuzz area fmax qor fabrics golden clean deps-run deps-test FORCE

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## /  make \1\t/' | expand -t 18

all: build

build: $(BIN) ## build bin/loom

$(BIN): FORCE
	@mkdir -p bin
	@$(GO) build -o $(BIN) ./cmd/loom

FORCE:

deps-run:
	@sh scripts/deps.sh run

deps-test:
	@sh scripts/deps.sh test

demo: deps-run build ## set everything up and take a C kernel to a verified design
	@echo "== loom build testdata/kernels/c/dot_unsigned.c on a 6x6 fabric, proven under Verilator"
	$(BIN) build testdata/kernels/c/dot_unsigned.c --arch mesh6x6 -o $(DEMO) --cosim --random 1 --size 16
	@echo "== the artifacts are in $(DEMO)"

lint: ## gofmt and vet
	@test -z "$$(gofmt -l *.go cmd compiler internal rtl rtlgen sim templates verilator)" || \
		{ echo "gofmt needed:"; gofmt -l *.go cmd compiler internal rtl rtlgen sim templates verilator; exit 1; }
	$(GO) vet ./...

$(VENV)/ready: scripts/python.txt
	@python3 -m venv $(VENV)
	@$(VENV)/bin/pip install -q --disable-pip-version-check -r scripts/python.txt
	@touch $@

# lint has run all of vet. Tests of a package that names no cache share that of the others, where
# the models of the larger fabrics are built once. What takes longest begins first, so that no processor waits in the end.
test: deps-test build lint ## everything a contributor must pass
	@$(MAKE) -s $(VENV)/ready || echo "== without Python packages: the tests that use them are skipped"
	@echo "== unit, differential, formal, synthesis and co-simulation tests"
	@LOOM_REQUIRE_TOOLS=1 LOOM_CACHE="$${LOOM_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/loom-test}" \
		sh -c '$(GO) test -json -vet=off -timeout 30m -p 2 $(LONGEST) ./... 2>&1 | $(GO) run ./internal/testsum'

kernels: deps-run build ## every kernel of testdata/kernels through build --cosim
	@sh scripts/kernels.sh $(BIN) $(OUT)

bench: build ## Go benchmarks: parsing, lowering, simulators, mapper
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...

bench-memory: deps-test ## kernels with models of DRAM, with and without bursts; writes docs/dram.md
	@LOOM_UPDATE=1 LOOM_BENCH_MEMORY=1 LOOM_REQUIRE_TOOLS=1 $(GO) test -count 1 -timeout 0 -run TestBenchMemory -v .

bench-direct: deps-test $(VENV)/ready ## direct circuits: cycles, cells, frequency; writes docs/direct.md (LOOM_KERNELS='dot fir': only these)
	LOOM_UPDATE=1 LOOM_REQUIRE_TOOLS=1 LOOM_REQUIRE_PYTHON=1 $(GO) test -count 1 -timeout 0 -run TestBench ./internal/directbench

soak: deps-test build $(VENV)/ready ## long random campaigns and all proofs, SOAK=n for more; SECONDS=n: random programs for that time
ifdef SECONDS
	@$(GO) test -c -o bin/campaign ./compiler/lower
	@cd compiler/lower && LOOM_SOAK_SECONDS='$(SECONDS)' LOOM_SOAK_SEED='$(SEED)' exec ../../bin/campaign
else
	LOOM_REQUIRE_TOOLS=1 LOOM_REQUIRE_PYTHON=1 LOOM_SOAK=$(SOAK) $(GO) test -count 1 -timeout 0 ./...
endif

soak-c: deps-test ## random C programs from clang to the graph for SECONDS=n (600), from SEED=n on
	LOOM_REQUIRE_TOOLS=1 LOOM_SOAK_SECONDS='$(or $(SECONDS),600)' LOOM_SOAK_SEED='$(SEED)' \
		$(GO) test -count 1 -timeout 0 -v -run TestRandomC ./internal/randctest

fuzz: ## every fuzz target for SECONDS=n (30) each; TARGET=pattern for some
	@GO='$(GO)' sh scripts/fuzz.sh '$(or $(SECONDS),30)' '$(TARGET)'

area: deps-test ## LUT, FF and RAM of library modules and shipped fabrics whose Verilog has changed since rtl/AREA.md and area.go (ALL=1: of all, an hour)
	$(if $(ALL),LOOM_SOAK=1 )LOOM_AREA=all LOOM_REQUIRE_TOOLS=1 $(GO) test -count 1 -timeout 0 -run 'TestArea$$' -v ./rtl
	$(if $(ALL),LOOM_SOAK=1 )LOOM_AREA=all LOOM_REQUIRE_TOOLS=1 $(GO) test -count 1 -timeout 0 -run 'TestShippedArea$$' -v ./rtlgen

fmax: deps-test $(VENV)/ready ## MHz after routing (ECP5) of modules and parts of shipped fabrics whose Verilog has changed since rtl/FMAX.md (ALL=1: of all, four hours; LOOM_UPDATE=1 writes it)
	LOOM_FMAX=$(or $(FABRIC),$(if $(ALL),all,1)) LOOM_REQUIRE_TOOLS=1 LOOM_REQUIRE_PYTHON=1 $(GO) test -count 1 -timeout 0 -run 'TestFmax$$' -v ./rtlgen

qor: deps-test ## every kernel on every shipped fabric against docs/qor.md (LOOM_UPDATE=1 writes it; LOOM_ARCH='mesh6x6': only these)
	LOOM_QOR=1 LOOM_REQUIRE_TOOLS=1 $(GO) test -count 1 -timeout 0 -run TestQoR -v ./internal/ckernels

fabrics: deps-test ## every kernel on every shipped fabric: fits, or the one reason; writes docs/fabrics.md
	@mkdir -p $(OUT) && echo "mapping every kernel on every shipped fabric, some minutes"
	@LOOM_FABRICS=1 LOOM_REQUIRE_TOOLS=1 $(GO) test -count 1 -timeout 0 -run TestFits -v ./internal/ckernels >$(OUT)/fabrics.log; s=$$?; \
	sed -n 's/^ *fabrics_test.go:[0-9]*: //p' $(OUT)/fabrics.log; grep 'kernels fit some' $(OUT)/fabrics.log; exit $$s

clean: ## remove what was built
	rm -rf bin $(OUT)
