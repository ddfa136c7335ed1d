"""What heaplens answers about a pair of dumps, asked once: ANSWERS/NAME@RUNTIME.json. Another program of heaplens needs another folder."""
import argparse
import json
import pathlib
import subprocess
import sys

from programs import Pair, pairs

LIMIT = 300  # seconds for a question
TOP = "60"  # growing owners asked for: a row names as many of its owners, which takes long for thousands
ALARM = 0.5  # certainty from which a finding about a healthy program is a false alarm


def ask(heaplens: str, *words: str) -> dict:
    ended = subprocess.run([heaplens, *words, "--no-cache", "--format", "json"], capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode or not ended.stdout:
        raise RuntimeError(ended.stderr.strip()[-300:] or f"status {ended.returncode}")
    return json.loads(ended.stdout)


def answers(pair: Pair, heaplens: str, folder: pathlib.Path) -> dict:
    """`one`: findings of the second dump alone; `two`: those with the first as the baseline; `diff`: growing owners of both."""
    file = folder / f"{pair.folder.name}.json"
    if not file.exists():
        before, after = pair.file("before"), pair.file("after")
        answer = {"one": ask(heaplens, "leaks", after)["findings"],
                  "two": ask(heaplens, "leaks", after, "--before", before)["findings"],
                  "diff": ask(heaplens, "diff", "--top", TOP, before, after)["owners"]}
        for finding in answer["one"] + answer["two"]:
            for key in ("path", "cut", "explanation"):
                finding.pop(key, None)
        answer["diff"] = [{"owner": owner["owner"], "bytes": owner["charged"]["bytes"]} for owner in answer["diff"]]
        file.write_text(json.dumps(answer), encoding="utf-8")
    return json.loads(file.read_text(encoding="utf-8"))


def text_of(finding: dict) -> str:
    """What a finding or an owner says first: the name of its holder, and its title."""
    return finding.get("owner") or f"{finding.get('label') or ''}\n{finding.get('title') or ''}"


def is_alarm(finding: dict) -> bool:
    return finding["group"] == "leak" and (finding["certainty"] or 0) >= ALARM


def arguments_of(documentation: str) -> argparse.Namespace:
    """Arguments that all measures have; makes the folder of answers."""
    parser = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heaplens", required=True)
    parser.add_argument("--dumps", type=pathlib.Path, required=True)
    parser.add_argument("--answers", type=pathlib.Path, required=True, help="folder for the answers of this program of heaplens")
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    arguments.answers.mkdir(parents=True, exist_ok=True)
    return arguments


def answered(arguments: argparse.Namespace):
    """Pairs with their answers; a pair that fails is named and left out."""
    for pair in pairs(arguments.dumps, arguments.programs, arguments.set):
        try:
            yield pair, answers(pair, arguments.heaplens, arguments.answers)
        except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            print(f"{pair.folder.name}: {error}", file=sys.stderr, flush=True)
