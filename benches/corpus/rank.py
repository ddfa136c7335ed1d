#!/usr/bin/env python3
"""Ranks the holder of each leak of the corpus among the findings.

  rank.py --heaplens PROGRAM --dumps OUT [--set tuned|aside] [PROGRAM...]

`one`: rank among the leaks of the second dump alone. `two`: rank among its leaks with the first dump as the baseline.
`diff`: rank among the growing owners of both. `-`: not among them.
Healthy programs: number of leaks above the first that is the program's own, or of all if none is.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

from programs import Program, programs

LIMIT = 120  # seconds for a question
TOP = "60"  # growing owners asked for: a row names as many of its owners, which takes long for thousands


def ask(heaplens: str, *words: str) -> dict:
    ended = subprocess.run([heaplens, *words, "--format", "json"], capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode or not ended.stdout:
        raise RuntimeError(ended.stderr.strip()[-300:])
    return json.loads(ended.stdout)


def told(finding: dict) -> str:
    """What a finding says first: the name of its holder, and its title."""
    return f"{finding.get('label') or ''}\n{finding.get('title') or ''}"


def pattern_of(holder: str) -> re.Pattern:
    """The holder as `Class.field`, or its field alone: names of findings go by fields, such as `router.geocoder.byUrl`."""
    single = re.findall(r"\\\.(\w+)", holder)
    several = [name for group in re.findall(r"\\\.\(([^)]*)\)", holder) for name in group.split("|")]
    fields = [rf"\.{name}\b" for name in single + several]
    return re.compile("|".join([holder, *fields]))


def rank(texts: list[str], holder: str) -> int | None:
    pattern = pattern_of(holder)
    return next((at for at, text in enumerate(texts, 1) if pattern.search(text)), None)


def row(program: Program, heaplens: str, dumps: pathlib.Path) -> dict:
    before, after = (str(dumps / program.name / f"{which}{program.ending}") for which in ("before", "after"))
    began = time.monotonic()
    alone = ask(heaplens, "leaks", after)["findings"]
    findings = [told(finding) for finding in alone]
    seconds = time.monotonic() - began
    title = findings[0].split("\n")[1] if findings else ""
    if program.is_healthy:
        own = program.first("own", "$^")
        suspects = [told(finding) for finding in alone if finding["group"] == "leak"]
        alarms = next((at for at, finding in enumerate(suspects) if re.search(own, finding)), len(suspects))
        return {"alarms": alarms, "title": title, "s": seconds}
    grown = [told(finding) for finding in ask(heaplens, "leaks", after, "--before", before)["findings"]]
    owners = [owner["owner"] for owner in ask(heaplens, "diff", "--top", TOP, before, after)["owners"]]
    holder = program.first("holder")
    ranks = {"one": rank(findings, holder), "two": rank(grown, holder), "diff": rank(owners, holder)}
    return {**ranks, "title": title, "s": seconds}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heaplens", required=True)
    parser.add_argument("--dumps", type=pathlib.Path, required=True)
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    leaks = first_one = first_two = first_diff = alarms = healthy = failed = 0
    print(f"{'program':28} {'one':>4} {'two':>4} {'diff':>4} {'s':>5}  first finding")
    for program in programs(arguments.programs):
        if arguments.set and program.first("set") != arguments.set:
            continue
        if not (arguments.dumps / program.name / f"after{program.ending}").exists():
            print(f"{program.name:28} not made")
            continue
        try:
            found = row(program, arguments.heaplens, arguments.dumps)
        except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            failed += 1
            print(f"{program.name:28} failed: {error}")
            continue
        if program.is_healthy:
            healthy += 1
            alarms += found["alarms"]
            print(f"{program.name:28} {found['alarms']:>4} {'':4} {'':4} {found['s']:5.1f}  {found['title'][:110]}")
            continue
        leaks += 1
        first_one += found["one"] == 1
        first_two += found["two"] == 1
        first_diff += found["diff"] == 1
        print(f"{program.name:28} {found['one'] or '-':>4} {found['two'] or '-':>4} {found['diff'] or '-':>4} {found['s']:5.1f}  {found['title'][:110]}")
    print(f"\nholder first: {first_one} of {leaks} with one dump, {first_two} of {leaks} with two, "
          f"{first_diff} of {leaks} as owner of growth; "
          f"{alarms} false alarms in {healthy} healthy programs; {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
