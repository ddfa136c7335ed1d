//! Objects retained only by detached nodes, closure contexts, the console or
//! event listeners: the same filters and numbers as in DevTools' summary.
//!
//! All edges but weak ones are followed from the root, except those the filter excludes. Objects with a shallow
//! size and a distance that were not reached are shown.

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Name, Named, Task, Unit};
use heaplens_graph::{Bits, reach::reach};
use heaplens_heap::{ObjectId, Snapshot, Totals};

/// Suffix of the names of edges by which the console holds objects.
const CONSOLE: &str = " / DevTools console";
/// Class name prefix of contexts with captured variables.
const CONTEXT: &str = "system / Context";
/// Class name of the page's event listeners.
const LISTENER: &str = "V8EventListener";
/// Class of synthetic nodes of the engine.
const SYNTHETIC: &str = "(synthetic)";

/// Filter for retainers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetainerKind {
    /// Nodes detached from the document.
    DetachedNodes,
    /// Variables that functions capture.
    Contexts,
    /// Objects printed or stored in the console.
    Console,
    /// Listeners of a page's events.
    Handlers,
}

impl Named for RetainerKind {
    const NAMES: &'static [Name<Self>] = &[
        Name::new(Self::DetachedNodes, "detached", "Detached DOM nodes"),
        Name::new(Self::Contexts, "contexts", "Variables captured by closures"),
        Name::new(Self::Console, "console", "The DevTools console"),
        Name::new(Self::Handlers, "handlers", "Event listeners"),
    ];
}

impl RetainerKind {
    /// All of them, in DevTools' order.
    pub const ALL: [Self; 4] = [Self::DetachedNodes, Self::Contexts, Self::Console, Self::Handlers];

    /// Name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::DetachedNodes => "Detached DOM nodes",
            Self::Contexts => "Closure contexts",
            Self::Console => "DevTools console",
            Self::Handlers => "Event listeners",
        }
    }
}

/// Objects retained only by one kind of retainer.
#[derive(Debug)]
pub struct RetainedPart {
    /// Kind of retainer.
    pub by: RetainerKind,
    /// The objects.
    pub objects: Bits,
    /// Their number and bytes.
    pub totals: Totals,
    /// Number of retainers: detached nodes, contexts, console edges, listeners.
    pub keepers: u64,
}

/// Objects and edges excluded by the filter.
#[derive(Default)]
struct Exclusions {
    /// Objects.
    objects: Bits,
    /// Edges, ascending.
    edges: Vec<(u32, u32)>,
}

/// Objects retained only by `by`.
pub fn retained_by(of: DumpData<'_>, by: RetainerKind, task: &Task) -> Result<RetainedPart, Cancelled> {
    let DumpData { heap, analysis, .. } = of;
    let without = match by {
        RetainerKind::DetachedNodes => {
            marked(heap.len(), of.snapshot().map(Snapshot::detached).unwrap_or_default().iter().copied())
        }
        RetainerKind::Contexts => contexts(of, task)?,
        RetainerKind::Console => console(of, task)?,
        RetainerKind::Handlers => handlers(of, task)?,
    };
    task.step("Following other paths", Unit::Objects, heap.len() as u64);
    let follow = |row: u32, rows: &mut heaplens_graph::reach::ReachedNodes<'_>| {
        let Some(object) = ObjectId::from_raw(row) else { return };
        let edges = &without.edges;
        let begins = edges.partition_point(|&(from, _)| from < row);
        let of_row = edges.get(begins).is_some_and(|&(from, _)| from == row);
        for to in of.leads_to(object) {
            let is_left_out = of_row && edges.binary_search(&(row, to)).is_ok();
            if !is_left_out && !without.objects.contains(to) {
                rows.meet(to);
            }
        }
    };
    let root = heap.snapshot().map_or(0, Snapshot::root);
    let reached = reach(heap.len(), &[root], follow, task)?;
    let (mut objects, mut totals) = (Bits::new(heap.len()), Totals::default());
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new).filter(|object| !reached.contains(object.raw())) {
            let shallow = heap.shallow(object);
            if shallow.0 != 0 && analysis.shown_distance(heap, object).is_some() {
                objects.insert(object.raw());
                totals.add(Totals { objects: 1, shallow });
            }
        }
    }
    let keepers = without.objects.count() + without.edges.len();
    Ok(RetainedPart { by, objects, totals, keepers: keepers as u64 })
}

fn marked(objects: usize, rows: impl Iterator<Item = u32>) -> Exclusions {
    let mut marked = Bits::new(objects);
    rows.for_each(|row| {
        marked.insert(row);
    });
    Exclusions { objects: marked, edges: Vec::new() }
}

fn contexts(of: DumpData<'_>, task: &Task) -> Result<Exclusions, Cancelled> {
    let objects = of.contents.objects_beginning(&[CONTEXT], task)?;
    let is_context =
        |name: &str| name.strip_prefix(CONTEXT).is_some_and(|rest| rest.is_empty() || rest.starts_with(" / "));
    Ok(marked(of.heap.len(), objects.iter().filter(|(_, name)| is_context(name)).map(|(object, _)| object.raw())))
}

/// Edges of the console without a parallel edge between the same nodes.
fn console(of: DumpData<'_>, task: &Task) -> Result<Exclusions, Cancelled> {
    let made_up: Vec<bool> = of.heap.classes.all().iter().map(|class| &*class.name == SYNTHETIC).collect();
    let mut edges = Vec::new();
    for block in task.blocks(of.heap.len()) {
        let rows = block?.filter_map(ObjectId::new);
        for from in rows.filter(|&object| made_up.get(of.heap.class_id(object).index()) == Some(&true)) {
            let (mut retained, mut other) = (Vec::new(), Vec::new());
            for (name, to) in of.edges(from, usize::MAX) {
                let list = if name.bare().ends_with(CONSOLE) { &mut retained } else { &mut other };
                list.push(to.raw());
            }
            if !retained.is_empty() {
                other.sort_unstable();
                let alone = retained.into_iter().filter(|to| other.binary_search(to).is_err());
                edges.extend(alone.map(|to| (from.raw(), to)));
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    Ok(Exclusions { objects: Bits::new(of.heap.len()), edges })
}

/// Functions called by listeners: the listener's first edge named `1` leads to the function, or to its wrapper.
fn handlers(of: DumpData<'_>, task: &Task) -> Result<Exclusions, Cancelled> {
    let listeners = of.contents.objects_beginning(&[LISTENER], task)?;
    let has_code = |object: ObjectId| of.edges(object, usize::MAX).iter().any(|(name, _)| name.bare() == "code");
    let mut functions = Vec::new();
    for (listener, _) in listeners.iter().filter(|&(_, name)| name == LISTENER) {
        task.checkpoint()?;
        let first = of.edges(listener, usize::MAX).into_iter().find(|(name, _)| name.bare() == "1");
        let Some((_, callback)) = first else { continue };
        let inner =
            || of.edges(callback, usize::MAX).into_iter().map(|(_, child)| child).find(|&child| has_code(child));
        let function = if has_code(callback) { callback } else { inner().unwrap_or(callback) };
        functions.push(function.raw());
    }
    Ok(marked(of.heap.len(), functions.into_iter()))
}
