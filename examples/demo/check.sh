#!/bin/sh
# The test suite of the example. Argument: the program.
set -u
failed=0
expect() {
    actual=$("$program" "$1")
    [ "$actual" = "$2" ] || { echo "$1: expected '$2', got '$actual'"; failed=1; }
}
program=$1
expect 2024-01-01 "day 1"
expect 2024-02-29 "day 60"
expect 2023-12-31 "day 365"
expect 2024-13-01 "not a date"
expect tomorrow "not a date"
[ $failed = 0 ] && echo "5 tests passed"
exit $failed
