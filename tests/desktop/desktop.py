"""Common code of both desktops: processes, waiting, checks, a transcript."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "copy"
# The dump, under its name in the golden texts.
DUMP = "fixtures/leak-after.hprof.gz"
OTHER = "fixtures/leak-before.hprof.gz"
# Seconds to wait after keys that open something which takes the next keys, and after any other key.
OPENING, OPENING_PAUSE, PAUSE = {"ctrl+k", "ctrl+o", "shift+y", "slash"}, 0.8, 0.25
# Seconds until an expected event counts as missing.
PATIENCE = 20.0


def wait_for(question, seconds=None):
    """Repeats a question until the answer is true or time is up; returns the last answer."""
    end = time.monotonic() + (seconds or PATIENCE)
    while True:
        answer = question()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.05)


class Report:
    """Passed and failed checks, and the transcript of copied texts."""

    def __init__(self, folder):
        self.folder = folder
        self.passed = self.failed = 0
        self.lines = []

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def check(self, name, is_right, found=""):
        """Counts a check; prints the actual value if it failed."""
        if is_right:
            self.passed += 1
            self.say(f"ok      {name}")
        else:
            self.failed += 1
            self.say(f"FAILED  {name}")
            for line in str(found).splitlines()[:12]:
                self.say(f"        | {line[:200]}")

    def equal(self, name, found, wanted):
        """Checks a copied text, and writes it to the transcript."""
        self.check(name, found == wanted, f"found {found!r:.600}\nwanted {wanted!r:.600}")
        for line in (found or "").splitlines()[:4]:
            self.say(f"        > {line[:150]}")


class Desktop:
    """An isolated desktop: its folders, its processes, a window of heaplens.

    A subclass says how to type, how to read and write the clipboard, and what the title is.
    """

    def __init__(self, binary, report):
        self.binary = str(pathlib.Path(binary).resolve())
        self.report = report
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="heaplens-desktop-"))
        self.processes = []
        self.window = None
        self.environment = dict(os.environ)
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "WINIT_X11_SCALE_FACTOR"):
            self.environment.pop(name, None)
        for name, folder in [
            ("HOME", "home"),
            ("XDG_RUNTIME_DIR", "run"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_DATA_HOME", "data"),
        ]:
            (self.home / folder).mkdir(mode=0o700)
            self.environment[name] = str(self.home / folder)
        self.environment["LIBGL_ALWAYS_SOFTWARE"] = "1"
        self.environment["LC_ALL"] = "C.UTF-8"

    def start(self, *command, **more):
        """Starts a process that ends with the desktop."""
        log = open(self.home / f"{pathlib.Path(command[0]).name}.log", "ab")
        process = subprocess.Popen(
            command, env=self.environment, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **more
        )
        self.processes.append(process)
        return process

    def ask(self, *command, text=None, seconds=30):
        """The output of a command, or None if it failed."""
        try:
            done = subprocess.run(
                command, env=self.environment, cwd=ROOT, input=text, capture_output=True, encoding="utf-8", timeout=seconds
            )
        except subprocess.TimeoutExpired:
            return None
        return done.stdout if done.returncode == 0 else None

    def open(self, *files, title=None, wrapper=()):
        """Starts heaplens with files, and waits for its window."""
        self.window = self.start(*wrapper, self.binary, *files)
        shown = wait_for(lambda: self.has_title(title or "heaplens"), 60)
        if files:
            self.wait_until_open()
        return shown

    def has_title(self, part):
        return part in (self.title() or "")

    def wait_until_open(self):
        """Waits until the path of the dump can be copied: before it is open nothing is copied."""
        time.sleep(2.0)

    def end_window(self):
        """Waits for the window to close by itself; returns the exit code."""
        try:
            return self.window.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.window.kill()
            return None

    def press(self, *keys):
        """Presses keys one after the other; a pair is a text to type."""
        self.take_focus()
        for key in keys:
            self.type(key[1]) if isinstance(key, tuple) else self.press_one(key)
            time.sleep(OPENING_PAUSE if key in OPENING else PAUSE)

    def show_view(self, key):
        """Shows a view and waits until its first row is selected."""
        self.press(key)
        time.sleep(1.5)

    def take_focus(self):
        """Gives the window keyboard focus, if it does not have it."""

    def copies(self, name, wanted, *keys):
        """Checks that keys copy a text. A slow machine may lose a key, so it is tried three times."""
        for _ in range(3):
            found = self.copied_by(*keys)
            if found == wanted:
                break
            self.press("Escape")
        self.report.equal(f"{self.name}: {name}", found, wanted)

    def copied_by(self, *keys, seconds=None):
        """Contents of the clipboard after these keys, as another program reads them."""
        # Another program owns the clipboard first, so that no earlier text remains.
        before = f"not copied yet {time.monotonic()}"
        self.write_clipboard(before)
        self.press(*keys)

        def copied():
            found = self.read_clipboard()
            return found if found not in (None, "", before) else None

        return wait_for(copied, (seconds or PATIENCE) / 2)

    def end(self):
        for process in reversed(self.processes):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(5)
                except subprocess.TimeoutExpired:
                    process.kill()
        shutil.rmtree(self.home, ignore_errors=True)


def golden(name):
    return (GOLDEN / name).read_text(encoding="utf-8")
