#!/usr/bin/env python3
"""Writes a made-up HPROF dump of any number of objects, faster than a Java program could: 200 million are 5 GB.

    many.py OUT.hprof OBJECTS

Addresses have 4 bytes. Arrays of a million references hold every 16th node; from there, 16 nodes follow each other, and
every eighth refers to another one anywhere. So it has long rows, short chains, and edges without any locality.
Needs numpy.
"""
import struct
import sys

import numpy as np

ROW = 1_000_000
NODE_CLASS, OBJECT_CLASS, OBJECT_ARRAY = 8, 16, 24
FIRST = 1 << 10


def record(tag, body):
    return struct.pack(">BII", tag, 0, len(body)) + body


def class_dump(address, parent, size, fields):
    body = struct.pack(">BIIIIIIII", 0x20, address, 0, parent, 0, 0, 0, 0, 0) + struct.pack(">IHHH", size, 0, 0, len(fields))
    return body + b"".join(struct.pack(">IB", name, kind) for name, kind in fields)


def main(path, objects):
    address = lambda row: FIRST + 8 * row
    node = np.dtype([("tag", "u1"), ("id", ">u4"), ("stack", ">u4"), ("class", ">u4"), ("size", ">u4"), ("next", ">u4"), ("other", ">u4")])
    heads = np.arange(0, objects, 16, dtype=np.uint64)
    rows = [heads[at:at + ROW] for at in range(0, len(heads), ROW)]
    assert address(objects + len(rows) + 1) < 1 << 32
    with open(path, "wb") as out:
        out.write(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 4, 1_700_000_000_000))
        names = {1: "java/lang/Object", 2: "made/Node", 3: "[Ljava/lang/Object;", 4: "next", 5: "other"}
        for name, text in names.items():
            out.write(record(0x01, struct.pack(">I", name) + text.encode()))
        for serial, (class_, name) in enumerate([(OBJECT_CLASS, 1), (NODE_CLASS, 2), (OBJECT_ARRAY, 3)], 1):
            out.write(record(0x02, struct.pack(">IIII", serial, class_, 0, name)))
        classes = class_dump(OBJECT_CLASS, 0, 0, []) + class_dump(OBJECT_ARRAY, OBJECT_CLASS, 0, [])
        out.write(record(0x1C, classes + class_dump(NODE_CLASS, OBJECT_CLASS, 8, [(4, 2), (5, 2)])))
        for begin in range(0, objects, ROW):
            row = np.arange(begin, min(begin + ROW, objects), dtype=np.uint64)
            part = np.zeros(len(row), node)
            part["tag"], part["id"], part["class"], part["size"] = 0x21, address(row), NODE_CLASS, 8
            part["next"] = np.where((row % 16 == 15) | (row + 1 == objects), 0, address(row + 1))
            part["other"] = np.where(row % 8 == 3, address((row * 2_654_435_761) % objects), 0)
            out.write(record(0x1C, part.tobytes()))
        for at, held in enumerate(rows):
            array = address(objects + at)
            head = struct.pack(">BIIII", 0x22, array, 0, len(held), OBJECT_ARRAY)
            out.write(record(0x1C, head + address(held).astype(">u4").tobytes() + struct.pack(">BI", 0x05, array)))
        out.write(record(0x2C, b""))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
