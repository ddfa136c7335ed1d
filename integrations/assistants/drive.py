#!/usr/bin/env python3
"""Drives `heaplens mcp` through all its tools, wrong calls, cancellation and load, and writes a transcript.

    drive.py --heaplens PROGRAM [--fixtures FOLDER] [--transcript FILE] [--calls 1000] [--inspector COMMAND]

It speaks the protocol itself, so that it can also speak it wrongly; evaluate.py uses the official client. The status is
1 if a check fails. Needs nothing but Python; `--inspector 'npx --yes @modelcontextprotocol/inspector'` needs Node.js.
"""
import argparse
import asyncio
import base64
import json
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from wire import Wire

ROOT = Path(__file__).resolve().parents[2]
DUMPS = {
    "HotSpot": ("leak-after.hprof.gz", "leak-before.hprof.gz"),
    "Android": ("android/album.hprof.gz", "android/album-r8.hprof.gz"),
    "V8": ("node/desk-final.heapsnapshot.gz", "node/desk-baseline.heapsnapshot.gz"),
    "PHD": ("ibm/shop-v5.phd", "ibm/heapdump.20261122.120000.4711.0001.phd"),
}
TOOLS = ["list_dumps", "open_dump", "overview", "leaks", "explain", "histogram", "what_if", "compare", "query", "search", "screenshot"]
FENCE = re.compile(r"^<(heap-data-[0-9a-f]+)>\n(.*)\n</\1>\s*$", re.MULTILINE | re.DOTALL)
# Characters of an answer in the transcript.
SHOWN = 700
# A query that ends only by a limit or a cancellation.
ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"


class Drive:
    """A session, its transcript and its checks."""

    def __init__(self, wire, out):
        self.wire, self.out, self.failed, self.tag = wire, out, [], None

    def write(self, text):
        self.out.write(text + "\n")

    def check(self, is_right, what):
        self.write(f"- {'right' if is_right else '**WRONG**'}: {what}")
        if not is_right:
            self.failed.append(what)

    async def call(self, tool, arguments, quiet=False, **meta):
        """A call with its checks; returns the data of the answer, or None."""
        began = time.monotonic()
        answer = await self.wire.ask("tools/call", {"name": tool, "arguments": arguments, **meta})
        seconds = time.monotonic() - began
        result = answer.get("result") or {}
        texts = [part["text"] for part in result.get("content", []) if part.get("type") == "text"]
        text = "\n".join(texts)
        if not quiet:
            size = len(json.dumps(answer).encode())
            self.write(f"\n**{tool}** `{json.dumps(arguments, ensure_ascii=False)}`: {size:,} bytes, {seconds:.2f} s\n\n```\n{shorten(text or json.dumps(answer.get('error')))}\n```\n")
        if "error" in answer or result.get("isError"):
            return None
        if not quiet:
            self.answered(tool, text, result, arguments.get("max_tokens", 2_000))
        fenced = FENCE.search(text)
        return json.loads(fenced[2]) if fenced else {}

    def answered(self, tool, text, result, budget):
        """What holds for every answer that is no error."""
        if tool == "screenshot":
            images = [part for part in result["content"] if part.get("type") == "image"]
            is_png = images and base64.b64decode(images[0]["data"])[:4] == b"\x89PNG" and images[0]["mimeType"] == "image/png"
            return self.check(bool(is_png), "the answer is a PNG")
        fenced = FENCE.search(text)
        self.check(fenced is not None and len(result["content"]) == 1, "one text with one fence")
        if fenced is None:
            return None
        self.tag = self.tag or fenced[1]
        self.check(fenced[1] == self.tag, "the fence is that of the session")
        self.check("<" not in fenced[2], "no < in the data")
        self.check(len(text.encode()) <= 3 * budget + 1_500, f"{len(text.encode()):,} bytes are within the budget of {budget:,} tokens")
        return None


def shorten(text):
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… (+{len(text) - SHOWN:,})"


async def greet(drive):
    drive.write("## Greeting\n")
    hello = await drive.wire.greet()
    drive.write(f"```\n{json.dumps(hello.get('result'), indent=1, ensure_ascii=False)}\n```\n")
    tools = (await drive.wire.ask("tools/list", {}))["result"]["tools"]
    names = [tool["name"] for tool in tools]
    drive.check(sorted(names) == sorted(TOOLS), f"tools: {', '.join(names)}")
    drive.check(all(tool.get("description") and tool["inputSchema"]["type"] == "object" for tool in tools), "every tool has a description and a schema")
    drive.write(f"- the list has {len(json.dumps(tools)):,} bytes")


async def tour(drive, name, file, before):
    """All tools on one dump."""
    drive.write(f"\n## {name}: {file}\n")
    await drive.call("list_dumps", {})
    opened = await drive.call("open_dump", {"file": file}) or {}
    dump = opened.get("dump", "d1")
    older = (await drive.call("open_dump", {"file": before}, quiet=True) or {}).get("dump")
    await drive.call("overview", {"dump": dump})
    leaks = await drive.call("leaks", {"dump": dump, "top": 3}) or {}
    await drive.call("leaks", {"dump": dump, "before": older, "top": 2})
    rows = (await drive.call("histogram", {"dump": dump, "sort": "retained_bytes", "top": 5}) or {}).get("rows") or []
    findings = [finding for finding in leaks.get("findings", []) if finding.get("cut")]
    if findings:
        finding = findings[0]
        explained = await drive.call("explain", {"dump": dump, "object": finding["cut"][0]["to"]})
        drive.check({"object", "paths", "incoming", "dominates"} <= set(explained or {}), "explain has object, paths, incoming and dominates")
        by_name = await drive.call("explain", {"dump": dump, "object": finding["holder"]["name"]}, quiet=True)
        drive.check(by_name is not None, f"the holder's name is accepted: {finding['holder']['name']}")
        freed = await drive.call("what_if", {"dump": dump, "cut": [cut["name"] for cut in finding["cut"]]})
        drive.check(freed is not None, "the names of a finding's cut are accepted")
    await drive.call("compare", {"before": older, "after": dump, "by": "owner", "top": 3})
    await drive.call("compare", {"before": older, "after": dump, "by": "class", "top": 3})
    sql = "SELECT id, class, retained_bytes FROM objects ORDER BY retained_bytes DESC LIMIT 3"
    await drive.call("query", {"dump": dump, "sql": sql})
    tables = await drive.call("query", {"dump": dump, "sql": ""}, quiet=True)
    drive.check(bool(tables), "an empty query lists the tables")
    await drive.call("search", {"dump": dump, "text": rows[0]["class"].split(".")[-1] if rows else "a", "top": 3})
    await drive.call("screenshot", {"dump": dump})
    small = await drive.call("histogram", {"dump": dump, "max_tokens": 300})
    drive.check(small is not None and len(json.dumps(small)) < 3_000, "a small budget is kept")


async def wrong_calls(drive, dump, outside):
    """Each has an answer that is an error, and the session goes on."""
    drive.write("\n## Wrong calls\n")
    calls = [
        ("no_such_tool", {}),
        ("open_dump", {}),
        ("open_dump", {"file": 7}),
        ("open_dump", {"file": "no-such-file.hprof"}),
        ("open_dump", {"file": str(outside)}),
        ("open_dump", {"file": "../" * 12 + "etc/passwd"}),
        ("open_dump", {"file": "README.md"}),
        ("leaks", {}),
        ("leaks", {"dump": "d99"}),
        ("leaks", {"dump": dump, "top": -1}),
        ("leaks", {"dump": dump, "top": "many"}),
        ("leaks", {"dump": dump, "before": "d99"}),
        ("leaks", {"dump": dump, "no_such_argument": 1}),
        ("leaks", {"dump": dump, "max_tokens": 0}),
        ("explain", {"dump": dump, "object": "0x1"}),
        ("explain", {"dump": dump, "object": "no.such.Class.field"}),
        ("explain", {"dump": dump, "object": ""}),
        ("histogram", {"dump": dump, "by": "colour"}),
        ("histogram", {"dump": dump, "filter": "/(/"}),
        ("what_if", {"dump": dump, "cut": []}),
        ("what_if", {"dump": dump, "cut": "a string"}),
        ("what_if", {"dump": dump, "cut": ["no.such.Reference"]}),
        ("compare", {"before": dump, "after": dump, "by": "moon"}),
        ("query", {"dump": dump, "sql": "SELECT * FROM nowhere"}),
        ("query", {"dump": dump, "sql": "DROP TABLE objects"}),
        ("query", {"dump": dump, "sql": "ATTACH DATABASE '/tmp/x' AS x"}),
        ("screenshot", {"dump": dump, "view": "no-such-view"}),
    ]
    for tool, arguments in calls:
        answer = await drive.wire.ask("tools/call", {"name": tool, "arguments": arguments})
        result = answer.get("result") or {}
        words = answer["error"]["message"] if "error" in answer else "\n".join(part.get("text", "") for part in result.get("content", []))
        is_error = "error" in answer or result.get("isError")
        drive.write(f"- {'' if is_error else '**answered** '}`{tool} {json.dumps(arguments)}` → {shorten(words)[:300]!r}")
        # An argument that is not known may be ignored; everything else has to be refused.
        if not is_error and "no_such_argument" not in arguments and "max_tokens" not in arguments:
            drive.check(False, f"{tool} {arguments} is refused")
        drive.check(not is_error or len(words) > 10, "an error says what is wrong") if is_error and len(words) <= 10 else None
    await drive.wire.raw(b"this is no JSON\n")
    await drive.wire.raw(b'{"jsonrpc":"2.0","id":77777,"method":"no/such/method"}\n')
    await drive.wire.raw(b'{"jsonrpc":"2.0","method":"notifications/never-heard-of"}\n')
    await drive.wire.raw(b'{"jsonrpc":"2.0","id":77778,"method":"tools/call","params":[1,2]}\n')
    alive = await drive.wire.ask("ping", {})
    drive.check("result" in alive, "the server answers after lines that are no requests")


async def parallel(drive, dump):
    drive.write("\n## Eight calls at once\n")
    began = time.monotonic()
    calls = [("overview", {}), ("leaks", {"top": 2}), ("histogram", {"top": 5}), ("query", {"sql": "SELECT count(*) FROM objects"})] * 2
    answers = await asyncio.gather(*(drive.call(tool, {"dump": dump, **arguments}, quiet=True) for tool, arguments in calls))
    drive.check(all(answer for answer in answers), f"all have answers, in {time.monotonic() - began:.2f} s")
    drive.check(answers[:4] == answers[4:], "equal calls have equal answers")


async def cancelled(drive, dump):
    drive.write("\n## A cancelled call\n")
    began = time.monotonic()
    number, pending = await drive.wire.begin("tools/call", {"name": "query", "arguments": {"dump": dump, "sql": ENDLESS}})
    await asyncio.sleep(0.5)
    drive.check(not pending.done(), "the query is still running after half a second")
    await drive.wire.tell("notifications/cancelled", {"requestId": number, "reason": "the user stopped it"})
    rows = await asyncio.wait_for(drive.call("query", {"dump": dump, "sql": "SELECT 1 AS one"}, quiet=True), 20)
    drive.check(rows is not None, f"the next query has an answer {time.monotonic() - began:.2f} s after the cancelled one began")
    await asyncio.sleep(1)
    said = json.dumps(pending.result())[:300] if pending.done() else "nothing"
    drive.write(f"- the cancelled call was answered with: {said}")
    drive.check(drive.wire.cpu_share() < 0.5, "the server is idle afterwards")


async def progress(drive, file):
    drive.write("\n## Progress\n")
    drive.wire.notifications.clear()
    await drive.call("open_dump", {"file": file}, quiet=True, _meta={"progressToken": "opening"})
    told = [note["params"] for note in drive.wire.notifications if note["method"] == "notifications/progress"]
    drive.write(f"- {len(told)} notifications: {json.dumps(told[:4], ensure_ascii=False)}")
    values = [one["progress"] for one in told]
    drive.check(all(one["progressToken"] == "opening" for one in told), "all have the token of the call")
    drive.check(values == sorted(set(values)), "progress increases")


async def load(drive, dump, calls):
    drive.write(f"\n## {calls:,} calls\n")
    kinds = [
        ("histogram", {"top": 20}), ("leaks", {"top": 3}), ("query", {"sql": "SELECT class, objects FROM classes LIMIT 20"}),
        ("overview", {}), ("search", {"text": "a", "top": 5}), ("list_dumps", None), ("explain", {"object": "0x1"}),
    ]
    for number in range(calls + 50):
        if number == 50:
            before, began = drive.wire.rss_kib(), time.monotonic()
        tool, arguments = kinds[number % len(kinds)]
        await drive.call(tool, {} if arguments is None else {"dump": dump, **arguments}, quiet=True)
    seconds, after = time.monotonic() - began, drive.wire.rss_kib()
    drive.write(f"- {calls / seconds:.0f} calls a second; memory {before:,} KiB before, {after:,} KiB after")
    drive.check(after < before * 1.2 + 8_192, "memory does not grow by more than a fifth")


class Inspector:
    """The official inspector's command line: every call starts a server of its own, so dumps are named by their files."""

    def __init__(self, out, command, server):
        self.out, self.words, self.failed = out, [*shlex.split(command), "--cli", *server], []

    def run(self, *call):
        """The result of a call, or None; an error of a tool is a failure, too."""
        done = subprocess.run([*self.words, *call], capture_output=True, text=True, timeout=600, check=False)
        lines = [line for line in done.stderr.splitlines() if not line.startswith("npm warn")]
        said = done.stdout.strip() or " ".join(lines)
        self.out.write(f"- `{' '.join(call)}` (status {done.returncode}): {' '.join(said.split())[:300]}\n")
        try:
            result = json.loads(done.stdout)
        except ValueError:
            result = {"isError": True}
        if result.get("isError"):
            self.failed.append(f"inspector: {' '.join(call)}: {said[:200]}")
            return None
        return result

    def tool(self, name, **arguments):
        """The data of a tool's answer, or None."""
        words = [word for key, value in arguments.items() for word in ("--tool-arg", f"{key}={value}")]
        result = self.run("--method", "tools/call", "--tool-name", name, *words) or {}
        text = "\n".join(part.get("text", "") for part in result.get("content", []))
        fenced = FENCE.search(text)
        return json.loads(fenced[2]) if fenced else None

    def tour(self, name, file, before):
        """All tools on one dump."""
        self.out.write(f"\n{name}:\n\n")
        self.tool("open_dump", file=file)
        self.tool("overview", dump=file)
        leaks = self.tool("leaks", dump=file, top=2) or {}
        cuts = [cut for finding in leaks.get("findings", []) for cut in finding.get("cut") or []]
        if cuts:
            self.tool("explain", dump=file, object=cuts[0]["to"])
            self.tool("what_if", dump=file, cut=json.dumps([cuts[0]["name"]]))
        else:
            self.failed.append(f"inspector: no finding of {file} has a cut")
        self.tool("histogram", dump=file, top=3)
        self.tool("compare", before=before, after=file, by="owner", top=2)
        self.tool("query", dump=file, sql="SELECT count(*) FROM objects")
        self.tool("search", dump=file, text="a", top=2)
        self.tool("screenshot", dump=file)


def inspect(out, command, server):
    """All tools on all formats through the inspector."""
    out.write("\n## Inspector\n\n")
    inspector = Inspector(out, command, server)
    inspector.run("--method", "tools/list")
    inspector.tool("list_dumps")
    for name, files in DUMPS.items():
        inspector.tour(name, *files)
    return inspector.failed


async def whole(drive, calls):
    await greet(drive)
    await progress(drive, DUMPS["HotSpot"][0])
    for name, files in DUMPS.items():
        await tour(drive, name, *files)
    # The first dump may have been closed since: a server keeps only some open.
    dump = (await drive.call("open_dump", {"file": DUMPS["HotSpot"][0]}, quiet=True) or {}).get("dump")
    await wrong_calls(drive, dump, ROOT / "README.md")
    await parallel(drive, dump)
    await cancelled(drive, dump)
    await load(drive, dump, calls)
    status, seconds = await drive.wire.close()
    drive.write("\n## End\n")
    drive.check(status == 0 and seconds < 5, f"status {status}, {seconds:.2f} s after its input ended")


async def main(options, out):
    out.write("# Transcript of heaplens mcp\n\n")
    command = [options.heaplens, "mcp", str(options.fixtures)]
    with tempfile.TemporaryDirectory() as cache:
        async with Wire(command, {"XDG_CACHE_HOME": cache}) as wire:
            drive = Drive(wire, out)
            try:
                await whole(drive, options.calls)
            except (ConnectionError, asyncio.TimeoutError) as error:
                drive.check(False, f"the server ended or hangs: {error}")
            drive.check(not wire.strange, f"every line of its output is a message: {wire.strange[:3]}")
            if wire.errors:
                drive.write(f"\nOn stderr:\n\n```\n{shorten(wire.errors)}\n```")
    failed = drive.failed
    if options.inspector:
        failed += inspect(out, options.inspector, command)
    return failed


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--heaplens", required=True, help="the program")
    parser.add_argument("--fixtures", type=Path, default=ROOT / "fixtures", help="the folder that is served")
    parser.add_argument("--transcript", type=Path, help="file for the transcript, instead of standard output")
    parser.add_argument("--calls", type=int, default=1_000, help="calls while memory is measured")
    parser.add_argument("--inspector", help="command of the inspector")
    given = parser.parse_args()
    with given.transcript.open("w") if given.transcript else sys.stdout as file:
        wrong = asyncio.run(main(given, file))
    for line in wrong:
        print(f"wrong: {line}", file=sys.stderr)
    sys.exit(1 if wrong else 0)
