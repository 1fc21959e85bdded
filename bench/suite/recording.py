"""Packages whose own tests are recorded: built by offshoot-cc as `make test-real` builds them."""

import dataclasses
import json
import pathlib
import shutil
import subprocess
import time

import programs
from programs import fetch

REAL = programs.real_subjects()
TRIES = 3


@dataclasses.dataclass
class Suite:
    """One recorded suite, and what the package's own tests said without and with it."""

    out: pathlib.Path
    alone: dict[str, str]
    alone_seconds: float
    recorded: dict[str, str]
    # As in record.json.
    report: dict


class Recorder(REAL.Shell):
    """Runs each command under `offshoot record`."""

    def __init__(self, shell, tool: pathlib.Path, out: pathlib.Path, jobs: int):
        super().__init__(shell.folder, shell.log, shell.env, shell.deadline - time.monotonic())
        self.prefix = f"{tool}/offshoot record --progress none -j {jobs} -o {out} -- "

    def __call__(self, command: str) -> int:
        return super().__call__(self.prefix + command)


class Package:
    def __init__(self, name: str, tool: pathlib.Path, cache: pathlib.Path, jobs: int):
        self.subject = next(subject for subject in REAL.SUBJECTS if subject.name == name)
        self.tool, self.cache, self.jobs = tool.resolve(), cache, jobs
        self.folder, self.out = (cache / "reduction" / f"{name}{end}" for end in ("", ".suite"))
        self.log = cache / "reduction" / f"{name}.log"

    def build(self) -> None:
        fetch.install(sorted({*programs.TOOLS, "texinfo", *self.subject.needs}))
        source = fetch.Archive(self.cache).unpacked(self.subject.name, self.subject.prepare)
        for old in (self.folder, self.out):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(source, self.folder, symlinks=True)
        self.subject.build(self.shell(), {}, self.jobs)

    def shell(self):
        env = {**programs.clean_env(), "CC": f"{self.tool}/offshoot-cc", "LC_ALL": "C", "RUN_EXPENSIVE_TESTS": "no",
               "RUN_VERY_EXPENSIVE_TESTS": "no"}
        return REAL.Shell(self.folder, self.log, env, self.subject.suite_seconds)

    def record(self) -> Suite:
        """The suite alone, and then recorded."""
        start = time.monotonic()
        alone = self.subject.test(self.shell(), self.jobs, 1)
        seconds = time.monotonic() - start
        recorded = self.subject.test(Recorder(self.shell(), self.tool, self.out, self.jobs), self.jobs, 1)
        if not (self.out / "record.json").exists():
            raise REAL.BuildError(f"nothing was recorded of {self.subject.name}; see {self.log}")
        return Suite(self.out, alone, seconds, recorded, json.loads((self.out / "record.json").read_text()))

    def again(self, names: list[str]) -> list[str]:
        """Those of the tests that differ with and without recording each time when they run one by one, too: what is a
        matter of chance agrees sooner or later."""
        for _ in range(TRIES):
            if names:
                once = self.subject.again(self.shell(), names)
                shutil.rmtree(self.cache / "reduction/again", ignore_errors=True)
                twice = self.subject.again(Recorder(self.shell(), self.tool, self.cache / "reduction/again", 1), names)
                names = [name for name in names if once.get(name) != twice.get(name)]
        return names

    def recorded(self, anew: bool) -> pathlib.Path:
        """The recorded suite, made if it is not there."""
        if anew or not (self.out / "record.json").exists():
            self.build()
            self.record()
        return self.out


def replayed(tool: pathlib.Path, suite: pathlib.Path, jobs: int) -> dict:
    done = subprocess.run([f"{tool.resolve()}/offshoot", "replay", "--progress", "none", "--json", "-j", str(jobs), "-o", str(suite), "all"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 4):
        raise REAL.BuildError(f"offshoot replay: exit {done.returncode}: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def kept(path: pathlib.Path, reuse: bool, measure) -> dict:
    """What was measured earlier, or is now."""
    if not (reuse and path.exists()):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(measure()))
    return json.loads(path.read_text())
