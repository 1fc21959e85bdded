"""The lines that a test runs, as llvm-cov sees them: its script on variant `cov`, where it can write nowhere but in a folder of its own."""

import pathlib
import re
import shutil
import subprocess

# Everything else is read-only.
ALONE = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && exec timeout -k 1 30 sh "$1"'


class Judge:
    def __init__(self, tool: pathlib.Path, work: pathlib.Path):
        self.tool, self.work = tool, work
        self.variants: dict[str, pathlib.Path | None] = {}
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)

    def variant(self, program: str) -> pathlib.Path | None:
        if program not in self.variants:
            made = self.work / f"{len(self.variants)}.cov"
            done = subprocess.run([self.tool / "offshoot", "variant", "cov", program, "-o", made], capture_output=True)
            self.variants[program] = made if done.returncode == 0 else None
        return self.variants[program]

    def lines(self, script: pathlib.Path) -> set[tuple[str, str]] | None:
        """Of a test by its `cmd.sh`; `None` if there is no profile of its run."""
        text = script.read_text()
        found = re.search(r"^program='(.*)'$", text, re.M)
        variant = self.variant(found.group(1)) if found else None
        if variant is None:
            return None
        mine = script.with_name("cov.sh")
        mine.write_text(text.replace(found.group(0), f"program='{variant}'"))
        profiles = self.work / "profiles"
        shutil.rmtree(profiles, ignore_errors=True)
        profiles.mkdir()
        subprocess.run(["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c", ALONE, profiles, mine], stdin=subprocess.DEVNULL,
                       capture_output=True, env={"PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "TMPDIR": str(profiles), "LLVM_PROFILE_FILE": f"{profiles}/%p.profraw"})
        mine.unlink()
        raw, merged = sorted(profiles.glob("*.profraw")), profiles / "merged"
        if not raw:
            return None
        subprocess.run(["llvm-profdata-19", "merge", "-o", merged, *raw], check=True, capture_output=True)
        told = subprocess.run(["llvm-cov-19", "export", "-format=lcov", f"-instr-profile={merged}", variant], check=True, capture_output=True, text=True).stdout
        lines, file = set(), ""
        for line in told.splitlines():
            if line.startswith("SF:"):
                file = line[3:]
            elif line.startswith("DA:") and not line.endswith(",0"):
                lines.add((file, line[3:].partition(",")[0]))
        return lines


def lost(tool: pathlib.Path, suite: pathlib.Path, work: pathlib.Path) -> tuple[int, int, list[str]]:
    """Tests that were compared, tests of which there is no profile, and those whose reduction runs a line less."""
    judge = Judge(tool, work)
    compared, without, fewer = 0, 0, []
    for reduced in sorted((suite / "reduced").iterdir()):
        before, after = (judge.lines(folder / "cmd.sh") for folder in (suite / "tests" / reduced.name, reduced))
        if before is None or after is None:
            without += 1
            continue
        compared += 1
        if before - after:
            fewer.append(f"{reduced.name}: {len(before - after)} lines less, such as {':'.join(min(before - after))}")
    return compared, without, fewer
