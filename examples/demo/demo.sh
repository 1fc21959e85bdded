#!/bin/bash
# A walk through what Offshoot does, on the program beside this script. Argument: the folder with the offshoot tools.
set -euo pipefail
tools=$1
source=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/*.[ch] "$source"/*.sh "$work"
cd "$work"
export PATH="$tools:$PATH" LLVM_PROFILE_FILE=$work/raw/%p
ASAN_SYMBOLIZER_PATH=$(llvm-config-19 --bindir)/llvm-symbolizer
export ASAN_SYMBOLIZER_PATH

heading() {
    printf '\n\033[1m%s\033[0m\n' "$1" | if [ -t 1 ]; then cat; else sed $'s/\033\\[[01]m//g'; fi
}

run() {
    echo "\$ $*"
    "$@"
}

heading "1. Build a program with offshoot-cc instead of cc. Its own tests see no difference."
run offshoot-cc -g -O2 date.c main.c -o day
run ./check.sh ./day

heading "2. Run one of its tests again, and watch: every decision that depended on the input, as a constraint on it."
run offshoot trace -- ./day 2024-01-01

heading "3. The same test, for all inputs that take its way: can any of its memory accesses go wrong?"
echo '$ offshoot check --time 20s -- ./day 2024-01-01'
status=0
offshoot check --time 20s --progress none -o check.out -- ./day 2024-01-01 >check.txt || status=$?
sed "s#$work/##g" check.txt
[ "$status" = 1 ] || { echo "check ended with $status, not with a finding" >&2; exit 1; }
neighbour=$(cat check.out/findings/0000/arg.1)
echo "$neighbour takes the same way as 2024-01-01. No test of the suite tried it."

heading "4. Other programs out of the same build: counters at native speed, llvm-cov, AddressSanitizer."
for kind in plain cov asan; do
    run offshoot variant $kind day -o day.$kind
    ./check.sh ./day.$kind
done

heading "5. Coverage of the tests, by llvm-cov."
llvm-profdata-19 merge -o day.profdata raw
llvm-cov-19 report -instr-profile=day.profdata -show-branch-summary -show-region-summary=0 day.cov |
    awk '/%/ && !/Filename/ { printf "%-8s lines %7s   branches %7s\n", $1, $(NF - 3), $NF }'

heading "6. The input that check found, on the program as it is, and with AddressSanitizer."
echo "\$ ./day $neighbour"
./day "$neighbour" || true
echo "\$ ./day.asan $neighbour"
./day.asan "$neighbour" >asan.txt 2>&1 && { echo "AddressSanitizer found nothing" >&2; exit 1; }
grep -E 'ERROR|located|#0' asan.txt | sed -E "s/ at pc .*//; s#$work/##g"

heading "7. The tests that the suite does not have: inputs that take branches no test takes yet."
run offshoot explore --time 20s --progress none -- ./day 2024-01-01
echo '$ sh offshoot.out/tests/000001/cmd.sh'
sh offshoot.out/tests/000001/cmd.sh
run offshoot coverage --progress none

heading "That is the demo."
cat <<END
Offshoot built a program, held the exact conditions under which one of its tests ran, and found an input next to that
test, one byte away, which reads outside of a table: a bug that the test suite walked past. Then it grew the tests that
were missing, each with the bytes that differ and the branch that it is for. README.md says what else there is.
To use it on your own program: CC=$tools/offshoot-cc
END
