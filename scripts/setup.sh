#!/bin/sh
# Installs what Offshoot needs on Debian 12, and nothing if it is all there. Needs root or sudo only to install.
# With --check, only says what is missing; with --for-tests, installs what only tests need, too.
set -eu
mode=${1-}

have() {
    for tool in "$@"; do
        command -v "$tool" >/dev/null || return 1
    done
}

# The sanitizer's archive is in a folder that only clang knows.
have_sanitizer() {
    have clang-19 && [ -e "$(clang-19 -print-file-name="libclang_rt.asan-$(uname -m).a")" ]
}

have_llvm_headers() {
    have llvm-config-19 && [ -e "$(llvm-config-19 --includedir)/llvm-c/Core.h" ]
}

have_libclang() {
    have llvm-config-19 && [ -n "$(find "$(llvm-config-19 --libdir)" -name 'libclang[.-]*so*' 2>/dev/null)" ]
}

# Prints the packages whose content is not there. No package of static libraries is among them: LLVM is linked as a
# shared library.
missing() {
    have clang-19 clang++-19 || echo clang-19
    have llvm-ar-19 llvm-nm-19 llvm-objcopy-19 llvm-profdata-19 llvm-cov-19 || echo llvm-19
    have_llvm_headers || echo llvm-19-dev
    have_sanitizer || echo libclang-rt-19-dev
    [ -e /usr/include/z3.h ] || echo libz3-dev
    have z3 || echo z3
    have valgrind || echo valgrind
    have pkg-config || echo pkg-config
    # CaDiCaL is built from source, and its bindings are made by libclang.
    have c++ || echo g++
    have_libclang || echo libclang1-19
    # Tests open reports in the one and run exported tests with the other, and nothing else does.
    [ "$mode" != --for-tests ] || have chromium || echo chromium
    [ "$mode" != --for-tests ] || have ctest || echo cmake
}

fail() {
    echo "setup: $*" >&2
    exit 1
}

have cargo || fail "no cargo; install Rust 1.95 or later first"
packages=$(missing | tr '\n' ' ')
[ -n "$packages" ] || exit 0
# A build without LLVM fails, and cargo would remember for ever that there was none.
[ "$mode" != --check ] || fail "missing: $packages; run: make setup"

have apt-get || fail "there is no apt-get here; install what Debian 12 calls: $packages"
as_root=
if [ "$(id -u)" != 0 ]; then
    have sudo || fail "not root and no sudo; as root, run: apt-get install $packages"
    as_root=sudo
fi

echo "setup: installing $packages"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() {
    $as_root env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 || {
        cat "$log" >&2
        fail "this failed: $*"
    }
}
quietly apt-get update
# shellcheck disable=SC2086
quietly apt-get install --yes --no-install-recommends $packages

left=$(missing | tr '\n' ' ')
[ -z "$left" ] || fail "installed, and yet not found: $left"
