#!/usr/bin/env bash
# Makes sure that `make check` finds what it needs. As root it installs missing Debian packages; otherwise it names them.
set -euo pipefail

swift=${SWIFT:-swift}
python=${PYTHON:-python3}

if ! command -v "$swift" >/dev/null; then
  echo "make check: Swift 6.3 or later is needed and '$swift' was not found: https://www.swift.org/install" >&2
  exit 1
fi

missing=()
for pair in gcc:gcc g++:g++ git:git pkg-config:pkg-config valgrind:valgrind readelf:binutils doxygen:doxygen \
  abidw:abigail-tools Xvfb:xvfb nats-server:nats-server dh:debhelper dh_python3:dh-python lintian:lintian \
  hardening-check:devscripts cmake:cmake groff:groff-base; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair#*:}")
done
pkg-config --exists cmocka 2>/dev/null || missing+=(libcmocka-dev)
pkg-config --exists libcjson 2>/dev/null || missing+=(libcjson-dev)
# In which the site is tried. Ubuntu has no such package, and the suite skips that there.
if grep -qx 'ID=debian' /etc/os-release 2>/dev/null && ! command -v chromium >/dev/null; then missing+=(chromium); fi
# For the tests of streams.hpp.
[ -e /usr/include/doctest/doctest.h ] || missing+=(doctest-dev)
# For libstreams_nats.so, whose package has no file for pkg-config in Debian 12.
[ -e /usr/include/nats/nats.h ] || missing+=(libnats-dev)
# For the examples in other loops.
pkg-config --exists libuv 2>/dev/null || missing+=(libuv1-dev)
pkg-config --exists glib-2.0 2>/dev/null || missing+=(libglib2.0-dev)
# For StreamsTerminal, and the to-do list in a terminal.
pkg-config --exists ncursesw 2>/dev/null || missing+=(libncurses-dev)
if ! command -v "$python" >/dev/null; then
  missing+=(python3 python3-venv python3-tk)
else
  "$python" -c 'import ensurepip, venv' 2>/dev/null || missing+=(python3-venv)
  # For the to-do list in a window.
  "$python" -c 'import tkinter' 2>/dev/null || missing+=(python3-tk)
fi

[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "make check: these Debian packages are missing: ${missing[*]}" >&2
  echo "  install them with:  sudo apt-get install ${missing[*]}" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
for attempt in 1 2 3; do
  if apt-get update >"$log" 2>&1 && apt-get install -y --no-install-recommends "${missing[@]}" >>"$log" 2>&1; then
    exit 0
  fi
  echo "apt-get did not succeed (attempt $attempt of 3)" >&2
done
cat "$log" >&2
exit 1
