#!/usr/bin/env python3
"""Published memory leaks of projects for the Java virtual machine: fetches the versions that had them, makes the dumps, and ranks the holders.

  published_jars.py fetch --packages PACKAGES [PROGRAM...]
  published_jars.py make --packages PACKAGES --output OUT [PROGRAM...]
  published_jars.py rank --heaplens PROGRAM --dumps OUT [--set tuned|aside] [PROGRAM...]

Programs are in published/java. A healthy program of java/ or js/ that is named is made and ranked, too. All run with the defaults of the virtual machine:
no option chooses a collector. Dumps are OUT/NAME@g1-17/before.hprof.gz and after.hprof.gz.
"""
import argparse
import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import programs
from programs import FOLDER, Program

programs.KEYS |= {"issue", "version", "from", "java"}

LIMIT = 180  # seconds for a program or a question
ALARM = 0.5  # certainty from which a finding about a healthy program is an alarm


def selected(names: list[str], set_name: str | None = None) -> list[Program]:
    """Published programs, or the programs of all folders with these names."""
    patterns = ("published/java/*.java",) + (("java/*.java", "js/*.js") if names else ())
    found = [Program(file) for pattern in patterns for file in sorted(FOLDER.glob(pattern))
             if not names or file.stem in names]
    unknown = set(names) - {program.name for program in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    return [program for program in found if set_name in (None, program.first("set"))]


def folder_of(source: str) -> str:
    """Folder of a package, such as `pyspark-3.1.1` for `pypi pyspark 3.1.1`."""
    return "-".join(source.split()[1:]).replace("/", "-")


def fetch(program: Program, packages: pathlib.Path) -> None:
    """Gets the packages of a program from their registries and takes the archives out of them."""
    packages.mkdir(parents=True, exist_ok=True)
    for source in program.first("from").split(", "):
        registry, *words = source.split()
        folder = packages / folder_of(source)
        if registry == "debian":
            subprocess.run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *words], check=True)
            continue
        if registry not in ("pypi", "npm") or folder.exists():
            continue
        with tempfile.TemporaryDirectory(dir=packages) as work:
            name = "@".join(words) if registry == "npm" else "==".join(words)
            client = ["npm", "pack", "--silent", name] if registry == "npm" else ["pip", "download", "--no-deps", name]
            # The setup of old versions of pyspark calls pandoc by a function that newer versions of pypandoc lack.
            constraint = packages / "constraint.txt"
            constraint.write_text("pypandoc<1.8\n", encoding="utf-8")
            subprocess.run(client, cwd=work, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "PIP_CONSTRAINT": str(constraint)})
            (package,) = pathlib.Path(work).iterdir()
            inside = pathlib.Path(work) / "inside"
            shutil.unpack_archive(package, inside, "zip" if package.suffix == ".whl" else "gztar")
            package.unlink()
            inside.rename(folder)
        print(f"{folder.name}: fetched", flush=True)


def class_path(program: Program, packages: pathlib.Path) -> list[str]:
    """Files of the class path: patterns of `jars`, in the packages of the program or among those of Debian."""
    roots = [packages / folder_of(source) for source in program.first("from").split(", ") if source] + [pathlib.Path("/usr/share/java")]
    files: list[str] = []
    for pattern in program.words("jars"):
        found = next((sorted(root.rglob(pattern)) for root in roots if root.is_dir() and any(root.rglob(pattern))), [])
        if not found:
            raise FileNotFoundError(f"{program.name}: {pattern}")
        files += map(str, found)
    return files


def run(command: list[str], environment: dict[str, str]) -> None:
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-900:]}")


def java_of(program: Program, packages: pathlib.Path) -> str:
    """The program `java`: of JDK 17, of the JDK in /usr/lib/jvm whose name contains `java`, or of a package."""
    version = program.first("java", "17")
    folders = [packages / version] if (packages / version).exists() else sorted(pathlib.Path("/usr/lib/jvm").glob(f"*{version}*"))
    for folder in folders:
        for file in folder.rglob("bin/java"):
            file.chmod(0o755)
            return str(file)
    raise FileNotFoundError(f"{program.name}: no Java {version}")


def make(program: Program, packages: pathlib.Path, output: pathlib.Path) -> None:
    folder = output / f"{program.name}@{'v8-20' if program.language == 'js' else 'g1-17'}"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder.resolve() / f"{which}{program.ending}" for which in ("before", "after")]
    environment = dict(os.environ)
    if program.language == "js":
        environment["NODE_PATH"] = str((packages / "js" / "node_modules").resolve())
        run(["node", "--expose-gc", str(program.file), *map(str, files)], environment)
    else:
        path = ":".join(class_path(program, packages))
        java = java_of(program, packages)
        with tempfile.TemporaryDirectory() as classes:
            shared = [str(FOLDER / "java" / name) for name in ("Corpus.java", "Decoys.java") if (FOLDER / "java" / name).exists()]
            run(["javac", "-nowarn", "-proc:none", "-cp", path or ".", "-d", classes, *shared, str(program.file)], environment)
            run([java, f"-Xmx{program.first('heap', '256m')}", *program.words("options"), "-cp", f"{classes}:{path}", program.name, *map(str, files)],
                environment)
    for file in files:
        with open(file, "rb") as source, gzip.open(f"{file}.gz", "wb", compresslevel=1) as target:
            shutil.copyfileobj(source, target, 1 << 20)
        file.unlink()


def ask(heaplens: str, *words: str) -> dict:
    ended = subprocess.run([heaplens, *words, "--no-cache", "--format", "json"], capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode or not ended.stdout:
        raise RuntimeError(ended.stderr.strip()[-300:])
    return json.loads(ended.stdout)


def text_of(finding: dict) -> str:
    return finding.get("owner") or f"{finding.get('label') or ''}\n{finding.get('title') or ''}"


def rank_of(findings: list[dict], program: Program) -> int | str:
    """Rank of the first finding that names the holder, `-` if none does."""
    pattern = re.compile(program.first("holder"))
    return next((at for at, finding in enumerate(findings, 1) if pattern.search(text_of(finding))), "-")


def alarms(findings: list[dict]) -> list[dict]:
    return [finding for finding in findings if finding["group"] == "leak" and (finding["certainty"] or 0) >= ALARM]


def title_of(finding: dict) -> str:
    certainty = finding.get("certainty")
    return f"{'' if certainty is None else f'{certainty:.2f} '}{(finding.get('title') or finding.get('owner') or '')[:120]}"


def rank(program: Program, heaplens: str, dumps: pathlib.Path) -> tuple[list, list[dict]]:
    """Cells of the table, and the alarms of a healthy program."""
    (folder,) = dumps.glob(f"{program.name}@*")
    before, after = (str(folder / f"{which}{program.ending}.gz") for which in ("before", "after"))
    one = ask(heaplens, "leaks", after)["findings"]
    two = ask(heaplens, "leaks", after, "--before", before)["findings"]
    if program.is_healthy:
        raised = alarms(one)
        return [len(raised), len(alarms(two)), "", title_of(raised[0] if raised else {})], raised + alarms(two)
    owners = ask(heaplens, "diff", "--top", "60", before, after)["owners"]
    return [rank_of(one, program), rank_of(two, program), rank_of(owners, program), title_of(one[0] if one else {})], []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("fetch", "make", "rank"))
    parser.add_argument("--packages", type=pathlib.Path)
    parser.add_argument("--output", "--dumps", type=pathlib.Path)
    parser.add_argument("--heaplens")
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_intermixed_args()
    failed = 0
    if arguments.task == "rank":
        print(f"{'program':30} {'one':>4} {'two':>4} {'diff':>4}  first finding with one dump; an alarm, if the program is healthy")
    for program in selected(arguments.programs, arguments.set):
        try:
            if arguments.task == "fetch":
                fetch(program, arguments.packages.resolve())
            elif arguments.task == "make":
                make(program, arguments.packages.resolve(), arguments.output)
                print(f"{program.name}: made", flush=True)
            elif any(arguments.output.glob(f"{program.name}@*/after*")):
                cells, _ = rank(program, arguments.heaplens, arguments.output)
                print(f"{program.name:30} {cells[0]:>4} {cells[1]:>4} {cells[2]:>4}  {cells[3]}", flush=True)
        except (FileNotFoundError, RuntimeError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
