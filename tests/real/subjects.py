"""How each package is prepared, built and tested, and how the result of each of its tests is read."""

import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent

PASS, FAIL, SKIP = "pass", "fail", "skip"

# What automake's test drivers write; an expected failure is as good as a pass, an unexpected pass is a failure.
TRS = {"PASS": PASS, "XFAIL": PASS, "FAIL": FAIL, "XPASS": FAIL, "ERROR": FAIL, "SKIP": SKIP}


class BuildError(Exception):
    pass


class Shell:
    """Runs commands in a build folder: at low priority, in their own pid and mount namespaces where that is allowed
    (so that a killed suite leaves no process behind and cannot signal ours), and no longer than a deadline."""

    def __init__(self, folder: pathlib.Path, log: pathlib.Path, env: dict[str, str], seconds: float, cpu: int | None = None):
        self.folder, self.log, self.env, self.cpu = folder, log, env, cpu
        self.deadline = time.monotonic() + seconds
        self.timed_out = False

    def __call__(self, command: str) -> int:
        limit = f"ulimit -t {self.cpu}; " if self.cpu else ""
        left = max(1, self.deadline - time.monotonic())
        with open(self.log, "a") as log:
            log.write(f"+ {command}\n")
            log.flush()
            child = subprocess.Popen(
                [*namespaces(), "nice", "-n", "5", "bash", "-c", f"ulimit -c 0; {limit}{command}"],
                cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
            )
            try:
                return child.wait(left)
            except subprocess.TimeoutExpired:
                self.timed_out = True
                return 124
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                    child.wait()


def namespaces() -> list[str]:
    """Empty where the kernel refuses."""
    if not hasattr(namespaces, "prefix"):
        prefix = ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]
        works = subprocess.run([*prefix, "true"], capture_output=True).returncode == 0
        namespaces.prefix = prefix if works else []
    return namespaces.prefix


class Subject:
    """Configured and tested by automake, shipped with `configure`."""

    needs: list[str] = []
    configure = "./configure"
    # Seconds for the suite, without and with self-check.
    suite_seconds, selfcheck_seconds = 1800, 1800

    def __init__(self, name: str, **settings):
        self.name = name
        vars(self).update(settings)

    def prepare(self, source: pathlib.Path) -> None:
        """Debian's patches make `configure` and the manual look out of date; nothing of it need be made again."""
        now = time.time() + 1
        order = ["aclocal.m4", "configure", "Makefile.in", "config.h*in", "*.info", "*.1"]
        for step, pattern in enumerate(order):
            for path in source.rglob(pattern):
                os.utime(path, (now + step, now + step), follow_symlinks=False)
        time.sleep(len(order) + 1)

    def build(self, shell: Shell, build_env: dict[str, str], jobs: int) -> None:
        must(shell, self.configure)
        shell.env = {**shell.env, **build_env}
        must(shell, f"make -j{jobs}")
        must(shell, f"make -j{jobs} check TESTS= TEST_LOGS=")

    def headers(self, folder: pathlib.Path) -> list[pathlib.Path]:
        """What `configure` found out about the compiler."""
        return [p for name in ("config.h", "expat_config.h", "zconf.h") for p in folder.rglob(name)]

    def test(self, shell: Shell, jobs: int, sample: int) -> dict[str, str]:
        for path in shell.folder.rglob("*.trs"):
            path.unlink()
        if sample > 1:
            shell(f"make -k -j{jobs} check-TESTS TEST_LOGS='{' '.join(self.all_logs(shell)[::sample])}'")
        else:
            shell(f"make -k -j{jobs} check")
        return read_trs(shell.folder)

    def all_logs(self, shell: Shell) -> list[str]:
        command = ["make", "-s", "--eval=offshoot-list:;@echo $(TEST_LOGS)", "offshoot-list"]
        listed = subprocess.run(command, cwd=shell.folder, env=shell.env, capture_output=True, text=True).stdout
        return listed.split()

    def again(self, shell: Shell, names: list[str]) -> dict[str, str]:
        """Runs some tests once more, one after the other."""
        owners: dict[pathlib.Path, list[str]] = {}
        for name in names:
            log = shell.folder / f"{name}.log"
            owner = next(p for p in log.parents if (p / "Makefile").exists())
            owners.setdefault(owner, []).append(str(log.relative_to(owner)))
        for owner, logs in owners.items():
            shell(f"make -k -C {owner} check-TESTS TEST_LOGS='{' '.join(logs)}'")
        return {name: result for name, result in read_trs(shell.folder).items() if name in names}


def read_trs(folder: pathlib.Path) -> dict[str, str]:
    results = {}
    for path in folder.rglob("*.trs"):
        found = re.findall(r"^:test-result: (\w+)", path.read_text(errors="replace"), re.M)
        name = str(path.relative_to(folder))[: -len(".trs")]
        for index, result in enumerate(found):
            results[name if len(found) == 1 else f"{name}#{index}"] = TRS.get(result, FAIL)
    return results


def must(shell: Shell, command: str) -> None:
    if shell(command) != 0:
        raise BuildError(f"`{command}` failed in {shell.folder}; see {shell.log}")


def said(shell: Shell, command: str) -> str:
    """What a command printed."""
    start = shell.log.stat().st_size if shell.log.exists() else 0
    shell(command)
    with open(shell.log, errors="replace") as log:
        log.seek(start)
        return log.read()


class Expat(Subject):
    """Comes without `configure`. Its two automake tests hold several hundred checks each; the log counts them."""

    needs = ["autoconf", "automake", "libtool"]

    def prepare(self, source: pathlib.Path) -> None:
        for path in list((source / "expat").iterdir()):
            shutil.move(str(path), source / path.name if not (source / path.name).exists() else source / f"{path.name}.top")
        subprocess.run(["./buildconf.sh"], cwd=source, check=True, capture_output=True)

    def test(self, shell: Shell, jobs: int, sample: int) -> dict[str, str]:
        results = super().test(shell, jobs, sample)
        for name in list(results):
            results.update(checks(shell.folder, name))
        return results | self.documents(shell)

    def documents(self, shell: Shell) -> dict[str, str]:
        """The suite keeps its documents in the program, where nothing is input; `xmlwf` reads files. What it writes is
        in the name of the test, so that another output is another test."""
        results = {}
        for document in [*sorted((HERE / "expat").glob("*.xml")), shell.folder / "doc/xmlwf.xml"]:
            for form in ("", "-m", "-n", "-m -n -r"):
                out = shell.folder / "xmlwf.out"
                shutil.rmtree(out, ignore_errors=True)
                out.mkdir()
                status = shell(f"xmlwf/xmlwf {form} -d {out} {document} > {out}/said")
                wrote = b"".join(path.read_bytes() for path in sorted(out.iterdir())).replace(str(shell.folder).encode(), b"")
                digest = hashlib.sha256(wrote).hexdigest()[:8]
                results[f"xmlwf {form} {document.name} → {status} {digest}"] = PASS if status in (0, 2) else FAIL
        return results

    def again(self, shell: Shell, names: list[str]) -> dict[str, str]:
        return self.test(shell, 1, 1)


def checks(folder: pathlib.Path, name: str) -> dict[str, str]:
    """One entry for each check: the failed ones by name, the others by number."""
    log = folder / f"{name}.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    count = re.search(r"Checks: (\d+), Failed: (\d+)", text)
    if not count:
        return {}
    failed = set(re.findall(r"^(?:FAIL|ERROR)[^:]*: *(.*)$", text, re.M))
    passed = int(count.group(1)) - int(count.group(2))
    return {f"{name}/{i}": PASS for i in range(passed)} | {f"{name}/{what}": FAIL for what in failed}


class Zlib(Subject):
    TESTS = {"teststatic": "zlib test OK", "testshared": "zlib shared test OK", "test64": "zlib 64-bit test OK"}

    def prepare(self, source: pathlib.Path) -> None:
        pass

    def build(self, shell: Shell, build_env: dict[str, str], jobs: int) -> None:
        must(shell, self.configure)
        shell.env = {**shell.env, **build_env}
        must(shell, f"make -j{jobs} all")

    def test(self, shell: Shell, jobs: int, sample: int) -> dict[str, str]:
        text = said(shell, "make -k test test64")
        return {name: PASS if f"*** {ok} ***" in text else FAIL for name, ok in self.TESTS.items()}

    def again(self, shell: Shell, names: list[str]) -> dict[str, str]:
        return self.test(shell, 1, 1)


class Bzip2(Subject):
    PAIRS = [(f"sample{i}.bz2", f"sample{i}.rb2") for i in (1, 2, 3)] + [(f"sample{i}.ref", f"sample{i}.tst") for i in (1, 2, 3)]

    def prepare(self, source: pathlib.Path) -> None:
        pass

    def build(self, shell: Shell, build_env: dict[str, str], jobs: int) -> None:
        shell.env = {**shell.env, **build_env}
        # Debian's Makefile takes CC from the command line only, as any hand-written one.
        must(shell, f"make -j{jobs} CC=$CC CFLAGS='-O2 -g -D_FILE_OFFSET_BITS=64 -fPIC' bzip2 bzip2recover")

    def test(self, shell: Shell, jobs: int, sample: int) -> dict[str, str]:
        for _, made in self.PAIRS:
            (shell.folder / made).unlink(missing_ok=True)
        shell("make -o bzip2 test")
        same = lambda a, b: (shell.folder / b).exists() and (shell.folder / a).read_bytes() == (shell.folder / b).read_bytes()
        return {made: PASS if same(given, made) else FAIL for given, made in self.PAIRS}

    def again(self, shell: Shell, names: list[str]) -> dict[str, str]:
        return self.test(shell, 1, 1)


class Lua(Subject):
    """Debian's package has no test suite: scripts of our own, each with the output that it must print."""

    needs = ["autoconf", "automake", "libtool"]

    def prepare(self, source: pathlib.Path) -> None:
        folder = source / "debian/libtool"
        folder.mkdir()
        shutil.copy(source / "debian/configure.ac", folder)
        subprocess.run(["autoreconf", "-f", "-i"], cwd=folder, check=True, capture_output=True)
        (source / "src/lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "none"\n')

    def build(self, shell: Shell, build_env: dict[str, str], jobs: int) -> None:
        must(shell, "cd debian/libtool && ./configure")
        shell.env = {**shell.env, **build_env}
        flags = "MYCFLAGS='-O2 -g' MYCXXFLAGS='-O2 -g' MYLDFLAGS= MYLIBS=-ldl"
        # Not in parallel: one rule makes both libraries, and make would run it for each at the same time.
        must(shell, f"make linux {flags} LIBTOOL=$PWD/debian/libtool/libtool CC=\"$CC -std=gnu99\" CXX=\"$CXX\"")

    def test(self, shell: Shell, jobs: int, sample: int) -> dict[str, str]:
        results = {}
        for script in sorted((HERE / "lua").glob("*.lua")):
            expected = script.with_suffix(".expected").read_text()
            for how, command in {
                "script": f"src/lua5.4 {script} one two",
                "stdin": f"src/lua5.4 - one two < {script}",
                "compiled": f"src/luac5.4 -o {script.stem}.luac {script} && src/lua5.4 {script.stem}.luac one two",
            }.items():
                out = shell.folder / f"{script.stem}.{how}.out"
                out.unlink(missing_ok=True)
                status = shell(f"{{ {command}; }} > {out.name}")
                good = status == 0 and out.exists() and out.read_text(errors="replace") == expected
                results[f"{script.stem}.{how}"] = PASS if good else FAIL
        return results

    def again(self, shell: Shell, names: list[str]) -> dict[str, str]:
        return self.test(shell, 1, 1)


SUBJECTS = [
    Zlib("zlib"),
    Bzip2("bzip2"),
    Expat("expat", suite_seconds=600),
    # Debian builds gzip without -Werror; the patch is in configure.ac, which we do not run.
    Subject("gzip", configure="./configure --disable-gcc-warnings"),
    Subject("sed", configure="./configure --disable-gcc-warnings"),
    Subject("grep", configure="./configure --disable-gcc-warnings"),
    Subject("coreutils", configure="FORCE_UNSAFE_CONFIGURE=1 ./configure", suite_seconds=7200),
    Lua("lua5.4"),
]
