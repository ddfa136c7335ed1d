"""Writes HPROF dumps for `shapes.py`: identifiers of 8 bytes, one heap dump segment for every 64 MiB."""
import struct

OBJECT, BOOLEAN, CHAR, BYTE, INT, LONG = 2, 4, 5, 8, 10, 11
BYTES = {OBJECT: 8, BOOLEAN: 1, CHAR: 2, BYTE: 1, INT: 4, LONG: 8}
SEGMENT = 64 << 20


class Dump:
    """A dump in the making. `java` declares the classes of the library that the shapes use."""

    def __init__(self, java: bool = True):
        self.names: dict[str, int] = {}
        self.records: list[bytes] = []
        self.segment: list[bytes] = []
        self.address = 0x10_0000
        self.names_of_classes: dict[int, str] = {}
        self.object = self.new_class("java.lang.Object", 0)
        if java:
            self.class_of_classes = self.new_class("java.lang.Class", self.object)
            self.string = self.new_class("java.lang.String", self.object, [("value", OBJECT), ("hash", INT), ("coder", BYTE)])
            self.thread = self.new_class("java.lang.Thread", self.object, [("name", OBJECT), ("tid", LONG)])
            self.loader = self.new_class("java.lang.ClassLoader", self.object, [("name", OBJECT)])
            self.bytes = self.new_class("byte[]", self.object)
            self.objects = self.new_class("java.lang.Object[]", self.object)
            self.list = self.new_class("java.util.ArrayList", self.object, [("elementData", OBJECT), ("size", INT)])
            entry = [("key", OBJECT), ("value", OBJECT), ("next", OBJECT), ("hash", INT)]
            self.node = self.new_class("java.util.HashMap$Node", self.object, entry)
            self.nodes = self.new_class("java.util.HashMap$Node[]", self.object)
            self.map = self.new_class("java.util.HashMap", self.object, [("table", OBJECT), ("size", INT)])

    def new_address(self, size: int) -> int:
        address = self.address
        self.address += (size + 15) // 8 * 8 + 8
        return address

    def name(self, text: str) -> int:
        if text not in self.names:
            self.names[text] = len(self.names) + 1
            content = text.encode()
            self.records.append(struct.pack(">BIIQ", 1, 0, 8 + len(content), self.names[text]) + content)
        return self.names[text]

    def new_class(self, name: str, above: int, fields=(), statics=(), loader: int = 0) -> int:
        """A class with (name, type) of fields, and (name, type, value) of statics; its address."""
        address = self.new_address(64)
        serial = len(self.names_of_classes) + 1
        self.names_of_classes[address] = name
        word = self.name(self.descriptor(name))
        self.records.append(struct.pack(">BIIIQIQ", 2, 0, 24, serial, address, 0, word))
        size = sum(BYTES[kind] for _, kind in fields)
        parts = [struct.pack(">BQIQQQQQQIHH", 0x20, address, 0, above, loader, 0, 0, 0, 0, size & 0xFFFF_FFFF, 0, len(statics))]
        for word, kind, value in statics:
            parts.append(struct.pack(">QB", self.name(word), kind) + value.to_bytes(BYTES[kind], "big"))
        parts.append(struct.pack(">H", len(fields)))
        parts.extend(struct.pack(">QB", self.name(word), kind) for word, kind in fields)
        self.segment.append(b"".join(parts))
        return address

    @staticmethod
    def descriptor(name: str) -> str:
        if name == "byte[]":
            return "[B"
        if name.endswith("[]"):
            return "[L" + name[:-2].replace(".", "/") + ";"
        return name.replace(".", "/")

    def instance(self, kind: int, values: bytes, trace: int = 0, address: int = 0) -> int:
        address = address or self.new_address(16 + len(values))
        self.segment.append(struct.pack(">BQIQI", 0x21, address, trace, kind, len(values)) + values)
        return address

    def array(self, elements: list[int], kind: int = 0, trace: int = 0, address: int = 0) -> int:
        address = address or self.new_address(16 + 8 * len(elements))
        head = struct.pack(">BQIIQ", 0x22, address, trace, len(elements), kind or self.objects)
        self.segment.append(head + struct.pack(f">{len(elements)}Q", *elements))
        return address

    def primitives(self, kind: int, values: bytes) -> int:
        address = self.new_address(16 + len(values))
        self.segment.append(struct.pack(">BQIIB", 0x23, address, 0, len(values) // BYTES[kind], kind) + values)
        return address

    def text(self, text: str) -> int:
        value = self.primitives(BYTE, text.encode("latin-1"))
        return self.instance(self.string, struct.pack(">QIB", value, 0, 0))

    def new_list(self, elements: list[int]) -> int:
        data = self.array(elements)
        return self.instance(self.list, struct.pack(">QI", data, len(elements)))

    def new_map(self, entries: list[tuple[int, int]], in_one_bucket: bool = False) -> int:
        following = 0
        nodes = []
        for key, value in entries:
            following = self.instance(self.node, struct.pack(">QQQI", key, value, following if in_one_bucket else 0, 1))
            nodes.append(following)
        table = self.array([following] if in_one_bucket else nodes, self.nodes)
        return self.instance(self.map, struct.pack(">QI", table, len(entries)))

    def root(self, address: int) -> None:
        self.segment.append(struct.pack(">BQ", 0xFF, address))

    def static_root(self, name: str, address: int, field: str = "value") -> int:
        """A class whose static field refers to `address`, as a root."""
        holder = self.new_class(name, self.object, (), [(field, OBJECT, address)])
        self.segment.append(struct.pack(">BQ", 0x05, holder))
        return holder

    def frame(self, number: int, method: str, kind: int) -> int:
        words = self.name(method), self.name("()V"), self.name("Main.java")
        serial = list(self.names_of_classes).index(kind) + 1 if kind < 0x10_1000 else 1
        self.records.append(struct.pack(">BIIQQQQII", 4, 0, 40, number, *words, serial, number & 0xFFFF))
        return number

    def trace(self, serial: int, thread: int, frames: list[int]) -> int:
        head = struct.pack(">BIIIII", 5, 0, 12 + 8 * len(frames), serial, thread, len(frames))
        self.records.append(head + struct.pack(f">{len(frames)}Q", *frames))
        return serial

    def thread_root(self, name: str, serial: int, trace: int) -> int:
        thread = self.instance(self.thread, struct.pack(">QQ", self.text(name), serial))
        self.segment.append(struct.pack(">BQII", 0x08, thread, serial, trace))
        return thread

    def local(self, address: int, thread: int, frame: int) -> None:
        self.segment.append(struct.pack(">BQII", 0x03, address, thread, frame))

    def write(self, path: str) -> None:
        with open(path, "wb") as file:
            file.write(b"JAVA PROFILE 1.0.2\0" + struct.pack(">IQ", 8, 1_700_000_000_000))
            file.writelines(self.records)
            waiting, size = [], 0
            for part in [*self.segment, None]:
                if waiting and (part is None or size + len(part) > SEGMENT):
                    file.write(struct.pack(">BII", 0x1C, 0, size))
                    file.writelines(waiting)
                    waiting, size = [], 0
                if part is not None:
                    waiting.append(part)
                    size += len(part)
            file.write(struct.pack(">BII", 0x2C, 0, 0))
