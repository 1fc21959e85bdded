#!/bin/bash
# All tests, cheapest first. `make test` builds before it calls this.
set -euo pipefail
cd "$(dirname "$0")/.."

step() {
    echo "== $1"
    shift
    "$@"
}

rust_tests() {
    # nextest keeps both cores busy to the end; where it is missing, cargo's own runner does.
    if cargo nextest --version >/dev/null 2>&1; then
        cargo nextest run --release --workspace --no-fail-fast
    else
        cargo test --release --workspace --no-fail-fast
    fi
}

step "format" cargo fmt --all --check
step "clippy" cargo clippy --release --workspace --all-targets --quiet -- -D warnings
step "table of libc functions" scripts/libc-table.sh --check
step "models against the system's libc" models/test/run.sh "${MODEL_CASES:-2000}"
step "wide, multibyte, scanf and strtod models against the system's libc" models/test/run_wide.sh
step "Rust tests" rust_tests
# Where Debian's source cannot be had, it cannot be tried, and says so.
real_coverage() {
    tests/real/coverage zlib || [ $? = 2 ]
}

step "coverage of zlib against llvm-cov" real_coverage
step "demo" examples/demo/demo.sh "$PWD/target/release" >/dev/null

echo "== all tests passed in $((SECONDS / 60)) min $((SECONDS % 60)) s"
