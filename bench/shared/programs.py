"""The programs that are explored, and how each is built: by offshoot-cc, as llvm-cov's variant, and for AFL++."""

import dataclasses
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "bench/engine"), str(REPOSITORY / "tests/real")]
import fetch
import inputs
from subjects import EXPAT, JSON
from subjects import Program as Compiled

OURS = REPOSITORY / "bench/explore/subjects"
# sed's packaging leaves files older than what they are made from.
TOOLS = ["clang-19", "llvm-19", "dpkg-dev", "xz-utils", "util-linux", "autoconf", "automake"]
# Seconds after which a build hangs.
TOO_LONG = 1800
# A script must not touch this machine when AFL++ or llvm-cov's judge run it: they have no sandbox.
TAME_LUA = "os.execute,os.remove,os.rename,os.tmpname,io.open,io.popen,io.output,io.lines,package.loadlib=nil"


class BuildError(Exception):
    pass


def real_subjects():
    """`make test-real` knows how to make a package ready to be built. (Its module has the name of another one.)"""
    spec = importlib.util.spec_from_file_location("real_subjects", REPOSITORY / "tests/real/subjects.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclasses.dataclass(frozen=True)
class Program:
    """Reads standard input; nothing else is symbolic, because AFL++ mutates nothing else."""

    name: str
    # What `explore` and AFL++ start from.
    seed: bytes
    args: tuple[str, ...] = ()
    # One command compiles it; or a Debian package with its own `configure`, and what to take from there.
    compiled: Compiled | None = None
    source: pathlib.Path | None = None
    package: str = ""
    made: str = ""
    # For `configure`.
    options: tuple[str, ...] = ()
    # File, old and new text: what not every compiler takes.
    edits: tuple[tuple[str, str, str], ...] = ()

    def build(self, compiler: list[str], env: dict[str, str], archive: fetch.Archive, out: pathlib.Path) -> None:
        out.parent.mkdir(parents=True, exist_ok=True)
        if self.compiled:
            run([*compiler, *self.compiled.arguments(archive), "-o", str(out)], env)
        elif self.source:
            run([*compiler, "-O2", str(self.source), "-o", str(out)], env)
        elif self.package == "lua5.4":
            source = archive.unpacked(self.package, lambda folder: None) / "src"
            # Debian's packaging generates it; what is in it only sets search paths.
            (source / "lua5.4-deb-multiarch.h").write_text('#define DEB_HOST_MULTIARCH "none"\n')
            files = sorted(str(path) for path in source.glob("*.c") if path.name != "luac.c")
            # Its hashes start from the clock otherwise, and no two runs are the same.
            flags = ["-O2", "-w", "-std=gnu99", "-DLUA_USE_POSIX", "-Dluai_makeseed(L)=1"]
            run([*compiler, *flags, *files, "-lm", "-o", str(out)], env)
        else:
            self.configured(compiler, env, archive, out)

    def configured(self, compiler: list[str], env: dict[str, str], archive: fetch.Archive, out: pathlib.Path) -> None:
        source = archive.unpacked(self.package, real_subjects().Subject(self.package).prepare)
        folder = out.parent / f"{self.name}.build"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(source, folder, symlinks=True)
        for name, old, new in self.edits:
            (folder / name).write_text((folder / name).read_text().replace(old, new))
        env = {**env, "CC": " ".join(compiler), "CFLAGS": "-O2 -g -w"}
        run(["./configure", "-q", "--disable-gcc-warnings", "--disable-nls", "--disable-dependency-tracking", *self.options], env, folder)
        run(["make", "-s", f"-j{os.cpu_count()}"], env, folder)
        shutil.copy(folder / self.made, out)

    def command(self, program: pathlib.Path, text: pathlib.Path) -> list[str]:
        return [str(program), *(str(text) if arg == "TEXT" else arg for arg in self.args)]


# The package's own copy of the matcher that is in libc otherwise: what is not instrumented cannot be explored, and an
# expression that it refuses ends the run where no condition foretold it.
MATCHER = ("--with-included-regex",)


def padded(text: bytes) -> bytes:
    return text.ljust(16)


PROGRAMS = [
    Program("json", padded(b"{}"), ("1",), compiled=JSON),
    Program("expat", padded(b"<a/>"), ("1",), compiled=EXPAT),
    Program("chunks", bytes(32), source=OURS / "chunks.c"),
    Program("lua", padded(b"return 1"), ("-e", TAME_LUA, "-"), package="lua5.4"),
    # `--sandbox`: without it a script may run commands and write files.
    Program("sed", padded(b"p"), ("--sandbox", "-n", "-f", "-", "TEXT"), package="sed", made="sed/sed", options=MATCHER),
    # AFL++'s clang is too old for a declaration right behind a label.
    Program("grep", b"hello, world 123", ("-f", "-", "TEXT"), package="grep", made="src/grep", options=MATCHER,
            edits=(("lib/dfa.c", "char const *userevalwarn;", "; char const *userevalwarn;"),)),
]

# What grep and sed work on.
TEXT = b"hello, world 123\nfoo bar\n\naaa bbb aaa\n"


def chosen(names: list[str]) -> list[Program]:
    known = {program.name: program for program in PROGRAMS}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BuildError(f"no subject {unknown[0]}; there are {' '.join(known)}")
    return [known[name] for name in names] or PROGRAMS


def cache_folder() -> pathlib.Path:
    named = os.environ.get("OFFSHOOT_SUBJECTS")
    user = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return pathlib.Path(named or f"{user}/offshoot/subjects").resolve()


def clean_env() -> dict[str, str]:
    """Ours, without what the make that started us and earlier experiments left in it."""
    foreign = r"OFFSHOOT_|AFL_|MAKE|MFLAGS|CFLAGS|CXXFLAGS|LDFLAGS|CPPFLAGS|LC_|LLVM_PROFILE"
    return {**{k: v for k, v in os.environ.items() if not re.match(foreign, k)}, "LC_ALL": "C"}


def run(command: list[str], env: dict[str, str], folder: pathlib.Path | None = None) -> None:
    done = subprocess.run(command, env=env, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TOO_LONG)
    if done.returncode != 0:
        raise BuildError(f"{' '.join(command)} failed:\n{done.stdout[-1000:]}{done.stderr[-2000:]}")


def digest(tool: pathlib.Path) -> str:
    """Of the compiler and its libraries. In a build folder the compiler has a file of its own, without the other commands."""
    whole = hashlib.sha256()
    compiler = tool / "liboffshoot_compile.rlib"
    for path in [compiler if compiler.exists() else tool / "offshoot", *sorted(tool.glob("lib/offshoot/*.*"))]:
        whole.update(path.read_bytes())
    return whole.hexdigest()


class Builds:
    """The programs of one compiler each, built once."""

    def __init__(self, tool: pathlib.Path):
        self.tool = tool.resolve()
        self.folder = cache_folder() / "bench-explore"
        self.folder.mkdir(parents=True, exist_ok=True)
        self.archive = fetch.Archive(cache_folder())
        # `make test-real` prepares its copies in another way.
        self.archive.source = self.folder / "source"
        self.text = self.folder / "text"
        self.text.write_bytes(TEXT)
        self.ours = digest(self.tool)

    def offshoot(self, program: Program) -> pathlib.Path:
        return self.once("offshoot", program, self.ours, lambda out: self.make(program, [f"{self.tool}/offshoot-cc"], {}, out))

    def cov(self, program: Program) -> pathlib.Path:
        source = self.offshoot(program)
        command = [f"{self.tool}/offshoot", "variant", "cov", str(source), "-o"]
        return self.once("cov", program, self.ours, lambda out: run([*command, str(out)], clean_env()))

    def afl(self, program: Program) -> pathlib.Path:
        return self.once("afl", program, afl_version(), lambda out: self.make(program, ["afl-clang-fast"], {"AFL_QUIET": "1"}, out))

    def cmplog(self, program: Program) -> pathlib.Path:
        env = {"AFL_QUIET": "1", "AFL_LLVM_CMPLOG": "1"}
        return self.once("cmplog", program, afl_version(), lambda out: self.make(program, ["afl-clang-fast"], env, out))

    def make(self, program: Program, compiler: list[str], env: dict[str, str], out: pathlib.Path) -> None:
        program.build(compiler, {**clean_env(), **env}, self.archive, out)

    def once(self, kind: str, program: Program, version: str, build) -> pathlib.Path:
        out = self.folder / kind / program.name
        mark = self.folder / kind / f"{program.name}.built"
        source = program.source.read_text() if program.source else ""
        version = f"{version} {hashlib.sha256(source.encode()).hexdigest()}{''.join(program.options)}"
        if not (out.exists() and mark.exists() and mark.read_text() == version):
            print(f"building {program.name} ({kind})", file=sys.stderr, flush=True)
            out.parent.mkdir(parents=True, exist_ok=True)
            build(out)
            mark.write_text(version)
        return out


def afl_version() -> str:
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "afl++"], capture_output=True, text=True)
    return done.stdout.strip()


def has_afl() -> bool:
    """Debian's package, installed if that can be."""
    try:
        fetch.install(["afl++"])
    except fetch.FetchError:
        return False
    return shutil.which("afl-clang-fast") is not None
