"""Removes edges from snapshots of V8, as JSON, and then the garbage that this leaves, as V8 does before it writes one."""
import json

ENGINE = {"hidden", "array", "object shape", "code"}
# Tables that the collector ignores, and what is in use while the snapshot is written.
STRINGS = {"(Internalized strings)", "(External strings)", "(Stack roots)", "(Handle scope)"}
IDENTITY_MAP = " / IdentityMapBase"
PAIR = "system / AccessorPair"  # getter and setter of a property


class Snapshot:
    def __init__(self, content: bytes):
        self.json = json.loads(content)
        meta = self.json["snapshot"]["meta"]
        self.fields, self.edge_fields = len(meta["node_fields"]), len(meta["edge_fields"])
        node, edge = meta["node_fields"].index, meta["edge_fields"].index
        self.type, self.name, self.id, self.count = node("type"), node("name"), node("id"), node("edge_count")
        self.edge_type, self.label, self.to = edge("type"), edge("name_or_index"), edge("to_node")
        self.types, self.edge_types = meta["node_types"][self.type], meta["edge_types"][self.edge_type]
        self.nodes, self.texts = self.json["nodes"], self.json["strings"]
        edges, at = self.json["edges"], 0
        self.edges: list[list[tuple]] = []  # by node: type, name or index, target
        for begin in range(0, len(self.nodes), self.fields):
            end = at + self.nodes[begin + self.count] * self.edge_fields
            self.edges.append([(edges[e + self.edge_type], edges[e + self.label], edges[e + self.to] // self.fields)
                               for e in range(at, end, self.edge_fields)])
            at = end
        self.by_id = {self.nodes[begin + self.id]: begin // self.fields for begin in range(0, len(self.nodes), self.fields)}
        self.holders: dict[int, set[int]] = {}
        self.weak = self.edge_types.index("weak")
        for source, of_node in enumerate(self.edges):
            for kind, _, target in of_node:
                if kind != self.weak:
                    self.holders.setdefault(target, set()).add(source)
        # What nothing else holds is held by these tables, as before.
        self.held_otherwise = [True] * len(self.edges)
        self.held_otherwise = self.reached()
        # What nothing holds is in the file, too.
        self.reached_before = self.reached()

    def kind(self, node: int) -> str:
        return self.types[self.nodes[node * self.fields + self.type]]

    def name_of(self, node: int) -> str:
        return self.texts[self.nodes[node * self.fields + self.name]]

    def is_of_engine(self, node: int) -> bool:
        return self.kind(node) in ENGINE or self.name_of(node).startswith("system / ")

    def label_of(self, edge: tuple) -> str:
        kind = self.edge_types[edge[0]]
        return str(edge[1]) if kind in ("element", "hidden") else self.texts[edge[1]]

    def stores(self, owner: int) -> list[int]:
        """Nodes in which the engine stores properties and elements of this object alone."""
        stores = []
        for edge in self.edges[owner]:
            if self.edge_types[edge[0]] == "internal" and self.label_of(edge) in ("properties", "elements"):
                if self.is_of_engine(edge[2]) and self.holders[edge[2]] == {owner}:
                    stores.append(edge[2])
        pairs = {to for kind, _, to in self.edges[owner] if self.edge_types[kind] == "property" and self.name_of(to) == PAIR}
        for store in list(stores):  # cells of a dictionary
            cells = {to for kind, _, to in self.edges[store] if self.is_of_engine(to) and self.holders[to] == {store}}
            stores.extend(cells)
        # The hidden class of several objects keeps its accessors, that of one belongs to it.
        own = {owner, *stores}
        for label in ("map", "descriptors"):
            own |= {edge[2] for node in list(own) for edge in self.edges[node]
                    if edge[0] != self.weak and self.label_of(edge) == label and self.holders[edge[2]] <= own}
        return [*stores, *(pair for pair in pairs if self.holders[pair] <= own)]

    def remove_reference(self, source: int, target: int) -> None:
        """By id: every edge between both that is not weak, and its storage."""
        source, target = self.by_id[source], self.by_id[target]
        self.edges[source] = [edge for edge in self.edges[source] if edge[2] != target or edge[0] == self.weak]
        for store in self.stores(source):
            self.edges[store] = [edge for edge in self.edges[store] if edge[2] != target]

    def remove_object(self, target: int) -> None:
        target = self.by_id[target]
        self.edges = [[edge for edge in of_node if edge[2] != target] for of_node in self.edges]

    def references(self, node_id: int) -> list[int]:
        """Ids of the values of properties, elements and variables of an object."""
        node = self.by_id[node_id]
        if self.is_of_engine(node) or self.kind(node) in ("synthetic", "native"):
            return []
        named = [to for kind, _, to in self.edges[node] if self.edge_types[kind] in ("property", "element", "context")]
        return [self.nodes[to * self.fields + self.id] for to in named if to != node and not self.is_of_engine(to)]

    def reached(self) -> list[bool]:
        reached, waiting = [False] * len(self.edges), [0]
        reached[0] = True
        while waiting:
            node = waiting.pop()
            is_table = self.kind(node) == "synthetic" and self.name_of(node) in STRINGS
            for kind, _, to in self.edges[node]:
                if kind != self.weak and not reached[to] and not (is_table and self.held_otherwise[to]):
                    reached[to] = True
                    waiting.append(to)
        return reached

    def write(self) -> bytes:
        row, rows = {}, 0
        for node, (before, after) in enumerate(zip(self.reached_before, self.reached())):
            if after or not before:
                row[node], rows = rows, rows + 1
        nodes, edges = [], []
        for node in row:
            left = [edge for edge in self.edges[node] if edge[2] in row]
            record = self.nodes[node * self.fields:(node + 1) * self.fields]
            record[self.count] = len(left)
            nodes.extend(record)
            for kind, label, to in left:
                values = {self.edge_type: kind, self.label: label, self.to: row[to] * self.fields}
                edges.extend(values[at] for at in range(self.edge_fields))
        meta = self.json["snapshot"]
        fields = meta["meta"].get("location_fields", [])
        locations, step, left = self.json.get("locations", []), len(fields), []
        for at in range(0, len(locations), step or 1):
            of = row.get(locations[at + fields.index("object_index")] // self.fields)
            if of is not None:
                record = locations[at:at + step]
                record[fields.index("object_index")] = of * self.fields
                left.extend(record)
        meta.update(node_count=rows, edge_count=len(edges) // self.edge_fields)
        out = {**self.json, "nodes": nodes, "edges": edges}
        if "locations" in out:
            out["locations"] = left
        return json.dumps(out, separators=(",", ":")).encode()
