//! Starting points of names in V8 snapshots, which have neither static fields nor threads: global objects
//! (`global.cache`), contexts, and groups of roots (`root <(Stack roots)>[3]`).

use std::collections::{HashMap, HashSet};

use super::spelling::{ordinal, ordinal_at};
use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Cost of a path that starts at a context or at a group of roots.
const CONTEXT: u32 = 6;
const GROUP: u32 = 24;
/// Maximum number of characters of a name.
const LONGEST: usize = 200;
/// Class of synthetic nodes.
const SYNTHETIC: &str = "(synthetic)";
/// Class of native contexts.
const NATIVE_CONTEXT: &str = "system / NativeContext";

/// Objects at which names start.
#[derive(Default)]
pub(super) struct Anchors {
    /// The name of each, and the cost of a path that starts there.
    of_object: HashMap<ObjectId, (String, u32)>,
    of_name: HashMap<String, ObjectId>,
    /// Number of anchors per name.
    next: HashMap<String, u64>,
    /// Names without ordinals, longest first.
    beginnings: Vec<String>,
}

impl Anchors {
    /// Anchors of a heap; none unless it is a V8 snapshot.
    pub(super) fn find(of: DumpData<'_>, task: &Task) -> Result<Self, Cancelled> {
        let DumpData { heap, analysis, .. } = of;
        let mut anchors = Self::default();
        let Some(top) = analysis.top(heap) else { return Ok(anchors) };
        anchors.put(top, "root <(root)>", GROUP);
        let user_roots: HashSet<u32> = heap.references(top).iter().copied().collect();
        let interesting: Vec<bool> = heap.classes.all().iter().map(|class| is_interesting(&class.name)).collect();
        // Targets of the root first: the first of several globals belongs to the program.
        for object in heap.references(top).iter().copied().filter_map(ObjectId::from_raw) {
            let by_class = || (format!("root <{}>", heap.class(object).name), CONTEXT);
            let (name, cost) = written(of, object).unwrap_or_else(by_class);
            anchors.put(object, &name, cost);
        }
        let classes = heap.class_column();
        for block in task.blocks(heap.len()) {
            for row in block?.map(|row| row as u32).filter(|row| !user_roots.contains(row)) {
                let class = classes.get(row as usize).and_then(|class| interesting.get(class as usize));
                if let Some(object) = ObjectId::from_raw(row).filter(|_| class == Some(&true))
                    && let Some((name, cost)) = written(of, object)
                {
                    anchors.put(object, &name, cost);
                }
            }
        }
        anchors.beginnings = anchors.next.keys().cloned().collect();
        anchors.beginnings.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        Ok(anchors)
    }

    fn put(&mut self, object: ObjectId, name: &str, cost: u32) {
        if self.of_object.contains_key(&object) {
            return;
        }
        let name: String = name.chars().take(LONGEST).map(|c| if c == '\n' { ' ' } else { c }).collect();
        let next = self.next.entry(name.clone()).or_default();
        let called = ordinal(name, *next);
        *next += 1;
        self.of_name.insert(called.clone(), object);
        self.of_object.insert(object, (called, cost));
    }

    /// All anchors.
    pub(super) fn objects(&self) -> impl Iterator<Item = ObjectId> {
        self.of_object.keys().copied()
    }

    /// The start of names that begin at an object.
    pub(super) fn name(&self, object: ObjectId) -> Option<&str> {
        self.of_object.get(&object).map(|(name, _)| name.as_str())
    }

    /// Cost of a path that starts at an object.
    pub(super) fn cost(&self, object: ObjectId) -> Option<u32> {
        self.of_object.get(&object).map(|&(_, cost)| cost)
    }

    /// The object at which a name starts, and the length of that part.
    pub(super) fn start(&self, text: &str) -> Option<(ObjectId, usize)> {
        let begins = self.beginnings.iter().filter(|name| text.starts_with(name.as_str()));
        let mut anchors = begins.filter_map(|name| {
            let (nth, end) = ordinal_at(text, name.len());
            let goes_on = text.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '(', ' ']));
            let object = self.of_name.get(&ordinal(name.clone(), nth)).filter(|_| goes_on)?;
            Some((*object, end))
        });
        anchors.next()
    }
}

/// True if instances of a class may be anchors.
fn is_interesting(class: &str) -> bool {
    class == SYNTHETIC || global(class).is_some() || class == "(system)" || class.starts_with(NATIVE_CONTEXT)
}

/// Name of the global object: `global` in Node.js, `Window` in browsers.
pub(crate) fn global(class: &str) -> Option<&str> {
    if let Some((name, _)) = class.split_once(" [JSGlobalObject]") {
        return Some(name);
    }
    let is_node = class == "global" || (class.starts_with("global (") && class.ends_with("*)"));
    is_node.then_some("global")
}

fn written(dump: DumpData<'_>, object: ObjectId) -> Option<(String, u32)> {
    let class = &*dump.heap.class(object).name;
    if let Some(name) = global(class) {
        return Some((name.to_owned(), 0));
    }
    let label = dump.contents.label(dump.heap, object);
    let label = label.as_deref().unwrap_or(class);
    if label.starts_with(NATIVE_CONTEXT) {
        return Some(("NativeContext".to_owned(), CONTEXT));
    }
    (class == SYNTHETIC).then(|| (format!("root <{label}>"), GROUP))
}
