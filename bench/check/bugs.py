"""Errors to plant, one at a time: what a programmer leaves out or gets wrong by one. Each is an edit of a few words
that the package's own suite should not notice; `planted` says whether it does."""

import dataclasses
import pathlib
import re


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str
    package: str
    # In words, for the table.
    what: str
    file: str
    # Behind the first `after`, the first match of `old` becomes `new`; as often as there are edits.
    edits: tuple[tuple[str, str, str], ...]
    # Functions at which it may be seen: one of them is among the innermost of a finding's stack.
    seen: tuple[str, ...]
    # What of the package is made again, and which of its tests run.
    made: str = ""
    tests: str = ""

    def plant(self, folder: pathlib.Path) -> None:
        path = folder / self.file
        text = path.read_text(errors="surrogateescape")
        for after, old, new in self.edits:
            start = text.index(after)
            head, tail = text[:start], text[start:]
            changed = re.sub(old, lambda _: new, tail, count=1)
            if changed == tail:
                raise ValueError(f"{self.name}: {self.file} has no {old!r} behind {after!r}")
            text = head + changed
        path.write_text(text, errors="surrogateescape")


def coreutils(name: str, program: str, what: str, file: str, edits: tuple, seen: tuple, tests: str) -> Bug:
    # Tests ask `getlimits` for numbers.
    return Bug(name, "coreutils", what, file, edits, seen, f"src/{program} src/getlimits", tests)


BUGS = [
    coreutils("pr-tab", "pr", "zero divisor: a tab width of 0 is let in", "src/pr.c",
              (("\ngetoptarg (", r"tmp_long <= 0", "tmp_long < 0"),), ("char_to_clump", "print_white_space", "print_a_header", "init_parameters"),
              "tests/pr/pr-tests.pl"),
    coreutils("od-size", "od", "off by one: bound of a table", "src/od.c",
              (("\ndecode_one_format (", r"MAX_INTEGRAL_TYPE_SIZE < size", "MAX_INTEGRAL_TYPE_SIZE + 1 < size"),),
              ("decode_one_format",), "tests/misc/od*"),
    coreutils("tr-backslash", "tr", "missing step back at the end of a string", "src/tr.c",
              (("\nunquote (", r"es->escaped\[j\] = false;\s*i--;", "es->escaped[j] = false;"),), ("unquote", "parse_str"), "tests/misc/tr.pl tests/misc/tr-*"),
    coreutils("paste-backslash", "paste", "missing end of a loop: a lone backslash is skipped with what follows", "src/paste.c",
              (("\ncollapse_escapes (", r"backslash_at_end = true;\s*goto done;", "backslash_at_end = true; break;"),),
              ("collapse_escapes",), "tests/misc/paste.pl"),
    coreutils("printf-sign", "printf", "wrong type: a signed character as index", "src/printf.c",
              (("\nprint_formatted (", r"unsigned char conversion", "signed char conversion"),), ("print_formatted",),
              "tests/misc/printf*"),
    coreutils("md5sum-paren", "md5sum", "missing bound: search backwards past the start", "src/digest.c",
              (("\nbsd_split_3 (", r"i && s\[i\] != '\)'", "s[i] != ')'"),), ("bsd_split_3",), "tests/misc/md5sum*"),
    coreutils("join-spec", "join", "reachable abort: the message before it is gone", "src/join.c",
              (("\ndecode_field_spec (", r"default:\s*die \(EXIT_FAILURE, 0,[^;]*;", "default:"),), ("decode_field_spec",),
              "tests/misc/join.pl"),
    coreutils("split-zero", "split", "zero divisor: 0 chunks are let in", "src/split.c",
              (("parse_chunk (&k_units", r"optarg, 1,", "optarg, 0,"), ("\nmain (", r"if \(n_units == 0\)", "if (0)")),
              ("main", "bytes_chunk_extract", "lines_chunk_split", "lines_rr"),
              "tests/split/*-chunk.sh"),
    coreutils("tr-range", "tr", "reachable assertion: a range may end before it begins", "src/tr.c",
              (("\nappend_range (", r"if \(last < first\)", "if (0)"),), ("get_spec_stats", "get_s1_spec_stats", "get_s2_spec_stats"),
              "tests/misc/tr.pl tests/misc/tr-*"),
    Bug("expat-charref", "expat", "missing case: a number indexes a table of 256", "lib/xmltok.c",
        (("\ncheckCharRefNumber(int result) {", r"case 0:", "case 0: case 1:"),), ("checkCharRefNumber",)),
    Bug("expat-entity", "expat", "missing null check: entity in an attribute's value", "lib/xmlparse.c",
        (("\nappendAttributeValue(", r"if \(checkEntityDecl\) \{\s*if \(! entity\)", "if (checkEntityDecl) { if (0)"),),
        ("appendAttributeValue",)),
    Bug("expat-prefix", "expat", "missing null check: unbound prefix of an attribute", "lib/xmlparse.c",
        (("\nstoreAtts(", r"if \(! b\)", "if (0)"),), ("storeAtts",)),
    Bug("sed-step", "sed", "zero divisor: `addr,~0`", "sed/compile.c",
        (("\ncompile_address (", r"if \(addr->addr_step==0\)", "if (0)"),), ("match_address_p",)),
    Bug("sed-print", "sed", "missing null check: `P` without a newline", "sed/execute.c",
        (("case 'P':", r"p \? p - line\.active : line\.length", "p - line.active"),), ("execute_program", "output_line", "ck_fwrite")),
    Bug("sed-brace", "sed", "missing null check: `}` without `{`", "sed/compile.c",
        (("case '}':", r"if \(!blocks\)", "if (0)"),), ("compile_program",)),
    Bug("gzip-lzw", "gzip", "missing bound: first code of an LZW stream", "unlzw.c",
        (("int unlzw(", r"if \(256 <= code\)", "if (0)"),), ("unlzw",)),
    Bug("gzip-leaves", "gzip", "missing bound: leaves of a Huffman tree", "unpack.c",
        (("local void read_tree()", r"if \(max_leaves - \(len == max_len\) < leaves\[len\]\)", "if (0)"),),
        ("read_tree", "build_tree", "unpack")),
    Bug("gzip-repeat", "gzip", "missing bound: repeated code lengths", "inflate.c",
        (("j == 18: 11 to 138", r"if \(\(unsigned\)i \+ j > n\)", "if (0)"),), ("inflate_dynamic", "huft_build")),
    Bug("zlib-extra", "zlib", "missing null check: nobody asked for the header", "inflate.c",
        (("case EXLEN:", r"if \(state->head != Z_NULL\)", ""),), ("inflate",)),
    Bug("zlib-far", "zlib", "missing bound: distance before the start of the output", "inffast.c",
        (("if (dist > op)", r"if \(op > whave\)", "if (0)"),), ("inflate_fast", "inflate")),
]
