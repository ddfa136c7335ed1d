#!/usr/bin/env python3
"""Published leaks of npm packages: installs the versions that had them and makes the snapshots. rank.py ranks the holders.

  published.py --libraries LIBRARIES --output OUT make  [PROGRAM...]
  published.py --libraries LIBRARIES fixed [PROGRAM...]

`make` installs the packages of the line `//: package` into LIBRARIES/published/NAME@VERSION, and writes OUT/PROGRAM@v8-VERSION/before.heapsnapshot and
after.heapsnapshot with Node.js as it is, without an option.
`fixed` runs the programs with the versions of the line `//: fixed` instead, and prints how much both grew between the two snapshots.
"""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import Program, programs

LIMIT = 180  # seconds for a program, and for an installation


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


def node_version() -> str:
    """Major version of Node.js on the path."""
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return version.strip().lstrip("v").partition(".")[0]


def make(program: Program, arguments: argparse.Namespace) -> None:
    run(program, install(program.words("package"), arguments.libraries), arguments.output / f"{program.name}@v8-{node_version()}")
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--output", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("action", choices=("make", "fixed"))
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_intermixed_args()
    action = {"make": make, "fixed": compare}[arguments.action]
    failed = 0
    for program in programs(arguments.programs, arguments.set, "published/"):
        if program.language != "js":
            continue
        try:
            action(program, arguments)
        except (OSError, RuntimeError, json.JSONDecodeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
