#!/usr/bin/env python3
"""Makes the dumps of the corpus: OUT/NAME@RUNTIME/before and after, .hprof or .heapsnapshot.

  make.py --libraries LIBRARIES --output OUT [--runtimes g1-17,zgc-25,v8-22] [PROGRAM...]

Programs that need a library that is not there are named and left out; so is a runtime that cannot run a program.
"""
import argparse
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from programs import FOLDER, Program, programs
from runtimes import Runtime, runtimes

LIMIT = 180  # seconds for a program
KINDS = {"js": 6, "java": 10}  # kinds of decoys


def archives(program: Program, libraries: pathlib.Path) -> list[str]:
    """Files of the class path; raises FileNotFoundError for a pattern without a file."""
    found = []
    for pattern in program.words("jars"):
        folders = (libraries / "java", pathlib.Path("/usr/share/java"))
        files = next((sorted(f.glob(pattern)) for f in folders if list(f.glob(pattern))), [])
        if not files:
            raise FileNotFoundError(pattern)
        found += [str(file) for file in files]
    return found


def run(command: list[str], folder: pathlib.Path, environment: dict[str, str]) -> None:
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LIMIT)
    if ended.returncode:
        raise RuntimeError(f"status {ended.returncode}: {(ended.stderr or ended.stdout).strip()[-600:]}")


def compress(file: pathlib.Path) -> None:
    """Replaces a file by its compressed form, with the ending `.gz` more."""
    with open(file, "rb") as source, gzip.open(f"{file}.gz", "wb", compresslevel=1) as target:
        shutil.copyfileobj(source, target, 1 << 20)
    file.unlink()


def compile_program(program: Program, path: str, classes: str, javac: str) -> None:
    """Compiles what all programs share, and then the program, which may be in another language."""
    folder, environment = pathlib.Path(classes), dict(os.environ)
    compiler = [javac, "-nowarn", "-proc:none", "-cp", path, "-d", classes]
    shared, file = [str(FOLDER / "java" / f"{name}.java") for name in ("Corpus", "Decoys")], str(program.file)
    if program.language == "java":
        run([*compiler, *shared, file], folder, environment)
        return
    run([*compiler, *shared], folder, environment)
    # Debian's script groovyc fails without JAVA_HOME: its class is called instead.
    compiler = {
        "groovy": ["java", "-cp", f"{classes}:{path}", "org.codehaus.groovy.tools.FileSystemCompiler"],
        "kotlin": ["kotlinc"],
    }[program.language]
    run([*compiler, "-cp", f"{classes}:{path}", "-d", classes, file], folder, environment)


def decoy(program: Program, which: str) -> str:
    """The decoy of a program by lot, `KIND,MB,start|lazy`, two to five times its leak, above 40 MB twice; empty for the half without one."""
    if which == "none" or program.is_page or (which == "half" and program.hash % 2):
        return ""
    lot = program.hash >> 1
    kind = (lot >> 2) % KINDS["js" if program.language == "js" else "java"]
    leak = float(program.first("leak", "2"))
    size = max(2 * leak, min((2 + lot % 4) * leak, 40))
    return f"{kind},{size:.1f},{'lazy' if lot >> 8 & 1 else 'start'}"


def dump_tool(program: Program) -> str:
    """How users make the dump: most through the bean, one in five with jcmd, one in ten with unreachable objects."""
    return ["jcmd", "jcmd", "jcmd-all", *["bean"] * 7][(program.hash >> 12) % 10]


def make(program: Program, runtime: Runtime, path: str, arguments: argparse.Namespace) -> None:
    folder = arguments.output / f"{program.name}@{runtime.name}"
    folder.mkdir(parents=True, exist_ok=True)
    files = [(folder / f"{which}{program.ending}").resolve() for which in ("before", "after")]
    chosen = decoy(program, arguments.decoys)
    environment = {**os.environ, "CORPUS_DECOY": chosen}
    command = runtime.command(program.first("heap"))
    if runtime.is_jvm:
        # Functions of a Kotlin file are in a class named after it.
        name = f"{program.name}Kt" if program.language == "kotlin" else program.name
        command += [*program.words("options"), f"-Dcorpus.decoy={chosen}", f"-Dcorpus.dump={dump_tool(program)}", "-cp", path, name]
    else:
        environment["NODE_PATH"] = str((arguments.libraries / "js" / "node_modules").resolve())
        command.append(str(program.file))
    run([*command, *map(str, files)], folder, environment)
    for file in files:
        if not file.exists():
            raise RuntimeError(f"{file} was not written")
        if arguments.gzip:
            compress(file)


def make_all(program: Program, chosen: list[Runtime], arguments: argparse.Namespace) -> int:
    """Compiles a program once and runs it on each runtime; returns the number of failures."""
    failed = 0
    with tempfile.TemporaryDirectory() as classes:
        path = ""
        try:
            if program.language != "js":
                path = ":".join(archives(program, arguments.libraries))
                # The oldest JDK compiles: the others run its classes.
                javac = min(chosen, key=lambda runtime: int(runtime.version)).path / "javac"
                compile_program(program, path, classes, str(javac))
            for runtime in chosen:
                try:
                    make(program, runtime, f"{classes}:{path}", arguments)
                    print(f"{program.name}@{runtime.name}: made", flush=True)
                except (RuntimeError, subprocess.TimeoutExpired) as error:
                    failed += 1
                    print(f"{program.name}@{runtime.name}: {error}", file=sys.stderr, flush=True)
        except (FileNotFoundError, RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("--runtimes", default="serial-17,v8-20", help="COLLECTOR-JDK or v8-NODE, separated by commas")
    parser.add_argument("--jdk", action="append", default=[], metavar="VERSION=PATH", help="a JDK that is not in /usr/lib/jvm")
    parser.add_argument("--decoys", choices=("half", "all", "none"), default="half", help="programs with a decoy")
    parser.add_argument("--gzip", action="store_true", help="compress the dumps")
    parser.add_argument("--set", choices=("tuned", "aside"))
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    arguments.libraries = arguments.libraries.resolve()
    paths = {version: pathlib.Path(path) for version, _, path in (word.partition("=") for word in arguments.jdk)}
    try:
        known = runtimes(arguments.runtimes, arguments.libraries, paths)
    except ValueError as error:
        parser.error(str(error))
    failed = 0
    for program in programs(arguments.programs, arguments.set):
        # A page runs in Chromium, whatever the version of Node.js that drives it.
        chosen = [runtime for runtime in known if runtime.is_jvm == (program.language != "js")][:1 if program.is_page else None]
        if chosen:
            failed += make_all(program, chosen, arguments)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
