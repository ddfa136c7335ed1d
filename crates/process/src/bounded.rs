//! Lists of a file that are read up to a bound: an empty object takes two bytes there and a hundred here.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, IgnoredAny, SeqAccess, Visitor};

/// Most entries of a list. Linux allows a process 65,530 mappings unless it is told otherwise.
pub(crate) const ENTRIES: usize = 1_000_000;

struct ListVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::new();
        while list.len() < ENTRIES {
            let Some(entry) = entries.next_element()? else { return Ok(list) };
            list.push(entry);
        }
        while entries.next_element::<IgnoredAny>()?.is_some() {}
        Ok(list)
    }
}

/// Reads a list of at most [`ENTRIES`] entries, and ignores further ones.
pub(crate) fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(input: D) -> Result<Vec<T>, D::Error> {
    input.deserialize_seq(ListVisitor(PhantomData))
}
