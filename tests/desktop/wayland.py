"""The window under a Wayland compositor without a screen (sway), keys by wtype, clipboard by wl-clipboard."""

import json
import os
import pwd
import subprocess

import copying
from desktop import DUMP, Desktop, wait_for


class Wayland(Desktop):
    name = "Wayland"

    def __init__(self, binary, report):
        super().__init__(binary, report)
        configuration = self.home / "sway"
        configuration.write_text("output HEADLESS-1 resolution 1440x900\nxwayland disable\ndefault_border none\n")
        self.environment |= {
            "WLR_BACKENDS": "headless",
            "WLR_LIBINPUT_NO_DEVICES": "1",
            "WLR_RENDERER": "pixman",
            "SWAYSOCK": str(self.home / "run" / "sway.sock"),
        }
        self.start(*self.without_root(), "sway", "-c", str(configuration))
        sockets = lambda: [p.name for p in (self.home / "run").glob("wayland-*") if not p.name.endswith(".lock")]
        names = wait_for(sockets)
        if not names or not wait_for(lambda: self.ask("swaymsg", "-t", "get_version")):
            raise RuntimeError("sway does not start: " + (self.home / "sway.log").read_text()[-400:])
        self.environment["WAYLAND_DISPLAY"] = names[0]
        # A seat without a keyboard has no focus: each wtype adds one and removes it, this one stays.
        self.start("wtype", "-s", "100000000")

    def without_root(self):
        """sway does not run as root, as CI jobs often do: it then runs as user nobody, and root uses its sockets."""
        if os.getuid() != 0:
            return ()
        nobody = pwd.getpwnam("nobody")
        self.home.chmod(0o755)
        for folder in ("run", "cache", "config", "data", "home"):
            os.chown(self.home / folder, nobody.pw_uid, nobody.pw_gid)
        return ("setpriv", f"--reuid={nobody.pw_uid}", f"--regid={nobody.pw_gid}", "--clear-groups", "--")

    def title(self):
        tree = self.ask("swaymsg", "-t", "get_tree")
        found = []

        def walk(node):
            if node.get("app_id") == "heaplens":
                found.append(node.get("name") or "")
            for below in node.get("nodes", []) + node.get("floating_nodes", []):
                walk(below)

        walk(json.loads(tree or "{}"))
        return found[0] if found else None

    def type(self, text):
        self.ask("wtype", "-d", "15", text)

    def press_one(self, key):
        *held, key = key.split("+")
        down = [part for name in held for part in ("-M", name)]
        up = [part for name in reversed(held) for part in ("-m", name)]
        self.ask("wtype", *down, "-s", "30", "-k", key, "-s", "30", *up)

    def read_clipboard(self):
        return self.ask("wl-paste", "--no-newline", seconds=10)

    def write_clipboard(self, text):
        subprocess.run(["wl-copy"], input=text, encoding="utf-8", env=self.environment, timeout=10)


def journey(binary, report):
    desktop = Wayland(binary, report)
    try:
        shown = desktop.open(DUMP, title="leak-after")
        report.check("Wayland: the title names the dump", shown, desktop.title())
        copying.verbs(desktop)
        copying.pasting(desktop)
        desktop.press("ctrl+q")
        report.check("Wayland: closes by Ctrl+Q", desktop.end_window() == 0)
    finally:
        desktop.end()
