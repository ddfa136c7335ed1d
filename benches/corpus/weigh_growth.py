#!/usr/bin/env python3
"""Fits the weights of growth on the tuned programs of the corpus, for `with_growth` in crates/analysis/src/leaks/certainty.rs.

  weigh_growth.py --heaplens PROGRAM --dumps OUT --answers ANSWERS [--set tuned] [PROGRAM...]

A finding with two dumps that grew is a leak if it is the first that names the holder; further ones that do are parts of it
and left out. The weights are those of a logistic regression with a small penalty: `share N`: at least N % of what grew in the
heap; `little`: by less than a seventh of its earlier size; `replaced`, `limited`; `alone`: the logarithm of the odds that it
has with one dump. The error is measured on programs that were left out of the fit, a sixth at a time, and among all findings
with two dumps: those that did not grow state what they do now.
"""
import math
import re
import sys

from answers import answered, arguments_of, text_of
from reliability import curve, errors
from weigh import fit, judged_left_out

SHARES = (50, 20, 5, 1)
UNITS = {"bytes": 1, "byte": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}
SIZE = r"([\d.,]+) (bytes?|B|kB|MB|GB)"
FLOOR, BETWEEN = 0.1, (0.02, 0.98)


def size(found: re.Match | None, at: int = 1) -> float:
    return float(found[at].replace(",", "")) * UNITS[found[at + 1]] if found else 0.0


def odds(share: float) -> float:
    share = min(max(share, BETWEEN[0]), BETWEEN[1])
    return math.log(share / (1 - share))


def features_of(finding: dict, alone: float, everything: float) -> dict[str, float] | None:
    """What is known about the growth of a finding; `None` of one that did not grow, or by code alone."""
    text = next((text for text in finding["for"] if text.startswith("it grew by")), None)
    if text is None:
        return None
    grown, code = size(re.search(f"grew by {SIZE}", text)), size(re.search(f"{SIZE} of it code", text))
    before = size(re.search(f": {SIZE} in", text))
    if code >= grown:
        return None
    percent = 100 * (grown - code) / max(everything, grown - code, 1)
    step = next((f"share {step}" for step in SHARES if percent >= step), "share 0")
    features = {"base": 1.0, step: 1.0, "alone": odds(alone)}
    features |= {"replaced": 1.0} if "were replaced" in text else {}
    features |= {"limited": 1.0} if {"limit", "full queue"} & set(finding["evidence"]) else {}
    features |= {"little": 1.0} if (grown - code) * 7 < before else {}
    return features


def floored(share: float) -> float:
    """What a finding that grew states: more than all that did not."""
    return FLOOR + (1 - FLOOR) * share


def main() -> int:
    arguments = arguments_of(__doc__)
    arguments.set = arguments.set or "tuned"
    grown: list[tuple[str, dict[str, float], bool]] = []
    others: list[tuple[float, bool]] = []
    now: list[tuple[float, bool]] = []
    for pair, answer in answered(arguments):
        alone = {finding["fingerprint"]: finding["certainty"] for finding in answer["one"]}
        everything, is_seen = sum(max(owner["bytes"], 0) for owner in answer["diff"]), False
        for finding in answer["two"]:
            is_leak = pair.program.is_holder(text_of(finding))
            if finding["group"] == "waste" or finding["certainty"] is None or is_leak and is_seen:
                continue
            is_seen |= is_leak
            features = features_of(finding, alone.get(finding["fingerprint"]) or 0.0, everything)
            now.append((finding["certainty"], is_leak))
            if features is None:
                others.append((finding["certainty"], is_leak))
            else:
                grown.append((pair.program.name, features, is_leak))
    names = sorted(set().union(*(features for _, features, _ in grown)))
    weights = fit([(features, is_leak) for _, features, is_leak in grown], names, {})
    print(f"{sum(is_leak for *_, is_leak in grown)} leaks of {len(grown)} findings that grew, {len(others)} others")
    for key in sorted(weights, key=lambda key: -weights[key]):
        of_leak = [is_leak for _, features, is_leak in grown if key in features]
        print(f"{key:12} {weights[key]:6.2f}  in {sum(of_leak):4} leaks, {len(of_leak) - sum(of_leak):4} others")
    judged = others + [(floored(share), is_leak) for share, is_leak in judged_left_out(grown, names, {})]
    for heading, findings in (("now", now), ("fitted, on programs left out of the fit", judged)):
        print(f"{heading}: mean error {errors(curve(findings))[0]:.3f}, all bins alike {errors(curve(findings))[1]:.3f}")
        for at, (number, says, true) in enumerate(curve(findings)):
            print(f"  {at / 10:.1f}  {number:4}  {says:.2f}  {true:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
