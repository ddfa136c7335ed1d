//! Identity token of an object, independent of its location: a hash that is equal in
//! both heaps for the same object, as long as it and its direct references stay
//! unchanged.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::MatchContext;
use crate::diff::Side;
use crate::diff::kinds::KindId;
use heaplens_core::heap::classes::ClassKind;
use heaplens_core::heap::contents::{Role, Value};
use heaplens_core::heap::ids::{ClassId, ObjectId};
use heaplens_graph::NONE;

/// Maximum number of references hashed per object.
const LOOKED_AT: usize = 24;

/// Baseline or target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::diff) enum HeapSide {
    Before,
    After,
}

/// Distinguishing traits of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::diff) struct Token {
    pub(super) hash: u64,
    /// True if it is a value: a string, a boxed number or a primitive array.
    pub(super) is_value: bool,
    /// True if it contains a string, a non-zero number or a match: more than the object's shape.
    pub(super) is_telling: bool,
}

/// Hash prefixes, so that a match is never mistaken for a string.
#[repr(u8)]
enum HashPrefix {
    Match,
    Value,
    Kind,
    Null,
}

fn begin(of: HashPrefix) -> FxHasher {
    let mut hash = FxHasher::default();
    hash.write_u8(of as u8);
    hash
}

impl<'a> MatchContext<'a> {
    pub(super) fn side(self, which: HeapSide) -> Side<'a> {
        match which {
            HeapSide::Before => self.pair.before,
            HeapSide::After => self.pair.after,
        }
    }

    /// Baseline row of a matched object.
    pub(super) fn matched_row(self, which: HeapSide, row: u32) -> Option<u32> {
        let known = match which {
            HeapSide::Before if self.matches.of_before.get(row as usize)? != &NONE => row,
            HeapSide::Before => return None,
            HeapSide::After => *self.matches.of_after.get(row as usize)?,
        };
        (known != NONE).then_some(known)
    }

    /// Kind of the object at a row.
    pub(super) fn kind(self, which: HeapSide, row: u32) -> KindId {
        let kinds = &self.matches.kinds;
        let of_class = match which {
            HeapSide::Before => self.classes.0.get(row).map(|class| kinds.of_before(class)),
            HeapSide::After => self.classes.1.get(row).map(|class| kinds.of_after(class)),
        };
        let moved = kinds.moved_kind(which == HeapSide::After, row);
        moved.or(of_class).unwrap_or(KindId(NONE))
    }

    /// Token of a key or element; null has its own, and primitive values in the collection
    /// are their own token.
    pub(in crate::diff) fn token_of_value(self, which: HeapSide, value: Value) -> Option<Token> {
        let of = |of, text: &str| {
            let mut hash = begin(of);
            hash.write(text.as_bytes());
            Some(Token { hash: hash.finish(), is_value: true, is_telling: true })
        };
        match value {
            Value::Object(object) => self.token(which, object),
            Value::Null => of(HashPrefix::Null, ""),
            Value::Dangling(_) | Value::Unavailable => None,
            number => of(HashPrefix::Value, &number.to_string()),
        }
    }

    /// Token of an object; `None` if only its class is known.
    pub(super) fn token(self, which: HeapSide, object: ObjectId) -> Option<Token> {
        let side = self.side(which);
        // Values are identified by their content.
        let is_value = reads_alike(side, side.heap.class_id(object));
        if let Some(row) = self.matched_row(which, object.raw()).filter(|_| !is_value) {
            let mut hash = begin(HashPrefix::Match);
            hash.write_u32(row);
            return Some(Token { hash: hash.finish(), is_value: false, is_telling: true });
        }
        let own = side.contents.digest(side.heap, object);
        let mut hash = begin(HashPrefix::Kind);
        hash.write_u32(self.kind(which, object.raw()).0);
        hash.write_u64(own.unwrap_or(0));
        if is_value {
            return own.map(|_| Token { hash: hash.finish(), is_value, is_telling: true });
        }
        let mut is_telling = own.is_some();
        for &to in side.heap.references(object).iter().take(LOOKED_AT) {
            if let Some(row) = self.matched_row(which, to) {
                hash.write_u8(HashPrefix::Match as u8);
                hash.write_u32(row);
                is_telling = true;
                continue;
            }
            hash.write_u8(HashPrefix::Kind as u8);
            hash.write_u32(self.kind(which, to).0);
            let target = ObjectId::from_raw(to).filter(|&target| reads_alike(side, side.heap.class_id(target)));
            if let Some(digest) = target.and_then(|target| side.contents.digest(side.heap, target)) {
                hash.write_u64(digest);
                is_telling = true;
            }
        }
        is_telling.then(|| Token { hash: hash.finish(), is_value, is_telling })
    }
}

/// True if objects of a class are values: strings, boxed numbers or primitive arrays.
pub(super) fn reads_alike(side: Side<'_>, class: ClassId) -> bool {
    matches!(side.contents.role(class), Role::Text | Role::Boxed)
        || side.heap.classes.get(class).kind == ClassKind::PrimitiveArray
}
