#!/usr/bin/env python3
"""Runs commands in turn on each file, and prints a Markdown table: wall and processor seconds and peak resident memory
(with mapped files) of each run, and for all commands after the first the median of the ratios to it, run by run.

  in-turn.py --runs 5 --command probe="probe {}" --command heaplens="heaplens summary {} --no-cache" FILE...
  --before COMMAND   run before each measured one, not measured
"""
import argparse
import os
import shlex
import statistics
import subprocess
import time


def run(command: str, file: str) -> tuple[float, float, int]:
    words = [word.replace("{}", file) for word in shlex.split(command)]
    began = time.monotonic()
    child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    wall = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{words} ended with {child.returncode}")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def row(name: str, runs: list[tuple[float, float, int]], first: list[tuple[float, float, int]]) -> str:
    walls = ", ".join(f"{wall:.2f}" for wall, _, _ in runs)
    processor = statistics.median(cpu for _, cpu, _ in runs)
    peak = statistics.median(peak for _, _, peak in runs)
    wall_ratio = statistics.median(own[0] / other[0] for own, other in zip(runs, first))
    cpu_ratio = statistics.median(own[1] / other[1] for own, other in zip(runs, first))
    return f"| {name} | {walls} | {processor:.2f} | {peak:.0f} | {wall_ratio:.2f} | {cpu_ratio:.2f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--command", action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--before")
    parser.add_argument("files", nargs="+")
    asked = parser.parse_args()
    commands = [command.split("=", 1) for command in asked.command]
    for file in asked.files:
        with open(file, "rb") as content:
            while content.read(1 << 24):
                pass
        found: dict[str, list[tuple[float, float, int]]] = {name: [] for name, _ in commands}
        for _ in range(asked.runs):
            for name, command in commands:
                if asked.before:
                    subprocess.run(shlex.split(asked.before), stdout=subprocess.DEVNULL, check=True)
                found[name].append(run(command, file))
        print(f"\n## {os.path.basename(file)}\n")
        print("| | wall, s | processor, s | peak, MiB | wall, ratio | processor, ratio |\n|---|---|--:|--:|--:|--:|")
        for name, _ in commands:
            print(row(name, found[name], found[commands[0][0]]), flush=True)


if __name__ == "__main__":
    main()
