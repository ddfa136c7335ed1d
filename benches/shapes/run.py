#!/usr/bin/env python3
"""Measures every command on costly shapes of dumps at doubled sizes, and prints a Markdown table of exponents.

  run.py HEAPLENS [--shapes TEXT] [--commands A,B] [--timeout 10] [--output benches/runs/DATE-shapes.md]

The commands are read from the program's own help: one without a line in `LINES` or `APART` is an error. The largest size
runs first. Processor seconds and peak resident memory (wait4), both less those of the command on an empty dump, that are
above `SECONDS` or `MEGABYTES` are measured at half, a quarter and an eighth of the size too, and the exponent is the slope
between the largest two that are above the noise. Without that a cost is not out of proportion at a size that is a million
times what a program of that shape would have. A run past the timeout counts as the time it had.
"""
import argparse
import concurrent.futures
import contextlib
import json
import math
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time

import shapes
from hprof import Dump

SECONDS, MEGABYTES = 0.6, 150
# Calls of the assistant's tools, all on the dump.
CALLS = [("overview", {}), ("leaks", {}), ("explain", {"object": "ID"}), ("histogram", {}), ("search", {"text": "e"}),
         ("query", {"sql": "SELECT max(length(name(id))) FROM objects"})]

# Arguments of each command: F is the dump, ID an object far from the roots, BIG the object that retains most, CLASS its
# class, DIGEST its digest, OUT a file to write.
LINES: dict[str, list[str]] = {
    "summary": ["summary F"],
    "leaks": ["leaks F"],
    "overview": ["overview F"],
    "histogram": ["histogram F", "histogram F --by superclass --format csv"],
    "dominators": ["dominators F", "dominators F --depth 100000 --format csv", "dominators F --fold", "dominators F --shared",
                   "dominators F --drops", "dominators F --owner"],
    "objects": ["objects F --format csv --owner"],
    "object": ["object F ID", "object F BIG --format json"],
    "references": ["references F BIG", "references F ID --in"],
    "related": ["related F --class CLASS"],
    "paths": ["paths F ID"],
    "diff": ["diff F F"],
    "check": ["check F --baseline OUT --accept"],
    "threads": ["threads F"],
    "roots": ["roots F", "roots F --ownership"],
    "route": ["route F BIG ID"],
    "kept": ["kept F ID"],
    "gaps": ["gaps F"],
    "sites": ["sites F"],
    "loaders": ["loaders F"],
    "finalizers": ["finalizers F"],
    "retained": ["retained F BIG ID"],
    "strings": ["strings F"],
    "search": ["search F e"],
    "secrets": ["secrets F"],
    "query": ["query F 'SELECT max(length(name(id))) FROM objects'", "query F 'SELECT * FROM \"CLASS\"' --format csv"],
    "export": ["export F -o OUT"],
    "digest": ["digest F"],
    "fleet": ["fleet DIGEST"],
    "mcp": ["mcp F"],
    "collections": ["collections F"],
    "bitmaps": ["bitmaps F"],
    "waste": ["waste F"],
    "javascript": ["javascript F"],
    "index": ["index F -o OUT"],
    "strip": ["strip F OUT --numbers --keys", "strip --check F --numbers --keys"],
}
# Commands that read no dump.
APART = {"take", "watch", "desktop", "generate", "version", "help"}


class Runner:
    def __init__(self, program: str, folder: str, timeout: float):
        self.program, self.folder, self.timeout = program, folder, timeout
        self.least: dict[str, tuple[float, float]] = {}

    def commands(self) -> list[str]:
        lists = [
            subprocess.run([self.program, *words], capture_output=True, text=True, check=True).stdout
            for words in (["--help"], ["help", "more"])
        ]
        texts = "".join(text.split("Help of a command:")[0] for text in lists)
        listed = re.findall(r"^  ([a-z-]+) {2,}", texts, re.M)
        unknown = [name for name in listed if name not in LINES and name not in APART]
        if unknown:
            raise SystemExit(f"commands without a line in LINES or APART: {unknown}")
        return [name for name in listed if name in LINES]

    def ask(self, file: str, sql: str) -> list[str]:
        words = [self.program, "query", file, sql, "--format", "csv", "--no-cache"]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=3 * self.timeout)
        except subprocess.TimeoutExpired:
            return []
        return done.stdout.splitlines()[1:]

    def names_of(self, file: str) -> dict[str, str]:
        biggest = self.ask(file, "SELECT id, class FROM objects ORDER BY retained_bytes DESC LIMIT 1")
        far = self.ask(file, "SELECT id FROM objects ORDER BY distance DESC, id LIMIT 1")
        id_, class_ = biggest[0].split(",", 1) if biggest else ("0x1", "none")
        digest = file + ".jsonl"
        with open(digest, "wb") as out:
            words = [self.program, "digest", file, "--no-cache"]
            subprocess.run(words, stdout=out, stderr=subprocess.DEVNULL, timeout=None, check=False, preexec_fn=self.limit)
        return {"ID": far[0] if far else id_, "BIG": id_, "CLASS": class_.strip('"')[:200], "DIGEST": digest}

    def limit(self) -> None:
        """Limits of a child process: 8 GB of addresses, and processor time."""
        resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (int(self.timeout), int(self.timeout) + 1))

    def run(self, line: str, file: str, names: dict[str, str]) -> tuple[float, float, str]:
        """Processor seconds, peak MB, and what ended it if that is not the command."""
        with tempfile.TemporaryDirectory(dir=self.folder) as out, contextlib.ExitStack() as stack:
            path = os.path.join(out, "out." + file.split(".", 1)[1].removesuffix(".gz"))
            names = {**names, "F": file, "OUT": path}
            words = [self.program]
            for word in shlex.split(line):
                word = word.replace("CLASS", names["CLASS"])
                words.append(names.get(word, word))
            if words[1] != "fleet":
                words.append("--no-cache")
            given = subprocess.DEVNULL
            if words[1] == "mcp":
                given = stack.enter_context(open(os.path.join(out, "calls"), "w+", encoding="utf-8"))
                hello = {"protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": {"name": "shapes", "version": "1"}}
                messages = [{"id": 0, "method": "initialize", "params": hello}, {"method": "notifications/initialized"}]
                for at, (tool, arguments) in enumerate(CALLS):
                    arguments = {"dump": file, **{key: names.get(value, value) for key, value in arguments.items()}}
                    messages.append({"id": at + 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
                given.writelines(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
                given.seek(0)

            with open(os.path.join(out, "errors"), "w+", encoding="utf-8", errors="replace") as errors:
                child = subprocess.Popen(words, stdin=given, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=self.limit)
                _, status, used = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
                errors.seek(0)
                said = errors.read(10_000).strip().splitlines()
            ended = ""
            if child.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
                ended = "timeout"
            elif child.returncode < 0 or child.returncode > 100:
                ended = f"ended by {child.returncode}: {said[-1][:100] if said else ''}"
            elif child.returncode not in (0, 1, 3) and not (said and said[-1].startswith("heaplens: ")):
                ended = f"status {child.returncode}: {said[-1][:160] if said else ''}"
            return used.ru_utime + used.ru_stime, used.ru_maxrss / 1000, ended


def exponent(points: list[tuple[int, float]], noise: float) -> float:
    """Slope of the last doubling above the noise, in logarithms; the mean of the last two where there are three."""
    points = [(n, value) for n, value in points if value > noise]
    if len(points) < 2:
        return math.nan
    (n, low), (m, high) = points[max(0, len(points) - 3)], points[-1]
    return math.log(high / low) / math.log(m / n)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--shapes", default="", help="only shapes whose name contains this (a|b)")
    parser.add_argument("--commands", default="", help="only these, separated by commas")
    parser.add_argument("--timeout", type=float, default=10, help="processor seconds of a command")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--output")
    parser.add_argument("--folder", help="folder for dumps, on a disk in memory if there is one")
    asked = parser.parse_args()
    lines_out: list[str] = []

    def say(text: str = "") -> None:
        print(text, flush=True)
        lines_out.append(text)

    began = time.monotonic()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        os.environ["XDG_CACHE_HOME"] = os.path.join(folder, "cache")
        runner = Runner(asked.program, folder, asked.timeout)
        commands = runner.commands()
        if asked.commands:
            commands = [name for name in commands if name in asked.commands.split(",")]
        lines = [line for name in commands for line in LINES[name]]
        chosen = {name: made for name, made in shapes.ALL.items() if re.search(asked.shapes, name)}
        empty = {"hprof": os.path.join(folder, "empty.hprof"), "heapsnapshot": os.path.join(folder, "empty.heapsnapshot")}
        Dump().write(empty["hprof"])
        shapes.Snapshot().write(empty["heapsnapshot"])
        with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
            least = {}
            for suffix, file in empty.items():
                names = runner.names_of(file)
                for line, got in zip(lines, pool.map(lambda line: runner.run(line, file, names), lines)):
                    least[suffix, line] = got
            say("| command | shape | size | seconds | MB | exponent of time | of memory | |")
            say("|---|---|--:|--:|--:|--:|--:|---|")
            runs, calm = 0, {}
            for name, (write, largest, suffix) in chosen.items():
                base = "heapsnapshot" if "heapsnapshot" in suffix else "hprof"

                def prepare(n: int) -> tuple[str, dict[str, str]]:
                    file = os.path.join(folder, f"shape.{n}.{suffix}")
                    write(file, n)
                    return file, runner.names_of(file)

                sizes = {largest: prepare(largest)}

                def cost(line: str, n: int) -> tuple[float, float, str]:
                    seconds, megabytes, ended = runner.run(line, *sizes[n])
                    return max(0, seconds - least[base, line][0]), max(0, megabytes - least[base, line][1]), ended

                top = dict(zip(lines, pool.map(lambda line: cost(line, largest), lines)))
                runs += len(lines)
                costly = [line for line, (s, m, ended) in top.items() if s > SECONDS or m > MEGABYTES or ended]
                if costly:
                    for half in (2, 4, 8):
                        sizes[largest // half] = prepare(largest // half)
                tasks = [(line, largest // half) for half in (2, 4, 8) for line in costly]
                measured = dict(zip(tasks, pool.map(lambda task: cost(*task), tasks)))
                runs += len(tasks)
                for line in lines:
                    seconds, megabytes, ended = top[line]
                    if line not in costly:
                        known = calm.get(line, (0, 0, ""))
                        calm[line] = max(known, (seconds, megabytes, name))
                        continue
                    points = [(n, *measured[line, n][:2]) for n in (largest // 8, largest // 4, largest // 2)]
                    points.append((largest, seconds, megabytes))
                    time_slope = exponent([(n, s) for n, s, _ in points], 0.05)
                    memory_slope = exponent([(n, m) for n, _, m in points], 20)
                    ended = ended if ended == "timeout" else "; ".join({ended, *(measured[line, n][2] for n in (largest // 2,))} - {""})
                    if time_slope > 1.2 or memory_slope > 1.2 or ended:
                        say(f"| `{line}` | {name} | {largest:,} | {seconds:.2f} | {megabytes:.0f} | {time_slope:.2f} | {memory_slope:.2f} | {ended} |")
                    else:
                        known = calm.get(line, (0, 0, ""))
                        calm[line] = max(known, (seconds, megabytes, f"{name}, exponents {time_slope:.2f} and {memory_slope:.2f}"))
                for file, _ in sizes.values():
                    for path in (file, file + ".plain", file + ".jsonl"):
                        if os.path.exists(path):
                            os.remove(path)
                print(f"{time.monotonic() - began:.0f} s: {name}", file=sys.stderr, flush=True)
            say()
            say(f"All others, the shape that takes longest ({runs} runs, {len(chosen)} shapes, {time.monotonic() - began:.0f} s):")
            say()
            say("| command | seconds | MB | shape |")
            say("|---|--:|--:|---|")
            for line, (seconds, megabytes, name) in calm.items():
                say(f"| `{line}` | {seconds:.2f} | {megabytes:.0f} | {name} |")
    if asked.output:
        with open(asked.output, "w", encoding="utf-8") as file:
            file.write("\n".join(lines_out) + "\n")


if __name__ == "__main__":
    main()
