#!/usr/bin/env python3
"""Prints a table of recorded runs in MB (10^6 bytes). Usage: summary.py OUT"""

import json
import pathlib
import re
import sys

# Figure of freed.json that measures the native memory of a kind.
MEASURES = {
    "direct-buffer": "direct_bytes",
    "mapped-file": "mapped_bytes",
    "class-metadata": "pool Metaspace used",
    "code-cache": "code",
    "thread-stack": "nmt Thread committed",
    "heap": "heap_used",
    "external-string": "external",
    "webassembly-memory": "external",
    "array-buffer": "arrayBuffers",
    "zlib": "VmRSS",
    "malloc": "rss",
    "worker-thread": "rss",
}


def megabytes(value):
    return "-" if value is None else f"{value / 1e6:.1f}"


def number(pattern, path, unit=1024):
    found = re.search(pattern, path.read_text()) if path.exists() else None
    return int(found[1]) * unit if found else None


def heap_used(run):
    if (run / "node.json").exists():
        return json.loads((run / "node.json").read_text())["memoryUsage"]["heapUsed"]
    return number(r"used (\d+)K", run / "heap_info.txt")


def freed_bytes(run, kind):
    freed = json.loads((run / "freed.json").read_text())["freed_by_fix"]
    if kind == "code-cache":
        return sum(bytes for name, bytes in freed.items() if "CodeHeap" in name and "used" in name)
    return freed.get(MEASURES[kind], 0)


print("| run | RSS | anonymous | heap used | NMT committed | native (truth) | touched "
      "| freed by fix | freed RSS | dump | live dump |")
print("|---|" + "---:|" * 10)
for run in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    if not (run / "truth.json").exists():
        continue
    truth = json.loads((run / "truth.json").read_text())
    freed = json.loads((run / "freed.json").read_text())["freed_by_fix"]
    sizes = [
        path.stat().st_size if path.exists() else None
        for path in (
            run / ("dump.heapsnapshot" if "node" in truth else "dump.hprof"),
            run / "without-nmt" / "dump.hprof",
        )
    ]
    cells = [
        number(r"VmRSS:\s+(\d+)", run / "status"),
        number(r"RssAnon:\s+(\d+)", run / "status"),
        heap_used(run),
        number(r"Total: reserved=\d+KB, committed=(\d+)KB", run / "nmt.txt"),
        sum(truth.get(name) or 0 for name in ("native_bytes", "second_native_bytes")) or None,
        truth.get("touched_bytes"),
        freed_bytes(run, truth["kind"]),
        freed.get("VmRSS", freed.get("rss")),
        *sizes,
    ]
    print(f"| {run.name} | " + " | ".join(megabytes(cell) for cell in cells) + " |")
