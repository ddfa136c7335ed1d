"""Drops a file on a window by XDND, version 5, as a file manager does.

    drop.py WINDOW FILE

Ends with 0 once the window says it has taken the file.
"""

import pathlib
import sys
import time

from Xlib import X, display
from Xlib.protocol import event

VERSION = 5


def main():
    target_id, file = int(sys.argv[1]), pathlib.Path(sys.argv[2])
    screen = display.Display()
    root = screen.screen().root
    atom = screen.intern_atom
    source = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    target = screen.create_resource_object("window", target_id)
    uri = file.resolve().as_uri() + "\r\n"
    source.set_selection_owner(atom("XdndSelection"), X.CurrentTime)
    geometry = target.get_geometry()
    corner = target.translate_coords(root, 0, 0)
    x, y = -corner.x + geometry.width // 2, -corner.y + geometry.height // 2

    def send(name, *data):
        data = [source.id, *data] + [0] * (4 - len(data))
        target.send_event(event.ClientMessage(window=target, client_type=atom(name), data=(32, data)))
        screen.flush()

    send("XdndEnter", VERSION << 24, atom("text/uri-list"))
    send("XdndPosition", 0, (x << 16) | y, X.CurrentTime, atom("XdndActionCopy"))
    end, is_accepted, is_dropped = time.monotonic() + 10, False, False
    while time.monotonic() < end:
        if not screen.pending_events():
            time.sleep(0.02)
            continue
        seen = screen.next_event()
        if seen.type == X.SelectionRequest:
            seen.requestor.change_property(seen.property, seen.target, 8, uri.encode())
            answer = event.SelectionNotify(
                time=seen.time, requestor=seen.requestor, selection=seen.selection, target=seen.target, property=seen.property
            )
            seen.requestor.send_event(answer)
            screen.flush()
        elif seen.type == X.ClientMessage and seen.client_type == atom("XdndStatus"):
            is_accepted = bool(seen.data[1][1] & 1)
            if is_accepted and not is_dropped:
                is_dropped = True
                send("XdndDrop", 0, X.CurrentTime)
        elif seen.type == X.ClientMessage and seen.client_type == atom("XdndFinished"):
            print("finished")
            return
    sys.exit(f"not taken: accepted {is_accepted}, dropped {is_dropped}")


main()
