#!/usr/bin/env python3
"""What heaplens says of the recorded runs: BIN RUNS.

For each run: resident memory, the explained share with and without native memory tracking, whether the owner with most
native bytes is the holder that the program has, and the sentence."""
import json
import pathlib
import subprocess
import sys

TEXTS = ["smaps", "status", "flags.txt", "heap_info.txt", "metaspace.txt", "codecache.txt", "report.json"]


def process(binary, dump, texts):
    options = [word for text in texts for word in ("--with", str(text))]
    command = [binary, "process", "--no-cache", "--format", "json", str(dump), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


def explained(answer):
    resident = answer["resident_bytes"]
    return None if not resident else 1 - answer["unexplained_bytes"] / resident


def dump_of(folder):
    return next((path for path in sorted(folder.glob("dump.h*")) if not path.name.endswith(".json")), None)


def score(binary, run):
    texts = [run / text for text in TEXTS if (run / text).exists()]
    tracked = [run / "nmt.txt"] if (run / "nmt.txt").exists() else []
    answer = process(binary, dump_of(run), texts + tracked)
    other = run / "without-nmt"
    without = None
    if dump_of(other):
        without = process(binary, dump_of(other), [other / text for text in TEXTS if (other / text).exists()])
    truth = json.loads((run / "truth.json").read_text())
    first = answer["owners"][0] if answer["owners"] else {"owner": None, "native_bytes": 0}
    share = lambda of: "–" if of is None or explained(of) is None else f"{explained(of):.1%}"
    print(f"{run.name}: {answer['resident_bytes'] / 1e6:.1f} MB, explained {share(answer)}, without tracking {share(without)}")
    print(f"  first owner {first['owner']} {first['native_bytes'] or 0:,}; truth {truth.get('holder')} {truth.get('native_bytes')}")
    print(f"  {answer['sentence']}")
    return answer


def main():
    binary, runs = sys.argv[1], pathlib.Path(sys.argv[2])
    for run in sorted(path for path in runs.iterdir() if (path / "truth.json").exists()):
        score(binary, run)


main()
