#!/usr/bin/env python3
"""Measures how well a program that follows the skill finds the holder of a planted leak.

    evaluate.py --heaplens PROGRAM --dumps FOLDER [--held-out] [--values] [--runner COMMAND] [--verbose]

FOLDER is what the example planted_leaks wrote. Without a runner, the skill's questions are asked by tree.py. README.md
has the protocol of a runner. Needs the package mcp.
"""
import argparse
import asyncio
import json
import re
import shlex
import sys
from pathlib import Path

from client import Counted, ToolError, connected
from tree import answer

SKILL = Path(__file__).parent / "../../docs/assistants.md"
# Calls after which a runner is stopped.
CALLS = 40


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heaplens", required=True, help="the program")
    parser.add_argument("--dumps", required=True, type=Path, help="folder with questions.jsonl")
    parser.add_argument("--held-out", action="store_true", help="also ask the questions that were set aside")
    parser.add_argument("--values", action="store_true", help="start the server with --values")
    parser.add_argument("--runner", help="command that chooses the calls, such as a script around a model")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one question")
    parser.add_argument("--verbose", action="store_true", help="print answers that are wrong, to stderr")
    return parser.parse_args()


def names(said, accepted):
    """Whether what was said has one of the accepted names, as a whole."""
    for name in accepted:
        end = r"(?![\w$])" if re.search(r"[\w$]$", name) else ""
        if re.search(r"(?<![\w$])" + re.escape(name) + end, said or ""):
            return True
    return False


async def run(tools, question, command, listed, instructions):
    """Lets another program choose the calls: a JSON object in each line, in both directions."""
    process = await asyncio.create_subprocess_exec(
        *shlex.split(command), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 24
    )

    async def say(message):
        process.stdin.write((json.dumps(message) + "\n").encode())
        await process.stdin.drain()

    try:
        files = [question[key] for key in ("dump", "before") if key in question]
        skill = SKILL.read_text() if SKILL.exists() else ""
        await say({"question": question["question"], "files": files, "tools": listed, "skill": skill, "instructions": instructions})
        while tools.calls < CALLS:
            line = await process.stdout.readline()
            if not line:
                raise ToolError("the runner ended without an answer")
            said = json.loads(line)
            if "holder" in said:
                return said
            text, is_error = await tools.text(said["tool"], said.get("arguments") or {})
            await say({"answer": text, "is_error": is_error})
        raise ToolError(f"the runner made {CALLS} calls without an answer")
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def ask_all(options, questions):
    """A row for each question. Every question has a server of its own, so none profits from another."""
    rows = []
    for question in questions:
        async with connected([options.heaplens, "mcp", *["--values"][: options.values], str(options.dumps)]) as (session, greeting):
            tools = Counted(session)
            listed = []
            if options.runner:
                listed = [tool.model_dump(mode="json", exclude_none=True) for tool in (await session.list_tools()).tools]
            row = {"question": question, "said": None, "error": None}
            tools.reset()
            try:
                one = run(tools, question, options.runner, listed, greeting.instructions) if options.runner else answer(tools, question)
                row["said"] = await asyncio.wait_for(one, options.timeout)
            except Exception as error:  # A failure of one question is a row, whatever it is.
                row["error"] = f"{type(error).__name__}: {error}"
            row |= {"calls": tools.calls, "bytes": tools.bytes, "seconds": tools.seconds}
        said, right = row["said"] or {}, question["answer"]
        row["holder"] = names(said.get("holder"), right["holder"])
        row["class"] = names(said.get("class"), right["class"])
        rows.append(row)
        if options.verbose and not (row["holder"] and row["class"]):
            print(f"{question['dump']} ({question['kind']}): said {said}, right {right}; {row['error'] or ''}", file=sys.stderr)
    return rows


def table(title, groups):
    """Totals in Markdown: a line for each group of rows."""
    print(f"\n| {title} | questions | holder | holder and class | calls | kB of answers | seconds |\n|---|--:|--:|--:|--:|--:|--:|")
    for name, rows in groups.items():
        both = sum(row["holder"] and row["class"] for row in rows)
        mean = lambda key: sum(row[key] for row in rows) / len(rows)
        holders = sum(row["holder"] for row in rows)
        print(f"| {name} | {len(rows)} | {holders} | {both} | {mean('calls'):.1f} | {mean('bytes') / 1000:.1f} | {mean('seconds'):.2f} |")


def grouped(rows, key):
    groups = {}
    for row in rows:
        groups.setdefault(key(row["question"]), []).append(row)
    return groups


def main():
    options = arguments()
    lines = (options.dumps / "questions.jsonl").read_text().splitlines()
    questions = [question for question in map(json.loads, lines) if options.held_out or not question["held_out"]]
    rows = asyncio.run(ask_all(options, questions))
    print("| dump | kind | holder | class | calls | kB of answers | seconds |\n|---|---|---|---|--:|--:|--:|")
    for row in rows:
        question, words = row["question"], {True: "yes", False: "no"}
        marked = question["dump"] + (" (set aside)" if question["held_out"] else "")
        print(f"| {marked} | {question['kind']} | {words[row['holder']]} | {words[row['class']]} | {row['calls']} | {row['bytes'] / 1000:.1f} | {row['seconds']:.2f} |")
    table("set", grouped(rows, lambda question: "set aside" if question["held_out"] else "developed on"))
    table("kind", grouped(rows, lambda question: question["kind"]))
    table("format", grouped(rows, lambda question: question["format"]))
    table("larger innocent structure", grouped(rows, lambda question: "yes" if question["larger_innocent"] else "no"))
    table("all", {"all": rows})


if __name__ == "__main__":
    main()
