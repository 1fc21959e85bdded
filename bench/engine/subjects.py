"""The programs that are measured, and how each is compiled."""

import dataclasses
import pathlib
import sys

import inputs

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tests/real"))
import fetch


@dataclasses.dataclass(frozen=True)
class Program:
    """`NAME.c` of ours, together with source files of a Debian package where it drives a library."""

    name: str
    package: str = ""
    folder: str = "."
    files: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()

    def arguments(self, archive: fetch.Archive) -> list[str]:
        ours = HERE / "subjects"
        arguments = ["-O2", *self.flags, f"-I{ours}", str(ours / f"{self.name}.c")]
        if self.package:
            source = archive.unpacked(self.package, lambda folder: None) / self.folder
            # Warnings about other people's code are for them.
            arguments += ["-w", f"-I{source}", *(str(source / f"{name}.c") for name in self.files)]
        return arguments


@dataclasses.dataclass(frozen=True)
class Subject:
    """A program and what it reads."""

    name: str
    program: Program
    input: bytes
    # Every bit depends on every other: no tool's strength, and so not in the mean of the symbolic runs.
    only_shown: bool = False


JSON = Program("json")
SHA256 = Program("sha256")
INTERPRETER = Program("interpreter")
EXPAT = Program("expat", "expat", "expat/lib", ("xmlparse", "xmlrole", "xmltok"))
BZIP2 = Program(
    "bzip2", "bzip2", ".",
    ("bzlib", "decompress", "huffman", "crctable", "randtable", "compress", "blocksort"), ("-DBZ_NO_STDIO",),
)
ZLIB = Program("zlib", "zlib", ".", ("adler32", "crc32", "inffast", "inflate", "inftrees", "zutil"))
EMPTY = Program("empty")

# What the build time is measured on.
LIBRARIES = [EXPAT, BZIP2, ZLIB, JSON]
PROGRAMS = [*LIBRARIES, SHA256, INTERPRETER, EMPTY]


def all_subjects() -> list[Subject]:
    return [
        Subject("expat 1 KB", EXPAT, inputs.xml_document(1024)),
        Subject("expat 100 KB", EXPAT, inputs.xml_document(100 * 1024)),
        Subject("json 1 KB", JSON, inputs.json_document(1024)),
        Subject("json 100 KB", JSON, inputs.json_document(100 * 1024)),
        Subject("bzip2 700 B", BZIP2, inputs.bzip2_stream(700)),
        Subject("bzip2 8 KB", BZIP2, inputs.bzip2_stream(8 * 1024)),
        Subject("zlib 8 KB", ZLIB, inputs.zlib_stream(8 * 1024)),
        Subject("interpreter 1 KB", INTERPRETER, inputs.text(1024)),
        Subject("sha256 1 KB", SHA256, inputs.text(1024), only_shown=True),
    ]
