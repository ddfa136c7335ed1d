//! Texts that stand in the heap more than once, what that costs, and who holds
//! them. Texts are told apart by fingerprints of 128 bits: of twenty million
//! strings that is half a gigabyte, where the texts would be ten.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::heap::analyzed::Analyzed;
use crate::heap::contents::{Contents, ReferenceKind, Role};
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::task::{CHECKPOINT_EVERY, Cancelled, Task, Unit};
use crate::units::Bytes;

/// Characters of a text that are shown.
const CHARACTERS: usize = 1_000;
/// Texts that stand for all.
const EXAMPLES: usize = 10;
/// Strings of a text, and retainers of each, that are asked who holds them.
const ASKED: (usize, usize) = (500, 4);

/// One string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    hash: [u64; 2],
    object: ObjectId,
    array: ObjectId,
}

/// A text that stands there more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextGroup {
    /// The first of its strings.
    pub first: ObjectId,
    /// Its strings.
    pub objects: u64,
    /// The strings and their arrays, each once.
    pub shallow: Bytes,
    /// What would be free if the text stood there once.
    pub wasted: Bytes,
    /// Where its strings stand among all.
    place: usize,
}

/// Duplicate strings, most wasted bytes first.
#[derive(Debug, Default)]
pub struct DuplicateStrings {
    /// One row per text.
    pub groups: Vec<TextGroup>,
    /// Strings of all groups.
    pub objects: u64,
    /// Bytes of all groups.
    pub shallow: Bytes,
    /// Wasted bytes of all groups.
    pub wasted: Bytes,
    /// Strings of all groups, by group.
    members: Vec<ObjectId>,
}

/// Who holds some strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// `shop.Order.status`, `java.lang.Object[]`.
    pub name: String,
    /// Strings held so, among those that were asked.
    pub objects: u64,
}

impl DuplicateStrings {
    /// Strings of a group, in address order.
    pub fn members(&self, group: &TextGroup) -> &[ObjectId] {
        self.members.get(group.place..group.place + group.objects as usize).unwrap_or(&[])
    }

    /// The text of a group, its beginning if it is long.
    pub fn text(&self, heap: &Heap, contents: &dyn Contents, group: &TextGroup) -> String {
        contents.text(heap, group.first, CHARACTERS).unwrap_or_default()
    }

    /// What there is too much of: strings, bytes, and the first of the costliest texts.
    pub fn surplus(&self) -> (u64, Bytes, Vec<ObjectId>) {
        let costly = self.groups.iter().filter(|group| group.wasted > Bytes(0));
        let objects = costly.clone().map(|group| group.objects - 1).sum();
        (objects, self.wasted, costly.take(EXAMPLES).map(|group| group.first).collect())
    }

    /// The commonest places that hold the strings of a group.
    pub fn held_by(
        &self,
        heap: &Heap,
        contents: &dyn Contents,
        analyzed: &Analyzed,
        group: &TextGroup,
        most: usize,
    ) -> Vec<Holder> {
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for &string in self.members(group).iter().take(ASKED.0) {
            let retainers = analyzed.retainers(string).iter().take(ASKED.1);
            for from in retainers.copied().filter_map(ObjectId::from_raw) {
                *names.entry(holder(heap, contents, from, string)).or_default() += 1;
            }
        }
        let mut holders: Vec<Holder> = names.into_iter().map(|(name, objects)| Holder { name, objects }).collect();
        holders.sort_by(|a, b| b.objects.cmp(&a.objects).then_with(|| a.name.cmp(&b.name)));
        holders.truncate(most);
        holders
    }
}

/// `class.field`; of an array its class alone: the place means nothing.
fn holder(heap: &Heap, contents: &dyn Contents, from: ObjectId, to: ObjectId) -> String {
    let of_class = heap.classes.of_object(from).map(|class| heap.classes.get(class));
    let class = of_class.unwrap_or_else(|| heap.class(from)).name.to_string();
    // An array of millions would be searched from end to end for the place.
    if heap.class(from).kind != crate::heap::classes::ClassKind::Plain {
        return class;
    }
    match contents.reference_names(heap, from, to, 1).pop() {
        Some(name) if matches!(name.kind, ReferenceKind::Field | ReferenceKind::Static) => {
            format!("{class}.{}", name.text)
        }
        Some(name) => format!("{class} {}", name.text),
        None => class,
    }
}

/// Finds the texts that stand there more than once, among what is shown.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn duplicate_strings(
    heap: &Heap,
    contents: &dyn Contents,
    analyzed: &Analyzed,
    task: &Task,
) -> Result<DuplicateStrings, Cancelled> {
    task.step("Reading strings", Unit::Objects, heap.len() as u64);
    let is_text: Vec<bool> = heap.classes.iter().map(|(class, _)| contents.role(class) == Role::Text).collect();
    let member = |object: ObjectId| {
        let text = is_text.get(heap.class_id(object).index()).is_some_and(|&text| text);
        let shown = text && analyzed.is_reachable(object);
        let print = contents.fingerprint(heap, Some(object).filter(|_| shown)?)?;
        Some(Member { hash: print.hash, object, array: print.array })
    };
    let blocks = (0..heap.len().div_ceil(CHECKPOINT_EVERY)).into_par_iter().map(|block| {
        let rows = block * CHECKPOINT_EVERY..heap.len().min((block + 1) * CHECKPOINT_EVERY);
        task.advance_checked(rows.len() as u64)?;
        Ok(rows.filter_map(ObjectId::new).filter_map(member).collect())
    });
    let blocks = blocks.collect::<Result<Vec<Vec<Member>>, Cancelled>>()?;
    let mut strings: Vec<Member> = Vec::with_capacity(blocks.iter().map(Vec::len).sum());
    // Each block is gone once it is copied: both at once would be twice the memory.
    blocks.into_iter().for_each(|block| strings.extend(block));
    task.step("Grouping strings", Unit::Objects, 0);
    strings.par_sort_unstable();
    task.checkpoint()?;
    let mut all = DuplicateStrings::default();
    for group in strings.chunk_by(|a, b| a.hash == b.hash).filter(|group| group.len() > 1) {
        if all.groups.len().is_multiple_of(CHECKPOINT_EVERY) {
            task.checkpoint()?;
        }
        all.add(heap, analyzed, group);
    }
    all.groups.sort_by(|a, b| b.wasted.cmp(&a.wasted).then_with(|| a.first.cmp(&b.first)));
    Ok(all)
}

impl DuplicateStrings {
    fn add(&mut self, heap: &Heap, analyzed: &Analyzed, group: &[Member]) {
        let Some(first) = group.first() else { return };
        // A text that stands in the string itself is counted once.
        let in_themselves = group.iter().all(|member| member.array == member.object);
        let is_apart = |member: &Member| member.array != member.object;
        let own = |member: &Member| if is_apart(member) { heap.shallow(member.object) } else { Bytes(0) };
        let strings = group.iter().map(own);
        let kept = strings.clone().min().unwrap_or_default();
        let strings: Bytes = strings.sum();
        let mut arrays: Vec<ObjectId> = group.iter().map(|member| member.array).collect();
        arrays.sort_unstable();
        // An array that others hold too would stay, and the text could stay in it.
        let (mut held, mut freed, mut smallest, mut others) = (Bytes(0), Bytes(0), None::<Bytes>, false);
        for same in arrays.chunk_by(|a, b| a == b) {
            let Some(&array) = same.first() else { continue };
            let bytes = heap.shallow(array);
            held += bytes;
            if in_themselves || analyzed.retainers(array).len() == same.len() {
                freed += bytes;
                smallest = Some(smallest.map_or(bytes, |smallest| smallest.min(bytes)));
            } else {
                others = true;
            }
        }
        let stays = if others { Bytes(0) } else { smallest.unwrap_or_default() };
        let wasted = Bytes((strings.0 - kept.0) + (freed.0 - stays.0));
        let shallow = strings + held;
        let place = self.members.len();
        self.members.extend(group.iter().map(|member| member.object));
        let objects = group.len() as u64;
        self.groups.push(TextGroup { first: first.object, objects, shallow, wasted, place });
        self.objects += objects;
        self.shallow += shallow;
        self.wasted += wasted;
    }
}
