"""What the paper computes: medians, the branches of a campaign, APBD, and Wilcoxon's tests."""

import json
import math
import pathlib
import statistics


def spread(numbers: list[float]) -> tuple[float, float, float]:
    """Least, median and greatest."""
    return (min(numbers), statistics.median(numbers), max(numbers)) if numbers else (0.0, 0.0, 0.0)


def covered(out: pathlib.Path) -> tuple[frozenset, frozenset]:
    """Branches that the seed of a campaign takes, which is test 0, and those that were found beside it."""
    book = json.loads((out / "ledger.json").read_text())
    place = lambda line: (line["file"], line["line"], line["column"], line["function"], line["outcome"])
    return tuple(frozenset(place(line) for line in book["covered"] if (line["test"] == 0) == of_seed) for of_seed in (True, False))


def apbd(found: list[set]) -> float | None:
    """Average percentage of branches discovered, section 6.2."""
    everything, curve = set(), []
    for branches in found:
        everything |= branches
        curve.append(len(everything))
    if not curve or not curve[-1]:
        return None
    return sum(curve[:-1]) / (len(found) * curve[-1]) + 1 / (2 * len(found))


def p_value(p: float | None) -> str:
    return "–" if p is None else "< 0.001" if p < 0.001 else f"{p:.3f}"


def ranks(numbers: list[float]) -> tuple[list[float], float]:
    """Mean ranks in the order given, and the sum of t³ - t over ties."""
    order = sorted(range(len(numbers)), key=lambda at: numbers[at])
    found, ties, at = [0.0] * len(numbers), 0.0, 0
    while at < len(order):
        end = at
        while end < len(order) and numbers[order[end]] == numbers[order[at]]:
            end += 1
        for place in order[at:end]:
            found[place] = (at + 1 + end) / 2
        ties += (end - at) ** 3 - (end - at)
        at = end
    return found, ties


def signed_rank(pairs: list[list[float]]) -> float | None:
    """Wilcoxon, paired, two-sided, by the normal approximation with ties, pairs that are equal left out; too few give none."""
    differences = [a - b for a, b in pairs if a != b]
    count = len(differences)
    if count < 6:
        return None
    found, ties = ranks([abs(difference) for difference in differences])
    positive = sum(rank for rank, difference in zip(found, differences) if difference > 0)
    deviation = math.sqrt(count * (count + 1) * (2 * count + 1) / 24 - ties / 48)
    return two_sided(positive - count * (count + 1) / 4, deviation)


def rank_sum(first: list[float], second: list[float]) -> float | None:
    """Wilcoxon, not paired, two-sided, by the normal approximation with ties; too few give none."""
    m, n = len(first), len(second)
    if min(m, n) < 6:
        return None
    found, ties = ranks([*first, *second])
    whole = m + n
    deviation = math.sqrt(m * n / 12 * (whole + 1 - ties / (whole * (whole - 1))))
    return two_sided(sum(found[:m]) - m * (whole + 1) / 2, deviation)


def two_sided(off: float, deviation: float) -> float | None:
    return math.erfc(abs(off) / deviation / math.sqrt(2)) if deviation else None
