#!/usr/bin/env python3
"""Asks heaplens for the name of each structure in every view, and compares it with the name that the source has.

  score.py BINARY DIR [work|held|all] [KEY…]

DIR has the dumps of make.sh. For each structure six texts of `a`: leaks, dominators, treemap, diff (before, a), SQL and the report (Markdown). Each is
  =  the name, or one that is as good          ~  contains it: more around it (a package, a path)
  x  something else                            -  the view has no row for it
Then whether all six are one text (`agree`), and whether `b` and `c` have the text and the fingerprint of `a` (`same`: `name`, `print`).
The last lines are totals; `hits` counts the names that a search finds in the source of the program, or of the library where it is
installed as source.

Each view is read by one function below: these change with the product, the rest does not.
"""
import csv
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
VIEWS = ("leaks", "dominators", "treemap", "diff", "sql", "report")
SHORT = ("short_name", "short")  # keys of the short name in JSON, once there is one
LEAST = 0.1  # share of the entries that a finding or row holds, to be that of the structure: a thread of a pool holds a part


class Dump:
    """A dump, and the answers about it that several views need."""

    def __init__(self, binary: str, file: pathlib.Path, structure: dict):
        self.binary, self.file, self.structure = binary, file, structure
        self.chain, self.size, self.grown = set(), 0, None
        # The maps of a bundle lie where it was made, not where its page was read from.
        run = "2" if file.stem == "c" else "1"
        bundle = file.parent.parent / ".work" / run / structure["key"] / "dist"
        self.maps = ("--source-maps", str(bundle)) if any(bundle.glob("**/*.map")) else ()
        self.findings = self.json("leaks", str(file), "--top", "12").get("findings", [])
        self.shares = self.measure()
        self.found = next((finding for finding in self.findings if self.holds(finding)), None) or next((finding for finding in self.findings if self.is_above(finding)), None)

    def text(self, *words: str) -> str:
        ended = subprocess.run([self.binary, *words, *self.maps], capture_output=True, text=True, timeout=300,
                               env={**os.environ, "XDG_CACHE_HOME": CACHE.name})
        if ended.returncode:
            raise RuntimeError(f"{' '.join(words)}: {ended.stderr.strip()[-200:]}")
        return ended.stdout

    def json(self, *words: str) -> dict:
        return json.loads(self.text(*words, "--format", "json"))

    def rows(self, query: str) -> list[dict]:
        return self.json("query", str(self.file), query)["rows"]

    def id(self, number: int | str | None) -> str | None:
        """An id as commands take it: SQL has numbers."""
        return number if number is None or isinstance(number, str) else f"0x{number:x}" if self.file.suffix == ".hprof" else f"@{number}"

    def is_entry(self) -> str:
        """Condition in SQL of the entries: several classes, or a part of a name with `*`, are separated by `|`."""
        parts = []
        for name in self.structure["class"].split("|"):
            quoted = name.replace("'", "''")
            parts.append(f"class LIKE '{quoted.replace('*', '%')}'" if "*" in name else f"class = '{quoted}'")
        return f"reachable AND ({' OR '.join(parts)})"

    def measure(self) -> dict[str, float]:
        """Share of the entries that each object of a finding dominates, in one query."""
        ids = {(finding.get(key) or {}).get("id") for finding in self.findings for key in ("accumulation", "holder")}
        ids |= {cut["to"] for finding in self.findings for cut in (finding.get("cut") or [])[:4]}
        ids = sorted(filter(None, ids))
        sums = "".join(f", sum(dominates(object('{id}'), id)) AS s{at}" for at, id in enumerate(ids))
        row = self.rows(f"SELECT count(*) AS n{sums} FROM objects WHERE {self.is_entry()}")[0]
        self.entries = row["n"]
        return {id: (row[f"s{at}"] or 0) / max(self.entries, 1) for at, id in enumerate(ids)}

    def share(self, id: str | None) -> float:
        if id and id not in self.shares and self.entries:
            found = self.rows(f"SELECT count(*) AS n FROM objects WHERE {self.is_entry()} AND dominates(object('{id}'), id)")
            self.shares[id] = found[0]["n"] / self.entries
        return self.shares.get(id, 0.0)

    def holds(self, finding: dict) -> bool:
        """Whether a finding is that of the structure: it accumulates the class, or what it holds has enough of it."""
        accumulates = (finding.get("accumulates") or {}).get("class")
        if accumulates in self.structure["class"].split("|"):
            return True
        return any(self.share((finding.get(key) or {}).get("id")) >= LEAST for key in ("accumulation", "holder"))


    def is_above(self, finding: dict) -> bool:
        """Whether a finding that no single object dominates is that of the structure: it is as large, and entries are below its classes."""
        if finding.get("group") == "waste" or not self.entries:
            return False
        if not self.chain:
            sample = self.rows(f"SELECT id, class FROM objects WHERE {self.is_entry()} LIMIT 3")
            self.chain = {row["class"] for row in sample}
            for row in sample:
                self.chain |= {above["class"] for above in self.rows(f"SELECT class FROM dominators(object('{row['id']}'))")}
            self.size = self.rows(f"SELECT sum(retained_bytes) AS n FROM objects WHERE {self.is_entry()}")[0]["n"]
        classes = {(finding.get(key) or {}).get("class") for key in ("accumulates", "accumulation")}
        return finding["bytes"] >= 0.3 * self.size and not classes.isdisjoint(self.chain)

    def owners(self) -> list[dict]:
        """What grew between `before` and this dump, most first."""
        if self.grown is None:
            before = self.file.with_name("before" + self.file.suffix)
            self.grown = self.json("diff", str(before), str(self.file), "--top", "5")["owners"]
        return self.grown


def short(row: dict) -> str | None:
    return next((row[key] for key in SHORT if row.get(key)), None)


# ---------------------------------------------------------------------------------------------- one function for each view


def leaks(dump: Dump) -> str | None:
    """The first finding that holds the entries."""
    return dump.found and (short(dump.found) or dump.found.get("label") or dump.found.get("name") or dump.found["title"])


def tree_row(dump: Dump, id: str | None) -> dict | None:
    """The row of an object in the grouped tree, among those of its dominator; a group of siblings if it has no row of its own."""
    if not id:
        return None
    parent = dump.rows(f"SELECT dominator(object('{id}')) AS d, class_of(object('{id}')) AS c")[0]
    below = ("--of", dump.id(parent["d"])) if parent["d"] else ()
    rows = dump.json("dominators", str(dump.file), "--fold", "--top", "200", "--depth", "1", *below)["rows"]
    if not parent["d"] and not any(row.get("id") == id for row in rows):
        # What several objects hold is in the rows of shared objects.
        shared = dump.json("dominators", str(dump.file), "--shared", "--top", "40", "--depth", "2")["rows"]
        rows += [inside for row in shared for inside in row.get("children", [])]
    row = next((row for row in rows if row.get("id") == id), None) or next((row for row in rows if row["class"] == parent["c"]), None)
    return row and {**row, "above": parent["d"]}


def dominators(dump: Dump) -> str | None:
    """The name in the row of the structure's object."""
    row = tree_row(dump, structure_id(dump))
    return row and (short(row) or row.get("row") or row.get("label") or row.get("class"))


def treemap(dump: Dump) -> str | None:
    """The cell of the structure, which is a row of the tree and leads with the same text: the outermost around the structure's object
    with its short name. A field is read with the class of the cell around it, which stands on its edge."""
    id = structure_id(dump)
    if not id:
        return None
    above = f"SELECT id, short_name(id) AS name FROM dominators(object('{id}')) LIMIT 24"
    name = dump.rows(f"SELECT short_name(object('{id}')) AS name")[0]["name"]
    for row in dump.rows(above):
        if row["name"] != name:
            break
        id = dump.id(row["id"])
    row = tree_row(dump, id)
    lead = row and (row["lead"] or row["row"])
    if not lead or not re.match(r"\.|\[[A-Za-z]", lead) or not row["above"]:
        return lead
    around = dump.rows(f"SELECT class, label FROM objects WHERE id = {row['above']}")[0]
    shown = around["label"] if around["class"] == "java.lang.Class" else around["class"]
    return shown.rsplit(".", 1)[-1] + lead


def diff(dump: Dump) -> str | None:
    """The first owner that grew."""
    owners = dump.owners()
    return owners and (short(owners[0]) or owners[0].get("owner")) or None


def sql(dump: Dump) -> str | None:
    """The name of the structure's object, which is where the entries accumulate."""
    id = structure_id(dump)
    if not id:
        return None
    for function in ("short_name", "name"):
        try:
            return dump.rows(f"SELECT {function}(object('{id}')) AS name")[0]["name"]
        except RuntimeError:
            continue
    return None


def report(dump: Dump) -> str | None:
    """The line of the finding in the Markdown of the overview: what stands before what it holds."""
    link = f"finding={fingerprint(dump)}"
    line = next((line for line in dump.text("overview", str(dump.file), "--format", "markdown").splitlines() if link in line), None)
    title = line and re.match(r"(?:\d+\.|[-#]+) \**\[?(.*)", line)
    return title and re.split(r" holds? |: ", html.unescape(title[1]).replace("\\", ""))[0]


def structure_id(dump: Dump) -> str | None:
    """The object that the field of the finding refers to; else the owner that grew, or the one that dominates most entries directly; else an entry."""
    for cut in ((dump.found or {}).get("cut") or [])[:4]:
        if dump.share(cut["to"]) >= LEAST:
            return cut["to"]
    owners = dump.owners()
    if owners and dump.share(owners[0].get("id")) >= LEAST:
        return owners[0]["id"]
    found = dump.rows(f"SELECT dominator(id) AS d, count(*) AS n, max(id) AS e FROM objects WHERE {dump.is_entry()} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1")
    return dump.id((found[0]["d"] if found[0]["n"] > 1 and found[0]["d"] else found[0]["e"])) if found else None


def fingerprint(dump: Dump) -> str | None:
    return dump.found and dump.found.get("fingerprint")


# ---------------------------------------------------------------------------------------------- what does not change


def verdict(text: str | None, structure: dict) -> str:
    names = [structure["name"], *filter(None, structure["also"].split("|"))]
    if text is None:
        return "-"
    return "=" if text in names else "~" if any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for name in names) else "x"


def structures(which: str, keys: list[str]) -> list[dict]:
    found = []
    for file in ("structures-jvm.tsv", "structures-js.tsv"):
        if (HERE / file).exists():
            with open(HERE / file, encoding="utf-8", newline="") as source:
                found += csv.DictReader((line for line in source if line.strip()), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [one for one in found if (which == "all" or one["set"] == which) and (not keys or one["key"] in keys)]


def hit(structure: dict, folder: pathlib.Path) -> str | None:
    """The place in the source that a search for a part of the name finds, `file:line`; empty if there is none; None for sources that are not here."""
    name, _, text = structure["grep"].partition(":")
    file = next((file for file in (HERE / name, folder / ".work" / "1" / structure["key"] / name) if file.exists()), None)
    if file is None:
        return None
    # A closure is `function (file:line)`: its function is what one searches for.
    parts = [part for part in re.split(r"[./ #()\[\]]+", re.sub(r" \(.*:\d+\)$", "", structure["name"])) if part]
    lines = file.read_text(encoding="utf-8").splitlines()
    return next((f"{name}:{number}" for number, line in enumerate(lines, 1) if text in line and any(part in line for part in parts)), "")


def ask(view, dump: Dump) -> str | None:
    try:
        return view(dump)
    except (RuntimeError, KeyError, IndexError, json.JSONDecodeError, subprocess.TimeoutExpired) as error:
        print(f"  {dump.structure['key']} {dump.file.name} {view.__name__}: {error}", file=sys.stderr)
        return None


def main() -> int:
    words = sys.argv[1:]
    if len(words) < 2:
        print(__doc__)
        return 2
    binary, folder, rest = words[0], pathlib.Path(words[1]), words[2:]
    which = rest.pop(0) if rest and rest[0] in ("work", "held", "all") else "all"
    count = dict.fromkeys(["structures", "agree", "right everywhere", "same name", "same print", "hits", "without sources"], 0)
    right = {view: [0, 0] for view in VIEWS}
    for structure in structures(which, rest):
        key = structure["key"]
        file = next(iter(sorted((folder / key).glob("a.*"))), None)
        if file is None:
            print(f"{key}: no dump")
            continue
        try:
            dump = Dump(binary, file, structure)
            others = [Dump(binary, file.with_name(run + file.suffix), structure) for run in ("b", "c") if file.with_name(run + file.suffix).exists()]
        except (RuntimeError, subprocess.TimeoutExpired, json.JSONDecodeError) as error:
            print(f"{key}: {error}")
            continue
        texts = {view: ask(globals()[view], dump) for view in VIEWS}
        marks = {view: verdict(text, structure) for view, text in texts.items()}
        agree = None not in texts.values() and len(set(texts.values())) == 1
        names = [ask(leaks, other) == texts["leaks"] is not None for other in others]
        prints = [fingerprint(other) == fingerprint(dump) is not None for other in others]
        for view, mark in marks.items():
            right[view][0] += mark == "="
            right[view][1] += mark == "~"
        count["structures"] += 1
        count["agree"] += agree
        count["right everywhere"] += all(mark == "=" for mark in marks.values())
        count["same name"] += len(names) == 2 and all(names)
        count["same print"] += len(prints) == 2 and all(prints)
        place = hit(structure, folder)
        count["hits"] += bool(place)
        count["without sources"] += place is None
        yes = ["no", "yes"]
        print(f"{key}  [{structure['name']}]  agree {yes[agree]}  same name {'/'.join(yes[x] for x in names)}  same print {'/'.join(yes[x] for x in prints)}"
              + f"  source {place or '-'}" + ("" if dump.entries else "  NO ENTRIES"))
        print("    " + "  |  ".join(f"{view} {marks[view]} {(texts[view] or '')[:90]}" for view in VIEWS), flush=True)
    total = count.pop("structures")
    print(f"\n{total} structures: " + ", ".join(f"{name} {number}" for name, number in count.items()))
    print("by view, exact (qualified): " + ", ".join(f"{view} {exact} ({more})" for view, (exact, more) in right.items()))
    return 0


# A cache of analyses for this run: the second question about a dump takes no time, and what another program of heaplens stored isn't read.
CACHE = tempfile.TemporaryDirectory()

if __name__ == "__main__":
    sys.exit(main())
