"""The packages whose suites are checked, built by offshoot-cc, each in a folder of its own."""

import glob
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from bugs import BUGS, Bug
from programs import REPOSITORY, clean_env, digest, fetch, real_subjects

TOOLS = ["dpkg-dev", "patch", "perl", "xz-utils", "bzip2", "clang-19", "binutils", "texinfo", "autoconf", "automake", "libtool"]
CONFIGURE = {
    "zlib": "./configure --static",
    "expat": "./configure --disable-shared --without-docbook",
    "sed": "./configure --disable-gcc-warnings",
    "gzip": "./configure --disable-gcc-warnings",
    "coreutils": "FORCE_UNSAFE_CONFIGURE=1 ./configure",
}


class Failed(Exception):
    pass


class Package:
    """Built by offshoot-cc in a folder of its own."""

    def __init__(self, name: str, tool: pathlib.Path, cache: pathlib.Path):
        self.name, self.tool = name, tool
        self.folder = cache / name
        self.log = cache / f"{name}.log"
        self.env = clean_env() | {"CC": f"{tool}/offshoot-cc", "CXX": f"{tool}/offshoot-c++"}

    def run(self, command: str) -> None:
        with open(self.log, "a") as log:
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        if done.returncode != 0:
            raise Failed(f"{self.name}: `{command}` failed; see {self.log}")

    def prepare(self, archive: fetch.Archive) -> None:
        """Once for each compiler."""
        subject = next(one for one in real_subjects().SUBJECTS if one.name == self.name)
        self.source = archive.unpacked(self.name, subject.prepare)
        mark, version = self.folder / ".configured", f"{self.tool} {digest(self.tool)}"
        if mark.exists() and mark.read_text() == version:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.source, self.folder, symlinks=True)
        print(f"configuring {self.name}", file=sys.stderr, flush=True)
        self.run(CONFIGURE[self.name])
        if self.name == "coreutils":
            # What `make all` would make first.
            self.run("make --eval='offshoot-sources:;$(MAKE) $(BUILT_SOURCES)' offshoot-sources")
        mark.write_text(version)

    def restore(self, file: str) -> None:
        """As Debian has it, and newer than what was made from it."""
        shutil.copyfile(self.source / file, self.folder / file)

    def make(self, bug: Bug) -> None:
        everything = {"zlib": "static", "expat": "all", "sed": "all", "gzip": "all"}
        self.run(f"make -j{os.cpu_count()} {bug.made or everything[self.name]}")

    def suite(self, bug: Bug) -> str:
        if self.name == "zlib":
            return "make teststatic"
        if self.name == "gzip":
            return "make -k -C tests check"
        if self.name == "sed":
            return "make -k check-TESTS"
        if self.name == "expat":
            # Its own tests keep their documents in the program, where nothing is input.
            documents = [*sorted((REPOSITORY / "tests/real/expat").glob("*.xml")), self.folder / "doc/xmlwf.xml"]
            return "; ".join(f"xmlwf/xmlwf {form} {shlex.quote(str(document))}" for document in documents for form in ("", "-n"))
        tests = [path for pattern in bug.tests.split() for path in sorted(glob.glob(pattern, root_dir=self.folder))]
        logs = " ".join(re.sub(r"\.\w+$", ".log", path) for path in tests)
        # Not all programs of the package are built.
        return f"make -k check-TESTS PROGRAMS= TEST_LOGS='{logs}'"


def as_they_are() -> list[Bug]:
    """Every program, with no error planted."""
    libraries = [Bug(f"{package}, as it is", package, "", "", (), ()) for package in CONFIGURE if package != "coreutils"]
    tested = {bug.made: bug for bug in BUGS if bug.made}
    return libraries + [Bug(f"{made.split()[0][4:]}, as it is", "coreutils", "", "", (), (), made, bug.tests) for made, bug in tested.items()]
