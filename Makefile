# The front door. `make demo` and `make test` do everything on a fresh Debian 12; the rest is for daily work.
# A plain `make` lists the targets.

PYTHON ?= /usr/bin/python3
JOBS ?= $(shell nproc)
BUILD := build
OUT := out

export PYTHONPATH := $(CURDIR)/$(BUILD)/python
.DEFAULT_GOAL := help
.PHONY: help setup build all demo test studies bench format check sanitize clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## install what the build needs (Debian 12), or say what is missing (elsewhere)
	@PYTHON=$(PYTHON) scripts/setup.sh build

$(BUILD)/build.ninja: CMakePresets.json | setup
	@cmake --preset release -DPython3_EXECUTABLE=$(PYTHON)
	@touch $@

build: setup $(BUILD)/build.ninja  ## compile the program and the Python package
	@cmake --build $(BUILD) -j $(JOBS) --target program

all: setup $(BUILD)/build.ninja  ## compile everything: also the tests, the micro-benchmarks and, with nvcc, the CUDA backend
	@cmake --build $(BUILD) -j $(JOBS)

demo: build  ## run examples/cantilever.yaml: summary, result file, picture
	@mkdir -p $(OUT)
	@$(BUILD)/lithe run examples/cantilever.yaml -o $(OUT)/cantilever.h5
	@printf '  picture  '; $(PYTHON) -m lithe.plot $(OUT)/cantilever.h5 -o $(OUT)/cantilever.png

test: all  ## run every test
	@ctest --test-dir $(BUILD) --output-on-failure --no-tests=error --no-label-summary -j $(JOBS)

studies: build  ## recompute the published results; fails outside the stated tolerances
	@PYTHON=$(PYTHON) scripts/studies.sh $(OUT)/studies

bench: all  ## measure elements, storage and linear algebra on this machine
	@mkdir -p $(OUT)
	@$(BUILD)/lithe bench elements --json $(OUT)/bench_elements.json --picture $(OUT)/roofline.png
	@$(BUILD)/lithe bench storage --json $(OUT)/bench_storage.json
	@$(BUILD)/lithe bench memory --json $(OUT)/bench_memory.json
	@$(BUILD)/lithe bench linalg --json $(OUT)/bench_linalg.json
	@$(BUILD)/lithe bench reduced --json $(OUT)/bench_reduced.json
	@$(BUILD)/lithe bench contact --json $(OUT)/bench_contact.json

format:  ## rewrite the sources in the house format
	@PYTHON=$(PYTHON) scripts/setup.sh check
	@scripts/format.sh

check:  ## warnings, format, include directions, clang-tidy on changed files; SANITIZE=1: also make sanitize
	@PYTHON=$(PYTHON) scripts/setup.sh check
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/check.sh includes format warnings tidy $(if $(SANITIZE),sanitize)

sanitize:  ## every test under the address, undefined-behaviour and thread sanitizers
	@PYTHON=$(PYTHON) scripts/setup.sh check
	@PYTHON=$(PYTHON) JOBS=$(JOBS) scripts/check.sh sanitize

clean:  ## remove the build folders and the results
	@rm -rf build build-debug build-threads build-cuda build-check $(OUT)
