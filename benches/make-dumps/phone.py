#!/usr/bin/env python3
"""Writes the dump of a large application of Android, as ART writes it: 1.0.3,
segments of 4 KiB, heaps, roots of the VM for zygote and image, strings with their
characters inside, bitmaps with registered bytes, activities that were destroyed and
are kept.

    phone.py OUT.hprof [MEGABYTES of heap, 256 unless said]
"""
import os
import random
import struct
import sys
import tempfile

OUT, MEGABYTES = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 256
OBJECT, BOOLEAN, CHAR, FLOAT, DOUBLE, BYTE, SHORT, INT, LONG = 2, 4, 5, 6, 7, 8, 9, 10, 11
SIZE = {OBJECT: 4, BOOLEAN: 1, CHAR: 2, FLOAT: 4, DOUBLE: 8, BYTE: 1, SHORT: 2, INT: 4, LONG: 8}
CODE = {OBJECT: "I", BOOLEAN: "B", BYTE: "b", SHORT: "h", INT: "i", LONG: "q"}
APP, ZYGOTE, IMAGE = 65, 90, 73
pack = struct.pack
chance = random.Random(20261122)

texts, order = {}, []


def text(name):
    if name not in texts:
        texts[name] = 0x400000 + len(order)
        order.append(name)
    return texts[name]


class Class:
    """A class: its fields, and how its instances are packed."""

    all = []

    def __init__(self, name, above=None, fields=(), statics=0, heap=APP, packed=None):
        self.name, self.above, self.fields, self.heap = name, above, list(fields), heap
        self.id = 0x70000000 + 0x100 * len(Class.all)
        own = sum(SIZE[kind] for _, kind in self.fields)
        self.bytes = packed if packed is not None else (above.bytes if above else 0) + own
        codes = "".join(CODE[kind] for _, kind in self.fields)
        self.codes = codes + (above.codes if above else "")
        self.pack = struct.Struct(">BIIII" + self.codes).pack
        self.length = sum(SIZE[kind] for _, kind in self.every())
        self.statics = []
        Class.all.append(self)

    def every(self):
        return self.fields + (self.above.every() if self.above else [])


O = Class("java.lang.Object", None, [("shadow$_klass_", OBJECT), ("shadow$_monitor_", INT)], heap=IMAGE)
JCLASS = Class("java.lang.Class", O, packed=0, heap=IMAGE)
STRING = Class("java.lang.String", O, [("value", OBJECT), ("count", INT), ("hash", INT)], packed=16, heap=IMAGE)
BYTES = Class("byte[]", O, packed=0, heap=IMAGE)
CHARS = Class("char[]", O, packed=0, heap=IMAGE)
INTS = Class("int[]", O, packed=0, heap=IMAGE)
OBJECTS = Class("java.lang.Object[]", O, packed=0, heap=IMAGE)
NODES = Class("java.util.HashMap$Node[]", O, packed=0, heap=IMAGE)
VIEWS = Class("android.view.View[]", O, packed=0, heap=IMAGE)
LIST = Class("java.util.ArrayList", O, [("elementData", OBJECT), ("size", INT), ("modCount", INT)], heap=IMAGE)
NODE = Class("java.util.HashMap$Node", O, [("hash", INT), ("key", OBJECT), ("next", OBJECT), ("value", OBJECT)], heap=IMAGE)
MAP = Class("java.util.HashMap", O, [("table", OBJECT), ("size", INT), ("loadFactor", INT), ("entrySet", OBJECT)], heap=IMAGE)
CONTEXT = Class("android.content.ContextWrapper", O, [("mBase", OBJECT)], heap=IMAGE)
THEME = Class("android.view.ContextThemeWrapper", CONTEXT, [("mTheme", OBJECT)], heap=IMAGE)
ACTIVITY = Class("android.app.Activity", THEME, [("mDestroyed", BOOLEAN), ("mFinished", BOOLEAN), ("mDecor", OBJECT)], heap=IMAGE)
MAIN = Class("com.example.shop.MainActivity", ACTIVITY)
VIEW = Class("android.view.View", O, [("mContext", OBJECT), ("mParent", OBJECT), ("mAttachInfo", OBJECT), ("mWindowAttachCount", INT), ("mID", INT)], heap=IMAGE)
GROUP = Class("android.view.ViewGroup", VIEW, [("mChildren", OBJECT), ("mChildrenCount", INT)], heap=IMAGE)
LABEL = Class("android.widget.TextView", VIEW, [("mText", OBJECT)], heap=IMAGE)
BITMAP = Class("android.graphics.Bitmap", O, [("mWidth", INT), ("mHeight", INT), ("mNativePtr", LONG), ("mRecycled", BOOLEAN)], heap=IMAGE)
REGISTRY = Class("libcore.util.NativeAllocationRegistry", O, [("size", LONG)], heap=IMAGE)
THUNK = Class("libcore.util.NativeAllocationRegistry$CleanerThunk", O, [("this$0", OBJECT), ("nativePtr", LONG)], heap=IMAGE)
CLEANER = Class("sun.misc.Cleaner", O, [("referent", OBJECT), ("next", OBJECT), ("prev", OBJECT), ("thunk", OBJECT)], heap=IMAGE)
ITEM = Class("com.example.shop.Item", O, [("name", OBJECT), ("price", LONG), ("tags", OBJECT), ("image", OBJECT)])
CACHE = Class("com.example.shop.Cache", O, [("entries", OBJECT)])
HOLDER = Class("com.example.shop.Holder", O)
BUILD = Class("android.os.Build", O, heap=IMAGE)
VERSION = Class("android.os.Build$VERSION", O, heap=IMAGE)


class Writer:
    """Writes objects into segments, each with the records of its heaps."""

    def __init__(self, out):
        self.out, self.segment, self.count, self.bytes, self.heap, self.named = out, [], 0, 0, 0, 0
        self.objects = self.shallow = 0

    def put(self, data, heap):
        if self.count >= 128 or self.bytes >= 4096:
            self.flush()
        if heap and heap != self.named:
            name = text({APP: "app", ZYGOTE: "zygote", IMAGE: "image"}[heap])
            data = pack(">BII", 0xFE, heap, name) + data
            self.named = heap
        self.segment.append(data)
        self.count += 1
        self.bytes += len(data)

    def flush(self):
        body = b"".join(self.segment)
        if body:
            self.out.write(pack(">BII", 0x1C, 0, len(body)) + body)
        self.segment, self.count, self.bytes, self.named = [], 0, 0, 0

    def object(self, data, heap, size):
        self.objects += 1
        self.shallow += (size + 7) & ~7
        self.put(data, heap)


class Heap:
    """Addresses of a heap, and the objects at them."""

    def __init__(self, writer, number, start):
        self.writer, self.number, self.next = writer, number, start

    def place(self, size):
        at, self.next = self.next, self.next + ((size + 7) & ~7)
        return at

    def write(self, at, data, size):
        if self.number != APP:
            self.writer.put(pack(">BI", 0x8D, at), 0)
        self.writer.object(data, self.number, size)

    def new(self, cls, *values, at=None):
        at = at or self.place(cls.bytes)
        self.write(at, cls.pack(0x21, at, 0, cls.id, cls.length, *values, cls.id, 0), cls.bytes)
        return at

    def array(self, cls, elements, at=None):
        at = at or self.place(12 + 4 * len(elements))
        data = pack(">BIIII%dI" % len(elements), 0x22, at, 0, len(elements), cls.id, *elements)
        self.write(at, data, 12 + 4 * len(elements))
        return at

    def numbers(self, kind, data, at=None):
        at = at or self.place(12 + len(data))
        self.write(at, pack(">BIIIB", 0x23, at, 0, len(data) // SIZE[kind], kind) + data, 12 + len(data))
        return at

    def string(self, value):
        data = value.encode("latin-1")
        at = self.place(16 + len(data))
        self.new(STRING, at + 16, len(data), 0, at=at)
        # The characters are inside the string object.
        self.writer.put(pack(">BIIIB", 0x23, at + 16, 0, len(data), BYTE) + data, self.number)
        self.writer.objects += 1
        return at

    def list(self, elements):
        array = self.array(OBJECTS, elements + [0] * (len(elements) // 2))
        return self.new(LIST, array, len(elements), len(elements))

    def map(self, entries):
        room = 16
        while room < len(entries) * 4 // 3:
            room *= 2
        table = [0] * room
        for key, value in entries:
            slot = hash((key, 7)) % room
            table[slot] = self.new(NODE, slot, key, table[slot], value)
        return self.new(MAP, self.array(NODES, table), len(entries), 0x3F400000, 0)


WORDS = "alpha cart order price delivery street basket customer token session header body cache entry view".split()


def words(count):
    return " ".join(chance.choice(WORDS) for _ in range(count))


def screen(heap, destroyed):
    """An activity with a tree of views."""
    activity = heap.place(MAIN.bytes)
    top = heap.place(GROUP.bytes)

    def group(at, parent, depth):
        children = []
        for _ in range(chance.randint(3, 6)):
            if depth:
                child = heap.place(GROUP.bytes)
                group(child, at, depth - 1)
            else:
                child = heap.new(LABEL, heap.string(words(3)), activity, at, 0, 1, 0)
            children.append(child)
        array = heap.array(VIEWS, children + [0] * 6)
        heap.new(GROUP, array, len(children), activity, parent, 0, 1, 0, at=at)

    group(top, 0, 4)
    heap.new(MAIN, destroyed, destroyed, top, 0, 0, at=activity)
    return activity


def item(heap):
    image = 0
    if chance.random() < 0.02:
        width, height = chance.choice([(64, 64), (256, 256), (1080, 1920)])
        image = heap.new(BITMAP, width, height, chance.getrandbits(40), 0)
        registry = heap.new(REGISTRY, width * height * 4 | 1)
        thunk = heap.new(THUNK, registry, 1)
        cleaners.append(heap.new(CLEANER, image, 0, cleaners[-1] if cleaners else 0, thunk))
    tags = heap.list([heap.string(words(1)) for _ in range(chance.randint(0, 4))])
    return heap.new(ITEM, heap.string(words(4)), chance.getrandbits(30), tags, image)


cleaners = []


def body(out):
    writer = Writer(out)
    zygote, app = Heap(writer, ZYGOTE, 0x10000000), Heap(writer, APP, 0x12C00000)
    strings = [zygote.string("android.intent.%d" % n) for n in range(60_000)]
    resources = zygote.map([(key, key) for key in strings[:40_000]])
    kept = [screen(app, 1) for _ in range(20)]
    shown = screen(app, 0)
    caches = []
    while writer.shallow < MEGABYTES << 20:
        entries = [(app.string("key-%d" % n), item(app)) for n in range(2_000)]
        caches.append(app.new(CACHE, app.map(entries)))
        if len(caches) % 8 == 0:
            app.numbers(BYTE, bytes(100_000))
    HOLDER.statics = [("caches", app.list(caches)), ("kept", app.list(kept)), ("shown", shown), ("resources", resources)]
    HOLDER.statics += [("cleaner", cleaners[-1])] if cleaners else []
    BUILD.statics = [("MANUFACTURER", zygote.string("Google")), ("ID", zygote.string("UP1A"))]
    VERSION.statics = [("SDK_INT", 34)]
    for cls in Class.all:
        statics = b"".join(
            pack(">IB" + ("i" if name == "SDK_INT" else "I"), text(name), INT if name == "SDK_INT" else OBJECT, value)
            for name, value in cls.statics
        )
        fields = b"".join(pack(">IB", text(name), kind) for name, kind in cls.fields)
        above = cls.above.id if cls.above else 0
        data = pack(">BII6II", 0x20, cls.id, 0, above, 0, 0, 0, 0, 0, cls.bytes)
        data += pack(">HH", 0, len(cls.statics)) + statics + pack(">H", len(cls.fields)) + fields
        writer.put(pack(">BI", 0x05, cls.id), 0)
        writer.object(data, cls.heap, 0)
    writer.flush()
    return writer


def main():
    with tempfile.TemporaryFile(dir=os.path.dirname(os.path.abspath(OUT))) as segments:
        writer = body(segments)
        segments.seek(0)
        with open(OUT, "wb") as out:
            out.write(b"JAVA PROFILE 1.0.3\0" + pack(">IQ", 4, 1_790_000_000_000))
            for cls in Class.all:
                text(cls.name)
            for name in order:
                data = name.encode()
                out.write(pack(">BIII", 1, 0, 4 + len(data), texts[name]) + data)
            for serial, cls in enumerate(Class.all, 1):
                out.write(pack(">BIIIIII", 2, 0, 16, serial, cls.id, 0, texts[cls.name]))
            out.write(pack(">BIIIII", 5, 0, 12, 0, 0, 0))
            while chunk := segments.read(1 << 20):
                out.write(chunk)
            out.write(pack(">BII", 0x2C, 0, 0))
    print(f"{writer.objects} objects, {writer.shallow} bytes")


main()
