"""Campaigns from single tests, unreduced and reduced, at the same total budget (ISSTA 2014, sections 5.2 and 6.2)."""

import concurrent.futures
import dataclasses
import json
import pathlib
import random
import shutil
import subprocess

import measures

# The paper's four.
STRATEGIES = ["dfs", "random-path", "random-state", "md2u"]
ORDERS = ["random", "total", "additional", "fpf", "shortest"]
# The paper's share of a seed's time that its reduction may take.
REDUCTION = 0.2


class Failed(Exception):
    pass


class Tool:
    def __init__(self, folder: pathlib.Path):
        self.folder = folder.resolve()

    def __call__(self, *args, codes: tuple[int, ...] = (0,), core: int | None = None) -> str:
        pinned = ["taskset", "-c", str(core)] if core is not None else []
        command = [*pinned, f"{self.folder}/offshoot", *map(str, args)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if done.returncode not in codes:
            raise Failed(f"{' '.join(command)}: exit {done.returncode}: {done.stderr.strip()[-400:]}")
        return done.stdout


def copied(tests: list[pathlib.Path], to: pathlib.Path) -> pathlib.Path:
    shutil.rmtree(to, ignore_errors=True)
    for test in tests:
        shutil.copytree(test, to / "tests" / test.name)
    return to


@dataclasses.dataclass
class Pool:
    """Seeds, what each was reduced to, and the seconds that took."""

    tests: list[pathlib.Path]
    reduced: dict[str, pathlib.Path]
    seconds: dict[str, float]


def pool(tool: Tool, tests: list[pathlib.Path], seconds: float, folder: pathlib.Path, core: int) -> Pool:
    """A test that cannot be reduced is explored as it is."""
    suite = copied(tests, folder)
    report = json.loads(tool("reduce", "-o", suite, "--json", "--budget", f"{REDUCTION * seconds:.1f}s", core=core))
    took = {line["test"]: line["seconds"] for line in report["tests"]}
    kept = lambda name: suite / "reduced" / name if name in took else suite / "tests" / name
    return Pool([suite / "tests" / test.name for test in tests], {test.name: kept(test.name) for test in tests},
                {test.name: min(took.get(test.name, 0), REDUCTION * seconds) for test in tests})


def campaign(tool: Tool, test: pathlib.Path, strategy: str, seconds: float, work: pathlib.Path, core: int) -> tuple[frozenset, frozenset]:
    """What the seed takes, and what was found beside it."""
    suite, out = copied([test], work / "suite"), work / "out"
    for old in (out, work / "out.old"):
        shutil.rmtree(old, ignore_errors=True)
    # 1: findings.
    tool("explore", "--progress", "none", "--strategy", strategy, "--time", f"{seconds:.1f}s", "--suite", suite, "-o", out, codes=(0, 1), core=core)
    return measures.covered(out)


def explored(tool: Tool, seeds: Pool, seconds: float, work: pathlib.Path, cores: list[int]) -> dict:
    """By strategy and test: branches of the test itself, and those found from it before and after its reduction."""
    cores, jobs = list(cores), len(cores)
    runs = [(strategy, test) for strategy in STRATEGIES for test in seeds.tests]

    def pair(strategy: str, test: pathlib.Path) -> dict:
        core = cores.pop()
        try:
            own = work / str(core)
            seed, before = campaign(tool, test, strategy, seconds, own, core)
            left = seconds - seeds.seconds[test.name]
            _, after = campaign(tool, seeds.reduced[test.name], strategy, left, own, core)
        finally:
            cores.append(core)
        return {"seed": sorted(seed), "before": sorted(before), "after": sorted(after)}

    with concurrent.futures.ThreadPoolExecutor(jobs) as workers:
        results = list(workers.map(lambda run: pair(*run), runs))
    found: dict = {strategy: {} for strategy in STRATEGIES}
    for (strategy, test), result in zip(runs, results):
        found[strategy][test.name] = result
    return found


def drawn(names: list[str], size: int, draws: int) -> list[list[str]]:
    """Random suites out of the pool, as the paper draws them."""
    return [sorted(random.Random(draw).sample(sorted(names), min(size, len(names)))) for draw in range(draws)]


def ranked(tool: Tool, seeds: Pool, suites: list[list[str]], work: pathlib.Path, core: int) -> list[dict]:
    """For each suite and order, its tests in that order."""
    orders = []
    for draw, names in enumerate(suites):
        suite = copied([seeds.reduced[name] for name in names], work / "ranked")
        one = {}
        for order in ORDERS:
            ranking = json.loads(tool("rank", "-o", suite, "--by", order, "--rng-seed", draw, "--json", core=core))
            one[order] = [place["test"] for place in ranking["tests"]]
        orders.append(one)
    return orders


def table3(found: dict, suites: list[list[str]]) -> list[list[str]]:
    """A row for each strategy and one for all of them: mean of |C1 - C0| and |C2 - C0| over the suites."""
    rows = []
    sets = lambda names, strategies, key: {tuple(branch) for s in strategies for name in names for branch in found[s][name][key]}
    for label, strategies in [*((strategy, [strategy]) for strategy in STRATEGIES), ("combined", STRATEGIES)]:
        more = {key: [len(sets(names, strategies, key) - sets(names, strategies, "seed")) for names in suites] for key in ("before", "after")}
        each = [[len(sets([name], strategies, key) - sets([name], strategies, "seed")) for key in ("after", "before")] for name in found[STRATEGIES[0]]]
        mean = lambda numbers: f"{sum(numbers) / len(numbers):.1f}"
        gain = 100 * (sum(more["after"]) / max(1, sum(more["before"])) - 1)
        rows.append([label, mean(more["before"]), mean(more["after"]), f"{gain:+.0f} %", measures.p_value(measures.rank_sum(more["before"], more["after"])),
                     measures.p_value(measures.signed_rank(each))])
    return rows


def table5(found: dict, orders: list[dict]) -> list[list[str]]:
    """A row for each strategy: mean APBD of each order over the suites, and p against random."""
    rows = []
    for strategy in STRATEGIES:
        seed = {name: {tuple(branch) for branch in one["seed"]} for name, one in found[strategy].items()}
        values: dict[str, list[float]] = {order: [] for order in ORDERS}
        for one in orders:
            known = set().union(*(seed[name] for name in one["random"]))
            for order in ORDERS:
                curve = measures.apbd([{tuple(branch) for branch in found[strategy][name]["after"]} - known for name in one[order]])
                values[order] += [curve] if curve is not None else []
        cells = []
        for order in ORDERS:
            mean = sum(values[order]) / max(1, len(values[order]))
            p = "" if order == "random" else f" ({measures.p_value(measures.rank_sum(values['random'], values[order]))})"
            cells.append(f"{100 * mean:.1f}{p}")
        rows.append([strategy, *cells])
    return rows
