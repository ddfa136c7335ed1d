//! Compares the entries of two collections. Entries are the same if their keys are: equal values, or matched objects. A
//! key that the file has only in part, or not at all, and an object of which nothing but the class is known, may be the same
//! as any such key of the other collection: then the entry is neither added nor removed, but not compared.

use rustc_hash::FxHashMap;

use super::context::MatchContext;
use super::sequences::{alike, sequences};
use super::tokens::Token;
use crate::diff::{HeapSide, kinds::ComparedClassId};
use heaplens_heap::{LogicalCollection, LogicalEntry, LogicalKind, Value, ValueKind};

/// Status of an entry of one of the collections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::diff) enum EntryStatus {
    /// In both collections.
    Both,
    /// In this collection only.
    Alone,
    /// Nothing tells whether the other collection has it.
    NotCompared,
}

/// Entries of two collections.
#[derive(Debug, Default)]
pub(in crate::diff) struct EntryPairs {
    /// Same entries, by index.
    pub(in crate::diff) pairs: Vec<(u32, u32)>,
    /// Status of each entry of the baseline.
    pub(in crate::diff) before: Vec<EntryStatus>,
    /// Status of each entry of the target.
    pub(in crate::diff) after: Vec<EntryStatus>,
}

/// Keys of which two can be the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum KeyKind {
    /// Nothing is known of the key.
    Any,
    /// Absent key.
    Null,
    /// Compared by content.
    Value(ValueKind),
    /// Compared by identity.
    Object(ComparedClassId),
}

/// Key of an entry, or an element.
#[derive(Debug, Clone, Copy)]
struct Key {
    kind: KeyKind,
    /// Equal for the same key; `None` if there is nothing to compare.
    token: Option<Token>,
    /// True if keys with other tokens are other keys.
    is_certain: bool,
}

/// One of the collections.
#[derive(Clone, Copy)]
struct Entries<'a> {
    this: MatchContext<'a>,
    which: HeapSide,
    list: &'a [LogicalEntry],
}

impl EntryPairs {
    /// Compares two collections of one kind.
    pub(in crate::diff) fn of(this: MatchContext<'_>, old: &LogicalCollection, new: &LogicalCollection) -> Self {
        let old_entries = Entries { this, which: HeapSide::Before, list: &old.entries };
        let new_entries = Entries { this, which: HeapSide::After, list: &new.entries };
        let alone = |entries: Entries<'_>| vec![EntryStatus::Alone; entries.list.len()];
        let mut compared = Self { pairs: Vec::new(), before: alone(old_entries), after: alone(new_entries) };
        let (mut old_tokens, mut new_tokens) = (Vec::new(), Vec::new());
        let has_unsure = old_entries.read(&mut old_tokens) | new_entries.read(&mut new_tokens);
        if old.kind == LogicalKind::List {
            let values = |entries: Entries<'_>| entries.list.iter().map(|entry| entry.value).collect::<Vec<_>>();
            let same = sequences(this, &values(old_entries), &values(new_entries)).into_iter();
            compared.add(same.map(|same| (same.before as u32, same.after as u32)).collect());
        } else {
            compared.add(equal(old_tokens, new_tokens));
        }
        if has_unsure {
            if old.kind == LogicalKind::Map {
                let (one, other) =
                    (old_entries.unsure_values(&compared.before), new_entries.unsure_values(&compared.after));
                compared.add(equal(one, other));
            }
            let (one, other) = (old_entries.unpaired(&compared.before), new_entries.unpaired(&compared.after));
            one.settle(&other, &mut compared.before);
            other.settle(&one, &mut compared.after);
        }
        compared
    }

    fn add(&mut self, pairs: Vec<(u32, u32)>) {
        for &(before, after) in &pairs {
            self.before[before as usize] = EntryStatus::Both;
            self.after[after as usize] = EntryStatus::Both;
        }
        self.pairs.extend(pairs);
    }
}

impl Entries<'_> {
    /// Adds the tokens of all keys; returns true if a key is uncertain.
    fn read(self, tokens: &mut Vec<(Token, u32)>) -> bool {
        let mut has_unsure = false;
        for (at, entry) in (0..).zip(self.list) {
            let key = self.key(entry);
            tokens.extend(key.token.map(|token| (token, at)));
            has_unsure |= !key.is_certain;
        }
        has_unsure
    }

    fn key(self, entry: &LogicalEntry) -> Key {
        let unknown = |kind| Key { kind, token: None, is_certain: false };
        match entry.key.unwrap_or(entry.value) {
            Value::Object(object) => {
                let class = self.this.class(self.which, object.raw());
                let (token, kind) = (self.this.token(self.which, object), self.this.kind(self.which, object.raw()));
                match self.this.side(self.which).contents.value_kind(class) {
                    // Without its content the token is that of the object, and another object may be equal.
                    Some(kind) => {
                        Key { kind: KeyKind::Value(kind), token, is_certain: token.is_some_and(|token| token.is_value) }
                    }
                    // Of an object that is not matched, its values and what it refers to tell which one it is.
                    None => Key {
                        kind: KeyKind::Object(kind),
                        token,
                        is_certain: token.is_some() || !self.this.is_open(self.which, object.raw()),
                    },
                }
            }
            Value::Dangling(_) => unknown(KeyKind::Any),
            // Snapshots have no small integers.
            Value::Unavailable => unknown(KeyKind::Value(ValueKind::Number)),
            Value::Null => {
                Key { kind: KeyKind::Null, token: self.this.token_of_value(self.which, Value::Null), is_certain: true }
            }
            number => Key {
                kind: KeyKind::Value(ValueKind::Number),
                token: self.this.token_of_value(self.which, number),
                is_certain: true,
            },
        }
    }

    /// Tokens of the values under unpaired keys that are uncertain: the same value below such keys is the same entry.
    fn unsure_values(self, status: &[EntryStatus]) -> Vec<((KeyKind, Token), u32)> {
        let unpaired = (0..).zip(self.list).zip(status).filter(|(_, status)| **status != EntryStatus::Both);
        let value = unpaired.filter_map(|((at, entry), _)| {
            let key = self.key(entry);
            let token = self.this.token_of_value(self.which, entry.value).filter(|_| !key.is_certain)?;
            Some(((key.kind, token), at))
        });
        value.collect()
    }

    /// Counts the entries without a pair.
    fn unpaired(self, status: &[EntryStatus]) -> Unpaired {
        let left = (0..).zip(self.list).zip(status).filter(|(_, status)| **status != EntryStatus::Both);
        let mut unpaired = Unpaired::default();
        for ((at, entry), _) in left {
            let Key { kind, is_certain, .. } = self.key(entry);
            let counts = unpaired.counts.entry(kind).or_default();
            if is_certain {
                counts.certain += 1;
            } else {
                counts.unsure += 1;
            }
            unpaired.entries.push((at, kind, is_certain));
        }
        unpaired
    }
}

/// Entries of one collection without a pair.
#[derive(Default)]
struct Unpaired {
    /// Index of each, and whether its key is certain.
    entries: Vec<(u32, KeyKind, bool)>,
    counts: FxHashMap<KeyKind, Counts>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    certain: u64,
    unsure: u64,
}

impl Unpaired {
    /// Marks the entries that may be the same as an entry of the other collection.
    fn settle(&self, other: &Self, status: &mut [EntryStatus]) {
        for &(at, kind, is_certain) in &self.entries {
            if other.may_have(kind, is_certain) {
                status[at as usize] = EntryStatus::NotCompared;
            }
        }
    }

    /// True if one of them may have this key.
    fn may_have(&self, kind: KeyKind, is_certain: bool) -> bool {
        let counts = |kind| self.counts.get(&kind).copied().unwrap_or_default();
        match kind {
            KeyKind::Any => !self.entries.is_empty(),
            _ if counts(KeyKind::Any).unsure > 0 => true,
            KeyKind::Null => false,
            KeyKind::Value(_) if !is_certain => counts(kind).unsure + counts(kind).certain > 0,
            KeyKind::Value(_) => counts(kind).unsure > 0,
            KeyKind::Object(_) => !is_certain && counts(kind).unsure > 0,
        }
    }
}

/// Pairs with equal tokens.
fn equal<T: Copy + Ord + Send>(mut old: Vec<(T, u32)>, mut new: Vec<(T, u32)>) -> Vec<(u32, u32)> {
    old.sort_unstable();
    new.sort_unstable();
    let mut pairs = Vec::new();
    alike(&old, &new, |old, new| pairs.extend(old.iter().zip(new).map(|(&(_, one), &(_, other))| (one, other))));
    pairs
}
