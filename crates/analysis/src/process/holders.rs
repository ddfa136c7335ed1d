//! What has most of a part: a field, threads of one name, class loaders of one class.

use std::collections::BTreeMap;

use super::part::PartKind;
use crate::answers::DumpData;
use crate::native_owners::NativeOwner;
use heaplens_base::Count;
use heaplens_heap::{ObjectId, split_class};
use heaplens_process::ProcessRecord;

/// Package of the class loaders of the JDK itself.
const OF_JDK: &str = "jdk.internal.loader.";
/// Class loaders with less than one part in so many of all classes are not named.
const LEAST_CLASSES: u64 = 4;

/// What has most of a part; `None` if nothing is known, or nothing has much.
pub(super) fn holder(kind: PartKind, dump: DumpData<'_>, owners: &[NativeOwner]) -> Option<String> {
    match kind {
        PartKind::ThreadStacks => threads(dump.record?),
        PartKind::ClassMetadata => loaders(dump),
        _ => owners.iter().filter(|owner| kind.has(owner)).find_map(|owner| owner.name.clone()),
    }
}

/// The threads of one name that are half of all or more.
fn threads(record: &ProcessRecord) -> Option<String> {
    let most = record.thread_names.first()?;
    let is_most = most.threads > 1 && most.threads.saturating_mul(2) >= record.threads.unwrap_or(u64::MAX);
    is_most.then(|| format!("{} {}", Count(most.threads), most.name))
}

/// The class loaders of one class, not of the JDK, that have the most metadata; if that is not recorded, those that defined
/// the most classes.
fn loaders(dump: DumpData<'_>) -> Option<String> {
    let recorded = dump.record.and_then(|record| record.jvm.as_ref()).map(|jvm| &*jvm.loaders).unwrap_or_default();
    if !recorded.is_empty() {
        let all = recorded.iter().fold(0, |sum: u64, loaders| sum.saturating_add(loaders.size));
        let most = recorded.iter().find(|loaders| !loaders.class.is_empty() && !loaders.class.starts_with(OF_JDK))?;
        let class = split_class(&most.class).1;
        let is_much = most.size.saturating_mul(LEAST_CLASSES) >= all;
        return is_much.then(|| format!("{} {class}", Count(most.loaders)));
    }
    let (mut by_class, mut all): (BTreeMap<&str, (u64, Vec<ObjectId>)>, u64) = (BTreeMap::new(), 0);
    for (_, class) in dump.heap.classes.iter().filter(|(_, class)| !class.unlisted) {
        all += 1;
        let Some(loader) = class.loader else { continue };
        let (classes, loaders) = by_class.entry(&*dump.heap.class(loader).name).or_default();
        *classes += 1;
        loaders.push(loader);
    }
    by_class.retain(|name, _| !name.starts_with(OF_JDK));
    let (name, (classes, mut loaders)) = by_class.into_iter().max_by_key(|(_, (classes, _))| *classes)?;
    loaders.sort_unstable();
    loaders.dedup();
    let class = split_class(name).1;
    (classes.saturating_mul(LEAST_CLASSES) >= all).then(|| format!("{} {class}", Count(loaders.len() as u64)))
}
