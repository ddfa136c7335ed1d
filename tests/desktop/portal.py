"""Simulates the desktop portal: its Open dialog selects the file in PORTAL_FILE after a second."""

import os
import pathlib

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME, PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"


class Request(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.portal.Request", signature="ua{sv}")
    def Response(self, code, results):
        pass


class Portal(dbus.service.Object):
    @dbus.service.method(
        "org.freedesktop.portal.FileChooser", in_signature="ssa{sv}", out_signature="o", sender_keyword="sender"
    )
    def OpenFile(self, _window, _title, options, sender=None):
        token = options.get("handle_token", "t")
        path = f"{PATH}/request/{sender[1:].replace('.', '_')}/{token}"
        request = Request(self.connection, path)
        uri = pathlib.Path(os.environ["PORTAL_FILE"]).as_uri()
        GLib.timeout_add(1000, lambda: request.Response(0, {"uris": dbus.Array([uri], signature="s")}))
        return dbus.ObjectPath(path)

    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ss", out_signature="v")
    def Get(self, _interface, _name):
        return dbus.UInt32(4)


dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
bus = dbus.SessionBus()
name = dbus.service.BusName(NAME, bus)
portal = Portal(bus, PATH)
GLib.MainLoop().run()
