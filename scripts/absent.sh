#!/bin/bash
# absent.sh RUNTIME.a OUT.so: a shared library with the symbols of the run-time library for programs that do not have it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
llvm-nm-19 --defined-only --quiet "$1" | awk '
    function start(name) { printf "\t.weak %s\n%s:\n", name, name }
    $3 !~ /^__off_/ || seen[$3]++ { next }
    # Thread-local, and never touched: a few bytes do, and fit where a library is loaded late.
    $3 == "__off_tls" { printf "\t.section .tbss,\"awT\",@nobits\n\t.type __off_tls, @object\n"; start($3); print "\t.zero 16"; next }
    $2 ~ /[BDR]/ { printf "\t.data\n\t.type %s, @object\n", $3; start($3); print "\t.quad 0"; next }
    $3 ~ /^__off_w_/ { printf "\t.text\n\t.weak %s\n\t.type %s, @function\n", substr($3, 9), $3; start($3); printf "\tjmp *%s@GOTPCREL(%%rip)\n", substr($3, 9); next }
    { printf "\t.text\n\t.type %s, @function\n", $3; start($3); print "\txor %eax, %eax\n\tret" }
    END { print "\t.section .note.GNU-stack,\"\",@progbits" }' >"$work/absent.s"
# With libc, though all that it needs of it is weak: the loader must have relocated libc before it asks it for functions
# that are chosen at start-up (memmove).
clang-19 -shared -nostdlib -fPIC "$work/absent.s" -Wl,--no-as-needed -lc -o "$work/absent.so"
mv "$work/absent.so" "$2"
