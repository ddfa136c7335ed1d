#!/usr/bin/env python3
"""Makes the dumps of the corpus: OUT/NAME/before and after, .hprof or .heapsnapshot.

  make.py --libraries LIBRARIES --output OUT [PROGRAM...]

Programs that need a library that is not there are named and left out.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

from programs import FOLDER, Program, programs

LIMIT = 180  # seconds for a program

# Compacts the whole heap each time: otherwise dead space remains in a dump as unreachable `int[]` fillers.
COLLECTOR = ("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1")


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


def compile_program(program: Program, path: str, classes: str, folder: pathlib.Path, environment: dict[str, str]) -> None:
    """Compiles Corpus.java, and then the program, which may be in another language."""
    javac = ["javac", "-nowarn", "-proc:none", "-cp", path, "-d", classes]
    shared, file = str(FOLDER / "java" / "Corpus.java"), str(program.file)
    if program.language == "java":
        run([*javac, shared, file], folder, environment)
        return
    run([*javac, shared], folder, environment)
    # Debian's script groovyc fails without JAVA_HOME: its class is called instead.
    compiler = {
        "groovy": ["java", "-cp", f"{classes}:{path}", "org.codehaus.groovy.tools.FileSystemCompiler"],
        "kotlin": ["kotlinc"],
    }[program.language]
    run([*compiler, "-cp", f"{classes}:{path}", "-d", classes, file], folder, environment)


def make(program: Program, libraries: pathlib.Path, output: pathlib.Path) -> None:
    folder = output / program.name
    folder.mkdir(parents=True, exist_ok=True)
    files = [str((folder / f"{which}{program.ending}").resolve()) for which in ("before", "after")]
    environment = dict(os.environ)
    if program.language != "js":
        path = ":".join(archives(program, libraries))
        with tempfile.TemporaryDirectory() as classes:
            compile_program(program, path, classes, folder, environment)
            # Functions of a Kotlin file are in a class named after it.
            name = f"{program.name}Kt" if program.language == "kotlin" else program.name
            run(["java", f"-Xmx{program.first('heap', '512m')}", *COLLECTOR, *program.words("options"),
                 "-cp", f"{classes}:{path}", name, *files], folder, environment)
    else:
        environment["NODE_PATH"] = str((libraries / "js" / "node_modules").resolve())
        run(["node", "--expose-gc", str(program.file), *files], folder, environment)
    for file in files:
        if not os.path.exists(file):
            raise RuntimeError(f"{file} was not written")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", type=pathlib.Path, required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    parser.add_argument("programs", nargs="*")
    arguments = parser.parse_args()
    failed = 0
    for program in programs(arguments.programs):
        try:
            make(program, arguments.libraries.resolve(), arguments.output)
            print(f"{program.name}: made", flush=True)
        except (FileNotFoundError, RuntimeError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"{program.name}: {error}", file=sys.stderr, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
