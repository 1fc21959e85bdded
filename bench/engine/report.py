"""The tables."""

import dataclasses
import math
import os
import pathlib
import platform
import re
import sys

from subjects import Subject

MIB, MS = 1 << 20, 1e-3
BEGIN, END = "<!-- begin: written by bench/engine/run --write -->", "<!-- end -->"


@dataclasses.dataclass
class Costs:
    """Of one pass over the input, by the kind of program."""

    subject: Subject
    passes: int
    summary: dict
    resident: int
    cpu: dict[str, float]
    instructions: dict[str, float]

    def times(self, kind: str) -> float:
        return self.cpu[kind] / self.cpu["native"]

    def brief(self) -> str:
        return ", ".join(f"{kind} {times(self.times(kind))}" for kind in self.cpu if kind != "native")

    def instruction_times(self, kind: str) -> float:
        return self.instructions[kind] / self.instructions["native"]


@dataclasses.dataclass
class Report:
    build_seconds: tuple[float, float]
    costs: list[Costs] = dataclasses.field(default_factory=list)
    start_up: dict[str, float] = dataclasses.field(default_factory=dict)

    def add(self, costs: Costs) -> None:
        self.costs.append(costs)

    def text(self) -> str:
        return "\n\n".join([self.bars(), self.cpu_table(), self.instruction_table(), self.size_table(), machine()])

    def mean(self, kind: str, without_shown: bool = False) -> float:
        return mean(c.times(kind) for c in self.costs if not (without_shown and c.subject.only_shown))

    def instruction_mean(self, kind: str) -> float:
        return mean(c.instruction_times(kind) for c in self.costs)

    def bars(self) -> str:
        clang, ours = self.build_seconds
        rows = [
            bar("variant `plain`, outcomes kept (`OFFSHOOT_COVERAGE`)", self.mean("counted"), 1.5, 1.2),
            note("— the same, not kept", f"{self.mean('plain'):.2f}×"),
            note("— instructions, kept / not kept", f"{self.instruction_mean('counted'):.2f}× / {self.instruction_mean('plain'):.2f}×"),
            bar("variant `count`, counts kept (`OFFSHOOT_COUNTS`): what `coverage` measures", self.mean("count"), 1.5, 1.2),
            bar("instrumented, traced, nothing symbolic", self.mean("traced"), 4, 2),
            note("— not traced", f"{self.mean('untraced'):.2f}×"),
            note("— not traced, instructions", f"{self.instruction_mean('untraced'):.2f}×"),
            bar("whole input symbolic, trace written, no solving (sha256 aside)", self.mean("symbolic", True), 120, 50),
            note("— a further pass in the same process", f"{self.mean('repeated', True):.0f}×"),
        ]
        for costs in self.costs:
            if costs.subject.name == "expat 100 KB":
                rows.append(bar("memory over native, expat 100 KB whole input symbolic", costs.resident / MIB, 64, 32, " MiB"))
        rows += [
            bar("start-up of an instrumented process over native, traced", self.start_up["traced"] / MS, 3, 1, " ms"),
            note("— not traced", f"{self.start_up['untraced'] / MS:.2f} ms"),
            note("— of `offshoot trace`'s sandbox and the process in it", f"{self.start_up['sandboxed'] / MS:.1f} ms"),
            bar("build time (expat, bzip2, zlib, json)", ours / clang, 4, 2),
        ]
        head = ["geometric mean over the subjects", "measured", "bar", "wanted", "verdict"]
        return table(head, rows)

    def cpu_table(self) -> str:
        kinds = ["plain", "counted", "count", "untraced", "traced", "symbolic", "repeated"]
        head = ["CPU time of one pass", "native", "`plain`", "outcomes kept", "`count`", "not traced", "traced", "symbolic", "again"]
        rows = [
            [c.subject.name, microseconds(c.cpu["native"]), *(times(c.times(kind)) for kind in kinds)] for c in self.costs
        ]
        return table(head, rows)

    def instruction_table(self) -> str:
        head = ["instructions of one pass", "native", "`plain`", "outcomes kept", "not traced"]
        rows = [
            [c.subject.name, f"{c.instructions['native']:,.0f}",
             *(times(c.instruction_times(kind)) for kind in ("plain", "counted", "untraced"))]
            for c in self.costs
        ]
        return table(head, rows)

    def size_table(self) -> str:
        head = ["one symbolic pass", "input", "terms", "branches", "switches", "accesses", "losses", "checked", "wrong", "memory"]
        rows = [
            [c.subject.name, f"{len(c.subject.input):,} B", *(f"{c.summary[key]:,}" for key in (
                "terms", "branches", "switches", "accesses", "losses", "selfcheck_compared", "selfcheck_mismatches"))]
            + [f"{c.resident / MIB:.0f} MiB"]
            for c in self.costs
        ]
        return table(head, rows)

    def write(self, page: pathlib.Path) -> None:
        text = page.read_text()
        between = re.compile(re.escape(BEGIN) + ".*?" + re.escape(END), re.S)
        if not between.search(text):
            sys.exit(f"{page} has no place for the tables: {BEGIN}")
        page.write_text(between.sub(lambda _: f"{BEGIN}\n{self.text()}\n{END}", text))


def mean(values) -> float:
    logarithms = [math.log(max(value, 1e-9)) for value in values]
    return math.exp(sum(logarithms) / len(logarithms)) if logarithms else math.nan


def bar(what: str, value: float, most: float, wanted: float, unit: str = "×") -> list[str]:
    if value <= most:
        verdict = "met" if value > wanted else "met, and as wanted"
    else:
        verdict = f"**missed** by {100 * (value / most - 1):.0f} %"
    digits = 2 if value < 20 else 0
    return [what, f"**{value:.{digits}f}{unit}**", f"≤ {most}{unit}", f"{wanted}{unit}", verdict]


def note(what: str, value: str) -> list[str]:
    return [what, value, "", "", ""]


def times(value: float) -> str:
    return f"{value:.2f}×" if value < 10 else f"{value:.0f}×"


def microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f} µs"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def machine() -> str:
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text())
    load = os.getloadavg()[1]
    busy = f" Others used it too: load {load:.1f}." if load > 1.5 * (os.cpu_count() or 1) else ""
    return f"{model.group(1) if model else 'unknown CPU'}, {os.cpu_count()} cores, Linux {platform.release()}.{busy}"
