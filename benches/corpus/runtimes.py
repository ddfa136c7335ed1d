"""The runtimes that run the programs: a collector and a JDK such as `g1-17`, or a version of Node.js such as `v8-20`."""
import pathlib
import re
import shutil
import subprocess

# Options of each collector. Serial compacts the whole heap each time: otherwise dead space remains in a dump as unreachable `int[]` fillers.
COLLECTORS = {
    "serial": ("-Xmx512m", "-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1"),
    # The default of the virtual machine where it has two processors and 2 GB, with the heap size that it chooses.
    "g1": (),
    # Many young collections, as after days of work.
    "g1-small": ("-Xmx512m", "-XX:+UseG1GC", "-Xmn12m"),
    # No young collection at all.
    "g1-large": ("-Xms4g", "-Xmx4g", "-Xmn3g", "-XX:+UseG1GC"),
    "parallel": ("-XX:+UseParallelGC",),
    "zgc": ("-XX:+UseZGC",),
    "shenandoah": ("-XX:+UseShenandoahGC",),
}


class Runtime:
    """A collector and the folder `bin` of its JDK, or `v8` and the program of Node.js."""

    def __init__(self, name: str, path: pathlib.Path):
        self.name = name
        self.collector, _, self.version = name.rpartition("-")
        self.path = path

    @property
    def is_jvm(self) -> bool:
        return self.collector != "v8"

    def command(self, heap: str) -> list[str]:
        """Start of a command line; `heap` is `-Xmx` of the program, if it needs one."""
        if not self.is_jvm:
            return [str(self.path), "--expose-gc"]
        options = COLLECTORS[self.collector]
        return [str(self.path / "java"), *options, *([f"-Xmx{heap}"] if heap and "-Xms4g" not in options else [])]


def jdks() -> dict[str, pathlib.Path]:
    """Installed JDKs by version: folder `bin`."""
    found = {}
    for release in sorted(pathlib.Path("/usr/lib/jvm").glob("*/release")):
        version = re.search(r'JAVA_VERSION="(\d+)', release.read_text(encoding="utf-8"))
        if version and (release.parent / "bin" / "javac").exists():
            found.setdefault(version[1], release.parent / "bin")
    return found


def nodes(libraries: pathlib.Path) -> dict[str, pathlib.Path]:
    """Programs of Node.js by version: the one on the path, and those of libraries.sh."""
    found = {}
    for file in filter(None, (shutil.which("node"), *sorted((libraries / "node").glob("*/node_modules/node/bin/node")))):
        version = subprocess.run([file, "--version"], capture_output=True, text=True, check=True).stdout
        found.setdefault(version.strip().lstrip("v").partition(".")[0], pathlib.Path(file))
    return found


def runtimes(names: str, libraries: pathlib.Path, paths: dict[str, pathlib.Path]) -> list[Runtime]:
    """Runtimes by names separated by commas; `paths` are JDKs by version, before those that are installed. Raises ValueError."""
    java = {**jdks(), **{version: path / "bin" for version, path in paths.items()}}
    node = nodes(libraries)
    found = []
    for name in names.split(","):
        collector, _, version = name.rpartition("-")
        known = node if collector == "v8" else java if collector in COLLECTORS else {}
        if version not in known:
            raise ValueError(f"no runtime {name}: collectors {', '.join(COLLECTORS)} on JDK {', '.join(sorted(java))}; v8 on Node.js {', '.join(sorted(node))}")
        found.append(Runtime(name, known[version]))
    return found
