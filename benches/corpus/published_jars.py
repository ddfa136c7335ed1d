#!/usr/bin/env python3
"""Published leaks of projects for the Java virtual machine: fetches the versions that had them and makes the dumps. rank.py ranks the holders.

  published_jars.py fetch --packages PACKAGES [PROGRAM...]
  published_jars.py make --packages PACKAGES --output OUT [PROGRAM...]

Programs are in published/java. All run with the defaults of the virtual machine: no option chooses a collector. Dumps are
OUT/NAME@g1-17/before.hprof.gz and after.hprof.gz.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from make import compress, run
from programs import FOLDER, Program, programs


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
    folder = output / f"{program.name}@g1-17"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder.resolve() / f"{which}{program.ending}" for which in ("before", "after")]
    path, environment = ":".join(class_path(program, packages)), dict(os.environ)
    with tempfile.TemporaryDirectory() as classes:
        shared = [str(FOLDER / "java" / name) for name in ("Corpus.java", "Decoys.java")]
        run(["javac", "-nowarn", "-proc:none", "-cp", path or ".", "-d", classes, *shared, str(program.file)], folder, environment)
        run([java_of(program, packages), f"-Xmx{program.first('heap', '256m')}", *program.words("options"),
             "-cp", f"{classes}:{path}", program.name, *map(str, files)], folder, environment)
    for file in files:
        compress(file)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=("fetch", "make"))
    parser.add_argument("--packages", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_intermixed_args()
    failed = 0
    for program in programs(arguments.programs, arguments.set, "published/"):
        if program.language == "js":
            continue
        try:
            if arguments.task == "fetch":
                fetch(program, arguments.packages.resolve())
            else:
                make(program, arguments.packages.resolve(), arguments.output)
                print(f"{program.name}: made", flush=True)
        except (FileNotFoundError, RuntimeError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
