#!/bin/bash
# Writes docs/libc.md: what Offshoot knows about each function of the C library. --check: is it up to date?
#
# The names are those that Debian 12's libc.so.6 (glibc 2.36) exports, and what we wrap of libm.so.6; what we know about
# them is in the symbols `__off_w_*` of the archives that `make build` leaves in target/release/lib/offshoot.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
lib=${OFFSHOOT_LIB:-target/release/lib/offshoot}
page=docs/libc.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The table would differ for another libc; there is nothing wrong with ours then.
version=$(getconf GNU_LIBC_VERSION)
if [ "$version" != "glibc 2.36" ]; then
    echo "libc-table: this machine has $version, the table is about glibc 2.36: nothing done" >&2
    exit 0
fi

# Functions (T, W: ordinary and weak; i: chosen at start-up) that a program can be linked with: those with a default
# version.
exported() {
    llvm-nm-19 -D --defined-only "$(clang-19 -print-file-name="$1")" |
        awk '$2 ~ /^[TWi]$/ && $3 ~ /@@/ && $3 !~ /@@GLIBC_PRIVATE/ { sub(/@@.*/, "", $3); print $3 }'
}
exported libc.so.6 | sort -u >"$work/exported"

# `function<tab>how<tab>where`, one line for each wrapper. In an archive of ours an object is named after its source;
# the run-time library's objects are named by rustc.
wrappers() {
    llvm-nm-19 --defined-only --print-file-name "$lib/liboffshoot_$1.a" 2>/dev/null | awk -v kind="$1" '
        $(NF - 1) ~ /^[TWVi]$/ && $NF ~ /^__off_w_/ {
            name = substr($NF, 9)
            if (kind == "runtime") {
                print name "\tintercepted\tcrates/runtime"
            } else {
                match($0, /[^:\/]*\.o:/)
                source = substr($0, RSTART, RLENGTH - 3)
                how = source ~ /^effects/ ? "known effects only" : "modelled"
                print name "\t" how "\tmodels/" source ".c"
            }
        }'
}
{ wrappers runtime; wrappers models; } | sort -t$'\t' -k1,1 -u >"$work/wrapped"
# Functions for harnesses are wrapped too, and are none of libc's. Names of a later libc are, and so, to a programmer,
# are those of libm.
{
    cat "$work/exported"
    exported libm.so.6
    cut -f1 "$work/wrapped" | grep '^__isoc23_' || true
} | sort -u | join -t$'\t' - "$work/wrapped" >"$work/known"
cut -f1 "$work/known" >"$work/known-names"

# Names that begin with an underscore are libc's own business, unless programs call them after all: then we wrap them.
grep -v '^_' "$work/exported" | sort -u - "$work/known-names" >"$work/names"
join -t$'\t' -a1 -o 0,2.2,2.3 -e '' "$work/names" "$work/known" >"$work/table"

count() {
    awk -F'\t' -v how="$1" '$2 == how' "$work/table" | wc -l
}
{
    cat <<END
# What Offshoot knows about the C library

Made by \`scripts/libc-table.sh\`; \`make test\` checks that it is up to date. The names are those of glibc 2.36.

* *modelled* ($(count modelled)): written in C in \`models/\` and compiled by our own compiler. The result depends on
  symbolic arguments exactly as it does in libc, and its branches are in the path condition.
* *intercepted* ($(count intercepted)): the real function runs; the run-time library moves the shadows along: input
  becomes symbolic, memory is copied with its terms, blocks of the heap are known with their bounds.
* *known effects only* ($(count 'known effects only')): the real function runs on concrete values, and what it writes
  is known to be concrete afterwards. A symbolic argument is a loss in the trace.
* *unknown* ($(count '')): the real function runs on concrete values. A symbolic argument is a loss in the trace. What
  it writes through its pointers may keep the shadow of what was there before.

| function | how | where |
|---|---|---|
END
    awk -F'\t' '{ printf "| `%s` | %s | %s |\n", $1, $2 == "" ? "unknown" : $2, $3 == "" ? "" : "`" $3 "`" }' "$work/table"
} >"$work/page"

if [ "${1:-}" != --check ]; then
    cp "$work/page" "$page"
elif ! diff -u "$page" "$work/page" >"$work/diff" 2>&1; then
    head -20 "$work/diff" >&2
    echo "libc-table: $page is out of date; write it anew with: make libc-table" >&2
    exit 1
fi
