//! Memory per native context: every global scope (a page, a frame, a `vm` context) has a native context, and an object
//! belongs to the one in which its map's map was created, or whose objects alone lead to it.

use std::cmp::Reverse;

use rustc_hash::FxHashMap;

use crate::answers::DumpData;
use heaplens_base::{Cancelled, Task, Unit};
use heaplens_graph::NONE;
use heaplens_heap::{ClassId, ObjectId, Totals, snapshot::kind};

const NATIVE_CONTEXT: &str = "system / NativeContext";
const DETACHED: &str = "Detached ";

/// Codes of objects without a context, and with more than one.
const NOBODY: u32 = NONE;
const SHARED: u32 = NONE - 1;

/// A context and the objects attributed to it alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NativeContextRow {
    /// The context.
    pub context: ObjectId,
    /// Name in the file, with the page's URL if available.
    pub name: String,
    /// Totals of its objects.
    pub totals: Totals,
    /// Its objects by class, most bytes first, ties by class.
    pub classes: Vec<(ClassId, Totals)>,
}

/// All contexts, most bytes first, and shared and unattributed objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NativeContexts {
    /// The contexts.
    pub rows: Vec<NativeContextRow>,
    /// Objects reachable from more than one context.
    pub shared: Totals,
    /// Objects reachable from no context.
    pub nobodys: Totals,
}

/// Attributes every object with a shallow size above 0.
pub fn native_contexts(of: DumpData<'_>, task: &Task) -> Result<NativeContexts, Cancelled> {
    let heap = of.heap;
    let detached = format!("{DETACHED}{NATIVE_CONTEXT}");
    let contexts = of.contents.objects_beginning(&[NATIVE_CONTEXT, &detached], task)?;
    let is_context = |name: &str| {
        let name = name.strip_prefix(DETACHED).unwrap_or(name);
        name.strip_prefix(NATIVE_CONTEXT).is_some_and(|rest| rest.is_empty() || rest.starts_with(" / "))
    };
    let mut rows: Vec<NativeContextRow> = contexts
        .iter()
        .filter(|(_, name)| is_context(name))
        .map(|(context, name)| NativeContextRow {
            context,
            name: name.to_owned(),
            totals: Totals::default(),
            classes: Vec::new(),
        })
        .collect();
    let (mut shared, mut nobodys) = (Totals::default(), Totals::default());
    let owners = owners(of, &rows, task)?;
    let mut classes: FxHashMap<(u32, ClassId), Totals> = FxHashMap::default();
    for block in task.blocks(heap.len()) {
        for object in block?.filter_map(ObjectId::new) {
            let shallow = heap.shallow(object);
            if shallow.0 == 0 {
                continue;
            }
            let (one, owner) = (Totals { objects: 1, shallow }, owners[object.index()]);
            match owner {
                NOBODY => nobodys.add(one),
                SHARED => shared.add(one),
                context => {
                    rows[context as usize].totals.add(one);
                    classes.entry((context, heap.class_id(object))).or_default().add(one);
                }
            }
        }
    }
    let mut classes: Vec<((u32, ClassId), Totals)> = classes.into_iter().collect();
    classes.sort_unstable_by_key(|&((_, class), totals)| (Reverse(totals.shallow), class));
    for ((context, class), totals) in classes {
        rows[context as usize].classes.push((class, totals));
    }
    rows.sort_by(|a, b| {
        b.totals.shallow.cmp(&a.totals.shallow).then_with(|| a.name.cmp(&b.name)).then(a.context.cmp(&b.context))
    });
    Ok(NativeContexts { rows, shared, nobodys })
}

/// By row: index of the context, [`NOBODY`] or [`SHARED`].
fn owners(of: DumpData<'_>, rows: &[NativeContextRow], task: &Task) -> Result<Vec<u32>, Cancelled> {
    let (heap, nodes) = (of.heap, of.heap.len());
    let mut owner = vec![NOBODY; nodes];
    if rows.is_empty() {
        return Ok(owner);
    }
    task.step("Attributing objects to contexts", Unit::Objects, nodes as u64);
    let maps = of.contents.internal_targets("map", task)?;
    let native = of.contents.internal_targets("native_context", task)?;
    let at = |column: &[u32], row: u32| column.get(row as usize).copied().filter(|&to| to != NONE);
    // Contexts are in row order.
    let index_of =
        |row: u32| rows.binary_search_by_key(&row, |of| of.context.raw()).ok().map(|index_of| index_of as u32);
    let mut waiting = Vec::new();
    for block in task.blocks(nodes) {
        for row in block?.map(|row| row as u32) {
            let made_in = || index_of(at(&native, at(&maps, at(&maps, row)?)?)?);
            if let Some(context) = index_of(row).or_else(made_in) {
                owner[row as usize] = context;
                waiting.push(row);
            }
        }
    }
    let mut fixed = heaplens_graph::Bits::new(nodes);
    waiting.iter().for_each(|&row| {
        fixed.insert(row);
    });
    // Every other object propagates its context at most twice: first a single one, then shared.
    while let Some(row) = waiting.pop() {
        task.checkpoint()?;
        let (Some(object), by) = (ObjectId::from_raw(row), owner[row as usize]) else { continue };
        let snapshot = of.snapshot().into_iter();
        let non_retaining = snapshot.flat_map(|snapshot| snapshot.non_retaining_edges(object));
        let non_retaining =
            non_retaining.filter(|&(_, kind)| kind & (kind::WEAK | kind::SHORTCUT) == 0).map(|(to, _)| to);
        for to in heap.references(object).iter().copied().chain(non_retaining) {
            let Some(mine) = owner.get_mut(to as usize).filter(|_| !fixed.contains(to)) else { continue };
            let merged = if *mine == NOBODY || *mine == by { by } else { SHARED };
            if *mine != merged {
                *mine = merged;
                waiting.push(to);
            }
        }
    }
    Ok(owner)
}
