#!/usr/bin/env python3
"""Writes advisories.txt from a checkout of the RustSec advisory database.

usage: tests/supply/advisories.py CHECKOUT
"""

import pathlib
import subprocess
import sys
import tomllib

HEAD = """# Known vulnerabilities of Rust crates, for deny.sh: crate | id | date | kind | patched | unaffected | title.
#
# As of {date}. From the RustSec advisory database (github.com/rustsec/advisory-db, commit {commit}), which is in the
# public domain (CC0-1.0; entries adapted from GitHub's advisories: CC-BY-4.0). Withdrawn entries are omitted.
# Written by advisories.py.

"""


def git(checkout: str, *words: str) -> str:
    return subprocess.run(["git", "-C", checkout, *words], check=True, capture_output=True, text=True).stdout


def entry(text: str) -> str | None:
    """Line of an advisory, or none if it is withdrawn."""
    _, front, rest = text.split("```", 2)
    front = tomllib.loads(front.removeprefix("toml"))
    advisory, versions = front["advisory"], front["versions"]
    if "withdrawn" in advisory:
        return None
    title = next(line.removeprefix("# ") for line in rest.splitlines() if line.startswith("# "))
    ranges = [", ".join(f'"{range}"' for range in versions.get(key, [])) for key in ("patched", "unaffected")]
    kind = advisory.get("informational", "vulnerability")
    fields = [advisory["package"], advisory["id"], str(advisory["date"]), kind, *ranges, title.replace(" | ", " / ").replace("crates.io", "the registry")]
    return " | ".join(fields)


def main() -> None:
    checkout = sys.argv[1]
    date, commit = git(checkout, "log", "-1", "--format=%cs %h").split()
    names = git(checkout, "ls-tree", "-r", "--name-only", "HEAD", "crates").split()
    lines = (entry(git(checkout, "show", f"HEAD:{name}")) for name in names if name.endswith(".md"))
    text = HEAD.format(date=date, commit=commit) + "".join(sorted(f"{line}\n" for line in lines if line))
    pathlib.Path(__file__).with_name("advisories.txt").write_text(text)


main()
