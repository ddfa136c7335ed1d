#!/usr/bin/env python3
"""Measures the weights of evidence on the tuned programs of the corpus, for crates/analysis/src/leaks/certainty.rs.

  weigh.py --heaplens PROGRAM --dumps OUT

A finding of a leaking program is a leak if it names the holder; every other finding of every program is none. The weight
of a key is ln((leaks with it + 1/2) / (leaks + 1) * (others + 1) / (others with it + 1/2)). Findings about waste are left
out. `age N`: at least N % of the other objects were allocated before nine tenths of its own, and less than the next such
number; `age unknown`: the finding has no age.
"""
import argparse
import collections
import json
import math
import pathlib
import re
import sys

from programs import programs
from rank import ask, pattern_of, told

AGES = {"newest", "new", "old", "oldest"}
STEPS = (99, 97, 92, 87, 70, 50, 0)


def keys_of(finding) -> set:
    """Keys of the evidence of a finding, with its age by step."""
    keys = set(finding["evidence"])
    if not keys & AGES:
        return keys | {"age unknown"}
    sentences = " ".join(finding["for"] + finding["against"])
    last = int(re.search(r"allocated after \d+ % and before (\d+) %", sentences)[1])
    return keys - AGES | {f"age {next(step for step in STEPS if last >= step)}"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heaplens", required=True)
    parser.add_argument("--dumps", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    counts = {True: collections.Counter(), False: collections.Counter()}
    totals = collections.Counter()
    for program in programs([]):
        dump = arguments.dumps / program.name / f"after{program.ending}"
        if program.first("set") != "tuned" or not dump.exists():
            continue
        pattern = None if program.is_healthy else pattern_of(program.first("holder"))
        seen = False
        for finding in ask(arguments.heaplens, "leaks", str(dump))["findings"]:
            if finding["group"] == "waste":
                continue
            # The first that names the holder is the leak; further ones are parts of it.
            is_leak = bool(pattern and pattern.search(told(finding)))
            if is_leak and seen:
                continue
            seen |= is_leak
            totals[is_leak] += 1
            counts[is_leak].update(keys_of(finding))
    leaks, others = totals[True], totals[False]
    print(f"{leaks} leaks, {others} others; base {math.log((leaks + 0.5) / (others + 0.5)):.2f}")
    for key in sorted(counts[True] | counts[False], key=lambda key: -counts[True][key]):
        with_leak, with_other = counts[True][key], counts[False][key]
        weight = math.log((with_leak + 0.5) / (leaks + 1) * (others + 1) / (with_other + 0.5))
        print(f"{key:24} {with_leak:4} {with_other:4} {weight:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
