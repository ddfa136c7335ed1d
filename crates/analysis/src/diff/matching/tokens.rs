//! Identity token of an object, independent of its location: a hash that is equal in both heaps for the same object, as
//! long as it and its direct references stay unchanged.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::context::MatchContext;
use crate::answers::DumpData;
use crate::diff::HeapSide;
use heaplens_heap::{ClassId, ClassKind, ObjectId, Value, ValueKind};

/// Maximum number of references hashed per object.
const LOOKED_AT: usize = 24;

/// Distinguishing traits of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Token {
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
    Text,
    Null,
}

fn begin(of: HashPrefix) -> FxHasher {
    let mut hash = FxHasher::default();
    hash.write_u8(of as u8);
    hash
}

impl MatchContext<'_> {
    /// Token of a key or element; null has its own, and primitive values in the collection are their own token.
    pub(super) fn token_of_value(self, which: HeapSide, value: Value) -> Option<Token> {
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

    /// Token of an object; `None` if only its class is known, or if it is certainly in one heap only.
    pub(super) fn token(self, which: HeapSide, object: ObjectId) -> Option<Token> {
        let side = self.side(which);
        if reads_alike(side, self.class(which, object.raw())) {
            return self.value_token(which, object);
        }
        if let Some(row) = self.matched_row(which, object.raw()) {
            return Some(matched_token(row));
        }
        if !self.is_open(which, object.raw()) {
            return None;
        }
        let own = side.contents.digest(side.heap, object);
        let mut hash = begin(HashPrefix::Kind);
        hash.write_u32(self.kind(which, object.raw()).0);
        hash.write_u64(own.unwrap_or(0));
        let mut is_telling = own.is_some();
        for &to in side.heap.references(object).iter().take(LOOKED_AT) {
            if let Some(row) = self.matched_row(which, to) {
                hash.write_u8(HashPrefix::Match as u8);
                hash.write_u32(row);
                is_telling = true;
                continue;
            }
            self.write_kind(&mut hash, which, to);
            let target = ObjectId::from_raw(to).filter(|_| reads_alike(side, self.class(which, to)));
            if let Some(digest) = target.and_then(|target| side.contents.digest(side.heap, target)) {
                hash.write_u64(digest);
                is_telling = true;
            }
        }
        is_telling.then(|| Token { hash: hash.finish(), is_value: false, is_telling })
    }

    /// Token of a value: its content, or without that the object itself, if it is known to be the same.
    fn value_token(self, which: HeapSide, object: ObjectId) -> Option<Token> {
        let side = self.side(which);
        let Some(digest) = side.contents.digest(side.heap, object) else {
            return self.same_object(which, object.raw()).map(matched_token);
        };
        let mut hash = FxHasher::default();
        self.write_kind(&mut hash, which, object.raw());
        hash.write_u64(digest);
        Some(Token { hash: hash.finish(), is_value: true, is_telling: true })
    }

    /// Hashes the kind of an object; all strings are of one kind, however the engine stores them.
    fn write_kind(self, hash: &mut FxHasher, which: HeapSide, row: u32) {
        if self.side(which).contents.value_kind(self.class(which, row)) == Some(ValueKind::Text) {
            hash.write_u8(HashPrefix::Text as u8);
        } else {
            hash.write_u8(HashPrefix::Kind as u8);
            hash.write_u32(self.kind(which, row).0);
        }
    }
}

/// Token of a matched object, given its row in the baseline.
fn matched_token(row: u32) -> Token {
    let mut hash = begin(HashPrefix::Match);
    hash.write_u32(row);
    Token { hash: hash.finish(), is_value: false, is_telling: true }
}

/// True if objects of a class are values: strings, boxed numbers or primitive arrays.
pub(super) fn reads_alike(side: DumpData<'_>, class: ClassId) -> bool {
    side.contents.value_kind(class).is_some() || side.heap.classes.get(class).kind == ClassKind::PrimitiveArray
}
