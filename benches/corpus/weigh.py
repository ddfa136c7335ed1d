#!/usr/bin/env python3
"""Measures the weights of evidence on the tuned programs of the corpus, for crates/analysis/src/leaks/certainty.rs.

  weigh.py --heaplens PROGRAM --dumps OUT --answers ANSWERS [PROGRAM...]

A finding of a leaking program is a leak if it names the holder; every other finding of every program is none. The weight
of a key is ln((leaks with it + 1/2) / (leaks + 1) * (others + 1) / (others with it + 1/2)), in all and by collector. Findings
about waste are left out. `one` is the evidence of the second dump alone, `two` with the first as the baseline. `age N`: at
least N % of the other objects were allocated before nine tenths of its own, and less than the next such number; `no age`: the
finding has no age.
"""
import collections
import math
import re
import sys

from answers import answered, arguments_of, text_of

AGES = {"newest", "new", "old", "oldest"}
STEPS = (99, 97, 92, 87, 70, 50, 0)


def keys_of(finding: dict) -> set[str]:
    """Keys of the evidence of a finding, with its age by step."""
    keys = set(finding["evidence"])
    if not keys & AGES:
        return keys | {"no age"}
    last = re.search(r"allocated after \d+ % and before (\d+) %", " ".join(finding["for"] + finding["against"]))
    return keys - AGES | {f"age {next(step for step in STEPS if int(last[1]) >= step)}"} if last else keys


def judged(pair, findings: list[dict]):
    """Keys of each finding, and whether it is the leak: the first that names the holder; further ones are parts of it and left out."""
    seen = False
    for finding in findings:
        is_leak = pair.program.is_holder(text_of(finding))
        if finding["group"] == "waste" or (is_leak and seen):
            continue
        seen |= is_leak
        yield keys_of(finding), is_leak


class Counts:
    """Findings of one group by evidence: leaks and others."""

    def __init__(self):
        self.keys = {True: collections.Counter(), False: collections.Counter()}
        self.totals = collections.Counter()

    def add(self, keys: set, is_leak: bool) -> None:
        self.totals[is_leak] += 1
        self.keys[is_leak].update(keys)

    def weight(self, key: str) -> float:
        ratios = [(self.keys[is_leak][key] + 0.5) / (self.totals[is_leak] + 1) for is_leak in (True, False)]
        return math.log(ratios[0] / ratios[1])

    def cell(self, key: str) -> str:
        with_leak, with_other = self.keys[True][key], self.keys[False][key]
        return f"{with_leak:5}{with_other:5}{self.weight(key):7.2f}" if with_leak + with_other else f"{'-':>17}"


def main() -> int:
    arguments = arguments_of(__doc__)
    arguments.set = "tuned"
    groups = {which: collections.defaultdict(Counts) for which in ("one", "two")}
    for pair, answer in answered(arguments):
        for which, counts in groups.items():
            for keys, is_leak in judged(pair, answer[which]):
                for collector in (" in all", pair.collector):
                    counts[collector].add(keys, is_leak)
    for which, counts in groups.items():
        print(f"\n{which}: leaks, others, weight\n{'':22}" + "".join(f"{collector.strip():>17}" for collector in sorted(counts)))
        print(f"{'base':22}" + "".join(
            f"{c.totals[True]:5}{c.totals[False]:5}{math.log((c.totals[True] + 0.5) / (c.totals[False] + 0.5)):7.2f}" for _, c in sorted(counts.items())))
        everything = counts[" in all"]
        for key in sorted(everything.keys[True] | everything.keys[False], key=lambda key: (-everything.keys[True][key], key)):
            print(f"{key:22}" + "".join(c.cell(key) for _, c in sorted(counts.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
