//! Policies: usual fixes of a structure that grows, as cuts with what they would free. A limit on its entries, weak
//! references to them, an age limit; and equal strings that are shared.

mod age;

use std::fmt;

use crate::cuts::{Cut, EntryRange, WhatIf, what_if};
use crate::naming::{Namer, Unresolved};
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::{ClassId, LogicalKind, ObjectId};

/// A structure with fewer entries needs no policy.
const LEAST_ENTRIES: u64 = 20;
/// Number of limits tried, each a tenth of the one before.
const LIMITS: usize = 2;
/// Classes of the Java library that keep the order of insertion.
const IN_ORDER: [&str; 2] = ["java.util.LinkedHashMap", "java.util.LinkedHashSet"];

/// A policy and its effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    /// What the program would do.
    pub rule: PolicyRule,
    /// Short name of the structure, or the class of the entries; empty of the strings.
    pub of: String,
    /// The structure; `None` of a class or of the strings.
    pub object: Option<ObjectId>,
    /// The cut that has this effect.
    pub cut: Cut,
    /// Its name, as `--cut` takes it.
    pub name: String,
    /// What it frees.
    pub what: WhatIf,
}

/// What a program would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyRule {
    /// Limits the number of entries.
    Limit {
        /// Entries that remain: the last ones, if the structure has an order.
        left: u64,
        /// Entries at present.
        of: u64,
        /// True if the last entries are the newest.
        is_in_order: bool,
    },
    /// Keeps no entries, or holds them by weak references.
    NoEntries,
    /// Drops objects that are older.
    AgeLimit {
        /// Field with the time of an object.
        field: String,
        /// Maximum age in minutes.
        minutes: u64,
    },
    /// Shares equal strings.
    SharedStrings,
}

impl fmt::Display for Policy {
    /// `SessionCache.ENTRIES keeps its last 100 of 1,200 entries`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_name = &self.of;
        match &self.rule {
            PolicyRule::Limit { left, of, is_in_order: true } => {
                write!(f, "{of_name} keeps its last {} of {} entries", Count(*left), Count(*of))
            }
            PolicyRule::Limit { left, of, is_in_order: false } => {
                write!(f, "{of_name} keeps {} of its {} entries", Count(*left), Count(*of))
            }
            PolicyRule::NoEntries => write!(f, "{of_name} is empty, or holds its entries weakly"),
            PolicyRule::AgeLimit { field, minutes } => {
                let age = match minutes {
                    minutes if minutes % 1_440 == 0 => Count(minutes / 1_440).of("day", "days"),
                    minutes => Count(*minutes).of("minute", "minutes"),
                };
                write!(f, "No {of_name} is older than {age} by its {field}")
            }
            PolicyRule::SharedStrings => f.write_str("Equal strings are shared"),
        }
    }
}

/// Policies for a collection or an array, whose short name is `of`. Those that free nothing are left out.
///
/// # Errors
/// If the task is cancelled.
pub fn policies_of(namer: Namer<'_>, structure: ObjectId, of: &str, task: &Task) -> Result<Vec<Policy>, Cancelled> {
    let entries = Cut::Entries { of: Box::new(Cut::Object(structure)), range: EntryRange::ALL };
    let Some(size) = size_of(namer, structure).filter(|&size| size >= LEAST_ENTRIES) else { return Ok(Vec::new()) };
    let mut rules = vec![(PolicyRule::NoEntries, entries)];
    rules.extend(limits(namer, structure, size));
    let mut policies = Vec::new();
    for (rule, cut) in rules {
        policies.extend(Policy::new(namer, (rule, of, Some(structure)), cut, task)?);
    }
    for (class, limit) in age::limits_of(namer.dump, structure, task)? {
        let rule = PolicyRule::AgeLimit { field: limit.field, minutes: limit.minutes };
        let name = simple_name(namer, class);
        policies.extend(Policy::new(namer, (rule, &name, None), limit.cut, task)?);
    }
    Ok(policies)
}

/// The tightest limit that [`policies_of`] tries, which frees most; `None` if it frees nothing.
///
/// # Errors
/// If the task is cancelled.
pub fn tightest_limit(
    namer: Namer<'_>,
    structure: ObjectId,
    of: &str,
    task: &Task,
) -> Result<Option<Policy>, Cancelled> {
    let size = size_of(namer, structure).filter(|&size| size >= LEAST_ENTRIES);
    let tightest = size.and_then(|size| limits(namer, structure, size).last());
    tightest.map_or(Ok(None), |(rule, cut)| Policy::new(namer, (rule, of, Some(structure)), cut, task))
}

/// Limits on the number of entries of a structure that has `size`, the tightest last.
fn limits(namer: Namer<'_>, structure: ObjectId, size: u64) -> impl Iterator<Item = (PolicyRule, Cut)> {
    let is_in_order = is_in_order(namer, structure);
    let all = std::iter::successors(Some(1_000_000_000_u32), |limit| Some(limit / 10)).take_while(|&limit| limit > 1);
    all.filter(move |&left| u64::from(left) < size).take(LIMITS).map(move |left| {
        let rule = PolicyRule::Limit { left: left.into(), of: size, is_in_order };
        (rule, Cut::Entries { of: Box::new(Cut::Object(structure)), range: EntryRange::all_but_last(left) })
    })
}

/// The policy that equal strings are shared, if that would free something.
///
/// # Errors
/// If the task is cancelled.
pub fn shared_strings(namer: Namer<'_>, task: &Task) -> Result<Option<Policy>, Cancelled> {
    Policy::new(namer, (PolicyRule::SharedStrings, "", None), Cut::DuplicateStrings, task)
}

impl Policy {
    fn new(
        namer: Namer<'_>,
        (rule, of, object): (PolicyRule, &str, Option<ObjectId>),
        cut: Cut,
        task: &Task,
    ) -> Result<Option<Self>, Cancelled> {
        let what = what_if(namer.dump, std::slice::from_ref(&cut), task)?;
        if what.freed.shallow == Bytes(0) {
            return Ok(None);
        }
        let name = match short_cut_name(namer, (of, object), &cut, task)? {
            Some(name) => name,
            None => namer.cut_name(&cut, task)?,
        };
        Ok(Some(Self { rule, of: of.to_owned(), object, cut, name, what }))
    }
}

/// The cut of entries by the short name of a structure, if that leads to it: the path from a root may be long.
fn short_cut_name(
    namer: Namer<'_>,
    (of, object): (&str, Option<ObjectId>),
    cut: &Cut,
    task: &Task,
) -> Result<Option<String>, Cancelled> {
    let Cut::Entries { range, .. } = cut else { return Ok(None) };
    match namer.resolve_cut(of, task) {
        Ok(Cut::Reference { to, .. }) if Some(to) == object => Ok(Some(format!("{of}{range}"))),
        Err(Unresolved::Cancelled) => Err(Cancelled),
        _ => Ok(None),
    }
}

/// Number of entries; `None` if the object has none.
fn size_of(namer: Namer<'_>, structure: ObjectId) -> Option<u64> {
    let (heap, contents) = (namer.heap, namer.contents);
    let logical = contents.logical(heap, structure, 0..0).map(|logical| logical.size);
    logical.or_else(|| contents.array_length(heap, structure))
}

/// True if the last entries are those that were added last.
fn is_in_order(namer: Namer<'_>, structure: ObjectId) -> bool {
    let heap = namer.heap;
    let above = |&class: &ClassId| heap.classes.get(class).superclass;
    let mut line = std::iter::successors(Some(heap.class_id(structure)), above).take(SUPERCLASSES);
    heap.snapshot().is_some()
        || matches!(namer.contents.collection_kind(heap, structure), Some(LogicalKind::List) | None)
        || line.any(|class| IN_ORDER.contains(&&*heap.classes.get(class).name))
}

/// Maximum number of superclasses examined.
const SUPERCLASSES: usize = 64;

/// Name of a class without its package.
fn simple_name(namer: Namer<'_>, class: ClassId) -> String {
    heaplens_heap::split_class(&namer.heap.classes.get(class).name).1.to_owned()
}
