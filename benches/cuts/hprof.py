"""Removes references from HPROF files, in place, by walking their records. Written from the manual of the format, not from heaplens."""
import struct

BYTES = {2: 0, 4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
# Bytes after the object of a root record, and at which of them a thread's number is.
ROOTS = {0xFF: (0, None), 0x02: (8, 0), 0x03: (8, 0), 0x04: (4, 0), 0x05: (0, None), 0x06: (4, 0), 0x07: (0, None), 0x08: (8, 0),
         0x89: (0, None), 0x8A: (0, None), 0x8B: (0, None), 0x8C: (0, None), 0x8D: (0, None), 0x8E: (8, 0), 0x90: (0, None)}


class Hprof:
    def __init__(self, content: bytes):
        self.data = bytearray(content)
        header = content.index(0) + 1
        self.size = int.from_bytes(content[header:header + 4], "big")
        self.word = ">Q" if self.size == 8 else ">I"
        self.texts: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self.classes: dict[int, tuple] = {}  # superclass, own fields (name, type), static references (name, offset)
        self.instances: dict[int, tuple] = {}  # class, offset of the values
        self.arrays: dict[int, tuple] = {}  # number of elements, offset of the first
        self.roots: list[tuple] = []  # tag, offset of the object's id, number of the thread or None
        at = header + 12
        while at < len(content):
            tag, length = content[at], int.from_bytes(content[at + 5:at + 9], "big")
            at += 9
            if tag == 1:
                self.texts[self.id(at)] = content[at + self.size:at + length].decode("utf-8", "replace")
            elif tag == 2:
                self.names[self.id(at + 4)] = self.texts.get(self.id(at + 8 + self.size), "?").replace("/", ".")
            elif tag in (0x0C, 0x1C):
                self.walk(at, at + length)
            at += length

    def id(self, at: int) -> int:
        return struct.unpack_from(self.word, self.data, at)[0]

    def number(self, at: int, size: int) -> int:
        return int.from_bytes(self.data[at:at + size], "big")

    def bytes_of(self, kind: int) -> int:
        return BYTES[kind] or self.size

    def walk(self, at: int, end: int) -> None:
        size = self.size
        while at < end:
            tag = self.data[at]
            at += 1
            if tag == 0x21:
                self.instances[self.id(at)] = (self.id(at + size + 4), at + 2 * size + 8)
                at += 2 * size + 8 + self.number(at + 2 * size + 4, 4)
            elif tag == 0x22:
                count = self.number(at + size + 4, 4)
                self.arrays[self.id(at)] = (count, at + 2 * size + 8)
                at += 2 * size + 8 + count * size
            elif tag == 0x23:
                at += size + 9 + self.number(at + size + 4, 4) * self.bytes_of(self.data[at + size + 8])
            elif tag == 0x20:
                at = self.class_dump(at)
            elif tag == 0x01:
                self.roots.append((tag, at, None))
                at += 2 * size
            elif tag == 0xFE:
                at += 4 + size
            else:
                more, thread = ROOTS[tag]
                self.roots.append((tag, at, None if thread is None else self.number(at + size, 4)))
                at += size + more

    def class_dump(self, at: int) -> int:
        class_id, superclass = self.id(at), self.id(at + self.size + 4)
        at += 7 * self.size + 8
        for _ in range(self.number(at, 2)):
            at += 3 + self.bytes_of(self.data[at + 4])
        at += 2
        statics, fields = [], []
        count, at = self.number(at, 2), at + 2
        for _ in range(count):
            kind = self.data[at + self.size]
            if kind == 2:
                statics.append((self.texts.get(self.id(at)), at + self.size + 1))
            at += self.size + 1 + self.bytes_of(kind)
        count, at = self.number(at, 2), at + 2
        for _ in range(count):
            fields.append((self.texts.get(self.id(at)), self.data[at + self.size]))
            at += self.size + 1
        self.classes[class_id] = (superclass, fields, statics)
        return at

    def line(self, class_id: int):
        while class_id in self.classes:
            yield class_id
            class_id = self.classes[class_id][0]

    def slots(self, object_id: int):
        """Offsets of the references of an object: declaring class, name, offset."""
        if object_id in self.classes:
            yield from ((object_id, name, at) for name, at in self.classes[object_id][2])
        elif object_id in self.arrays:
            count, first = self.arrays[object_id]
            yield from ((0, index, first + index * self.size) for index in range(count))
        elif object_id in self.instances:
            class_id, at = self.instances[object_id]
            for of in self.line(class_id):
                for name, kind in self.classes[of][1]:
                    if kind == 2:
                        yield of, name, at
                    at += self.bytes_of(kind)

    def put(self, at: int, value: int = 0) -> None:
        struct.pack_into(self.word, self.data, at, value)

    def remove_reference(self, source: int, target: int) -> None:
        for _, _, at in list(self.slots(source)):
            if self.id(at) == target:
                self.put(at)
        threads = {thread for tag, at, thread in self.roots if tag == 0x08 and self.id(at) == source}
        for tag, at, thread in self.roots:
            if tag != 0x08 and thread in threads and self.id(at) == target:
                self.put(at, 3)  # no object

    def remove_field(self, class_name: str, field: str) -> None:
        class_id = next(of for of, name in self.names.items() if name == class_name and of in self.classes)
        declares = next(of for of in self.line(class_id) if (field, 2) in self.classes[of][1])
        for object_id, (of, _) in self.instances.items():
            if class_id in self.line(of):
                for owner, name, at in self.slots(object_id):
                    if (owner, name) == (declares, field):
                        self.put(at)

    def references(self, object_id: int) -> list[int]:
        """Targets that have a record, not the object itself."""
        known = (self.id(at) for _, _, at in self.slots(object_id))
        return [to for to in known if to != object_id and (to in self.instances or to in self.arrays)]

    def field_of(self, object_id: int) -> tuple[str, str] | None:
        """Class and name of a reference field of an instance that is not null, by its class."""
        class_id = self.instances.get(object_id, (0, 0))[0]
        fields = [name for _, name, at in self.slots(object_id) if self.id(at)] if class_id in self.names else []
        return (self.names[class_id], fields[0]) if fields else None
