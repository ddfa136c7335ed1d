"""Writes a small dump whose copied rows are long: many objects of a class with a long name."""

import struct


def record(tag, body):
    return struct.pack(">BII", tag, 0, len(body)) + body


def write(path, objects, name):
    """HPROF 1.0.2 with ids of four bytes: `objects` instances of the class `name`, each a GC root."""
    class_id, name_id = 0x1000, 1
    heap = bytearray()
    heap += struct.pack(">BIIIIIIIIIHHH", 0x20, class_id, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0)
    heap += struct.pack(">BI", 0x05, class_id)
    for at in range(objects):
        row = 0x10000 + 16 * at
        heap += struct.pack(">BIIII", 0x21, row, 0, class_id, 0) + struct.pack(">BI", 0xFF, row)
    with open(path, "wb") as file:
        file.write(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 4, 1_700_000_000_000))
        file.write(record(0x01, struct.pack(">I", name_id) + name.encode()))
        file.write(record(0x02, struct.pack(">IIII", 1, class_id, 0, name_id)))
        file.write(record(0x1C, bytes(heap)))
        file.write(record(0x2C, b""))
    return path
