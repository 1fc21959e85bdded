#!/bin/sh
# Differential tests of scanf, printf, lines, strtod, wide, multibyte and fnmatch against the system's libc. A few seconds.
set -eu
cd "$(dirname "$0")/.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0
for name in strtod multibyte wide fnmatch scanf printf lines; do
    more=
    if [ $name = scanf ]; then
        more="strtod.c -Wl,--wrap=vsscanf,--wrap=vfscanf,--wrap=__isoc99_vsscanf,--wrap=__isoc99_vfscanf"
    elif [ $name = printf ]; then
        more="format.c -Wno-format -Wno-format-security -Wno-format-overflow"
    fi
    # shellcheck disable=SC2086
    ${CC:-clang-19} -std=c11 -g -O1 -Wall -Wextra -Werror -DOFF_NATIVE_TEST -fno-builtin -frounding-math \
        -fsanitize=address,undefined -fno-sanitize-recover=undefined \
        $name.c test/stubs.c test/native_$name.c $more -o "$out/$name"
    "$out/$name" || status=1
done
exit $status
