"""What the paper computes: medians, incremental branches, APBD, and Wilcoxon's signed-rank test."""

import json
import math
import pathlib
import statistics


def spread(numbers: list[float]) -> tuple[float, float, float]:
    """Least, median and greatest."""
    return (min(numbers), statistics.median(numbers), max(numbers)) if numbers else (0.0, 0.0, 0.0)


def incremental(out: pathlib.Path) -> frozenset:
    """Branches that a campaign with one seed found and its seed, which is test 0, does not take."""
    book = json.loads((out / "ledger.json").read_text())
    place = lambda line: (line["file"], line["line"], line["column"], line["function"], line["outcome"])
    return frozenset(place(line) for line in book["covered"] if line["test"] != 0)


def apbd(found: list[frozenset]) -> float | None:
    """Average percentage of branches discovered, section 6.2."""
    everything, curve = set(), []
    for branches in found:
        everything |= branches
        curve.append(len(everything))
    if not curve or not curve[-1]:
        return None
    return sum(curve[:-1]) / (len(found) * curve[-1]) + 1 / (2 * len(found))


def wilcoxon(pairs: list[tuple[float, float]]) -> float | None:
    """Two-sided p-value by the normal approximation with ties, pairs that are equal left out; too few give none."""
    differences = sorted((a - b for a, b in pairs if a != b), key=abs)
    count = len(differences)
    if count < 6:
        return None
    ranks, ties, at = [0.0] * count, 0.0, 0
    while at < count:
        end = at
        while end < count and abs(differences[end]) == abs(differences[at]):
            end += 1
        ranks[at:end] = [(at + 1 + end) / 2] * (end - at)
        ties += (end - at) ** 3 - (end - at)
        at = end
    positive = sum(rank for rank, difference in zip(ranks, differences) if difference > 0)
    mean = count * (count + 1) / 4
    deviation = math.sqrt(count * (count + 1) * (2 * count + 1) / 24 - ties / 48)
    return math.erfc(abs(positive - mean) / deviation / math.sqrt(2)) if deviation else None
