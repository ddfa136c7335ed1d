#!/usr/bin/env python3
"""Ranks the holder of each leak of the corpus among the findings, and counts by runtime and set.

  rank.py --heaplens PROGRAM --dumps OUT --answers ANSWERS [--set tuned|aside] [PROGRAM...]

`one`: rank among the findings of the second dump alone. `two`: rank with the first dump as the baseline. `diff`: rank among
the growing owners of both. `-`: not among them. `same`: the first finding of `two` and the first owner
have one name, or both name the holder.
`decoy`: the first finding of `one` is the decoy. Healthy programs: findings about leaks with a certainty of 0.5 or more, with
one dump and with two.
"""
import collections
import sys

from answers import answered, arguments_of, is_alarm, text_of
from programs import DECOYS, Pair


def rank(findings: list[dict], pair: Pair) -> int | None:
    return next((at for at, finding in enumerate(findings, 1) if pair.program.is_holder(text_of(finding))), None)


def is_same(finding: dict, owner: dict, pair: Pair) -> bool:
    """Whether a finding and an owner are one structure: both name the holder, or have the same class and field at their end."""
    if pair.program.is_holder(text_of(finding)) and pair.program.is_holder(text_of(owner)):
        return True
    names = [finding["label"] or "", finding["name"] or ""]
    return owner["owner"].split(".")[-2:] in [name.split(".")[-2:] for name in names]


def row(pair: Pair, answer: dict) -> dict:
    one, two, diff = answer["one"], answer["two"], answer["diff"]
    title = one[0]["title"] if one else ""
    if pair.program.is_healthy:
        return {"one": sum(map(is_alarm, one)), "two": sum(map(is_alarm, two)), "title": next((f["title"] for f in one if is_alarm(f)), "")}
    return {"one": rank(one, pair), "two": rank(two, pair), "diff": rank(diff, pair), "title": title,
            "same": bool(two and diff and is_same(two[0], diff[0], pair)), "decoy": bool(DECOYS.search(title))}


def count(rows: list[dict], healthy: list[dict]) -> str:
    """Cells of the table: leaks, first and among three with one dump and with two, diff, same, decoy, quiet healthy programs."""
    def among(key: str, last: int) -> int:
        return sum(1 for found in rows if found[key] and found[key] <= last)
    cells = [len(rows), among("one", 1), among("one", 3), among("two", 1), among("two", 3), among("diff", 1),
             sum(found["same"] for found in rows), sum(found["decoy"] for found in rows)]
    quiet = [sum(1 for found in healthy if not found[key]) for key in ("one", "two")]
    return "".join(f"{cell:>8}" for cell in cells) + f"{quiet[0]:>8} of {len(healthy)}{quiet[1]:>8} of {len(healthy)}"


def main() -> int:
    arguments = arguments_of(__doc__)
    rows, healthy = collections.defaultdict(list), collections.defaultdict(list)
    print(f"{'program':44} {'one':>4} {'two':>4} {'diff':>4} {'same':>5}  first finding with one dump; an alarm, if the program is healthy")
    for pair, answer in answered(arguments):
        found = row(pair, answer)
        (healthy if pair.program.is_healthy else rows)[pair.program.first("set"), pair.runtime].append(found)
        ranks = [found["one"], found["two"]] if pair.program.is_healthy else [found[key] or "-" for key in ("one", "two", "diff")]
        same = "" if pair.program.is_healthy else "yes" if found["same"] else "no"
        cells = " ".join(f"{cell:>4}" for cell in [*ranks, ""][:3])
        print(f"{pair.folder.name:44} {cells} {same:>5}  {found['title'][:110]}", flush=True)
    heads = ("leaks", "one: 1", "one: 3", "two: 1", "two: 3", "diff: 1", "same", "decoy")
    print(f"\n{'set':8}{'runtime':16}{''.join(f'{head:>8}' for head in heads)}  quiet: one   quiet: two")
    for set_name, runtime in sorted({*rows, *healthy}):
        print(f"{set_name:8}{runtime:16}{count(rows[set_name, runtime], healthy[set_name, runtime])}")
    print(f"{'':8}{'in all':16}{count(sum(rows.values(), []), sum(healthy.values(), []))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
