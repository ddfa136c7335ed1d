"""Output of each copy action, as another program reads it from the clipboard."""

import json

from desktop import DUMP, golden

# Digit of each form in the list of Copy as…, and the extension of its golden text.
FORMS = [("1", "txt"), ("2", "md"), ("3", "trace.txt"), ("4", "tsv"), ("5", "json"), ("6", "sh")]
# Selects text, which later copies without a form reuse.
AS_TEXT = ("shift+y", "1")


def every_form(desktop, name, further):
    """Copies in each form, after `further` moves to the right in Copy as…."""
    for digit, ending in FORMS:
        text = golden(f"{name}.{ending}")
        desktop.copies(f"Copy as…, {name}.{ending}", text, "shift+y", *["Right"] * further, digit)


def by_palette(verb):
    return ("ctrl+k", ("type", verb), "Return")


def verbs(desktop):
    """Every copy action, on the dump of the golden texts."""
    desktop.show_view("3")
    every_form(desktop, "path", 1)
    every_form(desktop, "object", 2)
    desktop.copied_by(*AS_TEXT)
    desktop.copies("Copy path (Y)", golden("path.txt"), "y")
    desktop.press("Right", "shift+Down", "shift+Down")
    every_form(desktop, "tree", 0)
    desktop.show_view("2")
    desktop.press("Home", "shift+Down", "shift+Down", "shift+Down")
    every_form(desktop, "rows", 0)
    desktop.copied_by(*AS_TEXT)
    desktop.copies("Copy rows (Ctrl+C)", golden("rows.txt"), "ctrl+c")
    desktop.copies("Copy command line (C)", golden("rows.sh"), "c")
    for form, ending in [("plain text", "txt"), ("Markdown", "md"), ("spreadsheet cells", "tsv"), ("JSON", "json")]:
        verb = f"Copy as {form}"
        desktop.copies(f"{verb}, by the palette", golden(f"rows.{ending}"), *by_palette(verb))
    # The first row of the tree is the class that holds the leak.
    desktop.show_view("3")
    desktop.press("Home")
    desktop.copies("Copy object id", "0xfe03f300", *by_palette("Copy object id"))
    desktop.copies("Copy object", golden("object.txt"), *by_palette("Copy object"))
    desktop.copies("Copy path as leak trace", golden("path.trace.txt"), *by_palette("Copy path as leak trace"))
    found = desktop.copied_by(*by_palette("Copy inspector rows"))
    desktop.report.check(f"{desktop.name}: Copy inspector rows", "ENTRIES" in (found or ""), found)


def pasting(desktop):
    """Text of other programs can be pasted into every text field."""
    report, name = desktop.report, desktop.name
    pattern = "desk.SessionReaper"
    desktop.write_clipboard(pattern)
    desktop.show_view("2")
    desktop.press("slash", "ctrl+a", "ctrl+v", "Return", "Home")
    command = f"heaplens histogram {DUMP} --filter {pattern} --owners --top 1\n"
    desktop.copies("paste into a filter", command, "c")
    row = (desktop.copied_by("shift+y", "4") or "").splitlines()[-1:]
    wanted = histogram_of(desktop, pattern)[0]
    # The window adds the owners, as text.
    values = ["" if value is None else str(value) for value in wanted.values()]
    is_right = bool(row) and row[0].split("\t")[: len(values)] == values
    report.check(f"{name}: the filter leaves what the command line finds", is_right, f"found {row}\nwanted {wanted}")
    desktop.press("slash", "ctrl+a", "Delete", "Escape")
    desktop.copied_by(*AS_TEXT)
    desktop.write_clipboard("0xfe03f300")
    desktop.press("ctrl+k", "ctrl+v", "Return")
    desktop.copies("paste into the palette", "0xfe03f300", *by_palette("Copy object id"))


def histogram_of(desktop, pattern):
    """Rows of the command line for a filter, largest first."""
    out = desktop.ask(desktop.binary, "histogram", DUMP, "--filter", pattern, "--format", "json")
    return json.loads(out)["rows"] if out else [{}]
