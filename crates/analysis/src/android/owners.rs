//! Owners of Android objects, whatever else references them: views belong to their parents, windows' views to their
//! activity or dialog, activities to the thread that runs them, nodes of Compose to theirs, singletons to what makes
//! them. The rules are those of LeakCanary's Shark Explorer. A tree by them shows a screen as it is built, where the
//! plain one puts all its views side by side, since each references its parent, its root and its context.

use rustc_hash::{FxHashMap, FxHashSet};

use super::android_heap::AndroidHeap;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::reach::{Successors, reached};
use heaplens_heap::{Analysis, ClassKind, Contents, ExcludedReferenceList, ExcludedReferences, Heap, ObjectId, Value};

const GROUP: &str = "android.view.ViewGroup";
const THREAD: &str = "android.app.ActivityThread";
const RECORD: &str = "android.app.ActivityThread$ActivityClientRecord";
const NODE: &str = "androidx.compose.ui.node.LayoutNode";
/// Classes with a field that owns what it holds.
const FIELDS: [(&str, &str); 8] = [
    ("android.app.Activity", "mDecor"),
    ("android.app.Dialog", "mDecor"),
    ("androidx.compose.ui.platform.AndroidComposeView", "root"),
    ("androidx.compose.ui.node.NodeChain", "head"),
    ("androidx.compose.ui.Modifier$Node", "child"),
    ("dagger.internal.DoubleCheck", "instance"),
    ("dev.zacsweers.metro.internal.BaseDoubleCheck", "_value"),
    (RECORD, "activity"),
];
/// Maximum number of passes over lost objects.
const PASSES: usize = 32;
/// Placeholder values of singletons not created yet.
const NOTHING_YET: [(&str, &str); 2] = [
    ("dagger.internal.DoubleCheck", "UNINITIALIZED"),
    ("dev.zacsweers.metro.internal.BaseDoubleCheck", "UNINITIALIZED"),
];

/// Ownership between objects.
#[derive(Debug, Default)]
pub struct Owners {
    /// For each owned object, its owner.
    by_object: FxHashMap<ObjectId, ObjectId>,
}

impl Owners {
    /// Finds all owners.
    pub fn find(heap: &Heap, contents: &dyn Contents, task: &Task) -> Result<Self, Cancelled> {
        task.step("Finding owners", Unit::Objects, heap.len() as u64);
        let phone = AndroidHeap::new(heap, contents);
        let mut owners = Self::default();
        let none: FxHashSet<ObjectId> =
            NOTHING_YET.iter().filter_map(|(class, name)| phone.static_field(class, name)?.object()).collect();
        let shown = shown_activities(&phone);
        for (class, field) in FIELDS {
            for owner in phone.instances(&[class], task)? {
                task.checkpoint()?;
                let owned = phone.object(owner, class, field).filter(|owned| !none.contains(owned));
                // A record that the thread no longer lists is not an owner.
                if let Some(owned) = owned.filter(|_| class != RECORD || shown.contains(&owner)) {
                    owners.add(owned, owner);
                }
            }
        }
        // Only a crafted file has two parents of one array: the first one wins.
        let mut arrays = FxHashSet::default();
        for group in phone.instances(&[GROUP], task)? {
            task.checkpoint()?;
            let count = phone.number(group, GROUP, "mChildrenCount").unwrap_or(0);
            let array = phone.object(group, GROUP, "mChildren");
            if let Some(array) = array.filter(|&array| arrays.insert(array)) {
                owners.add_elements(&phone, array, count);
            }
        }
        for node in phone.instances(&[NODE], task)? {
            task.checkpoint()?;
            if let Some((array, count)) = folded_children(&phone, node).filter(|&(array, _)| arrays.insert(array)) {
                owners.add_elements(&phone, array, count);
            }
        }
        Ok(owners)
    }

    fn add(&mut self, owned: ObjectId, owner: ObjectId) {
        if owned != owner {
            self.by_object.entry(owned).or_insert(owner);
        }
    }

    fn add_elements(&mut self, phone: &AndroidHeap<'_>, array: ObjectId, count: i64) {
        if phone.heap.class(array).kind != ClassKind::ObjectArray {
            return;
        }
        let count = u64::try_from(count).unwrap_or(0);
        let elements = phone.contents.elements(phone.heap, array, 0..count).unwrap_or_default();
        elements.into_iter().filter_map(Value::object).for_each(|owned| self.add(owned, array));
    }

    /// All owned objects in address order, each with its owner.
    pub fn all(&self) -> Vec<(ObjectId, ObjectId)> {
        let mut all: Vec<_> = self.by_object.iter().map(|(&owned, &owner)| (owned, owner)).collect();
        all.sort_unstable();
        all
    }

    /// References to exclude so that each object is dominated by its owner, unless it is a GC root itself. If the owner
    /// is reachable only through the object, all references to the object are kept: nothing reachable becomes
    /// unreachable.
    pub fn left_out(&self, heap: &Heap, analysis: &Analysis, task: &Task) -> Result<ExcludedReferences, Cancelled> {
        let reachable = self.all().into_iter().filter(|&(owned, _)| analysis.is_reachable(owned));
        let mut owned: Vec<ObjectId> = reachable.map(|(owned, _)| owned).collect();
        let all = self.cut(heap, analysis, &owned);
        let (roots, weakest) = (analysis.roots().objects(), analysis.rules.min_strength);
        let mut reached = reached(heap, roots, weakest, &all, task)?;
        let mut retained = Bits::new(heap.len());
        // Nearest to a root first: later ones may be below it.
        let mut unreached: Vec<ObjectId> =
            owned.iter().copied().filter(|owned| !reached.contains(owned.raw())).collect();
        unreached.sort_by_key(|&object| (analysis.distance(object), object));
        let onward = Successors::new(heap, weakest, &all);
        for _ in 0..PASSES {
            unreached.retain(|object| !reached.contains(object.raw()));
            for &object in &unreached {
                task.checkpoint()?;
                let is_held = || analysis.retainers(object).iter().any(|&from| reached.contains(from));
                if !reached.contains(object.raw()) && is_held() {
                    retained.insert(object.raw());
                    onward.reach(object, &mut reached, task)?;
                }
            }
        }
        // Only a crafted heap has any left: real screens are not nested that deep.
        unreached.iter().filter(|object| !reached.contains(object.raw())).for_each(|object| {
            retained.insert(object.raw());
        });
        owned.retain(|owned| !retained.contains(owned.raw()));
        Ok(self.cut(heap, analysis, &owned))
    }

    /// All references to some objects except those from their owners.
    fn cut(&self, heap: &Heap, analysis: &Analysis, owned: &[ObjectId]) -> ExcludedReferences {
        let others = owned.iter().flat_map(|&owned| {
            let owner = self.by_object.get(&owned).map(|owner| owner.raw());
            let from = analysis.retainers(owned).iter().copied().filter(move |&from| Some(from) != owner);
            from.map(move |from| (from, owned.raw()))
        });
        ExcludedReferences::new(
            heap,
            Bits::default(),
            ExcludedReferenceList { every: others.collect(), ..ExcludedReferenceList::default() },
        )
    }
}

/// Records of the activities that the thread runs.
fn shown_activities(phone: &AndroidHeap<'_>) -> FxHashSet<ObjectId> {
    let thread = phone.static_field(THREAD, "sCurrentActivityThread").and_then(Value::object);
    let map = thread.and_then(|thread| phone.object(thread, THREAD, "mActivities"));
    let array = map.and_then(|map| phone.object(map, "android.util.ArrayMap", "mArray"));
    // Keys and values alternate; keys are not records.
    array.map(|array| phone.elements(array).into_iter().filter_map(Value::object).collect()).unwrap_or_default()
}

/// Array with the children of a Compose node, and their number.
fn folded_children(phone: &AndroidHeap<'_>, node: ObjectId) -> Option<(ObjectId, i64)> {
    let folded = phone.object(node, NODE, "_foldedChildren")?;
    let vector = phone.any_field(folded, "vector")?.object()?;
    let content = phone.any_field(vector, "content")?.object()?;
    let size = phone.any_field(vector, "size").and_then(super::android_heap::number)?;
    Some((content, size))
}
