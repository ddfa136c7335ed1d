"""Eleven tasks of users in the real window, each with the actions and seconds it takes, from the start of the program to the
answer on the screen or on the clipboard. Seconds include starting and opening; none is an assertion of a test.

    dbus-run-session -- /usr/bin/python3 tests/desktop/tasks.py BINARY [TASK...]

An action is a click, a key or a typed text.

Needs an X server with a window manager, xdotool, xclip, and the accessibility bus (at-spi2-core, gir1.2-atspi-2.0).
"""

import html
import pathlib
import re
import subprocess
import sys
import time

from window import Window, announce_reader

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"
AFTER = str(FIXTURES / "leak-after.hprof.gz")
BEFORE = str(FIXTURES / "leak-before.hprof.gz")
SNAPSHOT = str(FIXTURES / "node" / "desk-final.heapsnapshot.gz")
ANDROID = str(FIXTURES / "android" / "album.hprof.gz")


def holder(window):
    """Unknown dump → holder → copied path."""
    window.choose(r"^In short: ", r"^Copy path")
    return window.clipboard("SessionCache")


def grown(window):
    """Two dumps → what grew → one new entry."""
    window.click(r"^desk.Session customer", role="link")
    return window.has(r"^Breadcrumb: desk.Session customer")


def merged(window):
    """Class → merged paths without weak references → copy."""
    window.click(r"^Histogram$", role="page tab")
    window.choose(r"^desk\.Session 1,200 objects", r"^Merged paths without weak references")
    window.click(r"^Copy rows of the tree")
    return window.clipboard(r"ENTRIES")


def together(window):
    """Retained size of a chosen set."""
    window.click(r"^Histogram$", role="page tab")
    window.click(r"^desk\.Order 1,200 objects")
    window.click(r"^desk\.Customer 400 objects", held="shift")
    return window.has(r"combined retained size \d")


def text(window):
    """A string's holder."""
    window.click(r"^Command palette")
    window.type('"status: placed')
    window.click(r"status: placed", last=True, role="list item", seconds=5)
    return window.has(r"^Breadcrumb: ")


def loader(window):
    """The class loader of the program and its classes."""
    window.click(r"^More views$")
    window.click(r"^Class loaders$", role="page tab")
    window.find(r"AppClassLoader", role="tree item")
    window.key("Right")
    return window.has(r"^desk\.Session$", role="tree item")


def local(window):
    """A thread's local variables."""
    window.click(r"^Threads$", role="page tab")
    window.click(r"^Expand .*report-writer")
    return window.has(r"parkForEver|startReport")


def query(window):
    """A row of a query and its path."""
    window.find(r"^Command palette")
    window.key("q")
    window.find(r"^Run", seconds=10)
    window.type('SELECT * FROM "desk.Order"')
    window.key("ctrl+Return")
    return window.has(r"^Step .*desk\.Order ")


def detached(window):
    """A detached node's retainer (V8)."""
    window.click(r"^Detached nodes$", role="page tab")
    window.click(r"^Expand ", seconds=10)
    return window.has(r"^retained by ")


def activity(window):
    """The leak trace of an activity (Android)."""
    window.choose(r"^Leak 1: ", r"^Copy finding")
    return window.clipboard(r"ShareTracker")


def link(window):
    """From a link in a report to the object, with the dump open."""
    report = subprocess.run(
        [window.binary, "overview", "--format", "html", AFTER], capture_output=True, text=True, check=True
    ).stdout
    window.began = time.monotonic()
    window.click(r"^Command palette")
    window.type(html.unescape(re.search(r'href="(heaplens://[^"]*)"', report)[1]))
    window.click(r"Open link", last=True)
    return window.has(r"^Step .*SessionCache|^Breadcrumb: .*SessionCache")


TASKS = {
    "holder": (holder, [AFTER]),
    "grown": (grown, [BEFORE, AFTER]),
    "merged": (merged, [AFTER]),
    "together": (together, [AFTER]),
    "text": (text, [AFTER]),
    "loader": (loader, [AFTER]),
    "local": (local, [AFTER]),
    "query": (query, [AFTER]),
    "detached": (detached, [SNAPSHOT]),
    "activity": (activity, [ANDROID]),
    "link": (link, [AFTER]),
}


def main():
    binary, *names = sys.argv[1:]
    announce_reader()
    for name in names or TASKS:
        task, files = TASKS[name]
        window = Window(binary, *files)
        try:
            window.find(r".", seconds=20)
            task(window)
            seconds = time.monotonic() - window.began
            print(f"{name:10} {window.actions} actions  {seconds:5.1f} s  {task.__doc__}", flush=True)
        except Exception as error:  # every task is reported
            seconds = time.monotonic() - window.began
            print(f"{name:10} FAILED after {window.actions} actions, {seconds:.1f} s: {error}", flush=True)
        finally:
            window.close()
            time.sleep(0.5)


main()
