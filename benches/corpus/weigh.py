#!/usr/bin/env python3
"""Fits the weights of evidence on the tuned programs of the corpus, for crates/analysis/src/leaks/certainty.rs.

  weigh.py --heaplens PROGRAM --dumps OUT --answers ANSWERS [--set tuned] [PROGRAM...]

A finding with one dump is a leak if it is the first that names the holder; further ones that do are parts of it and left
out, as findings about waste are. The weights are those of a logistic regression with a small penalty: what a piece of
evidence adds to the logarithm of the odds, given the others. `age N`: at least N % of the other objects were allocated
before nine tenths of its own, and less than the next such number. The error is measured on programs that were left out
of the fit, a sixth at a time: the mean difference of what findings state and how many of them are true, over ten bins.
"""
import math
import re
import sys

from answers import answered, arguments_of, text_of
from reliability import curve, errors

AGES = {f"{likely}{age}" for likely in ("", "likely ") for age in ("newest", "new", "over time", "old", "oldest")}
STEPS = (99, 97, 92, 87, 70, 50, 0)
# Whom to ask about a leak says nothing of how likely it is: libraries leak, too.
NEUTRAL = {"of library"}
LEAST = 8  # findings with a piece of evidence that is fitted
PENALTY = 1.0
# Programs of the corpus are written to leak: of those in life more never remove anything. Weight, and how firmly it is held.
HELD = {"never removed": (-0.8, 60.0)}
PARTS = 6
ROUNDS = 30


def features_of(finding: dict) -> dict[str, float]:
    """Evidence of a finding by key, with its age by step; `base` is what all have."""
    keys = set(finding["evidence"]) - NEUTRAL
    age = re.search(r"allocated after (?:about (\d+)|\d+ % and before (\d+)) %", " ".join(finding["for"] + finding["against"]))
    if keys & AGES and age:
        keys = keys - AGES | {f"age {next(step for step in STEPS if int(age[1] or age[2]) >= step)}"}
    return dict.fromkeys(keys | {"base"}, 1.0)


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solution of a system of linear equations, by elimination."""
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for at in range(len(rows)):
        best = max(range(at, len(rows)), key=lambda row: abs(rows[row][at]))
        rows[at], rows[best] = rows[best], rows[at]
        for row in range(len(rows)):
            factor = rows[row][at] / rows[at][at]
            if row != at and factor:
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[at])]
    return [row[-1] / row[at] for at, row in enumerate(rows)]


def stated(features: dict[str, float], weights: dict[str, float]) -> float:
    return 1 / (1 + math.exp(-sum(weights.get(key, 0.0) * value for key, value in features.items())))


def fit(findings: list[tuple[dict[str, float], bool]], names: list[str], held: dict[str, tuple[float, float]]) -> dict[str, float]:
    """Weights by name, by Newton's method. `held`: weights near which the fit stays, and how firmly; others are near 0, but `base`."""
    weights = {name: held.get(name, (0.0, 0.0))[0] for name in names}
    place = {name: at for at, name in enumerate(names)}
    for _ in range(ROUNDS):
        slope, bend = [0.0] * len(names), [[0.0] * len(names) for _ in names]
        for name, at in place.items():
            middle, penalty = held.get(name, (0.0, PENALTY if name != "base" else 1e-6))
            slope[at] += penalty * (weights[name] - middle)
            bend[at][at] += penalty
        for features, is_leak in findings:
            share = stated(features, weights)
            present = [(place[key], value) for key, value in features.items() if key in place]
            for at, value in present:
                slope[at] += (share - is_leak) * value
                for other, more in present:
                    bend[at][other] += share * (1 - share) * value * more
        for name, step in zip(names, solve(bend, slope)):
            weights[name] -= step
    return weights


def judged_left_out(findings: list[tuple[str, dict[str, float], bool]], names: list[str],
                    held: dict[str, tuple[float, float]]) -> list[tuple[float, bool]]:
    """What findings state with weights that were fitted on other programs, and whether they are leaks."""
    programs, judged = sorted({program for program, *_ in findings}), []
    for part in range(PARTS):
        left_out = set(programs[part::PARTS])
        weights = fit([(features, is_leak) for program, features, is_leak in findings if program not in left_out], names, held)
        judged += [(stated(features, weights), is_leak) for program, features, is_leak in findings if program in left_out]
    return judged


def main() -> int:
    arguments = arguments_of(__doc__)
    arguments.set = arguments.set or "tuned"
    findings: list[tuple[str, dict[str, float], bool]] = []
    for pair, answer in answered(arguments):
        is_seen = False
        for finding in answer["one"]:
            is_leak = not pair.program.is_healthy and pair.program.is_holder(text_of(finding))
            if finding["group"] != "waste" and finding["certainty"] is not None and not (is_leak and is_seen):
                findings.append((pair.program.name, features_of(finding), is_leak))
            is_seen |= is_leak
    counts = {name: [sum(name in features and is_leak == true for _, features, is_leak in findings) for true in (True, False)]
              for name in sorted(set().union(*(features for _, features, _ in findings)))}
    names = [name for name, of_name in counts.items() if sum(of_name) >= LEAST]
    weights = fit([(features, is_leak) for _, features, is_leak in findings], names, HELD)
    print(f"{sum(is_leak for *_, is_leak in findings)} leaks, {len(findings)} findings")
    for name in sorted(counts, key=lambda name: -weights.get(name, 0.0)):
        weight = f"{weights[name]:6.2f}" if name in weights else "     -"
        print(f"{name:24} {weight}  in {counts[name][0]:4} leaks, {counts[name][1]:4} others")
    print(f"error on programs left out of the fit: {errors(curve(judged_left_out(findings, names, HELD)))[0]:.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
