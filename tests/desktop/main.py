"""Runs the desktop test; see `run.sh`."""

import argparse
import pathlib
import sys
import tempfile

import desktop
import wayland
import x11
from desktop import Report


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--binary", required=True)
    options.add_argument("--only", choices=["x11", "wayland"])
    options.add_argument("--keep")
    options.add_argument("--patience", type=float, default=desktop.PATIENCE, help="seconds until a check has failed")
    options = options.parse_args()
    desktop.PATIENCE = options.patience
    folder = pathlib.Path(options.keep or tempfile.mkdtemp(prefix="heaplens-desktop-"))
    folder.mkdir(parents=True, exist_ok=True)
    report = Report(folder)
    for name, journey in [("x11", x11.journey), ("wayland", wayland.journey)]:
        if options.only in (None, name):
            report.say(f"── {name}")
            try:
                journey(options.binary, report)
            except Exception as error:  # One desktop that cannot be had must not hide the other.
                report.check(f"{name}: the journey ends", False, repr(error))
    (folder / "transcript.txt").write_text("\n".join(report.lines) + "\n", encoding="utf-8")
    print(f"{report.passed} passed, {report.failed} failed")
    sys.exit(1 if report.failed else 0)


main()
