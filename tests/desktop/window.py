"""The real window, read through the accessibility bus and driven with a mouse: a control is found by its accessible name,
and clicked where it is on the screen."""

import os
import re
import signal
import subprocess
import tempfile
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402


def announce_reader():
    """Tells programs of this session that something reads their controls, as a screen reader does: else they name none."""
    subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"], stderr=subprocess.DEVNULL)
    for name in ("IsEnabled", "ScreenReaderEnabled"):
        subprocess.run(
            ["gdbus", "call", "--session", "--timeout", "10", "--dest", "org.a11y.Bus"]
            + ["--object-path", "/org/a11y/bus", "--method", "org.freedesktop.DBus.Properties.Set"]
            + ["org.a11y.Status", name, "<true>"],
            check=True,
            stdout=subprocess.DEVNULL,
        )


class Window:
    """A window with these files, on a display with a window manager and a session bus. Counts actions: a click, a key, a
    typed text."""

    def __init__(self, binary, *arguments):
        self.binary = binary
        self.actions = 0
        self.began = time.monotonic()
        home = tempfile.mkdtemp()
        folders = {f"XDG_{name}_HOME": f"{home}/{name}" for name in ("DATA", "CONFIG", "CACHE")}
        self.process = subprocess.Popen(
            [binary, "--new-window", *arguments],
            env={**os.environ, **folders},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def controls(self):
        """Role, name and rectangle of every control on the screen."""
        desktop = Atspi.get_desktop(0)
        found = []
        waiting = [desktop.get_child_at_index(at) for at in range(desktop.get_child_count())]
        while waiting:
            node = waiting.pop()
            try:
                if node is None:
                    continue
                waiting += [node.get_child_at_index(at) for at in range(node.get_child_count())]
                name = node.get_name()
                if not name:
                    continue
                at = node.get_extents(Atspi.CoordType.SCREEN)
                found.append((node.get_role_name(), name, (at.x, at.y, at.width, at.height)))
            except Exception:
                # A control that is gone by now, or that has no place.
                continue
        return found

    def find(self, name, role=None, last=False, seconds=20.0):
        """Rectangle of the control whose name matches a pattern; waits until there is one."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            found = [
                at
                for kind, called, at in self.controls()
                if re.search(name, called) and (role is None or kind == role) and at[2] > 0
            ]
            if found:
                found.sort(key=lambda at: (at[1], at[0]))
                return found[-1 if last else 0]
            time.sleep(0.05)
        raise LookupError(f"no control {name!r}")

    def has(self, name, seconds=20.0, **which):
        return self.find(name, seconds=seconds, **which) is not None

    def point(self, at):
        x, y, width, height = at
        # Near the left edge: rows are wide, and their text is there.
        subprocess.run(["xdotool", "mousemove", str(int(x + min(width / 2, 60))), str(int(y + height / 2))], check=True)
        time.sleep(0.12)

    def click(self, name, button=1, held=None, **which):
        self.point(self.find(name, **which))
        key = ["keydown", held] if held else []
        after = ["keyup", held] if held else []
        subprocess.run(["xdotool", *key, "click", str(button), *after], check=True)
        self.actions += 1
        time.sleep(0.12)

    def choose(self, row, entry, **which):
        """Right click on a row, then an entry of its menu."""
        self.click(row, button=3, **which)
        self.click(entry, last=True)

    def key(self, *keys):
        self.actions += len(keys)
        subprocess.run(["xdotool", "key", *keys], check=True)

    def type(self, text):
        self.actions += 1
        subprocess.run(["xdotool", "type", "--delay", "12", text], check=True)

    def clipboard(self, pattern, seconds=10.0):
        """Text of the clipboard, once it matches a pattern."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            asked = subprocess.run(["xclip", "-o", "-selection", "clipboard"], capture_output=True, text=True, timeout=5)
            if re.search(pattern, asked.stdout):
                return asked.stdout
            time.sleep(0.1)
        raise LookupError(f"the clipboard has no {pattern!r}")
