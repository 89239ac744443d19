# What people type. The build itself is CMake (CMakePresets.json); each target here is a few commands and a
# line per stage. `make help` lists the targets. Logs are in build/log.
.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-print-directory --no-builtin-rules
SHELL := /bin/bash

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 180
JOBS ?= $(shell nproc)

# One ccache for every checkout: paths below the source folder do not matter to it. It lives in ~/.cache.
export CCACHE_BASEDIR := $(CURDIR)
export CCACHE_NOHASHDIR := 1
# What ccache wants to be told before it keeps what a precompiled header was used for.
export CCACHE_SLOPPINESS := pch_defines,time_macros

stage = tools/stage "$(1)" build/log/$(subst $() ,-,$(1)).log
ninja = ninja -C build/$(1) -j $(JOBS)

.PHONY: help demo test test-long build bench bench-check fuzz tidy tidy-changed format format-check includes install package \
        oracle oracle-regenerate mutants asan asan-units tsan coverage compile-report check clean setup setup-check

help: ## this list
	@echo "make demo and make test are all you need; they install what is missing"
	@echo "(Debian 12, as root)."
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: build ## build berth and plan the cluster in examples/demo
	@tools/demo build/berth

test: setup build/dev/build.ninja ## build and pass every test
	@$(call stage,build the tests) $(call ninja,dev)
	@tools/run_tests build/dev

build: setup build/release/build.ninja ## the release binary, build/berth
	@$(call stage,build berth) $(call ninja,release) berth
	@ln -f build/release/berth build/berth

test-long: setup setup-check build/release/build.ninja ## property tests over 100,000 worlds and more each; hours
	@$(call stage,build the property tests) $(call ninja,release) property_tests
	@BERTH_LONG=1 build/release/property_tests --gtest_brief=1

bench: build ## run the benchmarks
	@$(call stage,build the benchmarks) $(call ninja,release) benchmarks
	@tools/bench build/release

bench-check: build setup-check ## instructions and memory against bench/baselines
	@$(call stage,build the benchmarks) $(call ninja,release) benchmarks
	@tools/bench_check build/release

asan: setup build/asan/build.ninja ## the tests under address and UB sanitizers
	@$(call stage,build with sanitizers) $(call ninja,asan)
	@tools/run_tests build/asan

# The unit tests of every room and all case files. `make asan` adds the property, oracle and study tests.
UNITS = base text cel api engine dialects controllers report sim cli
asan-units: setup build/asan/build.ninja ## the same, unit tests and cases only
	@$(call stage,build units with sanitizers) $(call ninja,asan) berth $(UNITS:%=%_test)
	@tools/run_tests build/asan --filter '^($(subst $() ,|,$(UNITS)))_test$$'
	@set -o pipefail; build/asan/berth case tests/cases | tail -n 1

tsan: setup build/tsan/build.ninja ## the tests under the thread sanitizer
	@$(call stage,build with tsan) $(call ninja,tsan)
	@tools/run_tests build/tsan

coverage: setup build/coverage/build.ninja ## line coverage of src by the tests, per folder
	@$(call stage,build for coverage) $(call ninja,coverage)
	@tools/run_tests build/coverage
	@tools/coverage build/coverage

fuzz: setup setup-check build/fuzz/build.ninja ## every fuzzer for FUZZ_SECONDS (180) each
	@$(call stage,build the fuzzers) $(call ninja,fuzz)
	@tools/run_fuzzers build/fuzz $(FUZZ_SECONDS)

mutants: setup build/mutants/build.ninja ## switch off each rule in turn: some test must fail
	@$(call stage,build the mutants) $(call ninja,mutants)
	@tools/run_mutants build/mutants

oracle: setup build/dev/build.ninja ## fresh seeds against upstream (needs Go)
	@tools/oracle build/dev

oracle-regenerate: ## write its kept answers again (needs Go)
	@tools/oracle --regenerate

format: setup-check ## clang-format every source
	@git ls-files '*.cc' '*.h' | xargs clang-format-19 -i

format-check: setup-check ## is every source formatted?
	@$(call stage,check the format) tools/check_format

includes: ## do includes go downward only?
	@$(call stage,check the includes) tools/check_includes

tidy: setup setup-check build/dev/build.ninja ## clang-tidy on every source
	@tools/tidy --all

tidy-changed: setup setup-check build/dev/build.ninja ## clang-tidy on what changed
	@tools/tidy

compile-report: setup build/dev/build.ninja ## the slowest files to compile, and a limit
	@tools/compile_report build/dev --limit 15

check: includes format-check test ## what to run before a commit

install: build ## to PREFIX (/usr/local), honours DESTDIR
	@DESTDIR="$(DESTDIR)" cmake --install build/release --prefix "$(PREFIX)" --component berth >build/log/install.log
	@echo "  installed $(DESTDIR)$(PREFIX)/bin/berth"

package: build setup-check ## a .deb in build/package, tested
	@$(call stage,make the package) tools/package build/release build/package
	@tools/test_package.sh build/package/*.deb
	@ls build/package/*.deb

clean: ## remove build
	@rm -rf build

setup: ## install what building needs (Debian 12, root)
	@tools/setup build

setup-check: ## install what checking needs
	@tools/setup check

build/%/build.ninja: CMakePresets.json | setup
	@$(call stage,configure $*) cmake --preset $*
	@echo "The first build of $* takes about 10 minutes on two cores, the next ones seconds."
