//! Random snapshots, in which every rule of DevTools has something to do:
//! globals or none, page-owned nodes, weak and shortcut edges, entries of weak
//! maps, sizes that move to their owners, detached nodes, shapes of plain
//! objects, nodes that nothing leads to.

mod mutation;
mod parts;
mod words;

use super::snapshot::{Label, Location, Node, Snapshot, Text};
use crate::random::Random;

pub use mutation::mutate;

/// Snapshot for a seed, with about `nodes` random nodes, and some fixed ones.
pub fn random(seed: u64, nodes: u32) -> Snapshot {
    let mut generator =
        SnapshotGenerator { random: Random::new(seed), snapshot: Snapshot::default(), ids: 1, page: Vec::new() };
    generator.top();
    generator.globals((seed % 4) as u32);
    (0..nodes).for_each(|_| generator.node());
    generator.strings();
    generator.wire();
    generator.special_parts();
    generator.entries();
    generator.rings();
    generator.globals_again((seed % 4) as u32);
    generator.detach();
    generator.shuffle();
    generator.locations();
    generator.allocations();
    generator.snapshot
}

/// Number of nodes above all those of the application.
const TOP: u32 = 5;

struct SnapshotGenerator {
    random: Random,
    snapshot: Snapshot,
    /// The last id given out.
    ids: u64,
    /// Nodes that hold the application, as opposed to the engine.
    page: Vec<usize>,
}

impl SnapshotGenerator {
    /// A new node of a random size. JavaScript's ids are odd, others even.
    fn add(&mut self, kind: &'static str, name: impl Into<Text>) -> usize {
        let size = match self.random.below(12) {
            0 | 1 => 0,
            2 => self.random.below(1 << 20),
            _ => 8 * self.random.between(1, 20),
        };
        let id = self.ids + u64::from(kind == "native");
        self.ids += 2 * u64::from(self.random.between(1, 3));
        self.snapshot.add(kind, name, id, u64::from(size))
    }

    fn count(&self) -> u32 {
        self.snapshot.nodes.len() as u32
    }

    /// Any node that is not of the top: what the application holds rarely leads back there.
    fn any(&mut self) -> usize {
        let last = self.count() - 1;
        self.random.between(TOP.min(last), last) as usize
    }

    /// Random node of one of these kinds; if there is none, a new one of the first.
    fn any_of(&mut self, kinds: &[&'static str]) -> usize {
        let fit = |(_, node): &(usize, &Node)| kinds.contains(&node.kind);
        let fitting: Vec<usize> = self.snapshot.nodes.iter().enumerate().filter(fit).map(|(at, _)| at).collect();
        if fitting.is_empty() { self.add(kinds[0], "") } else { *self.random.pick(&fitting) }
    }

    fn text(&mut self) -> Text {
        match self.random.below(20) {
            0 => Text(vec![0xd800]),
            1 => Text(vec![0x61, 0xdc00 + self.random.below(3) as u16, 0x62]),
            2 => "long ".repeat(self.random.between(30, 300) as usize).into(),
            _ => (*self.random.pick(&words::TEXTS)).into(),
        }
    }

    /// Adds the root and the nodes below it that every version has.
    fn top(&mut self) {
        self.snapshot.add("synthetic", "", 1, 0);
        self.snapshot.add("synthetic", "(GC roots)", 3, 0);
        self.ids = 5;
        self.snapshot.number(0, "element", 1, 1);
        for name in ["(Stack roots)", "(Global handles)", "(Strong roots)"] {
            let part = self.add("synthetic", name);
            self.snapshot.nodes[part].self_size = if self.random.one_in(8) { 16 } else { 0 };
            self.snapshot.number(1, "element", part as u32, part);
        }
    }

    /// Roots of the application: as written by node 20 and node 26, in a random way, or (0) missing.
    fn globals(&mut self, era: u32) {
        if era == 0 {
            self.page = vec![1, 2, 3];
            return;
        }
        for at in 0..self.random.between(1, 2) {
            let (kind, name) = match era {
                1 => ("object", *self.random.pick(&["global", "Window / https://shop.example"])),
                _ => ("hidden", "system / NativeContext"),
            };
            let global = self.add(kind, name);
            self.snapshot.name(0, "shortcut", format!("{at}: {name}"), global);
            self.snapshot.number(1 + at as usize, "element", 1, global);
            self.page.push(global);
        }
        if self.random.one_in(2) {
            let trees = self.add("synthetic", "(Document DOM trees)");
            let kind = if self.random.one_in(5) { "internal" } else { "element" };
            match kind {
                "element" => self.snapshot.number(0, kind, 2, trees),
                _ => self.snapshot.name(0, kind, "trees", trees),
            }
            for _ in 0..self.random.below(3) {
                let tree = self.add("native", "HTMLDocument");
                self.snapshot.number(trees, "element", 1, tree);
                self.page.push(tree);
            }
        }
        if self.random.one_in(2) {
            let embedder = self.add("native", "Isolate");
            self.snapshot.number(0, "element", 3, embedder);
        }
    }

    /// Adds more entry points below the root, which real snapshots do not have.
    fn globals_again(&mut self, era: u32) {
        for _ in 0..if era == 3 { self.random.below(6) } else { 0 } {
            let to = self.any();
            self.edge(0, to);
        }
        if era > 0 && self.random.one_in(8) {
            // Adds the same entry point twice: its edges are visited twice.
            let again = self.snapshot.nodes[0].edges.last().cloned();
            self.snapshot.nodes[0].edges.extend(again);
        }
    }

    fn node(&mut self) {
        let kind = match self.random.below(24) {
            0..=6 => return self.plain(),
            7..=9 => "object",
            10 | 11 => "closure",
            12 | 13 => "string",
            14 | 15 => "array",
            16 | 17 => "hidden",
            18 => "code",
            19..=21 => "native",
            _ => *self.random.pick(&[
                "regexp",
                "symbol",
                "bigint",
                "number",
                "sliced string",
                "object shape",
                "synthetic",
            ]),
        };
        let name: Text = match kind {
            "object" => (*self.random.pick(&words::CLASSES)).into(),
            "native" => (*self.random.pick(&words::NATIVES)).into(),
            "hidden" => (*self.random.pick(&words::HIDDEN)).into(),
            "array" => (*self.random.pick(&words::ARRAYS)).into(),
            "closure" => (*self.random.pick(&words::FUNCTIONS)).into(),
            _ => self.text(),
        };
        self.add(kind, name);
    }

    /// Adds an object literal with the properties of a shape, sometimes modified.
    fn plain(&mut self) {
        let node = self.add("object", "Object");
        for &name in *self.random.pick(&words::SHAPES) {
            if !self.random.one_in(15) {
                let to = self.any();
                self.snapshot.name(node, "property", name, to);
            }
        }
        if self.random.one_in(6) {
            let more = *self.random.pick(&words::PROPERTIES);
            self.property(node, more);
        }
    }

    /// A property, unless the object already has one with that name, since names are unique.
    fn property(&mut self, node: usize, name: &str) {
        let to = self.any();
        let name = Label::Name(name.into());
        if self.snapshot.nodes[node].edges.iter().all(|edge| edge.label != name) {
            self.snapshot.nodes[node].edges.push(super::snapshot::Edge { kind: "property", label: name, to });
        }
    }

    /// Connects nodes: most become reachable, some on several paths.
    fn wire(&mut self) {
        for to in TOP as usize..self.count() as usize {
            let from = match self.random.below(14) {
                0 => continue,
                1 => {
                    let from = self.any();
                    self.snapshot.name(from, "weak", "1", to);
                    continue;
                }
                2 | 3 => *self.random.pick(&[1, 2, 3]),
                4 | 5 => *self.random.pick(&self.page),
                6..=8 => to - self.random.between(1, 4.min(to as u32 - 1)) as usize,
                _ => self.random.between(1, to as u32 - 1) as usize,
            };
            self.edge(from, to);
        }
        for _ in 0..self.random.below(2 * self.count()) {
            let (from, to) = (self.any(), self.any());
            self.edge(from, to);
        }
    }

    /// An edge of any kind. A few lead from a node to itself, or back to the top.
    fn edge(&mut self, from: usize, to: usize) {
        let to = match self.random.below(400) {
            0 => self.random.below(TOP) as usize,
            1..=10 => from,
            _ => to,
        };
        match self.random.below(16) {
            0..=4 => {
                let name = *self.random.pick(&words::PROPERTIES);
                let edge = Label::Name(name.into());
                let twin = self.snapshot.nodes[from].edges.iter().any(|other| other.label == edge);
                let kind = if twin { "internal" } else { "property" };
                self.snapshot.name(from, kind, name, to);
            }
            5..=7 => {
                let index = self.random.below(12);
                self.snapshot.number(from, "element", index, to);
            }
            8..=10 => {
                let name = *self.random.pick(&words::INTERNALS);
                self.snapshot.name(from, "internal", name, to);
            }
            11 => {
                let name = *self.random.pick(&["i", "this", "sloppy_function_map"]);
                self.snapshot.name(from, "context", name, to);
            }
            12 | 13 => {
                let index = self.random.below(9);
                self.snapshot.number(from, "hidden", index, to);
            }
            14 => {
                let name = *self.random.pick(&["3abc", "native_bind", "7", "4 x"]);
                self.snapshot.name(from, "shortcut", name, to);
            }
            _ => self.snapshot.name(from, "weak", "2", to),
        }
    }

    /// Shuffles nodes, except for the root, which is first, and the edges of each.
    fn shuffle(&mut self) {
        let count = self.snapshot.nodes.len();
        let mut order: Vec<usize> = (0..count).collect();
        if self.random.one_in(2) {
            self.random.shuffle(&mut order[1..]);
        }
        self.snapshot = self.snapshot.in_order(&order);
        for node in &mut self.snapshot.nodes {
            if self.random.one_in(3) {
                self.random.shuffle(&mut node.edges);
            }
        }
    }

    fn locations(&mut self) {
        for node in 0..self.snapshot.nodes.len() {
            let located = matches!(self.snapshot.nodes[node].kind, "object" | "closure") && self.random.one_in(3);
            for _ in 0..if located { self.random.between(1, 2) } else { 0 } {
                let (script, line, column) = (self.random.below(3), self.random.below(2), self.random.below(2));
                self.snapshot.locations.push(Location { node, script, line, column });
            }
        }
    }
}
