#!/usr/bin/env python3
"""Compares the heap after cuts with that of a copy of the dump from which the references were removed.

oracle.py PROGRAM AFTER_CUTS DUMP…: PROGRAM is heaplens, AFTER_CUTS the example of that name of heaplens_dump. For every dump
the cut of the first finding, three references of large objects and, in HPROF, a field in all instances: a line for each.
"""
import gzip
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from hprof import Hprof
from snapshot import Snapshot

LARGE = 300


def run(*command) -> str:
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, timeout=300).stdout


def retained(after_cuts, dump, cuts=()) -> tuple[tuple, dict[str, int]]:
    """Freed objects and bytes, and retained sizes of reachable objects by id."""
    first, *lines = run(after_cuts, dump, *cuts).splitlines()
    return tuple(map(int, first.split()[1:])), {of: int(size) for of, size in (line.split() for line in lines)}


def number(text: str) -> int:
    return int(text[1:]) if text.startswith("@") else int(text, 16)


def edited(content: bytes, cuts: list[tuple]) -> bytes:
    if content.startswith(b"JAVA"):
        file = Hprof(content)
        for kind, *of in cuts:
            (file.remove_field if kind == "field" else file.remove_reference)(*of)
        return bytes(file.data)
    snapshot = Snapshot(content)
    for kind, *of in cuts:
        (snapshot.remove_object if kind == "object" else snapshot.remove_reference)(*of)
    return snapshot.write()


def text(cut: tuple, is_java: bool) -> str:
    kind, *of = cut
    if kind == "field":
        return ".".join(of)
    return ":".join(f"{part:#x}" if is_java else f"@{part}" for part in of)


def cut_sets(program, dump, content: bytes, before: dict[str, int]) -> list[tuple[str, list[tuple]]]:
    is_java = content.startswith(b"JAVA")
    file, choose = (Hprof if is_java else Snapshot)(content), random.Random(dump.name + dump.parent.name)
    findings = json.loads(run(program, "leaks", dump, "--format", "json"))["findings"]
    sets = []
    first = [cut for finding in findings for cut in [finding["cut"]] if cut and all(of["from"] and of["to"] for of in cut)][:1]
    sets += [("finding", [("reference", number(of["from"]), number(of["to"])) for of in cut]) for cut in first]
    large = sorted(before, key=lambda of: (-before[of], of))[:LARGE]
    pairs = [("reference", number(of), to) for of in large for to in file.references(number(of))]
    sets += [("reference", [pair]) for pair in choose.sample(pairs, min(3, len(pairs)))]
    if is_java:
        fields = [field for of in large if (field := file.field_of(number(of))) and not field[0].startswith("[")]
        sets += [("field", [("field", *choose.choice(fields))])] if fields else []
        sets.append(("ten", choose.sample(pairs, min(10, len(pairs)))))
    else:
        ids = [of for of in large if file.references(number(of))]
        sets += [("object", [("object", number(choose.choice(ids)))])] if ids else []
        sets.append(("ten", choose.sample(pairs, min(10, len(pairs)))))
    return sets


def check(program, after_cuts, dump: pathlib.Path) -> None:
    content = dump.read_bytes()
    content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
    is_java = content.startswith(b"JAVA")
    name = f"{dump.parent.name}/{dump.name}"
    _, before = retained(after_cuts, dump)
    for kind, cuts in cut_sets(program, dump, content, before):
        freed, derived = retained(after_cuts, dump, [text(cut, is_java) for cut in cuts])
        with tempfile.NamedTemporaryFile(suffix=".hprof" if is_java else ".heapsnapshot") as file:
            file.write(edited(content, cuts))
            file.flush()
            _, written = retained(after_cuts, file.name)
        unequal = [of for of in derived.keys() & written.keys() if derived[of] != written[of]]
        only_derived, only_written = derived.keys() - written.keys(), written.keys() - derived.keys()
        is_freed = freed[0] == len(before) - len(derived)
        print(f"| {name} | {len(before):,} | {kind} {text(cuts[0], is_java) if len(cuts) == 1 else len(cuts)} | {freed[0]:,} | "
              f"{len(unequal):,} | {len(only_derived):,} | {len(only_written):,} | {'' if is_freed else 'freed differs'}", flush=True)
        for of in sorted([*unequal, *only_derived, *only_written], key=number)[:3]:
            print("   ", of, before.get(of), derived.get(of), written.get(of), file=sys.stderr)


def main() -> None:
    print("| dump | objects | cut | freed objects | unequal retained sizes | only after the cut | only in the edited dump |")
    print("|---|---|---|---|---|---|---|")
    for dump in sys.argv[3:]:
        check(sys.argv[1], sys.argv[2], pathlib.Path(dump))


if __name__ == "__main__":
    main()
