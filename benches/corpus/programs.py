"""The programs of the corpus, and what their first lines say."""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
# Languages of the Java virtual machine, by ending: all share java/Corpus.java.
JVM = {".java": "java", ".groovy": "groovy", ".kt": "kotlin"}
# Files that programs share.
SHARED = {"Corpus", "corpus", "page", "values"}
KEYS = {"jars", "libraries", "holder", "own", "set", "heap", "options"}


class Program:
    """A program: `name`, `file`, and its lines by key."""

    def __init__(self, file: pathlib.Path):
        self.file = file.resolve()
        self.name = file.stem
        self.language = JVM.get(file.suffix, "js")
        self.ending = ".hprof" if file.suffix in JVM else ".heapsnapshot"
        self.lines: dict[str, str] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            if not line.startswith("//"):
                break
            if line.startswith("//:"):
                key, _, value = line[3:].strip().partition(" ")
                if key not in KEYS:
                    sys.exit(f"{file}: unknown key {key}")
                self.lines[key] = value.strip()
        if self.lines.get("set") not in ("tuned", "aside"):
            sys.exit(f"{file}: no set")

    def first(self, key: str, otherwise: str = "") -> str:
        return self.lines.get(key, otherwise)

    def words(self, key: str) -> list[str]:
        return self.first(key).split()

    @property
    def is_healthy(self) -> bool:
        return "holder" not in self.lines


def programs(names: list[str]) -> list[Program]:
    """All programs, or those with these names."""
    endings = {**JVM, ".js": "js"}
    files = [file for ending, folder in endings.items() for file in sorted(FOLDER.glob(f"{folder}/*{ending}"))]
    found = [Program(file) for file in files if file.stem not in SHARED]
    unknown = set(names) - {program.name for program in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    return [program for program in found if not names or program.name in names]
