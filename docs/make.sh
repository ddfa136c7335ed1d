#!/usr/bin/env bash
# Regenerates the output and screenshots of the manual from the fixtures.
#
#   docs/make.sh target/release/heaplens [PAGE...]     all pages, or the given ones
#
# Output in a page:
#
#   <!-- heaplens: COMMAND ARGS -->      or only some lines, cut to a number of characters:
#   <!-- heaplens lines=1-8,12 cut=120: COMMAND ARGS -->
#   ```
#   …replaced…
#   ```
#
# ($ is the last line). A screenshot:
#
#   <!-- heaplens: FILE --screenshot docs/pictures/NAME.png --view … -->
#   ![description](../pictures/NAME.png)
#
# Commands run in a temporary folder with the repository's `fixtures`, a folder `out` for the files they write, and without
# settings and cache. Times and memory are replaced by …, since they differ between runs. Screenshots differ between runs too
# (edges of letters, and the time in the status bar), so one is replaced only if the difference is visible. A second run
# changes nothing.
# Needs bash, python3, and for smaller pictures pngquant.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,6p' "$0" >&2; exit 2; }
program=$(realpath "$1")
shift
repository=$(realpath "$(dirname "${BASH_SOURCE[0]}")/..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PROGRAM=$program REPOSITORY=$repository WORK=$work
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
python3 - "${pages[@]}" <<'PYTHON'
import os, pathlib, re, shlex, shutil, struct, subprocess, sys, zlib

program, repository, work = (pathlib.Path(os.environ[n]) for n in ("PROGRAM", "REPOSITORY", "WORK"))
pages = [pathlib.Path(p) for p in sys.argv[1:]] or sorted((repository / "docs").rglob("*.md"))
(work / "fixtures").symlink_to(repository / "fixtures")
(work / "out").mkdir()
pictures = repository / "docs" / "pictures"
STATUS_BAR = 28  # points, at the lower edge
FAR, MANY = 72, 24  # minimum colour difference of a point, and number of such points in a changed picture


def run(words):
    """Output of a command, including errors, and its exit status. Runs without settings and cache of earlier runs."""
    for folder in ("cache", "home"):
        shutil.rmtree(work / folder, ignore_errors=True)
        (work / folder).mkdir()
    known = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TZ": "UTC", "HOME": str(work / "home"),
             "XDG_CACHE_HOME": str(work / "cache"), "XDG_CONFIG_HOME": str(work / "home")}
    done = subprocess.run([program, *words], cwd=work, env=known, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout.decode(), done.returncode


def answer(command, lines, cut):
    text, status = run(shlex.split(command))
    text = re.sub(r"(?m)^(Phase .*?|Opened in +)[0-9.]+ (m?s)$", r"\1… \2", text)
    text = re.sub(r"(?m)^(Peak memory +)[0-9.]+ (.B)$", r"\1… \2", text)
    text = re.sub(r"(?m)^(Commit|Built|Compiler|Target): .*$", r"\1: …", text)
    text = re.sub(r'("(?:seconds|peak_memory_bytes)": ?)[0-9.]+', r"\1…", text)
    rows = [row.rstrip() for row in text.rstrip("\n").split("\n")] if text else []
    wanted = set()
    for part in (lines or "1-").replace("$", str(len(rows))).split(","):
        first, _, last = part.partition("-")
        wanted.update(range(int(first), (int(last) if last else len(rows) if "-" in part else int(first)) + 1))
    out = [f"$ heaplens {command}"]
    for n, row in enumerate(rows, 1):
        if n in wanted:
            out.append(row if len(row) <= cut else row[: cut - 1].rstrip() + "…")
        elif out[-1] != "…":
            out.append("…")
    if status:
        out.append(f"(exit status {status})")
    return "\n".join(out)


def points(png):
    """Width of a picture, and its points from the upper left, three bytes each."""
    data = png.read_bytes()
    at, packed, palette = 8, b"", b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", body[:10])
        elif kind == b"PLTE":
            palette = body
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    step = {2: 3, 3: 1, 6: 4}[colour]
    long = (width * step * depth + 7) // 8
    raw, row, out = zlib.decompress(packed), bytearray(long), bytearray()
    for y in range(height):
        start = y * (long + 1)
        kind, line = raw[start], bytearray(raw[start + 1 : start + 1 + long])
        for x in range(long) if kind else ():
            left, up, corner = (line[x - step], row[x], row[x - step]) if x >= step else (0, row[x], 0)
            if kind == 4:
                p = left + up - corner
                a, b, c = abs(p - left), abs(p - up), abs(p - corner)
                guess = left if a <= b and a <= c else up if b <= c else corner
            else:
                guess = (0, left, up, (left + up) // 2)[kind]
            line[x] = (line[x] + guess) & 255
        row = line
        if colour == 2:
            out += line
        elif colour == 6:
            plain = bytearray(line)
            del plain[3::4]
            out += plain
        else:
            mask = (1 << depth) - 1
            for x in range(width):
                index = line[x * depth // 8] >> (8 - depth - x * depth % 8) & mask
                out += palette[index * 3 : index * 3 + 3]
    return width, out


def is_other(fresh, kept):
    """True if two pictures differ visibly, ignoring the status bar."""
    if not kept.exists():
        return True
    (width, new), (width_before, old) = points(fresh), points(kept)
    if width != width_before or len(new) != len(old):
        return True
    end = len(new) - STATUS_BAR * width * 3
    return sum(abs(a - b) > FAR for a, b in zip(new[:end], old[:end])) > MANY


def picture(command):
    words = shlex.split(command)
    at = words.index("--screenshot") + 1
    name = pathlib.Path(words[at]).name
    fresh, kept = work / "out" / name, pictures / name
    words[at] = str(fresh)
    text, status = run(words)
    if status:
        raise SystemExit(f"{command}: {text}")
    if not is_other(fresh, kept):
        return
    if shutil.which("pngquant"):
        small = work / "out" / "small.png"
        subprocess.run(["pngquant", "--force", "--speed", "1", "--strip", "--output", small, fresh], check=True)
        fresh = small
    shutil.copyfile(fresh, kept)
    print(f"drawn: docs/pictures/{name}, {kept.stat().st_size:,} bytes")


MARK = re.compile(r"^<!-- heaplens((?: [a-z]+=\S+)*): (.+) -->$")
for page in pages:
    if page.is_relative_to(repository / "docs" / "contributing"):
        continue
    old = page.read_text()
    rows, new, at = old.split("\n"), [], 0
    while at < len(rows):
        new.append(rows[at])
        mark = MARK.match(rows[at])
        at += 1
        if not mark:
            continue
        said = dict(word.split("=", 1) for word in mark[1].split())
        if "--screenshot" in mark[2]:
            picture(mark[2])
            continue
        if rows[at] != "```":
            raise SystemExit(f"{page}: no block of code below: {mark[0]}")
        end = rows.index("```", at + 1)
        new += ["```", answer(mark[2], said.get("lines"), int(said.get("cut", 160))), "```"]
        at = end + 1
    if "\n".join(new) != old:
        page.write_text("\n".join(new))
        print(f"written: {page.relative_to(repository)}")
PYTHON
