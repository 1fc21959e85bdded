"""CPU time, memory and instructions of processes."""

import json
import os
import pathlib
import re
import resource
import subprocess


# Seconds after which a program hangs.
TOO_LONG = 600


class Wrong(Exception):
    """A program did not do what it must."""


class Bench:
    """Runs programs and compilers in an environment without settings of ours."""

    def __init__(self, tool: pathlib.Path, folder: pathlib.Path):
        self.tool, self.folder = tool, folder
        self.launcher = folder / "measure"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("OFFSHOOT_")}

    def run(self, command: list, stdin=subprocess.DEVNULL, env: dict[str, str] = {}) -> subprocess.CompletedProcess[str]:
        try:
            env = {**self.env, **env}
            return subprocess.run(command, stdin=stdin, env=env, capture_output=True, text=True, timeout=TOO_LONG)
        except subprocess.TimeoutExpired:
            raise Wrong(f"{' '.join(map(str, command))} did not end in {TOO_LONG} s") from None

    def compile(self, compiler: str, arguments: list[str], out: pathlib.Path) -> float:
        """CPU seconds, those of the processes that the compiler starts included."""
        out.parent.mkdir(parents=True, exist_ok=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [compiler, *arguments, "-o", str(out)]
        done = self.run(command)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode != 0:
            raise Wrong(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
        return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

    def output(self, program: pathlib.Path, data: pathlib.Path, env: dict[str, str] = {}) -> str:
        with open(data, "rb") as stdin:
            done = self.run([program, "1"], stdin=stdin, env=env)
        if done.returncode != 0:
            raise Wrong(f"{program} ended with {done.returncode} on {data}")
        return done.stdout

    def runs(self, program: pathlib.Path, data: pathlib.Path, times: int, *args: str, env: dict[str, str] = {}):
        """(CPU seconds, bytes resident at most) of each run."""
        command = [self.launcher, str(times), data, program, *args]
        done = self.run(command, env=env)
        found = [line.split() for line in done.stdout.splitlines()]
        if done.returncode != 0 or any(status != "0" for _, _, status in found):
            raise Wrong(f"{program} {' '.join(args)} failed on {data}: {done.stderr}{found[-1:]}")
        return [(float(cpu), int(resident)) for cpu, resident, _ in found]

    def cpu(self, program: pathlib.Path, data: pathlib.Path, passes: int, env: dict[str, str] = {}) -> float:
        return self.runs(program, data, 1, str(passes), env=env)[0][0]

    def trace(self, program: pathlib.Path, data: pathlib.Path, passes: int, symbolic: str, *flags: str) -> dict:
        report = self.folder / "trace.json"
        command = [self.tool / "offshoot", "trace", "--json", "--symbolic", symbolic, "--time", "120s", *flags]
        command += ["-o", report, "--seed", data, "--", program, str(passes)]
        done = self.run(command)
        if done.returncode != 0:
            raise Wrong(f"offshoot trace of {program} on {data}: {done.stderr.strip()}")
        found = json.loads(report.read_text())
        report.unlink()
        if found["outcome"] != "exit status 0":
            raise Wrong(f"traced, {program} ended with {found['outcome']} on {data}")
        return found

    def instructions(self, program: pathlib.Path, data: pathlib.Path, passes: int, env: dict[str, str] = {}) -> int:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(passes)]
        with open(data, "rb") as stdin:
            done = self.run(command, stdin=stdin, env=env)
        found = re.search(r"Collected : (\d+)", done.stderr)
        if done.returncode != 0 or not found:
            raise Wrong(f"callgrind of {program}: {done.stderr[-500:]}")
        return int(found.group(1))


def low(samples: list[float]) -> float:
    """The mean of the best third: of three the best, of many less a matter of luck than the best."""
    best = sorted(samples)[: max(1, len(samples) // 3)]
    return sum(best) / len(best)
