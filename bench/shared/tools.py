"""Runs of `explore` and of AFL++ on one core, and what llvm-cov says of the inputs that they left."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

from programs import Builds, Program, clean_env

# Seconds for one run of a program, for everybody.
RUN_SECONDS = 1
# Seconds that a tool gets beyond its budget before it counts as hung.
GRACE = 60


class Wrong(Exception):
    """A tool did not do what it must."""


def explore(builds: Builds, program: Program, out: pathlib.Path, *budget: str, core: int = 0, seed: bytes | None = None,
            command: list[str] | None = None, symbolic: str = "stdin", seconds: float = 3600) -> dict:
    """The campaign in `out`; gives its statistics."""
    seed_file = out.parent / f"{out.name}.seed"
    out.parent.mkdir(parents=True, exist_ok=True)
    seed_file.write_bytes(program.seed if seed is None else seed)
    for folder in (out, pathlib.Path(f"{out}.old")):
        shutil.rmtree(folder, ignore_errors=True)
    done = bounded([
        "taskset", "-c", str(core), f"{builds.tool}/offshoot", "explore", "--json", "--symbolic", symbolic,
        "--run-time", f"{RUN_SECONDS}s", "--seed", str(seed_file), "-o", str(out), *budget, "--",
        *(command or program.command(builds.offshoot(program), builds.text)),
    ], clean_env(), seconds + GRACE)
    # 1: it found crashes or hangs.
    if done.returncode not in (0, 1):
        raise Wrong(f"offshoot explore of {program.name} ended with {done.returncode}: {done.stderr[-2000:]}")
    return json.loads(done.stdout)


def explored_inputs(out: pathlib.Path) -> list[bytes]:
    """What stood on standard input in each test."""
    return [path.read_bytes() for path in sorted(out.glob("tests/*/stdin"))]


def fuzz(builds: Builds, program: Program, out: pathlib.Path, seconds: int, core: int = 0) -> dict[str, str]:
    """AFL++ with cmplog from the program's seed; gives its statistics."""
    seeds = out.parent / f"{out.name}.seeds"
    for folder in (out, seeds):
        shutil.rmtree(folder, ignore_errors=True)
    seeds.mkdir(parents=True)
    (seeds / "seed").write_bytes(program.seed)
    env = clean_env() | {
        name: "1"
        for name in ("AFL_NO_UI", "AFL_NO_AFFINITY", "AFL_SKIP_CPUFREQ", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "AFL_NO_STARTUP_CALIBRATION")
    }
    done = bounded([
        "taskset", "-c", str(core), "afl-fuzz", "-i", str(seeds), "-o", str(out), "-V", str(seconds),
        "-t", str(1000 * RUN_SECONDS), "-c", str(builds.cmplog(program)), "--",
        *program.command(builds.afl(program), builds.text),
    ], env, seconds + GRACE)
    found = out / "default/fuzzer_stats"
    if not found.exists():
        raise Wrong(f"afl-fuzz of {program.name} ended with {done.returncode}: {(done.stdout + done.stderr)[-2000:]}")
    lines = (line.partition(":") for line in found.read_text().splitlines())
    return {name.strip(): value.strip() for name, _, value in lines}


def fuzzed_inputs(out: pathlib.Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted((out / "default/queue").glob("id:*"))]


def branches(builds: Builds, program: Program, inputs: list[bytes]) -> tuple[int, int]:
    """Covered and all, by llvm-cov, over runs of all inputs."""
    judge = builds.cov(program)
    with tempfile.TemporaryDirectory() as folder:
        # Profiles of all runs are merged as they are written.
        env = clean_env() | {"LLVM_PROFILE_FILE": f"{folder}/%m.profraw"}
        for data in inputs:
            try:
                subprocess.run(program.command(judge, builds.text), input=data, env=env, cwd=folder, timeout=5 * RUN_SECONDS,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            except subprocess.TimeoutExpired:
                # Nor does anybody else get credit for a run that does not end.
                pass
        profiles = [str(path) for path in pathlib.Path(folder).glob("*.profraw")]
        if not profiles:
            raise Wrong(f"{judge} wrote no profile")
        merged = f"{folder}/all.profdata"
        subprocess.run(["llvm-profdata-19", "merge", "-o", merged, *profiles], check=True, capture_output=True)
        command = ["llvm-cov-19", "export", "-summary-only", f"-instr-profile={merged}", str(judge)]
        exported = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(exported)["data"][0]["totals"]["branches"]
    return found["covered"], found["count"]


def bounded(command: list[str], env: dict[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    """With everything that it started, it ends."""
    child = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             start_new_session=True)
    try:
        out, err = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        raise Wrong(f"{' '.join(command)} did not end in {seconds:.0f} s") from None
    return subprocess.CompletedProcess(command, child.returncode, out, err)
