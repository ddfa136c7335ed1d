"""Costly shapes of dumps: deep, wide, shared, repeated, and one giant. Each function writes one of size `n` to a file,
which is proportional to `n`; the number beside it is the largest size that is measured."""
import gzip
import json
import struct

from hprof import BYTE, CHAR, INT, OBJECT, Dump

ALL: dict[str, tuple] = {}


def shape(name: str, largest: int, suffix: str = "hprof"):
    def add(write):
        ALL[name] = (write, largest, suffix)
        return write
    return add


def dump(fill):
    """Writes the dump that `fill(dump, n)` describes."""
    def write(path: str, n: int) -> None:
        made = Dump()
        fill(made, n)
        made.write(path)
    return write


def class_chain(kind: int):
    def fill(made: Dump, n: int) -> None:
        above = made.object
        for at in range(n):
            above = made.new_class(f"app.Level{at}", above, [(f"field{at % 100}", kind)])
        size = {OBJECT: 8, INT: 4, CHAR: 2}[kind] * n
        made.root(made.instance(above, bytes(size)))
        made.root(made.text("text of a string"))
    return dump(fill)


shape("deep: class chain, numbers", 16_000)(class_chain(INT))
shape("deep: class chain, references", 8_000)(class_chain(OBJECT))


@shape("deep: class chain, no fields", 20_000)
@dump
def empty_chain(made: Dump, n: int) -> None:
    above = made.new_class("app.Base", made.object, [("number", INT)])
    for at in range(n):
        above = made.new_class(f"app.Level{at}", above)
        made.root(made.instance(above, bytes(4)))
    made.root(made.text("text of a string"))


def wide_base(kind: int):
    def fill(made: Dump, n: int) -> None:
        fields = [(f"field{at % 300}", kind) for at in range(min(n, 60_000))]
        base = made.new_class("app.Base", made.object, fields)
        for at in range(n):
            last = made.new_class(f"app.Sub{at}", base, [("own", OBJECT)])
        size = {OBJECT: 8, INT: 4, CHAR: 2}[kind] * len(fields)
        made.root(made.instance(last, bytes(8 + size)))
        made.root(made.text("text of a string"))
    return dump(fill)


shape("wide: fields of a base class of many, numbers", 16_000)(wide_base(INT))
shape("wide: fields of a base class of many, references", 8_000)(wide_base(OBJECT))
shape("wide: fields of a base class of many, char", 16_000)(wide_base(CHAR))


@shape("deep: object chain", 100_000)
@dump
def object_chain(made: Dump, n: int) -> None:
    kind = made.new_class("app.Link", made.object, [("next", OBJECT)])
    following = 0
    for _ in range(n):
        following = made.instance(kind, struct.pack(">Q", following))
    made.static_root("app.Holder", following)


@shape("deep: object ring", 100_000)
@dump
def object_ring(made: Dump, n: int) -> None:
    kind = made.new_class("app.Link", made.object, [("next", OBJECT)])
    first = following = made.new_address(24)
    for _ in range(n - 1):
        following = made.instance(kind, struct.pack(">Q", following))
    made.instance(kind, struct.pack(">Q", following), address=first)
    made.static_root("app.Holder", first)


@shape("deep: nested lists", 32_000)
@dump
def nested_lists(made: Dump, n: int) -> None:
    inner = made.text("innermost")
    for _ in range(n):
        inner = made.new_list([inner])
    made.static_root("app.Holder", inner)


@shape("deep: nested maps", 20_000)
@dump
def nested_maps(made: Dump, n: int) -> None:
    inner, key = made.text("innermost"), made.text("key")
    for _ in range(n):
        inner = made.new_map([(key, inner)])
    made.static_root("app.Holder", inner)


@shape("deep: nested arrays", 60_000)
@dump
def nested_arrays(made: Dump, n: int) -> None:
    inner = made.text("innermost")
    for _ in range(n):
        inner = made.array([inner])
    made.static_root("app.Holder", inner)


@shape("deep: frames of a thread", 40_000)
@dump
def frames(made: Dump, n: int) -> None:
    numbers = [made.frame(at + 1, f"method{at % 50}", made.object) for at in range(n)]
    made.trace(1, 1, numbers)
    made.thread_root("main", 1, 1)
    kind = made.new_class("app.Local", made.object, [("value", INT)])
    for at in range(n):
        made.local(made.instance(kind, struct.pack(">I", at)), 1, at)


@shape("deep: a chain of maps in one bucket", 40_000)
@dump
def bucket(made: Dump, n: int) -> None:
    entries = [(made.text(f"key{at}"), made.text(f"value{at}")) for at in range(n)]
    made.static_root("app.Holder", made.new_map(entries, True))


@shape("wide: threads", 10_000)
@dump
def threads(made: Dump, n: int) -> None:
    kind = made.new_class("app.Local", made.object, [("value", INT)])
    for at in range(1, n + 1):
        frame = made.frame(at, f"method{at % 50}", made.object)
        made.trace(at, at, [frame])
        made.thread_root(f"worker-{at}", at, at)
        made.local(made.instance(kind, struct.pack(">I", at)), at, 0)


@shape("shared: one trace of many threads", 2_000)
@dump
def shared_trace(made: Dump, n: int) -> None:
    made.trace(1, 1, [made.frame(at, f"method{at % 50}", made.object) for at in range(1, 201)])
    kind = made.new_class("app.Local", made.object, [("value", INT)])
    for at in range(1, n + 1):
        made.thread_root(f"worker-{at}", at, 1)
        made.local(made.instance(kind, struct.pack(">I", at)), at, 0)


@shape("wide: classes", 20_000)
@dump
def classes(made: Dump, n: int) -> None:
    for at in range(n):
        kind = made.new_class(f"app.p{at % 97}.Kind{at}", made.object, [("next", OBJECT), ("number", INT)])
        made.root(made.instance(kind, bytes(12)))


@shape("wide: fields of a class", 60_000)
@dump
def fields(made: Dump, n: int) -> None:
    leaf = made.new_class("app.Leaf", made.object, [("number", INT)])
    kind = made.new_class("app.Wide", made.object, [(f"field{at}", OBJECT) for at in range(n)])
    values = struct.pack(f">{n}Q", *[made.instance(leaf, struct.pack(">I", at)) for at in range(n)])
    made.static_root("app.Holder", made.instance(kind, values))


@shape("repeated: fields of one name", 60_000)
@dump
def same_fields(made: Dump, n: int) -> None:
    leaf = made.new_class("app.Leaf", made.object, [("number", INT)])
    kind = made.new_class("app.Wide", made.object, [("field", OBJECT)] * n)
    values = struct.pack(f">{n}Q", *[made.instance(leaf, struct.pack(">I", at)) for at in range(n)])
    made.static_root("app.Holder", made.instance(kind, values))


@shape("wide: statics of a class", 60_000)
@dump
def statics(made: Dump, n: int) -> None:
    leaf = made.new_class("app.Leaf", made.object, [("number", INT)])
    values = [(f"static{at}", OBJECT, made.instance(leaf, struct.pack(">I", at))) for at in range(n)]
    made.root(made.new_class("app.Wide", made.object, (), values))


@shape("wide: array of strings", 60_000)
@dump
def array(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.array([made.text(f"text number {at}") for at in range(n)]))


@shape("wide: list of lists", 40_000)
@dump
def list_of_lists(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.new_list([made.new_list([]) for _ in range(n)]))


@shape("wide: map", 40_000)
@dump
def wide_map(made: Dump, n: int) -> None:
    entries = [(made.text(f"key{at}"), made.text(f"value{at}")) for at in range(n)]
    made.static_root("app.Holder", made.new_map(entries))


@shape("wide: roots", 60_000)
@dump
def roots(made: Dump, n: int) -> None:
    kind = made.new_class("app.Leaf", made.object, [("number", INT)])
    for at in range(n):
        made.root(made.instance(kind, struct.pack(">I", at)))


@shape("repeated: roots of one object", 200_000)
@dump
def same_root(made: Dump, n: int) -> None:
    one = made.text("one")
    for _ in range(n):
        made.root(one)


@shape("wide: class loaders", 10_000)
@dump
def loaders(made: Dump, n: int) -> None:
    for at in range(n):
        loader = made.instance(made.loader, struct.pack(">Q", 0))
        kind = made.new_class("app.Same", made.object, [("number", INT)], loader=loader)
        made.root(made.instance(kind, struct.pack(">I", at)))
        made.root(loader)


@shape("shared: one object of an array", 200_000)
@dump
def shared_in_array(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.array([made.text("one")] * n))


@shape("shared: one object of many", 100_000)
@dump
def shared(made: Dump, n: int) -> None:
    kind = made.new_class("app.Leaf", made.object, [("shared", OBJECT)])
    one = made.text("one")
    made.static_root("app.Holder", made.array([made.instance(kind, struct.pack(">Q", one)) for _ in range(n)]))


@shape("shared: many owners", 10_000)
@dump
def owners(made: Dump, n: int) -> None:
    one = made.new_list([made.text(f"text {at}") for at in range(100)])
    for at in range(n):
        made.static_root(f"app.Owner{at}", one)


@shape("shared: all objects of two owners each", 30_000)
@dump
def pairs(made: Dump, n: int) -> None:
    leaf = made.new_class("app.Leaf", made.object, [("number", INT)])
    kind = made.new_class("app.Owner", made.object, [("left", OBJECT), ("right", OBJECT)])
    leaves = [made.instance(leaf, struct.pack(">I", at)) for at in range(n)]
    made.static_root("app.Holder", made.array([
        made.instance(kind, struct.pack(">QQ", leaves[at], leaves[(at * 7 + 1) % n])) for at in range(n)]))


@shape("shared: ladder", 60_000)
@dump
def ladder(made: Dump, n: int) -> None:
    kind = made.new_class("app.Rung", made.object, [("left", OBJECT), ("right", OBJECT)])
    left = right = 0
    for _ in range(n // 2):
        values = struct.pack(">QQ", left, right)
        left, right = made.instance(kind, values), made.instance(kind, values)
    made.static_root("app.Left", left)
    made.static_root("app.Right", right)


@shape("repeated: strings", 60_000)
@dump
def same_strings(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.array([made.text("the same text in all") for _ in range(n)]))


@shape("repeated: classes of one name", 20_000)
@dump
def same_classes(made: Dump, n: int) -> None:
    for _ in range(n):
        kind = made.new_class("app.Same", made.object, [("number", INT)])
        made.root(made.instance(kind, bytes(4)))


@shape("repeated: one trace of many objects", 40_000)
@dump
def sites(made: Dump, n: int) -> None:
    kind = made.new_class("app.Leaf", made.object, [("number", INT)])
    numbers = [made.frame(at + 1, f"method{at}", made.object) for at in range(200)]
    for at in range(1, n // 200 + 2):
        made.trace(at, 0, numbers[at % 7:])
    for at in range(n):
        made.root(made.instance(kind, struct.pack(">I", at), trace=1 + at % (n // 200 + 1)))


@shape("deep: one trace of an object", 100_000)
@dump
def deep_site(made: Dump, n: int) -> None:
    kind = made.new_class("app.Leaf", made.object, [("number", INT)])
    made.trace(1, 0, [made.frame(at + 1, f"method{at % 50}", made.object) for at in range(n)])
    made.root(made.instance(kind, bytes(4), trace=1))


@shape("giant: string", 16_000_000)
@dump
def giant_string(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.text("password = abc " * (n // 15)))


@shape("giant: strings without an end", 16_000_000)
@dump
def giant_word(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.text("a" * n))


@shape("giant: array of numbers", 32_000_000)
@dump
def giant_array(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.primitives(INT, bytes(n)))


@shape("giant: array of null", 2_000_000)
@dump
def giant_null(made: Dump, n: int) -> None:
    made.static_root("app.Holder", made.array([0] * n))


@shape("giant: class name", 8_000_000)
@dump
def giant_name(made: Dump, n: int) -> None:
    kind = made.new_class("app." + "a.b" * (n // 3), made.object, [("f" * (n // 2), INT)])
    made.root(made.instance(kind, bytes(4)))


@shape("giant: names of many classes", 8_000_000)
@dump
def giant_names(made: Dump, n: int) -> None:
    for at in range(n // 1000):
        kind = made.new_class(f"app{at}" + ".ab" * 330, made.object, [("f", INT)])
        made.root(made.instance(kind, bytes(4)))


@shape("packed: gzip of zeros", 64_000_000, "hprof.gz")
def zeros(path: str, n: int) -> None:
    made = Dump()
    made.static_root("app.Holder", made.primitives(INT, bytes(n)))
    made.write(path + ".plain")
    with open(path + ".plain", "rb") as plain, gzip.open(path, "wb", 1) as packed:
        packed.write(plain.read())


@shape("packed: archives in archives", 24, "hprof.gz")
def nested_archives(path: str, n: int) -> None:
    made = Dump()
    made.static_root("app.Holder", made.text("text"))
    made.write(path)
    with open(path, "rb") as plain:
        content = plain.read()
    for _ in range(n):
        content = gzip.compress(content)
    with open(path, "wb") as file:
        file.write(content)


# Snapshots of V8.

NODE_TYPES = ["hidden", "array", "string", "object", "code", "closure", "regexp", "number", "native", "synthetic",
              "concatenated string", "sliced string", "symbol", "bigint", "object shape"]
EDGE_TYPES = ["context", "element", "property", "internal", "hidden", "shortcut", "weak"]
META = {
    "node_fields": ["type", "name", "id", "self_size", "edge_count", "detachedness"],
    "node_types": [NODE_TYPES, "string", "number", "number", "number", "number"],
    "edge_fields": ["type", "name_or_index", "to_node"],
    "edge_types": [EDGE_TYPES, "string_or_number", "node"],
    "trace_function_info_fields": ["function_id", "name", "script_name", "script_id", "line", "column"],
    "trace_node_fields": ["id", "function_info_index", "count", "size", "children"],
    "sample_fields": ["timestamp_us", "last_assigned_id"],
    "location_fields": ["object_index", "script_id", "line", "column"],
}


class Snapshot:
    """A snapshot in the making. Node 0 is the root, node 1 the group of GC roots, node 2 the global object."""

    def __init__(self):
        self.strings: dict[str, int] = {}
        self.nodes: list[tuple] = []
        self.edges: list[list[tuple]] = []
        root = self.node("synthetic", "")
        roots = self.node("synthetic", "(GC roots)")
        self.window = self.node("object", "Window / app")
        self.edge(root, "element", 1, roots)
        self.edge(root, "element", 2, self.window)

    def text(self, text: str) -> int:
        return self.strings.setdefault(text, len(self.strings))

    def node(self, kind: str, name: str, size: int = 32) -> int:
        self.nodes.append((NODE_TYPES.index(kind), self.text(name), 2 * len(self.nodes) + 1, size))
        self.edges.append([])
        return len(self.nodes) - 1

    def edge(self, source: int, kind: str, name, target: int) -> None:
        name = self.text(name) if isinstance(name, str) else name
        self.edges[source].append((EDGE_TYPES.index(kind), name, 6 * target))

    def write(self, path: str, **more) -> None:
        nodes = [value for node, edges in zip(self.nodes, self.edges) for value in (*node, len(edges), 0)]
        edges = [value for edges in self.edges for edge in edges for value in edge]
        snapshot = {"meta": META, "node_count": len(self.nodes), "edge_count": len(edges) // 3, "trace_function_count": 0}
        sections = {"trace_function_infos": [], "trace_tree": [], "samples": [], "locations": [], **more}
        whole = {"snapshot": snapshot, "nodes": nodes, "edges": edges, **sections, "strings": list(self.strings)}
        depth = whole.pop("depth", 0)
        text = json.dumps(whole, separators=(",", ":"))
        if depth:
            text = text[:-1] + ',"other":' + "[" * depth + "]" * depth + "}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def snapshot(fill):
    def write(path: str, n: int) -> None:
        made = Snapshot()
        made.write(path, **(fill(made, n) or {}))
    return write


@shape("deep: objects of a snapshot", 60_000, "heapsnapshot")
@snapshot
def v8_chain(made: Snapshot, n: int) -> None:
    last = made.window
    for _ in range(n):
        link = made.node("object", "Link")
        made.edge(last, "property", "next", link)
        last = link


@shape("deep: concatenated strings", 60_000, "heapsnapshot")
@snapshot
def v8_rope(made: Snapshot, n: int) -> None:
    last = made.node("string", "seed")
    for _ in range(n):
        rope = made.node("concatenated string", "(concatenated string)")
        made.edge(rope, "internal", "first", last)
        made.edge(rope, "internal", "second", made.node("string", "ab"))
        last = rope
    made.edge(made.window, "property", "text", last)


@shape("shared: concatenated strings", 400, "heapsnapshot")
@snapshot
def v8_doubled_rope(made: Snapshot, n: int) -> None:
    last = made.node("string", "seed")
    for _ in range(n):
        rope = made.node("concatenated string", "(concatenated string)")
        made.edge(rope, "internal", "first", last)
        made.edge(rope, "internal", "second", last)
        last = rope
    made.edge(made.window, "property", "text", last)


@shape("deep: closures", 30_000, "heapsnapshot")
@snapshot
def v8_closures(made: Snapshot, n: int) -> None:
    last = made.window
    for _ in range(n):
        closure, context = made.node("closure", "inner"), made.node("object", "system / Context")
        made.edge(last, "property", "fn", closure)
        made.edge(closure, "internal", "context", context)
        made.edge(context, "context", "captured", made.node("object", "Captured"))
        if last != made.window:
            made.edge(context, "internal", "previous", previous)
        last, previous = closure, context


@shape("deep: JSON", 2_000_000, "heapsnapshot")
@snapshot
def v8_depth(made: Snapshot, n: int) -> dict:
    return {"depth": n}


@shape("deep: allocation tree", 60_000, "heapsnapshot")
def v8_allocations(path: str, n: int) -> None:
    made = Snapshot()
    functions = [value for at in range(n) for value in (at, made.text(f"f{at % 50}"), made.text("app.js"), 1, at, 0)]
    made.write(path, trace_function_infos=functions, trace_tree=["tree"])
    tree = "".join(f"{at + 1},{at},1,32,[" for at in range(n)) + "]" * n
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace('["tree"]', f"[{tree}]", 1))


@shape("wide: properties of an object", 60_000, "heapsnapshot")
@snapshot
def v8_properties(made: Snapshot, n: int) -> None:
    for at in range(n):
        made.edge(made.window, "property", f"name{at}", made.node("object", "Value"))


@shape("wide: constructors of a snapshot", 60_000, "heapsnapshot")
@snapshot
def v8_constructors(made: Snapshot, n: int) -> None:
    for at in range(n):
        made.edge(made.window, "element", at, made.node("object", f"Kind{at}"))


@shape("wide: elements of an array", 100_000, "heapsnapshot")
@snapshot
def v8_elements(made: Snapshot, n: int) -> None:
    array = made.node("object", "Array")
    elements = made.node("array", "(object elements)")
    made.edge(made.window, "property", "all", array)
    made.edge(array, "internal", "elements", elements)
    for at in range(n):
        element = made.node("string", f"text {at}")
        made.edge(array, "element", at, element)
        made.edge(elements, "internal", at, element)


@shape("shared: one node", 200_000, "heapsnapshot")
@snapshot
def v8_shared(made: Snapshot, n: int) -> None:
    one = made.node("object", "One")
    for at in range(n):
        made.edge(made.window, "element", at, one)


@shape("repeated: strings of a snapshot", 60_000, "heapsnapshot")
@snapshot
def v8_strings(made: Snapshot, n: int) -> None:
    for at in range(n):
        made.edge(made.window, "element", at, made.node("string", "the same text"))


@shape("repeated: detached nodes", 30_000, "heapsnapshot")
def v8_detached(path: str, n: int) -> None:
    made = Snapshot()
    for at in range(n):
        made.edge(made.window, "element", at, made.node("native", "Detached <div class=\"a\">"))
    made.write(path)


@shape("giant: string of a snapshot", 16_000_000, "heapsnapshot")
@snapshot
def v8_giant(made: Snapshot, n: int) -> None:
    made.edge(made.window, "property", "text", made.node("string", "password = abc " * (n // 15)))


@shape("giant: name of a constructor", 16_000_000, "heapsnapshot")
@snapshot
def v8_giant_name(made: Snapshot, n: int) -> None:
    made.edge(made.window, "property", "p" * (n // 2), made.node("object", "K" * (n // 2)))
