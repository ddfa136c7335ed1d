//! Identity token of an object, independent of its location: a hash that is equal in both heaps for the same object, as
//! long as it and its direct references stay unchanged.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use super::context::MatchContext;
use crate::diff::{HeapSide, Side};
use heaplens_core::heap::{ClassId, ClassKind, ObjectId, Role, Value};

/// Maximum number of references hashed per object.
const LOOKED_AT: usize = 24;

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

impl MatchContext<'_> {
    /// Token of a key or element; null has its own, and primitive values in the collection are their own token.
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
        let is_value = reads_alike(side, self.class(which, object.raw()));
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
            let target = ObjectId::from_raw(to).filter(|_| reads_alike(side, self.class(which, to)));
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
