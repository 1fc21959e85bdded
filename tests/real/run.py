#!/usr/bin/env python3
"""Builds real programs with clang-19 and with offshoot-cc, runs their own test suites with both, and compares test by
test; then runs the suites of the second build under self-check. One row a program. Everything is written to the cache
folder (OFFSHOOT_SUBJECTS, else offshoot/subjects in the user's cache folder).

Exit: 0 the same everywhere and no mismatch · 1 some difference or mismatch · 2 it could not be tried.
"""

import argparse
import collections
import fcntl
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import fetch
from subjects import FAIL, PASS, SKIP, SUBJECTS, BuildError, Shell, Subject

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Packages whose sources Debian patched make their manuals anew.
TOOLS = ["dpkg-dev", "patch", "perl", "xz-utils", "bzip2", "clang-19", "binutils", "texinfo"]
# CPU seconds for one process under self-check; what takes longer is killed and its test not counted.
SELFCHECK_CPU = 60


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", nargs="*", help="zlib, bzip2, … (default: all)")
    parser.add_argument("--quick", action="store_true", help="every 8th test of coreutils only")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "target/release", help="folder with offshoot-cc")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--reuse", action="store_true", help="keep builds and reference results of an earlier run")
    parser.add_argument("--selfcheck", choices=["yes", "no", "only"], default="yes")
    parser.add_argument("--selfcheck-seconds", type=int, help="time for each subject's suite under self-check")
    return parser.parse_args()


def cache_folder() -> pathlib.Path:
    named = os.environ.get("OFFSHOOT_SUBJECTS")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(named or f"{user}/offshoot/subjects").resolve()


def environment(cc: str, cxx: str) -> dict[str, str]:
    """Ours, without what the make that started us and earlier experiments left in it."""
    env = {k: v for k, v in os.environ.items() if not re.match(r"OFFSHOOT_|MAKE|MFLAGS|CFLAGS|CXXFLAGS|LDFLAGS|CPPFLAGS|LC_", k)}
    return {**env, "CC": cc, "CXX": cxx, "LC_ALL": "C", "RUN_EXPENSIVE_TESTS": "no", "RUN_VERY_EXPENSIVE_TESTS": "no"}


def digest(folder: pathlib.Path) -> str:
    """Of the compiler and its libraries."""
    whole = hashlib.sha256()
    for path in [folder / "offshoot", *sorted(folder.glob("lib/offshoot/*.*"))]:
        whole.update(path.read_bytes())
    return whole.hexdigest()


class Build:
    """One of the two builds of a subject."""

    def __init__(self, subject: Subject, kind: str, compiler: str, cache: pathlib.Path, env: dict[str, str]):
        self.subject, self.kind, self.compiler, self.env = subject, kind, compiler, env
        self.folder = cache / "build" / subject.name / kind
        self.logs = cache / "log" / subject.name
        self.logs.mkdir(parents=True, exist_ok=True)
        self.plain = self.logs / f"{kind}.plainly"

    def shell(self, what: str, seconds: float, extra: dict[str, str] = {}, cpu: int | None = None) -> Shell:
        log = self.logs / f"{self.kind}.{what}"
        log.unlink(missing_ok=True)
        return Shell(self.folder, log, {**self.env, **extra}, seconds, cpu)

    def make(self, source: pathlib.Path, jobs: int, reuse: bool) -> None:
        done = self.folder / ".built"
        if reuse and done.exists() and done.read_text() == self.compiler:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.plain.unlink(missing_ok=True)
        shutil.copytree(source, self.folder, symlinks=True)
        self.subject.build(self.shell("build", 3600), {"OFFSHOOT_BUILD_LOG": str(self.plain)}, jobs)
        done.write_text(self.compiler)

    def test(self, jobs: int, sample: int, reuse: bool) -> dict[str, str]:
        kept = self.logs / f"{self.kind}.results.{sample}.json"
        if reuse and kept.exists():
            return json.loads(kept.read_text())
        shell = self.shell("test", self.subject.suite_seconds)
        results = self.subject.test(shell, jobs, sample)
        if shell.timed_out:
            print(f"  {self.subject.name}: the {self.kind} suite did not end in {self.subject.suite_seconds} s", flush=True)
        kept.write_text(json.dumps(results, indent=1, sort_keys=True))
        return results

    def again(self, names: list[str]) -> dict[str, str]:
        return self.subject.again(self.shell("again", 900), names)

    def compiled_plainly(self) -> list[str]:
        """What the wrapper could not instrument."""
        lines = self.plain.read_text(errors="replace").splitlines() if self.plain.exists() else []
        return [line for line in lines if "compiled plainly" in line]


def tally(results: dict[str, str]) -> str:
    count = collections.Counter(results.values())
    return f"{count[PASS]}/{count[FAIL]}/{count[SKIP]}"


def differences(reference: dict[str, str], ours: dict[str, str]) -> list[str]:
    return sorted(name for name in reference.keys() | ours.keys() if reference.get(name) != ours.get(name))


def configured_differently(subject: Subject, clang: Build, offshoot: Build) -> list[str]:
    """Lines of configure's headers that differ."""
    found = []
    for path in subject.headers(clang.folder):
        name = path.relative_to(clang.folder)
        other = offshoot.folder / name
        lines = lambda p: set(p.read_text(errors="replace").splitlines()) if p.exists() else set()
        found += [f"{name}: {line}" for line in sorted(lines(path) ^ lines(other))]
    return found


def compare(subject: Subject, clang: Build, offshoot: Build, at: argparse.Namespace, sample: int) -> tuple[list[str], list[str]]:
    """The row of the table, and what has to be said about it."""
    notes = []
    reference = clang.test(at.jobs, sample, at.reuse)
    ours = offshoot.test(at.jobs, sample, False)
    differ = differences(reference, ours)
    if differ:
        # A test that depends on the load of the machine says so by not differing when it runs alone.
        once, twice = clang.again(differ), offshoot.again(differ)
        steady = [name for name in differ if once.get(name) != twice.get(name)]
        unsteady = sorted(set(differ) - set(steady))
        if unsteady:
            notes.append(f"the same when run alone: {' '.join(unsteady)}")
        notes += [f"{name}: clang {once.get(name, 'not run')}, offshoot {twice.get(name, 'not run')}" for name in steady]
        differ = steady
    config = configured_differently(subject, clang, offshoot)
    plainly = offshoot.compiled_plainly()
    notes += [f"configure: {line}" for line in config] + plainly
    same = "yes" if reference and not differ and not config else "NO"
    return [tally(reference), tally(ours), same, str(len(plainly))], notes


def selfcheck(subject: Subject, offshoot: Build, at: argparse.Namespace, sample: int) -> tuple[list[str], list[str]]:
    log = offshoot.logs / "selfcheck.log"
    log.unlink(missing_ok=True)
    seconds = at.selfcheck_seconds or subject.selfcheck_seconds
    shell = offshoot.shell("selfcheck", seconds, {"OFFSHOOT_SELFCHECK": "1", "OFFSHOOT_SELFCHECK_LOG": str(log)}, SELFCHECK_CPU)
    results = subject.test(shell, at.jobs, sample)
    notes = [f"self-check: stopped after {seconds} s"] if shell.timed_out else []
    usual = offshoot.logs / f"offshoot.results.{sample}.json"
    if usual.exists():
        usual = json.loads(usual.read_text())
        other = sorted(name for name, result in results.items() if result != usual.get(name))
        if other:
            notes.append(f"another result under self-check: {', '.join(f'{name} {results[name]}' for name in other)}")
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    mismatches = [line for line in lines if "mismatch:" in line]
    checks = sum(int(n) for line in lines for n in re.findall(r"self-check: checked=(\d+)", line))
    places = collections.Counter(re.sub(r" (term|evaluated|concrete)=\S+", "", line.split("mismatch: ")[-1]) for line in mismatches)
    notes += [f"{count} × mismatch: {resolved(place, offshoot.folder, at)}" for place, count in places.most_common(20)]
    if not log.exists():
        notes.append("self-check: no log was written; did any instrumented program run?")
    return [tally(results), str(checks), str(len(mismatches)) if log.exists() else "?"], notes


def resolved(place: str, folder: pathlib.Path, at: argparse.Namespace) -> str:
    """With file and line, where the program can be found."""
    named = re.search(r"module=(\w+) site=(\d+).* program=(.*)", place)
    if not named:
        return place
    module, site, program = named.groups()
    helper = REPOSITORY / "target/release/examples/site"
    name = os.path.basename(program).removeprefix("lt-")
    candidates = [p for pattern in (name, "*.so*") for p in folder.rglob(pattern) if p.is_file() and not p.is_symlink()]
    for candidate in candidates if helper.exists() else []:
        done = subprocess.run([str(helper), str(candidate), module, site], capture_output=True, text=True)
        if done.returncode == 0:
            return f"{place} at {done.stdout.strip()}"
    return place


def main() -> int:
    at = options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    cache = cache_folder()
    known = {subject.name: subject for subject in SUBJECTS}
    unknown = [name for name in at.subject if name not in known]
    if unknown:
        print(f"no subject {unknown[0]}; there are {' '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in at.subject] or SUBJECTS
    if not (at.bin / "offshoot-cc").exists():
        print(f"{at.bin}/offshoot-cc is not there; run `make build` first", file=sys.stderr)
        return 2
    compiler = str(at.bin.resolve() / "offshoot-")
    archive = fetch.Archive(cache)
    rows, failed = [], False
    cache.mkdir(parents=True, exist_ok=True)
    lock = open(cache / "lock", "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"another run works in {cache}; wait for it, or set OFFSHOOT_SUBJECTS to another folder", file=sys.stderr)
        return 2
    try:
        fetch.install(sorted({*TOOLS, *(need for subject in chosen for need in subject.needs)}))
        sources = {subject.name: archive.unpacked(subject.name, subject.prepare) for subject in chosen}
    except (fetch.FetchError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2
    for subject in chosen:
        started = time.monotonic()
        sample = 8 if at.quick and subject.name == "coreutils" else 1
        clang = Build(subject, "clang", "", cache, environment("clang-19", "clang++-19"))
        offshoot = Build(subject, "offshoot", digest(at.bin), cache, environment(f"{compiler}cc", f"{compiler}c++"))
        row, notes = ["-"] * 7, []
        try:
            if at.selfcheck != "only":
                clang.make(sources[subject.name], at.jobs, at.reuse)
                offshoot.make(sources[subject.name], at.jobs, at.reuse)
                row[:4], notes = compare(subject, clang, offshoot, at, sample)
            if at.selfcheck != "no":
                offshoot.make(sources[subject.name], at.jobs, True)
                sample = 8 if subject.name == "coreutils" else 1
                row[4:], more = selfcheck(subject, offshoot, at, sample)
                notes += more
        except BuildError as error:
            row[2] = "NO"
            notes.append(str(error))
        failed |= row[2] == "NO" or row[6] not in ("0", "-")
        minutes = f"{(time.monotonic() - started) / 60:.1f} min"
        rows.append([f"{sources[subject.name].name}", *row, minutes])
        print(f"{sources[subject.name].name}: {' '.join(row)} ({minutes})", *(f"\n  {note}" for note in notes), sep="", flush=True)
    titles = ["passed/failed/skipped:", "clang-19", "offshoot", "same", "plain units", "self-check", "checks", "mismatches", "time"]
    table([titles, *rows])
    print(f"logs: {cache}/log")
    return 1 if failed else 0


def table(rows: list[list[str]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    print()
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main())
