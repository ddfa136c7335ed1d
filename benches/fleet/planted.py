#!/usr/bin/env python3
"""Compares what `cargo run -p heaplens_testkit --example fleet` planted with what heaplens found in the digests.

    planted.py HEAPLENS DUMPS DIGESTS

Prints each planted leak by version: dumps that have it, and dumps in which it was found. Damaged dumps do not count.
"""
import collections
import json
import subprocess
import sys
from pathlib import Path


def main(program, dumps, digests):
    def ask(*arguments):
        answer = subprocess.run([program, "fleet", digests, *arguments, "--format", "json"], check=True, capture_output=True, text=True)
        return json.loads(answer.stdout)["rows"]

    status = {dump["dump"]: dump["status"] for dump in ask("--query", "SELECT dump, status FROM dumps")}
    truth = [json.loads(line) for line in (Path(dumps) / "truth.jsonl").read_text().splitlines()]
    planted, lost, wrong = collections.Counter(), [], []
    expected = {"": "read", "truncated": "incomplete", "noise": "unreadable", "hostile": "unreadable"}
    for dump in truth:
        found = next((known for name, known in status.items() if name.endswith(dump["dump"])), None)
        if found is None:
            lost.append(dump["dump"])
        elif found != expected[dump["damage"]]:
            wrong.append((dump["dump"], dump["damage"], found))
        for leak in dump["leaks"] if found == "read" else []:
            planted[leak, dump["version"]] += 1
    found = collections.Counter()
    rows = ask("--query", "SELECT name, version, count(DISTINCT dump) AS dumps FROM findings WHERE section = 'leak' AND status = 'read' GROUP BY name, version")
    for row in rows:
        found[row["name"], row["version"]] = row["dumps"]
    versions = sorted({version for _, version in planted}, key=lambda version: [int(part) for part in version.split(".")])
    print("| leak | " + " | ".join(versions) + " |\n|---|" + "--:|" * len(versions))
    missed = 0
    for leak in sorted({leak for leak, _ in planted}):
        cells = [(planted[leak, version], found[leak, version]) for version in versions]
        missed += sum(has != got for has, got in cells)
        print(f"| {leak} | " + " | ".join(f"{got} of {has}" if has or got else "" for has, got in cells) + " |")
    print(f"\n{len(truth)} dumps, {len(lost)} lost, {len(wrong)} with another status than expected, {missed} cells differ")
    for name in [*lost, *wrong]:
        print(name)
    sys.exit(bool(lost or wrong or missed))


if __name__ == "__main__":
    main(*sys.argv[1:])
