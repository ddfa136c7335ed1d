"""A clipboard manager: a program that exits requests SAVE_TARGETS, and the text is kept here."""

from Xlib import X, display
from Xlib.protocol import event


def main():
    screen = display.Display()
    atom = screen.intern_atom
    window = screen.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    window.set_selection_owner(atom("CLIPBOARD_MANAGER"), X.CurrentTime)
    text, waiting = b"", None

    def answer(request, is_done=True):
        reply = event.SelectionNotify(
            time=request.time, requestor=request.requestor, selection=request.selection,
            target=request.target, property=request.property if is_done else X.NONE,
        )
        request.requestor.send_event(reply)
        screen.flush()

    while True:
        seen = screen.next_event()
        if seen.type == X.SelectionRequest and seen.selection == atom("CLIPBOARD_MANAGER"):
            waiting = seen
            window.convert_selection(atom("CLIPBOARD"), atom("UTF8_STRING"), atom("SAVED"), X.CurrentTime)
            screen.flush()
        elif seen.type == X.SelectionNotify and seen.selection == atom("CLIPBOARD"):
            found = window.get_full_property(atom("SAVED"), X.AnyPropertyType)
            text = bytes(found.value) if found else b""
            answer(waiting)
            window.set_selection_owner(atom("CLIPBOARD"), X.CurrentTime)
            screen.flush()
        elif seen.type == X.SelectionRequest and seen.selection == atom("CLIPBOARD"):
            is_text = seen.target == atom("UTF8_STRING")
            if is_text:
                seen.requestor.change_property(seen.property, seen.target, 8, text)
            elif seen.target == atom("TARGETS"):
                seen.requestor.change_property(seen.property, atom("ATOM"), 32, [atom("TARGETS"), atom("UTF8_STRING")])
                is_text = True
            answer(seen, is_text)


main()
