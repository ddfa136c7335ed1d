"""The window on an X server without a screen, with a window manager, keys by xdotool, clipboard by xclip."""

import os
import signal
import subprocess
import time

import copying
import long_text
from desktop import DUMP, OTHER, ROOT, Desktop, golden, wait_for

HERE = ROOT / "tests" / "desktop"
PYTHON = "/usr/bin/python3"
# Position of the path field on the start page of a window of 1440×900.
PATH_FIELD = (660, 620)


class X11(Desktop):
    name = "X11"

    def __init__(self, binary, report, screen="1440x900"):
        super().__init__(binary, report)
        readable, writable = os.pipe()
        # The server picks a free display, and prints its number once it listens.
        self.start("Xvfb", "-displayfd", str(writable), "-noreset", "-screen", "0", f"{screen}x24", pass_fds=(writable,))
        os.close(writable)
        number = os.fdopen(readable).readline().strip()
        if not number:
            raise RuntimeError("Xvfb does not start")
        self.environment["DISPLAY"] = f":{number}"
        self.start("openbox")
        time.sleep(1.0)

    def id(self):
        found = (self.ask("xdotool", "search", "--onlyvisible", "--class", "heaplens") or "").split()
        return found[-1] if found else None

    def title(self):
        window = self.id()
        return window and self.ask("xdotool", "getwindowname", window)

    def take_focus(self):
        window = self.id()
        if window:
            self.ask("xdotool", "windowfocus", "--sync", window, seconds=5)

    def type(self, text):
        self.ask("xdotool", "type", "--delay", "15", text)

    def press_one(self, key):
        self.ask("xdotool", "key", key)

    def click(self, place, button=1):
        self.ask("xdotool", "mousemove", *map(str, place))
        time.sleep(0.2)
        self.ask("xdotool", "click", str(button))
        time.sleep(0.4)

    def read_clipboard(self, selection="clipboard"):
        return self.ask("xclip", "-o", "-selection", selection, seconds=10)

    def write_clipboard(self, text, selection="clipboard"):
        # xclip continues to serve the text in the background, with its output closed.
        subprocess.run(
            ["xclip", "-i", "-selection", selection],
            input=text, encoding="utf-8", env=self.environment, timeout=10,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )

    def picture(self, name):
        self.ask("import", "-window", "root", str(self.report.folder / f"{name}.png"))


def journey(binary, report):
    for part in (one_window, paths_and_drops, dialog, sessions, what_if, kept, large, scaled):
        desktop = X11(binary, report, "2880x1800" if part is scaled else "1440x900")
        try:
            part(desktop)
        except Exception as error:  # What one part met must not hide the others.
            report.check(f"X11: {part.__name__} ends", False, repr(error))
        finally:
            desktop.end()


def one_window(desktop):
    """Copy and paste in a window that stays open, at several sizes."""
    report = desktop.report
    shown = desktop.open(DUMP, title="leak-after")
    report.check("X11: the title names the dump", shown, desktop.title())
    copying.verbs(desktop)
    copying.pasting(desktop)
    for width, height in [(1000, 640), (720, 480), (1440, 860)]:
        desktop.ask("xdotool", "windowsize", "--sync", desktop.id(), str(width), str(height), seconds=5)
        desktop.show_view("3")
        desktop.copies(f"Copy path at {width}×{height}", golden("path.txt"), "y")
        desktop.picture(f"x11-{width}x{height}")
    second = desktop.start(desktop.binary, OTHER)
    code = second.wait(30)
    report.check("X11: a second start hands its file over and ends", code == 0, code)
    report.check("X11: the window that was there shows it", wait_for(lambda: desktop.has_title("leak-before")), desktop.title())
    desktop.press("ctrl+q")
    report.check("X11: closes by Ctrl+Q", desktop.end_window() == 0)


def paths_and_drops(desktop):
    """The path field, the primary selection, the middle button, a dropped file."""
    report = desktop.report
    desktop.open()
    time.sleep(1.0)
    desktop.picture("x11-first-page")
    path = str(ROOT / DUMP)
    desktop.click(PATH_FIELD)
    desktop.press(("type", "a path"), "ctrl+a")
    selected = wait_for(lambda: desktop.read_clipboard("primary") == "a path", 5)
    report.check("X11: selected text is the primary selection", selected, desktop.read_clipboard("primary"))
    desktop.press("Delete")
    desktop.write_clipboard(path, "primary")
    desktop.click(PATH_FIELD, button=2)
    desktop.press("Return")
    report.check("X11: the middle button pastes the primary selection", wait_for(lambda: desktop.has_title("leak-after")), desktop.title())
    desktop.press("ctrl+w")
    wait_for(lambda: not desktop.has_title("leak-after"), 5)
    # Without a portal there is no dialog: the path field has keyboard focus.
    desktop.write_clipboard(str(ROOT / OTHER))
    desktop.press("ctrl+o")
    time.sleep(1.5)
    desktop.picture("x11-no-dialog")
    desktop.press("ctrl+v", "Return")
    report.check("X11: without a portal, a path is pasted and opens", wait_for(lambda: desktop.has_title("leak-before")), desktop.title())
    dropped = desktop.ask(PYTHON, str(HERE / "drop.py"), desktop.id(), path)
    report.check("X11: a file dropped from another program opens", dropped and wait_for(lambda: desktop.has_title("leak-after")), f"{dropped} {desktop.title()}")


def dialog(desktop):
    """The Open dialog of a portal."""
    report = desktop.report
    desktop.environment["PORTAL_FILE"] = str(ROOT / DUMP)
    wrapper = ("dbus-run-session", "--", "sh", "-c", f'{PYTHON} {HERE}/portal.py & sleep 1.5; exec "$@"', "sh")
    desktop.open(wrapper=wrapper)
    time.sleep(1.0)
    desktop.press("ctrl+o")
    report.check("X11: the file chosen in the portal's dialog opens", wait_for(lambda: desktop.has_title("leak-after")), desktop.title())


def sessions(desktop):
    """Close or kill, then start: the dumps of the previous session are offered."""
    report = desktop.report
    for how, code in [("close", 0), ("kill", -signal.SIGKILL)]:
        desktop.open(DUMP, title="leak-after")
        time.sleep(2.0)
        if how == "close":
            desktop.press("ctrl+q")
        else:
            desktop.window.kill()
        report.check(f"X11: {how}: the window ends", desktop.end_window() == code)
        desktop.open()
        time.sleep(1.0)
        desktop.press("ctrl+k", ("type", "reopen last session"), "Return")
        report.check(f"X11: {how}: the next start offers the dump", wait_for(lambda: desktop.has_title("leak-after")), desktop.title())
        desktop.window.kill()
        desktop.end_window()


def what_if(desktop):
    """From a finding to the heap after its removal, to a ticket, and to the next start."""
    report = desktop.report
    fix = "--cut desk.SessionCache.ENTRIES"
    ticket = ("ctrl+k", ("type", "copy removals"), "Return")

    def copies(what, is_right, *keys):
        # A slow machine may lose a key.
        copied = next((text for _ in range(3) if is_right(text := desktop.copied_by(*keys) or "")), None)
        report.check(f"X11: what if: {what}", copied is not None, desktop.read_clipboard())
        for line in (copied or "").splitlines():
            report.say(f"        > {line[:150]}")

    desktop.open(DUMP, title="leak-after")
    desktop.show_view("f")
    desktop.press("x")
    time.sleep(1.0)
    desktop.press("w")
    time.sleep(2.0)
    desktop.picture("x11-after")
    desktop.show_view("3")
    copies("a command copied after has the removal", lambda text: fix in text, "c")
    desktop.press("ctrl+z")
    time.sleep(1.0)
    copies("undone, it has none", lambda text: "heaplens" in text and "--cut" not in text, "c")
    desktop.press("ctrl+shift+z", "w")
    time.sleep(2.0)
    copies("redone, it has it", lambda text: fix in text, "c")
    desktop.press("shift+w")
    time.sleep(1.0)
    desktop.picture("x11-removals")
    desktop.press("Escape")
    copies("the removals are copied", lambda text: text.startswith("**What if**") and fix in text, *ticket)
    desktop.press("ctrl+q")
    report.check("X11: what if: the window ends", desktop.end_window() == 0)
    desktop.open(DUMP, title="leak-after")
    copies("the next start has them", lambda text: text.startswith("**What if**") and fix in text, *ticket)


def kept(desktop):
    """A copied text outlives the window if there is a clipboard manager."""
    report = desktop.report
    desktop.start(PYTHON, str(HERE / "clipboard_manager.py"))
    desktop.open(DUMP, title="leak-after")
    desktop.show_view("3")
    desktop.copies("Copy path with a clipboard manager", golden("path.txt"), "y")
    desktop.press("ctrl+q")
    desktop.end_window()
    report.equal("X11: the copy stays after the window is closed", desktop.read_clipboard(), golden("path.txt"))


def large(desktop):
    """Ten megabytes arrive complete; a text over the limit of X11 is refused."""
    report = desktop.report
    dump = long_text.write(desktop.home / "long.hprof", objects=9_500, name="L" * 1_000)
    desktop.open(str(dump), title="long")
    desktop.show_view("2")
    desktop.press("Home", "Return")
    time.sleep(1.5)
    desktop.press("ctrl+a")
    found = desktop.copied_by("shift+y", "4", seconds=40) or ""
    lines = found.splitlines()
    is_whole = len(found) > 9_500_000 and all("L" * 900 in line for line in lines[-9_000:])
    report.check(f"X11: a copy of {len(found):,} bytes arrives whole", is_whole, f"{len(lines)} lines, {lines[-1:]!r:.200}")
    desktop.press("ctrl+w")
    # A quotation mark is two characters in JSON.
    dump = long_text.write(desktop.home / "quotes.hprof", objects=9_500, name='"' * 1_000)
    desktop.ask(desktop.binary, str(dump))
    wait_for(lambda: desktop.has_title("quotes"))
    time.sleep(2.0)
    desktop.show_view("2")
    desktop.press("Home", "Return")
    time.sleep(1.5)
    desktop.press("ctrl+a")
    desktop.write_clipboard("as it was")
    desktop.press("shift+y", "5")
    time.sleep(4.0)
    desktop.picture("x11-too-long")
    report.equal("X11: a copy that is too long leaves the clipboard as it was", desktop.read_clipboard(), "as it was")


def scaled(desktop):
    """A screen of twice the density."""
    desktop.environment["WINIT_X11_SCALE_FACTOR"] = "2"
    shown = desktop.open(DUMP, title="leak-after")
    desktop.report.check("X11: HiDPI factor 2: the window opens", shown)
    desktop.show_view("3")
    desktop.copies("HiDPI factor 2: Copy path", golden("path.txt"), "y")
    desktop.picture("x11-hidpi")
