#!/bin/sh
# Builds the models natively and compares them with the system's libc: plain, then with sanitizers.
# Arguments go to the test program: number of cases a function and round, name of one group.
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
cc=${CC:-clang-19}
sources="string.c ctype.c stdlib_numbers.c sort.c getopt.c"
[ -f fnmatch.c ] && sources="$sources fnmatch.c"

# A model of a function that libc does not have would be found by configure scripts.
nm -D --defined-only "$($cc -print-file-name=libc.so.6)" | sed 's/.* //; s/@.*//' | sort -u >"$out/libc"
for s in $sources; do
    $cc -std=c11 -O1 -fno-builtin -Wall -Wextra -Werror -c "$s" -o "$out/model.o"
    nm --defined-only "$out/model.o" | sed -n 's/.* [TW] __off_w_//p' | sort -u >"$out/models"
    missing=$(comm -23 "$out/models" "$out/libc")
    if [ -n "$missing" ]; then
        echo "$s: not in libc:" $missing
        exit 1
    fi
done

warnings="-Wall -Wextra -Wno-nonnull -Wno-deprecated-declarations"
for flags in "-O1" "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"; do
    # shellcheck disable=SC2086
    $cc -std=c11 -D_GNU_SOURCE -DOFF_NATIVE_TEST -fno-builtin $warnings $flags $sources test/stubs.c test/native.c \
        -o "$out/native"
    echo "$flags"
    ASAN_OPTIONS=detect_leaks=0 "$out/native" "$@"
done
