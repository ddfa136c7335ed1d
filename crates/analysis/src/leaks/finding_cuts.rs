//! All cuts of a finding. A finding lists only some of many references; the rest are found here on demand.

use std::collections::HashSet;

use super::finding::{LeakFinding, ReferenceToCut as Named};
use super::{fingerprint::general_thread, kinds::Kind};
use crate::{cuts::Cut, naming::Namer};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Maximum number of references cut at once.
pub const MOST_CUT: usize = 4_096;

/// All cuts that a finding proposes, at most [`MOST_CUT`].
pub fn all_cuts(namer: Namer<'_>, finding: &LeakFinding, task: &Task) -> Result<Vec<Cut>, Cancelled> {
    let heap = namer.heap;
    let mut cuts = Vec::with_capacity(finding.cut.len());
    for cut in &finding.cut {
        match (cut.from == cut.to, cut.times) {
            (true, 0..=1) => cuts.push(Cut::Object(cut.to)),
            (true, _) => cuts.extend(called_alike(namer, cut.to, task)?.into_iter().map(Cut::Object)),
            (false, 0..=1) => cuts.push(Cut::Reference { from: cut.from, to: cut.to }),
            (false, _) => {
                cuts.push(Cut::Field { class: heap.class_id(cut.from), name: cut.reference.as_str().into() });
            }
        }
    }
    if let Some(first) = finding.cut.first().filter(|_| finding.unlisted > 0) {
        cuts.extend(match finding.kind {
            Kind::ThreadLocals => by_key(namer, first, task)?,
            Kind::Siblings => siblings(namer, finding, task)?.into_iter().map(Cut::Object).collect(),
            _ => Vec::new(),
        });
    }
    let mut seen = HashSet::new();
    cuts.retain(|cut| seen.insert(cut.clone()));
    cuts.truncate(MOST_CUT);
    Ok(cuts)
}

/// Threads of the same name pattern, by address.
fn called_alike(namer: Namer<'_>, thread: ObjectId, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let named = |object: ObjectId| general_thread(&namer.contents.label(heap, object).unwrap_or_default());
    let (name, class) = (named(thread), heap.class_id(thread));
    let mut alike = Vec::new();
    for &root in analysis.roots().objects() {
        task.checkpoint()?;
        let Some(object) = ObjectId::from_raw(root) else { continue };
        if heap.class_id(object) == class && named(object) == name {
            alike.push(object);
        }
    }
    if !alike.contains(&thread) {
        alike.push(thread);
    }
    alike.sort_unstable();
    Ok(alike)
}

/// Values of entries with the same key, in every thread.
fn by_key(namer: Namer<'_>, first: &Named, task: &Task) -> Result<Vec<Cut>, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let (entry, value) = (heap.class_id(first.from), heap.class_id(first.to));
    let key = heap.references(first.from).first().filter(|_| heap.has_referent_first(first.from)).copied();
    let Some(key) = key.and_then(ObjectId::from_raw) else { return Ok(Vec::new()) };
    let mut cuts = Vec::new();
    for from in analysis.referrers(key) {
        task.checkpoint()?;
        if heap.class_id(from) != entry {
            continue;
        }
        let held = heap.references(from).iter().skip(1).filter_map(|&row| ObjectId::from_raw(row));
        cuts.extend(held.filter(|&to| heap.class_id(to) == value).map(|to| Cut::Reference { from, to }));
    }
    Ok(cuts)
}

/// Siblings of the first object with its class that are not listed, by address.
fn siblings(namer: Namer<'_>, finding: &LeakFinding, task: &Task) -> Result<Vec<ObjectId>, Cancelled> {
    let (heap, analysis) = (namer.heap, namer.analysis);
    let Some(first) = finding.cut.first() else { return Ok(Vec::new()) };
    let class = heap.class_id(first.to);
    let named: HashSet<ObjectId> = finding.cut.iter().map(|cut| cut.to).collect();
    let mut beside = Vec::new();
    for object in analysis.dominator_children(analysis.immediate_dominator(first.to)) {
        task.checkpoint()?;
        if heap.class_id(object) == class && !named.contains(&object) {
            beside.push(object);
        }
    }
    beside.sort_unstable();
    Ok(beside)
}
