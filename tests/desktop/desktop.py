"""What both desktops have in common: processes, waiting, checks, a transcript."""

import os
import pathlib
import shutil
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "copy"
# The dump by the name that the golden texts know it by.
DUMP = "fixtures/leak-after.hprof.gz"
OTHER = "fixtures/leak-before.hprof.gz"
# Keys that show something which takes the keys after them, and the seconds to let it; those for any other key.
OPENING, OPENING_PAUSE, PAUSE = {"ctrl+k", "ctrl+o", "shift+y", "slash"}, 0.8, 0.25
# Seconds until something that should happen has not happened.
PATIENCE = 20.0


def wait_for(question, seconds=None):
    """Asks until the answer is true or time is up; returns the last answer."""
    end = time.monotonic() + (seconds or PATIENCE)
    while True:
        answer = question()
        if answer or time.monotonic() > end:
            return answer
        time.sleep(0.05)


class Report:
    """Checks that passed and failed, and the transcript of what was copied."""

    def __init__(self, folder):
        self.folder = folder
        self.passed = self.failed = 0
        self.lines = []

    def say(self, line):
        print(line, flush=True)
        self.lines.append(line)

    def check(self, name, is_right, found=""):
        """Counts a check; what was found is shown where it is wrong."""
        if is_right:
            self.passed += 1
            self.say(f"ok      {name}")
        else:
            self.failed += 1
            self.say(f"FAILED  {name}")
            for line in str(found).splitlines()[:12]:
                self.say(f"        | {line[:200]}")

    def equal(self, name, found, wanted):
        """Checks a text that was copied, and writes it into the transcript."""
        self.check(name, found == wanted, f"found {found!r:.600}\nwanted {wanted!r:.600}")
        for line in (found or "").splitlines()[:4]:
            self.say(f"        > {line[:150]}")


class Desktop:
    """A desktop of its own: its folders, its processes, a window of heaplens in it.

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
        """A dump that is open answers what its path is; until then nothing is copied."""
        time.sleep(2.0)

    def end_window(self):
        """Waits for the window to close by itself; says with which code."""
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
        """Shows a view and waits until it has chosen its first row."""
        self.press(key)
        time.sleep(1.5)

    def take_focus(self):
        """Has keys go to the window, where that is not so anyway."""

    def copies(self, name, wanted, *keys):
        """Checks that keys copy a text. A slow machine may lose a key, so it is tried three times."""
        for _ in range(3):
            found = self.copied_by(*keys)
            if found == wanted:
                break
            self.press("Escape")
        self.report.equal(f"{self.name}: {name}", found, wanted)

    def copied_by(self, *keys, seconds=None):
        """What the clipboard holds after these keys, as another program reads it."""
        # Another program owns the clipboard first, so that nothing is left from before.
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
