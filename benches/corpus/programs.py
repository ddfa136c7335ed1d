"""The programs of the corpus, what their first lines say, and the folders of their dumps."""
import pathlib
import re
import sys
import zlib

FOLDER = pathlib.Path(__file__).parent
# Languages of the Java virtual machine, by ending: all share java/Corpus.java.
JVM = {".java": "java", ".groovy": "groovy", ".kt": "kotlin"}
# Files that programs share.
SHARED = {"Corpus", "Decoys", "corpus", "decoys", "page", "values"}
KEYS = {"jars", "libraries", "holder", "own", "set", "heap", "options", "leak", "package", "issue", "fixed", "version", "from", "java"}
# Fields and variables that hold the decoys: a finding about one never names the holder of a leak.
DECOYS = re.compile("|".join(
    field for file in ("java/Decoys.java", "js/decoys.js")
    for field in re.findall(r"^    static (?:.*[>\]] )?(\w+) = ", (FOLDER / file).read_text(encoding="utf-8"), re.M)))


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

    @property
    def is_page(self) -> bool:
        return self.name.startswith("page-")

    @property
    def hash(self) -> int:
        """A number that depends on the name alone: what is drawn by lot for a program stays the same."""
        return zlib.crc32(self.name.encode())

    def is_holder(self, text: str) -> bool:
        """Whether a finding that says `text` names the holder: as `Class.field`, or by the field alone, as in `router.geocoder.byUrl`."""
        if self.is_healthy or DECOYS.search(text):
            return False
        holder = self.first("holder")
        several = re.findall(r"\\\.\(([^)]*)\)", holder)
        fields = re.findall(r"\\\.(\w+)", holder) + [field for group in several for field in group.split("|")]
        return bool(re.search("|".join([holder, *(rf"\.{field}\b" for field in fields)]), text))


class Pair:
    """Two dumps of one process: OUT/NAME@RUNTIME/before and after, perhaps compressed; OUT/NAME was made by a single runtime."""

    def __init__(self, program: Program, folder: pathlib.Path):
        self.program = program
        self.folder = folder
        self.runtime = folder.name.partition("@")[2] or ("v8" if program.language == "js" else "serial")
        # `g1-17` and `g1-25` are one collector.
        self.collector = self.runtime.rpartition("-")[0] or self.runtime

    def file(self, which: str) -> str:
        files = (self.folder / f"{which}{self.program.ending}{more}" for more in ("", ".gz"))
        return str(next((file for file in files if file.exists()), ""))


def programs(names: list[str], set_name: str | None = None, below: str = "") -> list[Program]:
    """All programs, or those with these names, of both sets or of one: those of the corpus, or with `published/` the published leaks."""
    endings = {**JVM, ".js": "js"}
    files = [file for ending, folder in endings.items() for file in sorted(FOLDER.glob(f"{below}{folder}/*{ending}"))]
    found = [Program(file) for file in files if file.stem not in SHARED]
    unknown = set(names) - {program.name for program in found}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    return [program for program in found
            if (not names or program.name in names) and set_name in (None, program.first("set"))]


def pairs(dumps: pathlib.Path, names: list[str], set_name: str | None = None) -> list[Pair]:
    """All pairs of dumps in a folder, of published leaks too, by runtime and program."""
    everything = [*programs([], set_name), *programs([], set_name, "published/")]
    unknown = set(names) - {program.name for program in everything}
    if unknown:
        sys.exit(f"no such program: {', '.join(sorted(unknown))}")
    found = [Pair(program, folder) for program in everything if not names or program.name in names
             for folder in (dumps / program.name, *sorted(dumps.glob(f"{program.name}@*")))]
    return sorted((pair for pair in found if pair.file("before") and pair.file("after")),
                  key=lambda pair: (pair.runtime, pair.program.name))
