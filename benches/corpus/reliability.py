#!/usr/bin/env python3
"""Compares the certainty that findings state with how often it is true.

  reliability.py --heaplens PROGRAM --dumps OUT --answers ANSWERS [--set tuned|aside] [PROGRAM...]

A finding is true if it names the holder of the leak. Counted are all findings of all programs, healthy ones too, that state a
certainty and are not about waste. The mean error is the difference of stated and true, by bin, weighted with the findings of
the bin; `bins` is the same with all bins alike.
"""
import collections
import sys

from answers import answered, arguments_of, text_of

BINS = 10


def curve(findings: list[tuple[float, bool]]) -> list[tuple[int, float, float]]:
    """For each bin its number of findings, mean of the stated certainties, and share of those that are true."""
    rows = []
    for at in range(BINS):
        inside = [finding for finding in findings if min(int(finding[0] * BINS), BINS - 1) == at]
        number = max(len(inside), 1)
        rows.append((len(inside), sum(stated for stated, _ in inside) / number, sum(true for _, true in inside) / number))
    return rows


def errors(rows: list[tuple[int, float, float]]) -> tuple[float, float]:
    """Mean absolute error, weighted with the findings of the bins, and with all bins alike that have a finding."""
    filled = [row for row in rows if row[0]]
    total = sum(number for number, _, _ in filled)
    if not total:
        return 0.0, 0.0
    return (sum(number * abs(stated - true) for number, stated, true in filled) / total,
            sum(abs(stated - true) for _, stated, true in filled) / len(filled))


def main() -> int:
    arguments = arguments_of(__doc__)
    found = {which: collections.defaultdict(list) for which in ("one", "two")}
    for pair, answer in answered(arguments):
        for which, groups in found.items():
            for finding in answer[which]:
                if finding["group"] != "waste" and finding["certainty"] is not None:
                    judged = (finding["certainty"], pair.program.is_holder(text_of(finding)))
                    groups[pair.runtime].append(judged)
                    groups["in all"].append(judged)
    for which, groups in found.items():
        print(f"\n{'one dump' if which == 'one' else 'two dumps'}\n{'certainty':12}{'findings':>10}{'stated':>8}{'true':>8}")
        for at, (number, stated, true) in enumerate(curve(groups["in all"])):
            print(f"{at / BINS:.1f} to {(at + 1) / BINS:.1f}  {number:>10}" + (f"{stated:>8.2f}{true:>8.2f}" if number else ""))
        print(f"\n{'runtime':16}{'findings':>10}{'error':>8}{'bins':>8}")
        for runtime in sorted(groups):
            weighted, alike = errors(curve(groups[runtime]))
            print(f"{runtime:16}{len(groups[runtime]):>10}{weighted:>8.3f}{alike:>8.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
