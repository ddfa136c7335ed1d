//! Parts of a heap that have a rule to themselves.

use super::super::snapshot::{Edge, Function, Sample, Text, TraceNode};
use super::{SnapshotGenerator, words};

impl SnapshotGenerator {
    /// Adds strings of two parts, some of them flattened, and truncated strings.
    fn ropes(&mut self) {
        let empty = self.add("string", "");
        for _ in 0..self.random.below(6) {
            let parts = ["string", "concatenated string", "sliced string"];
            let (first, second) = (self.any_of(&parts), self.any_of(&parts));
            let second = if self.random.one_in(4) { empty } else { second };
            let rope = self.add("concatenated string", "(concatenated string)");
            self.snapshot.name(rope, "internal", "first", first);
            self.snapshot.name(rope, "internal", "second", second);
        }
        let text = self.text();
        for _ in 0..self.random.below(4) {
            let string = self.add("string", text.clone());
            let truth = *self.random.pick(&["true", "true", "false"]);
            self.value(string, "truncated", "bool", truth);
            let length = *self.random.pick(&["2000", "3000"]);
            self.value(string, "length", "int", length);
            self.value(string, "hash", "int", "77");
        }
    }

    /// A number as snapshots have it: a node with the text of it.
    fn value(&mut self, of: usize, edge: &str, kind: &str, text: &str) {
        let number = self.add("number", kind);
        let string = self.add("string", text);
        self.snapshot.nodes[string].self_size = 0;
        self.snapshot.name(of, "internal", edge, number);
        self.snapshot.name(number, "internal", "value", string);
    }

    pub(super) fn strings(&mut self) {
        for _ in 0..self.random.below(8) {
            let text = self.text();
            self.add("string", text);
        }
        self.ropes();
    }

    pub(super) fn special_parts(&mut self) {
        if self.random.one_in(2) {
            self.listeners();
        }
        if self.random.one_in(2) {
            self.maps_of_contexts();
        }
        if self.random.one_in(3) {
            let to = self.any();
            self.snapshot.name(3, "internal", format!("{to} / DevTools console"), to);
        }
        for _ in 0..self.random.below(4) {
            self.arrays();
        }
        for _ in 0..self.random.below(4) {
            self.owned();
        }
    }

    /// Event handlers: functions, wrapped functions, and others.
    fn listeners(&mut self) {
        for _ in 0..self.random.between(1, 3) {
            let listener = self.add("native", "V8EventListener");
            let holder = self.any();
            self.edge(holder, listener);
            let function = self.add("closure", "handler");
            if !self.random.one_in(4) {
                let code = self.any_of(&["code"]);
                self.snapshot.name(function, "internal", "code", code);
            }
            let wrapper = self.any();
            let called = match self.random.below(3) {
                0 => function,
                1 => {
                    self.snapshot.name(wrapper, "context", "wrapped", function);
                    wrapper
                }
                _ => continue,
            };
            match self.random.below(2) {
                0 => self.snapshot.number(listener, "element", 1, called),
                _ => self.snapshot.name(listener, "internal", "1", called),
            }
        }
    }

    /// Adds native contexts, and objects that belong to one through the map of their map.
    fn maps_of_contexts(&mut self) {
        let names = ["system / NativeContext", "system / NativeContext / https://a", "Detached system / NativeContext"];
        let names = names.into_iter().chain(["system / NativeContexts"]);
        for name in names {
            if self.random.one_in(2) {
                continue;
            }
            let kind = *self.random.pick(&["hidden", "object", "native"]);
            let (context, meta) = (self.add(kind, name), self.add("hidden", "system / Map"));
            let (above, map) = (self.any(), self.add("hidden", "system / Map"));
            self.edge(above, context);
            self.snapshot.name(meta, "internal", "native_context", context);
            self.snapshot.name(meta, "internal", "map", meta);
            self.snapshot.name(map, "internal", "map", meta);
            for _ in 0..self.random.below(4) {
                let object = self.any();
                self.snapshot.name(object, "internal", "map", map);
            }
            let inside = self.any();
            self.edge(context, inside);
        }
    }

    /// Adds arrays with backing stores, shared or not.
    fn arrays(&mut self) {
        let (holder, array) = (self.any(), self.add("object", "Array"));
        let elements = self.add("array", "(object elements)");
        self.edge(holder, array);
        self.snapshot.name(array, "internal", "elements", elements);
        if self.random.one_in(3) {
            let other = self.any();
            self.edge(other, elements);
        }
    }

    /// Chains of nodes that belong to who leads to them.
    fn owned(&mut self) {
        let mut last = self.any();
        for _ in 0..self.random.between(1, 4) {
            let (kind, name) = *self.random.pick(&[
                ("hidden", "system / Map"),
                ("array", ""),
                ("native", "system / ExternalStringData"),
            ]);
            let next = self.add(kind, name);
            self.edge(last, next);
            if self.random.one_in(5) {
                self.edge(next, last);
            }
            last = next;
        }
        if self.random.one_in(3) {
            let other = self.any();
            self.edge(other, last);
        }
    }

    /// Entries of weak maps: an edge from the key and one from the table, both of one name but for a number.
    pub(super) fn entries(&mut self) {
        for at in 0..self.random.below(5) {
            let table = if self.random.one_in(2) { self.add("array", "") } else { self.any() };
            if self.random.one_in(2) {
                let holder = self.any();
                self.edge(holder, table);
            }
            let (key, value) = (self.any(), self.any());
            let id = |of: usize| self.snapshot.nodes[of].id;
            let odd = self.random.below(16);
            let of_table = if odd == 1 { id(table) + 2 } else { id(table) };
            let (x, y) = if odd == 2 { ("two\nlines", "v") } else { ("k", if odd == 3 { "\u{2028}" } else { "v" }) };
            let (key_id, value_id) = (id(key), id(value));
            let both = format!(
                " / part of key ({x} @{key_id}) -> value ({y} @{value_id}) pair in WeakMap (table @{of_table})"
            );
            let kind = if odd == 4 { "property" } else { "internal" };
            let mut sides = vec![key, table];
            match odd {
                5 => sides = vec![key],
                6 => sides = vec![table],
                7 => sides.push(key),
                8 => sides.push(self.any()),
                _ => {}
            }
            for (side, &from) in sides.iter().enumerate() {
                let end = if odd == 9 { " " } else { "" };
                let edge = Edge::named(kind, format!("{}{both}{end}", 3 * at + side as u32), value);
                self.snapshot.nodes[from].edges.push(edge);
            }
        }
    }

    /// Adds cycles of otherwise unreferenced nodes.
    pub(super) fn rings(&mut self) {
        for _ in 0..self.random.below(3) {
            let first = self.count() as usize;
            let length = self.random.between(1, 4) as usize;
            for at in 0..length {
                let class = *self.random.pick(&words::CLASSES);
                let node = self.add("object", class);
                self.snapshot.name(node, "property", "next", first + (at + 1) % length);
                if self.random.one_in(2) {
                    let out = self.any();
                    self.edge(node, out);
                }
            }
            if self.random.one_in(3) {
                let from = self.any();
                self.snapshot.name(from, "weak", "ring", first);
            }
        }
    }

    /// Sets detachedness known to the embedder, and wrong claims by others.
    pub(super) fn detach(&mut self) {
        if self.random.one_in(3) {
            return;
        }
        for node in &mut self.snapshot.nodes {
            let share = if node.kind == "native" { 2 } else { 12 };
            if self.random.one_in(share) {
                node.detachedness = u64::from(self.random.between(1, 2));
            }
        }
    }

    /// Stacks and times of allocations.
    pub(super) fn allocations(&mut self) {
        if self.random.one_in(2) {
            self.snapshot.extra_native_bytes = Some(u64::from(self.random.below(5000)));
        }
        if !self.random.one_in(3) {
            return;
        }
        let times = self.random.between(1, 5);
        for at in 1..=times {
            let last_assigned_id = self.ids * u64::from(at) / u64::from(times + 1);
            self.snapshot.samples.push(Sample { timestamp_us: u64::from(at) * 50_000, last_assigned_id });
        }
        for at in 0..4 {
            let name: Text = (*self.random.pick(&["(root)", "load", "render", ""])).into();
            let script_name = "https://shop.example/app.js".into();
            self.snapshot.functions.push(Function { id: at, name, script_name, script: 3, line: 1, column: 1 });
        }
        let mut calls = TraceNode { id: 1, ..TraceNode::default() };
        for id in 2..=self.random.between(2, 8) {
            let mut at = &mut calls;
            while !at.children.is_empty() && !self.random.one_in(2) {
                let next = self.random.below(at.children.len() as u32) as usize;
                at = &mut at.children[next];
            }
            let function = self.random.below(4) as usize;
            let (count, size) = (u64::from(self.random.below(9)), u64::from(self.random.below(900)));
            at.children.push(TraceNode { id: u64::from(id), function, count, size, children: Vec::new() });
        }
        self.snapshot.calls = Some(calls);
        for node in &mut self.snapshot.nodes {
            node.trace_node = u64::from(self.random.below(9));
        }
    }
}
