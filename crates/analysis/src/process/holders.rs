//! What has most of a part: a field, threads of one name, class loaders of one class.

use std::collections::BTreeMap;

use super::part::PartKind;
use crate::answers::DumpData;
use crate::native_owners::NativeOwner;
use heaplens_base::{Cancelled, Count, Task};
use heaplens_heap::{ObjectId, split_class};
use heaplens_process::ProcessRecord;

/// Package of the class loaders of the JDK itself.
const OF_JDK: &str = "jdk.internal.loader.";
/// Class loaders with less than one part in so many of all classes are not named.
const LEAST_CLASSES: u64 = 4;
/// Number of class loaders of one class whose owners are compared.
const COMPARED: usize = 32;
/// Maximum number of steps of the shortest path to one of them that are examined.
const STEPS: usize = 32;

/// What has most of a part; `None` if nothing is known, or nothing has much.
pub(super) fn holder(
    kind: PartKind,
    dump: DumpData<'_>,
    owners: &[NativeOwner],
    task: &Task,
) -> Result<Option<String>, Cancelled> {
    Ok(match kind {
        PartKind::ThreadStacks => dump.record.and_then(threads),
        PartKind::ClassMetadata => loaders(dump, task)?,
        _ => owners.iter().filter(|owner| kind.has(owner)).find_map(|owner| owner.name.clone()),
    })
}

/// The threads of one name that are half of all or more.
fn threads(record: &ProcessRecord) -> Option<String> {
    let most = record.thread_names.first()?;
    let is_most = most.threads > 1 && most.threads.saturating_mul(2) >= record.threads.unwrap_or(u64::MAX);
    is_most.then(|| format!("{} {}", Count(most.threads), most.name))
}

/// The class loaders of one class, not of the JDK, that have the most metadata, and what owns them; if the metadata is not
/// recorded, those that defined the most classes.
fn loaders(dump: DumpData<'_>, task: &Task) -> Result<Option<String>, Cancelled> {
    let (mut by_class, mut all): (BTreeMap<&str, (u64, Vec<ObjectId>)>, u64) = (BTreeMap::new(), 0);
    for (_, class) in dump.heap.classes.iter().filter(|(_, class)| !class.unlisted) {
        all += 1;
        let Some(loader) = class.loader else { continue };
        let (classes, loaders) = by_class.entry(&*dump.heap.class(loader).name).or_default();
        *classes += 1;
        loaders.push(loader);
    }
    by_class.values_mut().for_each(|(_, loaders)| {
        loaders.sort_unstable();
        loaders.dedup();
    });
    let recorded = dump.record.and_then(|record| record.jvm.as_ref()).map(|jvm| &*jvm.loaders).unwrap_or_default();
    let (name, count) = if recorded.is_empty() {
        by_class.retain(|name, _| !name.starts_with(OF_JDK));
        let most = by_class.iter().max_by_key(|(_, (classes, _))| *classes);
        let Some((name, (classes, loaders))) = most else { return Ok(None) };
        if classes.saturating_mul(LEAST_CLASSES) < all {
            return Ok(None);
        }
        (*name, loaders.len() as u64)
    } else {
        let all = recorded.iter().fold(0, |sum: u64, loaders| sum.saturating_add(loaders.size));
        let most = recorded.iter().find(|loaders| !loaders.class.is_empty() && !loaders.class.starts_with(OF_JDK));
        let Some(most) = most.filter(|most| most.size.saturating_mul(LEAST_CLASSES) >= all) else { return Ok(None) };
        (&*most.class, most.loaders)
    };
    let words = format!("{} {}", Count(count), split_class(name).1);
    let loaders = by_class.get(name).map_or(&[] as &[ObjectId], |(_, loaders)| loaders);
    Ok(Some(match owner(dump, loaders, task)? {
        Some(owner) => format!("{words} in {owner}"),
        None => words,
    }))
}

/// The owner of half or more of some objects, of which a few are compared, evenly spaced.
fn owner(dump: DumpData<'_>, objects: &[ObjectId], task: &Task) -> Result<Option<String>, Cancelled> {
    let (namer, mut compared, mut owners) = (dump.namer(task)?, 0_usize, BTreeMap::<String, usize>::new());
    for &object in objects.iter().step_by(objects.len().div_ceil(COMPARED).max(1)) {
        task.checkpoint()?;
        compared += 1;
        // A class and its loader hold each other: what holds an instance of the class owns both.
        let up = std::iter::successors(Some(object), |&at| dump.analysis.predecessor(dump.heap, at));
        for at in up.take(STEPS) {
            if let Some(owner) = namer.owner(at, task)? {
                *owners.entry(owner.text).or_default() += 1;
                break;
            }
        }
    }
    let most = owners.into_iter().max_by_key(|&(_, count)| count);
    Ok(most.filter(|&(_, count)| count * 2 >= compared).map(|(owner, _)| owner))
}
