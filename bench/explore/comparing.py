"""`explore` and AFL++ in the same time on one core from the same seed, judged by llvm-cov."""

import argparse
import pathlib
import sys

import programs
from programs import REPOSITORY, Builds, Program, fetch
from tools import Wrong, branches, explore, explored_inputs, fuzz, fuzzed_inputs


def options(description: str, seconds: int) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("subject", nargs="*", help="json, expat, chunks, lua, sed, grep (default: all)")
    parser.add_argument("--bin", type=pathlib.Path, default=REPOSITORY / "target/release", help="folder with offshoot-cc")
    parser.add_argument("--seconds", type=int, default=seconds, help="for each tool and subject")
    parser.add_argument("--rounds", type=int, default=1, help="with different random seeds; the median counts")
    parser.add_argument("--core", type=int, default=0)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    return parser.parse_args()


def ours(builds: Builds, program: Program, at: argparse.Namespace) -> dict:
    found = []
    for round in range(at.rounds):
        out = builds.folder / f"versus/{program.name}.explore"
        stats = explore(builds, program, out, "--time", f"{at.seconds}s", "--rng-seed", str(round), core=at.core, seconds=at.seconds)
        inputs = explored_inputs(out)
        found.append((*branches(builds, program, inputs), len(inputs), stats["executions"] / stats["elapsed_s"], stats["findings"]))
    return middle(found)


def theirs(builds: Builds, program: Program, at: argparse.Namespace) -> dict:
    found = []
    for _ in range(at.rounds):
        out = builds.folder / f"versus/{program.name}.afl"
        stats = fuzz(builds, program, out, at.seconds, core=at.core)
        inputs = fuzzed_inputs(out)
        crashes = int(stats["saved_crashes"]) + int(stats["saved_hangs"])
        found.append((*branches(builds, program, inputs), len(inputs), float(stats["execs_per_sec"]), crashes))
    return middle(found)


def middle(found: list[tuple]) -> dict:
    """The round with the median coverage."""
    best = sorted(found)[(len(found) - 1) // 2]
    return dict(zip(("covered", "total", "inputs", "rate", "findings"), best))


def measured(at: argparse.Namespace) -> list[tuple[Program, dict, dict, dict | None]]:
    """Of each subject: the seed alone, explore, AFL++ (if it can be had)."""
    fetch.install(programs.TOOLS)
    builds = Builds(at.bin)
    with_afl = programs.has_afl()
    if not with_afl:
        print("no afl++ here, and apt cannot install it: that column stays empty", file=sys.stderr)
    results = []
    for program in programs.chosen(at.subject):
        covered, total = branches(builds, program, [program.seed])
        seed = {"covered": covered, "total": total}
        results.append((program, seed, ours(builds, program, at), theirs(builds, program, at) if with_afl else None))
        print(program.name, *results[-1][1:], file=sys.stderr, flush=True)
    return results


def share(found: dict | None) -> str:
    return f"{found['covered']:,} ({100 * found['covered'] / found['total']:.1f} %)" if found else "–"


def row(program: Program, seed: dict, ours: dict, theirs: dict | None) -> list[str]:
    verdict = "–" if theirs is None else "ahead" if ours["covered"] > theirs["covered"] else "equal" if ours["covered"] == theirs["covered"] else "**behind**"
    rate = lambda found: f"{found['rate']:,.0f}" if found else "–"
    return [program.name, f"{seed['total']:,}", share(seed), share(ours), share(theirs), verdict, f"{ours['inputs']:,}",
            f"{theirs['inputs']:,}" if theirs else "–", rate(ours), rate(theirs)]


HEAD = ["all", "seed", "explore", "AFL++", "explore is", "tests", "queue", "executions/s", "AFL++'s"]


def tried(at: argparse.Namespace) -> tuple[list, int]:
    """What was measured, and the status to end with."""
    try:
        return measured(at), 0
    except (fetch.FetchError, programs.BuildError) as error:
        print(error, file=sys.stderr)
        return [], 2
    except Wrong as error:
        print(error, file=sys.stderr)
        return [], 1
