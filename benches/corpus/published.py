#!/usr/bin/env python3
"""Published leaks of npm packages: installs the versions that had them, makes the snapshots, ranks the holders.

  published.py --libraries LIBRARIES --output OUT make  [PROGRAM...]
  published.py --libraries LIBRARIES --output OUT fixed [PROGRAM...]
  published.py --output OUT rank --heaplens PROGRAM [--set tuned|aside] [PROGRAM...]

`make` installs the packages of the line `//: package` into LIBRARIES/published/NAME@VERSION, and writes OUT/PROGRAM/before.heapsnapshot and
after.heapsnapshot with Node.js as it is, without an option.
`fixed` runs the programs with the versions of the line `//: fixed` instead, and prints how much both grew between the two snapshots.
`rank` prints the ranks of the holder as rank.py does: with one snapshot, with two, as growing owner. For each the first name follows.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import FOLDER, Program
from rank import TOP, ask, rank, told

LIMIT = 180  # seconds for a program, and for an installation


def programs(names: list[str], chosen: str | None) -> list[Program]:
    """All programs, those with these names, or those of a set."""
    found = [Program(file) for file in sorted((FOLDER / "published" / "js").glob("*.js"))]
    unknown = set(names) - {program.name for program in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    return [program for program in found
            if (not names or program.name in names) and (not chosen or program.first("set") == chosen)]


def install(packages: list[str], libraries: pathlib.Path) -> pathlib.Path:
    """The folder `node_modules` with these packages; scripts of packages are not run."""
    folder = libraries / "published" / "+".join(packages).replace("/", "_")
    if not (folder / "node_modules").exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        # Old packages name peers that are newer than themselves.
        command = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--silent", *packages]
        ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LIMIT)
        if ended.returncode:
            shutil.rmtree(folder)
            raise RuntimeError(f"npm: {(ended.stderr or ended.stdout).strip()[-400:]}")
    return (folder / "node_modules").resolve()


def run(program: Program, modules: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """Runs a program; returns its snapshots, the earlier first."""
    folder.mkdir(parents=True, exist_ok=True)
    files = [(folder / f"{which}{program.ending}").resolve() for which in ("before", "after")]
    command = ["node", str(program.file), *map(str, files)]
    environment = {**os.environ, "NODE_PATH": str(modules)}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode or not all(file.exists() for file in files):
        raise RuntimeError(f"status {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-600:]}")
    return files


def make(program: Program, arguments: argparse.Namespace) -> None:
    run(program, install(program.words("package"), arguments.libraries), arguments.output / program.name)
    print(f"{program.name}: made", flush=True)


def bytes_of(snapshot: pathlib.Path) -> int:
    """Bytes of all nodes of a snapshot."""
    with open(snapshot, encoding="utf-8") as file:
        content = json.load(file)
    fields = content["snapshot"]["meta"]["node_fields"]
    return sum(content["nodes"][fields.index("self_size")::len(fields)])


def compare(program: Program, arguments: argparse.Namespace) -> None:
    """Prints how many bytes the heap grew with the version that leaks, and with the one that does not."""
    grown = []
    for key in ("package", "fixed"):
        if not program.words(key):
            grown.append("not known")
            continue
        with tempfile.TemporaryDirectory() as folder:
            before, after = run(program, install(program.words(key), arguments.libraries), pathlib.Path(folder))
            grown.append(f"{(bytes_of(after) - bytes_of(before)) / 1e6:+.2f} MB")
    print(f"{program.name:28} {program.first('package'):40} {grown[0]:>10}   {program.first('fixed', '-'):40} {grown[1]:>10}", flush=True)


def snapshot(file: pathlib.Path) -> str:
    """A snapshot, or the same compressed."""
    compressed = file.with_name(f"{file.name}.gz")
    return str(compressed if compressed.exists() and not file.exists() else file)


def rank_holder(program: Program, arguments: argparse.Namespace) -> dict[str, tuple[int | None, str]]:
    """Rank of the holder and first name, by kind of question."""
    before, after = (snapshot(arguments.output / program.name / f"{which}{program.ending}") for which in ("before", "after"))
    questions = {
        "one": [told(finding) for finding in ask(arguments.heaplens, "leaks", after)["findings"]],
        "two": [told(finding) for finding in ask(arguments.heaplens, "leaks", after, "--before", before)["findings"]],
        "diff": [owner["owner"] for owner in ask(arguments.heaplens, "diff", "--top", TOP, before, after)["owners"]],
    }
    return {kind: (rank(names, program.first("holder")), names[0] if names else "") for kind, names in questions.items()}


def print_ranks(program: Program, arguments: argparse.Namespace) -> dict:
    found = rank_holder(program, arguments)
    ranks = " ".join(f"{place or '-':>4}" for place, _ in found.values())
    print(f"{program.name:24} {program.first('issue'):44} {ranks}", flush=True)
    for kind, (_, name) in found.items():
        print(f"    {kind:5} {name.replace(chr(10), ' | ')[:170]}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=lambda path: pathlib.Path(path).resolve(), default=pathlib.Path("libraries").resolve())
    parser.add_argument("--output", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("action", choices=("make", "fixed", "rank"))
    parser.add_argument("--heaplens")
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_intermixed_args()
    if arguments.action == "rank" and not arguments.heaplens:
        parser.error("rank needs --heaplens")
    action = {"make": make, "fixed": compare, "rank": print_ranks}[arguments.action]
    failed, ranked = 0, []
    for program in programs(arguments.programs, arguments.set):
        try:
            ranked.append(action(program, arguments))
        except (OSError, RuntimeError, json.JSONDecodeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    if arguments.action == "rank":
        first = {kind: sum(found[kind][0] == 1 for found in ranked) for kind in ("one", "two", "diff")}
        print(f"\nholder first: {first['one']} of {len(ranked)} with one snapshot, {first['two']} with two, {first['diff']} as owner of growth")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
