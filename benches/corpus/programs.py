"""The programs of the corpus, and what their first lines say."""
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent
KEYS = {"jars", "libraries", "holder", "own", "set", "heap"}


class Program:
    """A program: `name`, `file`, and its lines by key."""

    def __init__(self, file: pathlib.Path):
        self.file = file.resolve()
        self.name = file.stem
        self.is_java = file.suffix == ".java"
        self.ending = ".hprof" if self.is_java else ".heapsnapshot"
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
    files = sorted(FOLDER.glob("java/*.java")) + sorted(FOLDER.glob("js/*.js"))
    found = [Program(file) for file in files if file.stem not in ("Corpus", "corpus")]
    unknown = set(names) - {program.name for program in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    return [program for program in found if not names or program.name in names]
