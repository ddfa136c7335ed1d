#!/usr/bin/env python3
"""Measures `heaplens secrets`: plants the lists of crates/analysis/tests/answers/secrets in a Java and a Node program, takes dumps of both,
and counts what is found; then the alarms in other dumps. Needs a JDK and Node.

  secrets.py HEAPLENS [--seed 1] [--folder FOLDER] [DUMP...]
"""
import argparse
import base64
import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import urllib.parse
import zlib

LISTS = pathlib.Path(__file__).parent.parent / "crates/analysis/tests/answers/secrets"
DIGITS = "0123456789"
SMALL = "abcdefghijklmnopqrstuvwxyz"
LETTERS = SMALL.upper() + SMALL
SETS = {"a": LETTERS + DIGITS, "b": LETTERS + DIGITS + "+/", "u": LETTERS + DIGITS + "-_", "B": SMALL.upper() + "234567",
        "U": SMALL.upper() + DIGITS, "l": SMALL + DIGITS, "h": DIGITS + "abcdef", "H": DIGITS + "ABCDEF", "L": LETTERS,
        "d": DIGITS[1:]}
BASE62 = DIGITS + LETTERS


def fill(template: str, source: random.Random) -> bytes:
    """The bytes of a template; crates/analysis/tests/answers/secrets/template.rs has the same grammar."""
    def part(at: int) -> tuple[bytes, int]:
        out = b""
        while at < len(template) and template[at] != "›":
            if template[at] != "‹":
                out += template[at].encode()
                at += 1
                continue
            name = re.compile(r"[^:‹›]*").match(template, at + 1).group()
            at += 1 + len(name)
            argument, at = part(at + (template[at] == ":"))
            out = apply(name, argument, out)
            at += 1
        return out, at

    def some(letters: str, count: int) -> bytes:
        return "".join(source.choice(letters) for _ in range(count)).encode()

    def apply(name: str, argument: bytes, out: bytes) -> bytes:
        text = argument.decode("latin1")
        if name == "crc62":
            value, digits = zlib.crc32(out[-int(text):]), ""
            for _ in range(6):
                value, digit = divmod(value, 62)
                digits = (DIGITS + SMALL.upper() + SMALL)[digit] + digits
            return out + digits.encode()
        if name == "crchex":
            return out + b"_%08x" % zlib.crc32(out[-int(text):])
        if name == "tlv":
            tag, content = bytes.fromhex(text[:2]), argument[3:]
            short = len(content) < 128
            return out + tag + (bytes([len(content)]) if short else b"\x82" + len(content).to_bytes(2, "big")) + content
        if name == "of":
            count, letters = text.split(":", 1)
            return out + some(letters, int(count))
        plain = {
            "": lambda: b"", "nl": lambda: b"\n", "cr": lambda: b"\r", "dash": lambda: b"-" * 5,
            "x": lambda: bytes.fromhex(text), "bytes": lambda: source.randbytes(int(text)),
            "pw": lambda: b"kX" + some(LETTERS + DIGITS[1:], 9) + b"4!",
            "b64": lambda: base64.b64encode(argument),
            "b64u": lambda: base64.urlsafe_b64encode(argument).rstrip(b"="),
            "lines": lambda: b"\n".join(argument[at:at + 64] for at in range(0, len(argument), 64)),
            "pct": lambda: urllib.parse.quote_from_bytes(argument, safe="").encode(),
            "esc": lambda: argument.replace(b"\n", b"\\n"),
        }
        return out + (plain[name]() if name in plain else some(SETS[name], int(text)))

    return part(0)[0]


def entries(name: str, source: random.Random) -> list[tuple[str, str, str, bytes]]:
    lines = [line for line in (LISTS / name).read_text().splitlines() if not line.startswith("#")]
    parts = [line.split(" | ", 3) for line in lines]
    return [(one, place, key, fill(template, source)) for one, place, key, template in parts]


JAVA = {"charfield": ("char[]", "{s}.toCharArray()"), "chars": ("char[]", "{s}.toCharArray()"),
        "bytefield": ("byte[]", "b"), "bytes": ("byte[]", "b"),
        "bytes16": ("byte[]", "{s}.getBytes(StandardCharsets.UTF_16LE)"),
        "builder": ("StringBuilder", "new StringBuilder(300).append({s})"),
        "map": ("Object", "new HashMap<>(Map.of({k},{s}))"), "props": ("Object", "new HashMap<>(Map.of({k},{s}))"),
        "list": ("Object", "new HashMap<>(Map.of({k},new ArrayList<>(List.of({s}))))"),
        "mapchars": ("Object", "new HashMap<>(Map.of({k},{s}.toCharArray()))")}
NODE = {"bytes": "Buffer.from(b)", "bytes16": 'Buffer.from({s},"utf16le")', "map": "new Map([[{k},{s}]])",
        "mapchars": "new Map([[{k},{s}]])", "props": "{{[{k}]:{s}}}", "env": "{{[{k}]:{s}}}",
        "list": "{{[{k}]:[{s}]}}",
        "concat": "((t)=>t.slice(0,7)+t.slice(7))({s})"}
FIELDS = ("field", "object", "charfield", "bytefield")


def programs(planted: list[tuple[str, str, str, bytes]], folder: pathlib.Path) -> dict[str, str]:
    """Writes both programs and their data, in which the values are not to be seen; returns the environment."""
    read = "static byte[] next(DataInputStream in)throws IOException{byte[] b=new byte[in.readInt()];in.readFully(b);" \
        "for(int i=0;i<b.length;i++)b[i]^=0x5a;return b;}static String s(byte[] b){return new String(b,StandardCharsets.UTF_8);}"
    java = ["import java.util.*;import java.io.*;import java.nio.charset.*;public class Planted{" + read]
    calls, environment, data = [], {}, b""
    node = ["const fs=require('fs');let d=fs.readFileSync(process.argv[2]),at=0;function next(){const n=d.readInt32BE(at);"
            "at+=4;const b=Buffer.alloc(n);for(let i=0;i<n;i++)b[i]=d[at+i]^0x5a;at+=n;return b}globalThis.held=[];"]
    for name, place, key, value in planted:
        data += len(value).to_bytes(4, "big") + bytes(byte ^ 0x5A for byte in value)
        field, quoted = key if place in FIELDS else "held", json.dumps(key)
        if place == "env":
            environment[key] = value.decode()
            calls.append("next(in);")
        else:
            kind, expression = JAVA.get(place, ("String", "{s}"))
            java.append(f"static class {name}{{{kind} {field};static {name} it=new {name}();}}")
            calls.append(f"{{byte[] b=next(in);{name}.it.{field}={expression.format(s='s(b)', k=quoted)};}}")
        expression = NODE.get(place, "{s}").format(s='b.toString("utf8")', k=quoted)
        node.append(f"(()=>{{class {name}{{}};const b=next(),o=new {name}();o[{json.dumps(field)}]={expression};held.push(o)}})();")
    for at in range(0, len(calls), 50):
        java.append(f"static void m{at}(DataInputStream in)throws IOException{{{''.join(calls[at:at + 50])}}}")
    all_calls = "".join(f"m{at}(in);" for at in range(0, len(calls), 50))
    java.append("public static void main(String[] a)throws Exception{DataInputStream in=new DataInputStream(new FileInputStream("
                f"a[0]));{all_calls}in.close();System.getenv();((com.sun.management.HotSpotDiagnosticMXBean)java.lang.management.ManagementFactory"
                ".getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class)).dumpHeap(a[1],true);}}")
    node.append("d=null;gc();gc();require('v8').writeHeapSnapshot(process.argv[3]);")
    (folder / "Planted.java").write_text("\n".join(java))
    (folder / "planted.js").write_text("\n".join(node))
    (folder / "data").write_bytes(data)
    return environment


def rows_of(heaplens: str, dump: pathlib.Path) -> dict:
    command = [heaplens, "secrets", "--no-cache", "--format", "json", str(dump)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("heaplens")
    parser.add_argument("dumps", nargs="*", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=pathlib.Path)
    given = parser.parse_args()
    folder = given.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    source = random.Random(given.seed)
    named = lambda mark, all_of: [(mark + re.sub(r"\W", "_", one), *rest) for one, *rest in all_of]
    shapes, others = named("S_", entries("shapes.txt", source)), named("L_", entries("look-alikes.txt", source))
    environment = programs(shapes + others, folder)
    dumps = [folder / "planted.hprof", folder / "planted.heapsnapshot"]
    for dump in dumps:
        dump.unlink(missing_ok=True)
    subprocess.run(["javac", "-d", folder, folder / "Planted.java"], check=True)
    environment |= {"PATH": os.environ["PATH"]}
    subprocess.run(["java", "-cp", folder, "Planted", folder / "data", dumps[0]], check=True, env=environment)
    subprocess.run(["node", "--expose-gc", folder / "planted.js", folder / "data", dumps[1]], check=True)
    for dump in dumps:
        rows = rows_of(given.heaplens, dump)["rows"]
        found = {name for row in rows for name in re.findall(r"\b[SL]_\w+", json.dumps(row))}
        of_environment = [row["value"] for row in rows if "ProcessEnvironment" in json.dumps(row)]
        for name, place, _, value in shapes:
            # Variables are in maps of the library, which no class of the program holds.
            if place == "env" and any(value.decode().startswith(shown.split("…")[0]) for shown in of_environment):
                found.add(name)
        missed = [name[2:] for name, *_ in shapes if name not in found]
        alarms = [name[2:] for name, *_ in others if name in found]
        print(f"{dump.name}: {len(shapes) - len(missed)} of {len(shapes)} shapes, {len(alarms)} of {len(others)} look-alikes")
        print(f"  missed: {' '.join(missed) or 'none'}\n  look-alikes reported: {' '.join(alarms) or 'none'}")
    for dump in given.dumps:
        answer = rows_of(given.heaplens, dump)
        print(f"{dump.name}: {answer['texts']} texts, {len(answer['rows'])} values reported")
        for row in answer["rows"][:20]:
            print("  ", row["kind"], row["value"], row.get("evidence", ""), row["class"], row["holder"], row["owner"])


main()
