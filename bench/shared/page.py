"""Tables, and where they go in the documentation."""

import pathlib
import re
import sys

from programs import REPOSITORY
from report import machine, table

PAGE = REPOSITORY / "docs/benchmarks.md"


def at_least(what: str, value: float, bar: float, unit: str = "×", digits: int = 1) -> list[str]:
    """A row: what, measured, bar, verdict."""
    verdict = "met" if value >= bar else f"**missed** by {100 * (1 - value / bar):.0f} %"
    return [what, f"**{value:,.{digits}f}{unit}**", f"≥ {bar:,}{unit}", verdict]


def at_most(what: str, value: float, bar: float, unit: str, digits: int = 0) -> list[str]:
    verdict = "met" if value <= bar else f"**missed** by {100 * (value / bar - 1):.0f} %"
    return [what, f"**{value:,.{digits}f}{unit}**", f"≤ {bar:,}{unit}", verdict]


def write(script: str, text: str, into: pathlib.Path = PAGE) -> None:
    begin, end = f"<!-- begin: written by {script} --write -->", "<!-- end -->"
    page = into.read_text()
    between = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.S)
    if not between.search(page):
        sys.exit(f"{into} has no place for the tables: {begin}")
    into.write_text(between.sub(lambda _: f"{begin}\n{text}\n{end}", page))


__all__ = ["PAGE", "at_least", "at_most", "machine", "table", "write"]
