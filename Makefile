# Streams: `make help` lists what this file can do.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

# Where `make install` puts things; DESTDIR goes in front of all of them.
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
PKGCONFIGDIR ?= $(LIBDIR)/pkgconfig
CMAKEDIR ?= $(LIBDIR)/cmake/streams
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DESTDIR ?=

SWIFT ?= swift
ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
PYTHON ?= $(if $(wildcard /usr/bin/python3),/usr/bin/python3,python3)
INSTALL ?= install
STRIP ?= strip

# What programs include, the parts that it is made of, and which of these says the version.
HEADERS := $(filter-out Include/streams_nats.h,$(wildcard Include/*.h)) Include/streams.hpp
HEADER_PARTS := $(wildcard Include/streams/*.h Include/streams/*.hpp)
VERSION_HEADER := Include/streams/base.h
version_part = $(shell sed -n 's/^[[:blank:]]*\#[[:blank:]]*define[[:blank:]]\{1,\}STREAMS_VERSION_$(1)[[:blank:]]\{1,\}\([0-9]\{1,\}\).*/\1/p' $(VERSION_HEADER) 2>/dev/null)
MAJOR := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)

SONAME := libstreams.so.$(MAJOR)
LIBRARY := build/lib/libstreams.so
LIBRARY_FILE := $(LIBRARY).$(VERSION)
# The same library with its symbols, for debuggers and valgrind.
LIBRARY_UNSTRIPPED := build/debug/$(SONAME)
# The same objects and the Swift runtime as one object, of which only the functions of the header can be seen.
STATIC_LIBRARY := build/lib/libstreams.a

# The library carries its own Swift runtime: whoever links it needs no Swift. It cannot be unloaded, because that
# runtime cannot (-z nodelete). Functions that are the same, as many of a generic type's are, are kept once, under one of
# their names: nothing in the library goes by the addresses of two that do the same.
# What protects the code in C; Swift's compiler has no such options. Without -fcf-protection: the linker drops its mark unless
# every object has it, and those of the Swift runtime do not.
HARDENED := -fstack-protector-strong -fstack-clash-protection
FORTIFIED := -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2
ABI_SCRATCH := .build-abi
ABI_SWIFTFLAGS ?=
# Debian's valgrind reads debug information up to version 4. What nobody calls is left out, function by function. Debuggers
# and profilers do without frame pointers; sanitizers do not. The toolchain's own linker is used, because gold puts what is
# public in a module, though the version script hides it, into the table of dynamic symbols. What every program runs lies
# together (Packaging/streams.order, by `make order`). Two builds of the same sources make the same library, wherever they are:
# the names of files are those within the checkout, no module has a hash by which the compiler knows whether to compile it again,
# and what tells two libraries apart is made of their sources.
PREFIX_MAP := $(CURDIR)=.
BUILD_ID = $(shell { $(SWIFT) --version; cat $(ABI_SOURCES); } 2>/dev/null | sha1sum | cut -c1-40)
ABI_FLAGS = -c release --product streams -Xswiftc -Xfrontend -Xswiftc -function-sections \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
  -Xswiftc -file-prefix-map -Xswiftc $(PREFIX_MAP) -Xcc -ffile-prefix-map=$(PREFIX_MAP) -Xcc -gdwarf-4 -Xcc -DSTREAMS_STATIC_RUNTIME \
  --omit-frame-pointers $(addprefix -Xcc ,$(HARDENED) $(FORTIFIED)) \
  --scratch-path $(ABI_SCRATCH) --disable-local-rpath \
  -Xswiftc -use-ld=lld -Xswiftc -static-stdlib -Xswiftc -no-toolchain-stdlib-rpath $(addprefix -Xswiftc ,$(ABI_SWIFTFLAGS)) \
  -Xlinker --version-script=$(CURDIR)/Packaging/streams.map -Xlinker -soname=$(SONAME) \
  -Xlinker --symbol-ordering-file=$(CURDIR)/Packaging/streams.order -Xlinker --no-warn-symbol-ordering \
  -Xlinker --gc-sections -Xlinker --icf=all -Xlinker --hash-style=gnu \
  -Xlinker --script=$(CURDIR)/Packaging/streams.ld -Xlinker -z -Xlinker nodelete -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now \
  -Xlinker --build-id=0x$(BUILD_ID) $(addprefix -Xlinker ,$(WRAPPED))
# Functions of the Swift runtime that the library calls by way of functions of its own.
WRAPPED := $(shell sed -n 's/^WRAP[_A-Z]*(\([^,)]*\).*/--wrap=\1/p' Sources/StreamsMachine/runtime.c)
# Files and folders, so that a removed file rebuilds too.
ABI_SOURCES := Package.swift Makefile Packaging/streams.map Packaging/streams.ld Packaging/streams.order $(sort $(shell find Sources Include -not -path "*NATS*" -not -path "*/CNats*" -not -path "*/streams_nats*" -not -name "*.hpp" 2>/dev/null))

# The same library for the fuzzer and the soak tests only: with a sanitizer inside, which the program needs to have too,
# or with threads that give way to each other at random; and plain, to test and to measure.
TEST_LIBRARIES := $(foreach each,address thread perturbed plain uncounted,build/$(each)/$(SONAME))
test_flags_perturbed := -Xcc -DSTREAMS_PERTURBED
# Without what the processor and the runtimes do not promise, and without the second half of it.
test_flags_plain := -Xcc -DSTREAMS_PLAIN
test_flags_uncounted := -Xcc -DSTREAMS_UNCOUNTED
# Sanitizers see more in functions that are not fortified.
test_flags_address := -Xswiftc -sanitize=address -Xcc -fsanitize=address -Xcc -U_FORTIFY_SOURCE
test_flags_thread := -Xswiftc -sanitize=thread -Xcc -fsanitize=thread -Xcc -U_FORTIFY_SOURCE

# With other options than those of the checks the modules would be compiled again.
DEBUG := $(shell cat Tools/debug.options)
RELEASE := $(shell cat Tools/release.options)

VENV := .venv
VENV_STAMP := $(VENV)/.installed
DATA := Examples/data/seattle-temps.csv

export SWIFT PYTHON
# SwiftPM takes these for compilers of its own and gives them options that only clang knows.
unexport CC CXX

need = @command -v $(1) >/dev/null || { echo "make: $(1) not found: $(2)" >&2; exit 1; }

.PHONY: all
all: $(LIBRARY) $(STATIC_LIBRARY) ## Build build/lib/libstreams.so and libstreams.a (the default)

$(LIBRARY): $(LIBRARY_FILE)
	@ln -sf libstreams.so.$(VERSION) build/lib/$(SONAME)
	@ln -sf $(SONAME) $(LIBRARY)
	@touch -h $(LIBRARY)

$(LIBRARY_FILE): $(ABI_SOURCES)
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	$(call need,$(STRIP),the package binutils is needed)
	$(if $(findstring ..,$(VERSION).),@echo "make: $(VERSION_HEADER) does not say its version" >&2; exit 1)
	@rm -f $(ABI_SCRATCH)/release/libstreams.so
	$(SWIFT) build $(ABI_FLAGS)
	@mkdir -p build/lib build/debug
	@rm -f build/lib/libstreams.so*
	@cp $(ABI_SCRATCH)/release/libstreams.so $(LIBRARY_UNSTRIPPED)
	@$(STRIP) --strip-unneeded -o $@ $(LIBRARY_UNSTRIPPED)
	@chmod 755 $@
	@printf '%s: %s bytes\n' $@ "$$(stat -c %s $@)"

# By which tools that watch programs leave out what is none of the program's.
SUPPRESSIONS := $(wildcard Packaging/Suppressions/*.supp)

# Where the archives of the Swift runtime are, beside the compiler.
swift_static = $(dir $(realpath $(shell command -v $(SWIFT))))../lib/swift_static/linux

$(STATIC_LIBRARY): $(LIBRARY_FILE)
	$(call need,ld,the package binutils is needed)
	@rm -f $@
	@ld -r -o build/debug/streams.o $(WRAPPED) $(swift_static)/$$(uname -m)/swiftrt.o \
	  @$(ABI_SCRATCH)/release/streams.product/Objects.LinkFileList \
	  --start-group $(wildcard $(swift_static)/libswift*.a) \
	  $(swift_static)/libdispatch.a $(swift_static)/libBlocksRuntime.a --end-group
	@objcopy --strip-debug --localize-hidden --wildcard --keep-global-symbol='streams_*' build/debug/streams.o
	@ar rcsD $@ build/debug/streams.o
	@rm build/debug/streams.o

.PHONY: order
order: prepare $(LIBRARY) ## Find out anew what every program runs, for streams.order, by which the library is laid out
	@CC=$(CC) $(PYTHON) Tools/startup_order.py

$(TEST_LIBRARIES): build/%/$(SONAME): $(ABI_SOURCES)
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	$(SWIFT) build $(filter-out --omit-frame-pointers,$(subst $(ABI_SCRATCH),.build-abi-$*,$(ABI_FLAGS))) $(test_flags_$*)
	@mkdir -p $(@D)
	@cp .build-abi-$*/release/libstreams.so $@
	@ln -sf $(SONAME) $(@D)/libstreams.so

# ---- NATS ----------------------------------------------------------------------------------------------------------

# A library of its own on top of libstreams.so: only this needs libnats.
NATS_SONAME := libstreams_nats.so.$(MAJOR)
NATS_LIBRARY := build/lib/libstreams_nats.so
NATS_LIBRARY_FILE := $(NATS_LIBRARY).$(VERSION)
NATS_SOURCES := $(wildcard Sources/CStreamsNATS/*.c)
NATS_HEADER_PARTS := $(wildcard Include/streams_nats/*.h)
NATS_CFLAGS = -std=gnu11 -fPIC -fvisibility=hidden -Wall -Wextra -Wconversion -Werror $(CFLAGS) $(HARDENED) \
  $(if $(filter -O1 -O2 -O3 -Os,$(CFLAGS)),$(FORTIFIED)) -IInclude -pthread

.PHONY: nats
nats: $(NATS_LIBRARY) ## Build build/lib/libstreams_nats.so, NATS and JetStream as publishers; needs libnats

$(NATS_LIBRARY): $(NATS_LIBRARY_FILE)
	@ln -sf $(notdir $(NATS_LIBRARY_FILE)) build/lib/$(NATS_SONAME)
	@ln -sf $(NATS_SONAME) $(NATS_LIBRARY)
	@touch -h $(NATS_LIBRARY)

$(NATS_LIBRARY_FILE): $(NATS_SOURCES) $(wildcard Sources/CStreamsNATS/*.h) Include/streams_nats.h $(NATS_HEADER_PARTS) Packaging/streams-nats.map | $(LIBRARY)
	$(call need,$(CC),the package gcc is needed)
	@printf '#include <nats/nats.h>\n' | $(CC) -E -x c - >/dev/null 2>&1 || { echo "make: nats/nats.h not found: the package libnats-dev is needed" >&2; exit 1; }
	$(CC) $(NATS_CFLAGS) -shared $(NATS_SOURCES) -o $@ -Wl,-soname,$(NATS_SONAME) \
	  -Wl,--version-script=Packaging/streams-nats.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-z,relro -Wl,-z,now \
	  -Lbuild/lib -lstreams -lnats -lpthread

# Each file is a program, which starts servers of its own.
NATS_TESTS := $(patsubst Tests/NATS/%.c,build/tests/nats/%,$(wildcard Tests/NATS/*.c))

$(NATS_TESTS): build/tests/nats/%: Tests/NATS/%.c $(wildcard Tests/NATS/support/*) $(NATS_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Wconversion -Werror $(CFLAGS) -IInclude -ITests/NATS/support $< $(wildcard Tests/NATS/support/*.c) -o $@ \
	  -Lbuild/lib -lstreams_nats -lstreams -lnats -lcmocka -lcjson -lpthread -Wl,-rpath,'$$ORIGIN/../../lib'

.PHONY: install-nats
install-nats: $(NATS_LIBRARY) ## Install streams_nats.h, libstreams_nats.so and streams-nats.pc, beside what install has put there
	$(INSTALL) -d '$(DESTDIR)$(INCLUDEDIR)/streams_nats' '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(PKGCONFIGDIR)'
	$(INSTALL) -m 644 Include/streams_nats.h '$(DESTDIR)$(INCLUDEDIR)'
	$(INSTALL) -m 644 $(NATS_HEADER_PARTS) '$(DESTDIR)$(INCLUDEDIR)/streams_nats'
	$(INSTALL) -m 755 $(NATS_LIBRARY_FILE) '$(DESTDIR)$(LIBDIR)/libstreams_nats.so.$(VERSION)'
	ln -sf libstreams_nats.so.$(VERSION) '$(DESTDIR)$(LIBDIR)/$(NATS_SONAME)'
	ln -sf $(NATS_SONAME) '$(DESTDIR)$(LIBDIR)/libstreams_nats.so'
	$(FILLED) Packaging/streams-nats.pc.in > '$(DESTDIR)$(PKGCONFIGDIR)/streams-nats.pc'
	@chmod 644 '$(DESTDIR)$(PKGCONFIGDIR)/streams-nats.pc'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

# The members of `make demo-cluster` in C.
CLUSTER := build/bin/cluster-producer build/bin/cluster-worker

$(CLUSTER): build/bin/cluster-%: Examples/Cluster/%.c $(wildcard Examples/Cluster/member.*) $(NATS_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Wconversion -Werror $(CFLAGS) -IInclude $(filter %.c,$^) -o $@ \
	  -Lbuild/lib -lstreams_nats -lstreams -lpthread -Wl,-rpath,'$$ORIGIN/../lib'

# What test_workers kills, in C and Swift, what bench-nats measures, and what runs the cases in Swift.
build/tests/nats/worker: Tests/NATS/workers/worker.c $(NATS_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Wconversion -Werror $(CFLAGS) -IInclude $< -o $@ \
	  -Lbuild/lib -lstreams_nats -lstreams -Wl,-rpath,'$$ORIGIN/../../lib'

.PHONY: nats-processes
nats-processes:
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	@mkdir -p build/tests/nats
	$(SWIFT) build --package-path Tests/NATS/Swift $(RELEASE)
	@cp $(addprefix .build-release/release/nats-,cases reader worker) build/tests/nats

.PHONY: nats-tests
nats-tests: $(NATS_TESTS) build/tests/nats/worker $(CLUSTER)

.PHONY: check-nats
check-nats: nats-tests build/bin/cluster-worker-swift $(VENV_STAMP) ## Run the tests of libstreams_nats.so and streams.nats against servers that they start
	$(call need,nats-server,the package nats-server is needed)
	@for each in $(NATS_TESTS); do $$each || exit 1; done
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) STREAMS_NATS_LIBRARY=$(CURDIR)/$(NATS_LIBRARY) \
	  $(VENV)/bin/python -X dev -m pytest -q -p no:cacheprovider -o asyncio_mode=auto \
	  -o asyncio_default_fixture_loop_scope=function Tests/Python/nats

build/bin/bench-nats: $(wildcard Benchmarks/nats/*.c) $(wildcard Tests/NATS/support/*) $(NATS_LIBRARY)
	@mkdir -p $(@D)
	$(CC) -std=gnu11 -Wall -Wextra -Wconversion -Werror -O2 -g -IInclude -ITests/NATS/support $(filter %.c,$^) -o $@ \
	  -Lbuild/lib -lstreams_nats -lstreams -lnats -lcmocka -lpthread -Wl,-rpath,'$$ORIGIN/../lib'

.PHONY: bench-nats
bench-nats: build/bin/bench-nats nats-processes $(VENV)/.installed-bench ## Measure libstreams_nats.so beside plain nats.c, StreamsNATS beside that, and streams.nats beside nats-py
	@build/bin/bench-nats build/tests/nats/nats-reader $(ARGS)
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) STREAMS_NATS_LIBRARY=$(CURDIR)/$(NATS_LIBRARY) \
	  $(VENV)/bin/python Benchmarks/nats/bench.py

# ---- demo ----------------------------------------------------------------------------------------------------------

build/bin/seattle-c: $(wildcard Examples/C/*.c Examples/C/*.h) $(HEADERS) $(HEADER_PARTS) $(LIBRARY)
	$(call need,$(CC),the package gcc is needed)
	@mkdir -p build/bin
	$(CC) -std=c11 -Wall -Wextra -Wpedantic $(CFLAGS) -IInclude Examples/C/seattle.c -o $@ \
	  -Lbuild/lib -lstreams -lm -Wl,-rpath,'$$ORIGIN/../lib'

.PHONY: build/bin/seattle-swift
build/bin/seattle-swift:
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	@mkdir -p build/bin
	$(SWIFT) build --package-path Examples/Swift $(RELEASE) --product seattle
	@cp .build-release/release/seattle $@

.PHONY: demo
demo: $(LIBRARY) build/bin/seattle-c build/bin/seattle-swift ## Run one pipeline in C, Python and Swift on a year of temperatures; draws build/seattle.svg
	@mkdir -p build/demo
	@build/bin/seattle-c $(DATA) > build/demo/c.txt
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) PYTHONDONTWRITEBYTECODE=1 \
	  $(PYTHON) Examples/Python/seattle.py $(DATA) --picture build/seattle.svg > build/demo/python.txt
	@build/bin/seattle-swift $(DATA) > build/demo/swift.txt
	@cat build/demo/c.txt
	@echo
	@for each in python swift; do \
	  diff -u build/demo/c.txt build/demo/$$each.txt || { echo "make: C and $$each differ" >&2; exit 1; }; done
	@echo "C, Python and Swift printed the same $$(wc -l < build/demo/c.txt) lines. The year as a picture: build/seattle.svg"

# Without Swift the demo has no worker in Swift, and says so.
.PHONY: build/bin/cluster-worker-swift
build/bin/cluster-worker-swift:
	@mkdir -p $(@D)
	@rm -f $@
	@if command -v $(SWIFT) >/dev/null; then \
	  $(SWIFT) build --package-path Examples/Cluster $(RELEASE) --product cluster-worker && cp .build-release/release/cluster-worker $@; \
	else echo "make: $(SWIFT) not found: the demo has no worker in Swift (https://www.swift.org/install)"; fi

.PHONY: demo-cluster
demo-cluster: $(NATS_LIBRARY) $(CLUSTER) build/bin/cluster-worker-swift ## Run workers in C, Python and Swift that share a consumer of a nats-server, and kill some; ARGS="--help" says more
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) STREAMS_NATS_LIBRARY=$(CURDIR)/$(NATS_LIBRARY) \
	  PYTHONDONTWRITEBYTECODE=1 $(PYTHON) Examples/Cluster/cluster.py $(ARGS)

# ---- checks --------------------------------------------------------------------------------------------------------

# What is built is built by the suites, beside those that do without it.
.PHONY: test
test: prepare $(VENV_STAMP) ## Run what a change is likely to break: the sources' form, and the tests of Swift, C, C++ and Python
	@CC=$(CC) $(PYTHON) Tools/run_checks.py test

.PHONY: check
check: prepare $(VENV_STAMP) ## Run all that must hold for a change to land; SUITES="c python" runs only these
	@CC=$(CC) $(PYTHON) Tools/run_checks.py $(SUITES)

.PHONY: check-long
check-long: check-plain fuzz build/thread/$(SONAME) ## Run what does the same for longer, before a release: all of C under valgrind, all of Python on each CPython, sanitizers, fuzz, soak
	@CC=$(CC) $(PYTHON) Tools/run_checks.py long

.PHONY: check-plain
check-plain: prepare build/plain/$(SONAME) $(VENV_STAMP) ## Run the tests of C and Python with a library that does without what processor and runtimes do not promise
	@CHECKED_LIBRARY=$(CURDIR)/build/plain/$(SONAME) CC=$(CC) $(PYTHON) Tools/run_checks.py c valgrind-long python

# The suites are named after the sanitizers' short names.
SANITIZERS ?= thread address
.PHONY: sanitize
sanitize: prepare ## Run the Swift tests under ThreadSanitizer and AddressSanitizer; SANITIZERS=thread runs only this
	@CC=$(CC) $(PYTHON) Tools/run_checks.py $(patsubst thread,tsan,$(patsubst address,asan,$(SANITIZERS)))

ROUNDS ?= 20
export ROUNDS
.PHONY: soak
soak: prepare $(LIBRARY) build/thread/$(SONAME) $(VENV_STAMP) ## Run the tests in which threads race ROUNDS times (20)
	@CC=$(CC) $(PYTHON) Tools/run_checks.py soak

# How long `make fuzz` calls the C library, then runs random programs in Python, and then compares pipelines with
# OpenCombine's. SEED and THREADS are the C fuzzer's; the Python one prints its seed, for FUZZ_SEED.
SECONDS := 600
SEED ?=
THREADS ?= 4

.PHONY: fuzz
fuzz: fuzz-c fuzz-nats $(VENV_STAMP) ## Run random calls of the C libraries, then random pipelines in Python, here and in RxPY, then here and in OpenCombine, for SECONDS=600; ARGS="..." go to Tests/Differential
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) $(VENV)/bin/python -m pytest -q -p no:cacheprovider \
	  --hypothesis-profile=fuzz Tests/Python/test_properties.py Tests/Python/test_rxpy*.py
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) FUZZ_SECONDS=$(SECONDS) FUZZ_SEED=$(or $(SEED),1) $(VENV)/bin/python -X dev -m pytest \
	  -q -s -p no:cacheprovider Tests/Python/test_fuzz.py Tests/Python/test_arrays.py
	@$(PYTHON) Tools/differential.py
	@$(SWIFT) build --package-path Tests/Differential $(DEBUG)
	@.build-test/debug/differential --seconds $(SECONDS) $(ARGS)

.PHONY: fuzz-c
fuzz-c: prepare $(LIBRARY) $(filter-out build/plain/% build/uncounted/%,$(TEST_LIBRARIES)) $(VENV_STAMP) ## Run random calls of the C library only, for SECONDS=600; SEED=, THREADS=4
	@CC=$(CC) FUZZ_SECONDS=$(SECONDS) FUZZ_SEED=$(SEED) FUZZ_THREADS=$(THREADS) $(PYTHON) Tools/run_checks.py fuzz-c-long

.PHONY: fuzz-nats
fuzz-nats: prepare $(LIBRARY) $(VENV_STAMP) ## Run random calls of libstreams_nats.so only, for SECONDS=600; SEED=
	@CC=$(CC) FUZZ_SECONDS=$(SECONDS) FUZZ_SEED=$(SEED) $(PYTHON) Tools/run_checks.py fuzz-nats-long

.PHONY: prepare
prepare:
	@bash Tools/prepare.sh

$(VENV_STAMP): Tests/Python/requirements.txt Tests/Python/requirements-versions.txt | prepare
	@echo "Installing the test tools into $(VENV)"
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	@touch $@

$(VENV)/.installed-bench: Benchmarks/requirements.txt $(VENV_STAMP)
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --retries 5 -r $<
	@touch $@

.PHONY: bench
bench: $(LIBRARY) $(VENV_STAMP) $(if $(wildcard Benchmarks/requirements.txt),$(VENV)/.installed-bench) ## Measure Streams beside its peers; ARGS="..." go to Benchmarks/run.py
	@PYTHONPATH=Bindings/Python STREAMS_LIBRARY=$(CURDIR)/$(LIBRARY) $(VENV)/bin/python Benchmarks/run.py $(ARGS)

.PHONY: format
format: $(VENV_STAMP) ## Reformat the Swift, C, C++ and Python sources in place, and write what is generated
	@$(PYTHON) Tools/python_declarations.py
	@$(PYTHON) Tools/format.py --fix

# ---- documentation -------------------------------------------------------------------------------------------------

.PHONY: docs
docs: $(LIBRARY) $(VENV_STAMP) ## Build the documentation, build/docs/index.html: guides, search, references of Swift (DocC), C (Doxygen) and Python (pdoc)
	$(call need,$(SWIFT),Swift 6.3 or later is needed (https://www.swift.org/install))
	$(call need,doxygen,the package doxygen is needed)
	@$(PYTHON) Tools/docs/site_builder.py

# ---- install -------------------------------------------------------------------------------------------------------

# What the templates in Packaging say between at signs.
FILLED = sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
  -e 's|@VERSION@|$(VERSION)|' -e 's|@MAJOR@|$(MAJOR)|' \
  -e "s|@LIB_FROM_CMAKE@|$$(realpath -ms --relative-to='$(CMAKEDIR)' '$(LIBDIR)')|" \
  -e "s|@INCLUDE_FROM_CMAKE@|$$(realpath -ms --relative-to='$(CMAKEDIR)' '$(INCLUDEDIR)')|"

.PHONY: install
install: $(LIBRARY) $(STATIC_LIBRARY) ## Install headers, libraries, a manual page and what pkg-config, CMake and valgrind read; PREFIX, LIBDIR and DESTDIR as usual
	$(INSTALL) -d '$(DESTDIR)$(INCLUDEDIR)/streams' '$(DESTDIR)$(LIBDIR)' '$(DESTDIR)$(PKGCONFIGDIR)' '$(DESTDIR)$(CMAKEDIR)' \
	  '$(DESTDIR)$(DATADIR)/streams' '$(DESTDIR)$(MANDIR)/man3'
	$(INSTALL) -m 644 $(HEADERS) '$(DESTDIR)$(INCLUDEDIR)'
	$(INSTALL) -m 644 $(HEADER_PARTS) '$(DESTDIR)$(INCLUDEDIR)/streams'
	$(INSTALL) -m 755 $(LIBRARY_FILE) '$(DESTDIR)$(LIBDIR)/libstreams.so.$(VERSION)'
	ln -sf libstreams.so.$(VERSION) '$(DESTDIR)$(LIBDIR)/$(SONAME)'
	ln -sf $(SONAME) '$(DESTDIR)$(LIBDIR)/libstreams.so'
	$(INSTALL) -m 644 $(STATIC_LIBRARY) '$(DESTDIR)$(LIBDIR)/libstreams.a'
	$(FILLED) Packaging/streams.pc.in > '$(DESTDIR)$(PKGCONFIGDIR)/streams.pc'
	@for each in streams-config streams-config-version; do \
	  $(FILLED) Packaging/$$each.cmake.in > '$(DESTDIR)$(CMAKEDIR)'/$$each.cmake; done
	$(PYTHON) Tools/man_page.py $(VERSION) > '$(DESTDIR)$(MANDIR)/man3/streams.3'
	@chmod 644 '$(DESTDIR)$(PKGCONFIGDIR)/streams.pc' '$(DESTDIR)$(CMAKEDIR)'/* '$(DESTDIR)$(MANDIR)/man3/streams.3'
	$(INSTALL) -m 644 $(SUPPRESSIONS) '$(DESTDIR)$(DATADIR)/streams'
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && command -v ldconfig >/dev/null; then ldconfig; fi

.PHONY: uninstall
uninstall: ## Remove what install put there
	rm -f $(foreach each,$(patsubst Include/%,%,$(HEADERS) $(HEADER_PARTS)),'$(DESTDIR)$(INCLUDEDIR)/$(each)') \
	  '$(DESTDIR)$(PKGCONFIGDIR)/streams.pc' '$(DESTDIR)$(CMAKEDIR)/streams-config.cmake' \
	  '$(DESTDIR)$(CMAKEDIR)/streams-config-version.cmake' '$(DESTDIR)$(MANDIR)/man3/streams.3' \
	  '$(DESTDIR)$(LIBDIR)/libstreams.so' '$(DESTDIR)$(LIBDIR)/$(SONAME)' '$(DESTDIR)$(LIBDIR)/libstreams.so.$(VERSION)' \
	  '$(DESTDIR)$(LIBDIR)/libstreams.a' $(foreach each,$(notdir $(SUPPRESSIONS)),'$(DESTDIR)$(DATADIR)/streams/$(each)')
	@rmdir --ignore-fail-on-non-empty '$(DESTDIR)$(INCLUDEDIR)/streams' '$(DESTDIR)$(DATADIR)/streams' '$(DESTDIR)$(CMAKEDIR)' \
	  2>/dev/null || true

.PHONY: wheel
wheel: $(LIBRARY) $(VENV_STAMP) ## Build a wheel of the Python package that brings the library, in build/wheel; auditwheel judges it
	@rm -rf build/wheel
	@$(VENV)/bin/python Tools/dist.py --into build/wheel wheel
	@$(VENV)/bin/python -m auditwheel show build/wheel/*.whl

# Who answers for the Debian packages. By default nobody's address: packages for others need one.
MAINTAINER ?= Streams contributors <nobody@streams.invalid>
export MAINTAINER

.PHONY: dist
dist: $(LIBRARY) $(STATIC_LIBRARY) $(VENV_STAMP) docs ## Make what a release has, in build/dist: archive with documentation, wheel, sdist, Debian packages, SBOM and checksums
	@rm -rf build/dist
	@$(VENV)/bin/python Tools/dist.py --into build/dist

# ---- the rest ------------------------------------------------------------------------------------------------------

.PHONY: clean
clean: ## Remove everything that was built
	rm -rf build .build .build-* $(VENV)
	@find Bindings Tests Examples Benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

.PHONY: help
help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
