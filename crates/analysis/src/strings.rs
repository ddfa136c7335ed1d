//! Duplicate strings, the bytes they waste, and their holders.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::answer_file::AnswerFile;
use super::answers::{DumpData, Question};
use super::equal_contents::{ContentsHash, HashedContents, groups};
use super::extent::{Extent, ExtentCollector};
use super::rows::holder;
use heaplens_base::{Bytes, Cancelled, Count, Task, Unit};
use heaplens_graph::Bits;
use heaplens_heap::{Analysis, ObjectId, PrefetchStep, RecordedText, Role};
use serde::{Deserialize, Serialize};

/// Maximum number of characters shown of a string.
const CHARACTERS: usize = 1_000;
/// Number of example strings.
const EXAMPLES: usize = 10;
/// Maximum number of strings of a group, and of retainers of each, examined for holders.
const HOLDERS_SEARCHED: (usize, usize) = (500, 4);
/// Strings ahead of the current one whose records, and whose sizes and retainers, are prefetched.
const RECORDS_AHEAD: usize = 16;
const SIZES_AHEAD: usize = 16;

/// A group of equal strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextGroup {
    /// Its first string.
    pub first: ObjectId,
    /// Number of its strings.
    pub objects: u64,
    /// Bytes of the strings and their arrays, each once.
    pub shallow: Bytes,
    /// Bytes that would be saved with a single copy.
    pub wasted: Bytes,
    /// Range of its strings among all.
    start: usize,
}

/// Duplicate strings, most wasted bytes first.
#[derive(Default, Serialize, Deserialize)]
pub struct DuplicateStrings {
    /// One row per string value.
    pub groups: Vec<TextGroup>,
    /// Number of strings of all groups.
    pub objects: u64,
    /// Bytes of all groups.
    pub shallow: Bytes,
    /// Wasted bytes of all groups.
    pub wasted: Bytes,
    /// Strings that were not compared.
    pub uncompared: UncomparedStrings,
    /// Strings of all groups, by group.
    members: Vec<ObjectId>,
    /// Arrays of all shown strings, of single ones too: the search for waste needs them.
    #[serde(with = "words")]
    arrays: Bits,
}

/// Strings whose whole text is not in the file: whether they are duplicates is unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UncomparedStrings {
    /// Strings of which the file has a part.
    pub partial: u64,
    /// Strings of which it has nothing, or for which the dump file is missing.
    pub unavailable: u64,
}

impl UncomparedStrings {
    fn add(&mut self, recorded: RecordedText) {
        match recorded {
            RecordedText::Whole => {}
            RecordedText::Beginning { .. } | RecordedText::Parts => self.partial += 1,
            RecordedText::Nothing | RecordedText::Unavailable => self.unavailable += 1,
        }
    }

    fn merge(self, other: Self) -> Self {
        Self { partial: self.partial + other.partial, unavailable: self.unavailable + other.unavailable }
    }

    /// `1,204 strings not compared: 3 recorded in part, 1,201 not available`; `None` if all strings were compared.
    pub fn sentence(self) -> Option<String> {
        let all = self.partial + self.unavailable;
        let part = (self.partial > 0).then(|| format!("{} recorded in part", Count(self.partial)));
        let nothing = (self.unavailable > 0).then(|| format!("{} not available", Count(self.unavailable)));
        let reasons: Vec<String> = part.into_iter().chain(nothing).collect();
        (all > 0).then(|| format!("{} not compared: {}", Count(all).of("string", "strings"), reasons.join(", ")))
    }
}

/// A holder of strings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// `shop.Order.status`, `java.lang.Object[]`.
    pub name: String,
    /// Number of examined strings held there.
    pub objects: u64,
}

impl DuplicateStrings {
    /// Strings of a group, in address order.
    pub fn members(&self, group: &TextGroup) -> &[ObjectId] {
        self.members.get(group.start..group.start + group.objects as usize).unwrap_or(&[])
    }

    /// True if an array has the characters of a shown string.
    pub(crate) fn is_of_string(&self, array: ObjectId) -> bool {
        self.arrays.contains(array.raw())
    }

    /// String value of a group, shortened if long.
    pub fn text(&self, dump: DumpData<'_>, group: &TextGroup) -> String {
        dump.contents.text(dump.heap, group.first, CHARACTERS).unwrap_or_default()
    }

    /// Surplus: redundant strings, their bytes, and the first of the most expensive groups.
    pub fn surplus(&self) -> (u64, Bytes, Vec<ObjectId>) {
        let costly = self.groups.iter().filter(|group| group.wasted > Bytes(0));
        let objects = costly.clone().map(|group| group.objects - 1).sum();
        (objects, self.wasted, costly.take(EXAMPLES).map(|group| group.first).collect())
    }

    /// The redundant strings: all but the first of each group.
    pub(crate) fn redundant(&self) -> Vec<ObjectId> {
        let costly = self.groups.iter().filter(|group| group.wasted > Bytes(0));
        costly.flat_map(|group| self.members(group).iter().skip(1)).copied().collect()
    }

    /// Where the redundant strings are.
    pub(crate) fn extent(&self, analysis: &Analysis) -> Extent {
        let mut extent = ExtentCollector::new(analysis.shown.shallow);
        for group in self.groups.iter().filter(|group| group.wasted > Bytes(0)) {
            let each = Bytes(group.wasted.0 / (group.objects - 1).max(1));
            self.members(group).iter().skip(1).for_each(|&string| extent.add(analysis, string, each));
        }
        extent.extent()
    }

    /// Most frequent holders of the strings of a group.
    pub fn held_by(&self, dump: DumpData<'_>, group: &TextGroup, most: usize) -> Vec<Holder> {
        let mut names: BTreeMap<String, u64> = BTreeMap::new();
        for &string in self.members(group).iter().take(HOLDERS_SEARCHED.0) {
            let retainers = dump.analysis.retainers(string).iter().take(HOLDERS_SEARCHED.1);
            let retainers = retainers.copied().filter_map(ObjectId::from_raw);
            for from in
                retainers.filter(|&from| !dump.analysis.is_storage_reference(dump.heap, dump.contents, from, string))
            {
                *names.entry(holder(dump, from, string)).or_default() += 1;
            }
        }
        let mut holders: Vec<Holder> = names.into_iter().map(|(name, objects)| Holder { name, objects }).collect();
        holders.sort_by(|a, b| b.objects.cmp(&a.objects).then_with(|| a.name.cmp(&b.name)));
        holders.truncate(most);
        holders
    }
}

/// A set of objects as a list of numbers.
mod words {
    use super::{Bits, Deserialize};
    use serde::{Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bits: &Bits, serializer: S) -> Result<S::Ok, S::Error> {
        bits.words().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bits, D::Error> {
        Vec::deserialize(deserializer).map(Bits::from_words)
    }
}

/// Which strings are duplicates?
#[derive(Clone, PartialEq, Eq)]
pub struct StringsQuestion;

impl Question for StringsQuestion {
    type Answer = DuplicateStrings;

    fn compute(&self, dump: DumpData<'_>, task: &Task) -> Result<DuplicateStrings, Cancelled> {
        duplicate_strings(dump, task)
    }

    fn file(&self) -> Option<AnswerFile<DuplicateStrings>> {
        Some(AnswerFile::packed("duplicate strings", &()))
    }

    fn bytes(answer: &DuplicateStrings) -> usize {
        size_of_val(&*answer.groups) + size_of_val(&*answer.members) + size_of_val(answer.arrays.words())
    }
}

/// Finds duplicate strings among the shown objects.
pub fn duplicate_strings(dump: DumpData<'_>, task: &Task) -> Result<DuplicateStrings, Cancelled> {
    let DumpData { heap, contents, .. } = dump;
    task.step("Reading strings", Unit::Objects, heap.len() as u64);
    let is_text: Vec<bool> = heap.classes.iter().map(|(class, _)| contents.role(class) == Role::Text).collect();
    let is_shown_text = |&object: &ObjectId| {
        is_text.get(heap.class_id(object).index()).is_some_and(|&text| text) && dump.analysis.is_reachable(object)
    };
    let mut hashed_contents = HashedContents::default();
    let blocks = task.par_blocks(heap.len()).map(|rows| {
        let rows = rows?;
        task.advance(rows.len() as u64);
        let strings: Vec<ObjectId> = rows.filter_map(ObjectId::new).filter(is_shown_text).collect();
        let (mut hashed, mut uncompared) = (Vec::with_capacity(strings.len()), UncomparedStrings::default());
        for (at, &object) in strings.iter().enumerate() {
            if let Some(&soon) = strings.get(at + RECORDS_AHEAD) {
                contents.prefetch(heap, soon, PrefetchStep::Record);
            }
            match contents.fingerprint(heap, object) {
                Some(print) => hashed.push(ContentsHash { hash: print.hash, object, array: print.array }),
                None => uncompared.add(contents.recorded_text(heap, object)),
            }
        }
        hashed_contents.add(&hashed);
        Ok(uncompared)
    });
    let uncompared = blocks.try_reduce(UncomparedStrings::default, |all, some| Ok(all.merge(some)))?;
    task.step("Grouping strings", Unit::Objects, 0);
    let mut all = DuplicateStrings { arrays: Bits::new(heap.len()), uncompared, ..DuplicateStrings::default() };
    for string in hashed_contents.all().filter(|string| string.array != string.object) {
        all.arrays.insert(string.array.raw());
    }
    let parts = hashed_contents.into_parts().map(|part| {
        task.checkpoint()?;
        DuplicateStrings::of_part(dump, &part, task)
    });
    for part in parts.collect::<Result<Vec<_>, Cancelled>>()? {
        all.append(part);
    }
    all.groups.sort_by(|a, b| b.wasted.cmp(&a.wasted).then_with(|| a.first.cmp(&b.first)));
    Ok(all)
}

/// Prefetches size and number of retainers of an array.
fn prefetch_array(dump: DumpData<'_>, array: ObjectId) {
    dump.heap.prefetch_shallow(array.raw());
    dump.analysis.prefetch_retainers_start(array.raw());
}

impl DuplicateStrings {
    /// Groups in a part of all strings.
    fn of_part(dump: DumpData<'_>, part: &[ContentsHash], task: &Task) -> Result<Self, Cancelled> {
        let mut parts = Self::default();
        let repeated: Vec<ContentsHash> = groups(part).flatten().copied().collect();
        let mut at = 0;
        for group in groups(&repeated) {
            task.checkpoint()?;
            // Arrays are anywhere, so each look-up is a cache miss.
            for soon in repeated.iter().skip(at + SIZES_AHEAD).take(group.len().min(SIZES_AHEAD)) {
                prefetch_array(dump, soon.array);
            }
            at += group.len();
            parts.add(dump, group);
        }
        Ok(parts)
    }

    /// Appends groups of other strings.
    fn append(&mut self, part: Self) {
        let before = self.members.len();
        let groups = part.groups.into_iter().map(|group| TextGroup { start: before + group.start, ..group });
        self.groups.extend(groups);
        self.members.extend(part.members);
        self.objects += part.objects;
        self.shallow += part.shallow;
        self.wasted += part.wasted;
    }

    fn add(&mut self, dump: DumpData<'_>, group: &[ContentsHash]) {
        let Some(first) = group.first() else { return };
        // Characters stored in the string itself are counted once.
        let in_themselves = group.iter().all(|member| member.array == member.object);
        let is_apart = |member: &ContentsHash| member.array != member.object;
        let own = |member: &ContentsHash| if is_apart(member) { dump.heap.shallow(member.object) } else { Bytes(0) };
        let strings = group.iter().map(own);
        let copy = strings.clone().min().unwrap_or_default();
        let strings: Bytes = strings.sum();
        let mut arrays: Vec<ObjectId> = group.iter().map(|member| member.array).collect();
        arrays.sort_unstable();
        // An array with other holders would remain, and could keep the characters.
        let (mut held, mut freed, mut smallest, mut others) = (Bytes(0), Bytes(0), None::<Bytes>, false);
        let mut looked = 0;
        for same in arrays.chunk_by(|a, b| a == b) {
            let Some(&array) = same.first() else { continue };
            looked += same.len();
            arrays.get(looked + SIZES_AHEAD).into_iter().for_each(|&soon| prefetch_array(dump, soon));
            let bytes = dump.heap.shallow(array);
            held += bytes;
            if in_themselves || dump.analysis.retainers(array).len() == same.len() {
                freed += bytes;
                smallest = Some(smallest.map_or(bytes, |smallest| smallest.min(bytes)));
            } else {
                others = true;
            }
        }
        let stays = if others { Bytes(0) } else { smallest.unwrap_or_default() };
        let wasted = Bytes((strings.0 - copy.0) + (freed.0 - stays.0));
        let shallow = strings + held;
        let start = self.members.len();
        self.members.extend(group.iter().map(|member| member.object));
        let objects = group.len() as u64;
        self.groups.push(TextGroup { first: first.object, objects, shallow, wasted, start });
        self.objects += objects;
        self.shallow += shallow;
        self.wasted += wasted;
    }
}
