//! Elements of two matched arrays or lists: equal ones at any position; then, unless the elements were shifted, those
//! at the same position.

use std::cmp::Ordering;

use rayon::prelude::*;

use super::context::{MatchContext, MatchUpdates};
use super::tokens::Token;
use crate::answers::DumpData;
use crate::diff::{HeapSide, matches::MatchMethod};
use heaplens_heap::{ObjectId, Value};

/// Elements read at once.
const PAGE: u64 = 1 << 16;
/// Number of elements from which all cores are used.
const MANY: usize = 1 << 14;

/// Candidates from the elements of two matched arrays.
pub(super) fn arrays(this: MatchContext<'_>, before: ObjectId, after: ObjectId, updates: &mut MatchUpdates) {
    let (one, other) = this.references(before, after);
    let unmatched = |which, rows: &[u32]| rows.iter().any(|&row| this.matched_row(which, row).is_none());
    if unmatched(HeapSide::Before, one) && unmatched(HeapSide::After, other) {
        let (one, other) = (elements(this.pair.before, before), elements(this.pair.after, after));
        for pair in sequences(this, &one, &other) {
            if let (Some(before), Some(after)) = (object(&one, pair.before), object(&other, pair.after)) {
                updates.put(before, after, pair.method);
            }
        }
    }
}

/// Element at an index, if it is an object.
pub(super) fn object(elements: &[Value], at: usize) -> Option<ObjectId> {
    elements.get(at).copied().and_then(Value::object)
}

/// Elements of an array by index. What is no object is not compared: there may be many nulls.
fn elements(side: DumpData<'_>, array: ObjectId) -> Vec<Value> {
    let no_others = |value: Value| value.object().map_or(Value::Unavailable, Value::Object);
    let references = side.heap.references(array);
    let length = side.contents.array_length(side.heap, array);
    // Without nulls the references are the elements; without the dump file only references are known.
    if length.is_none_or(|length| length == references.len() as u64) {
        let element = |&row: &u32| ObjectId::from_raw(row).map_or(Value::Unavailable, Value::Object);
        return references.iter().map(element).collect();
    }
    if let Some((values, _)) = side.contents.whole_array(side.heap, array) {
        return values.into_iter().map(no_others).collect();
    }
    let mut all = Vec::new();
    let mut at = 0;
    while let Ok(page) = side.contents.elements(side.heap, array, at..at + PAGE)
        && !page.is_empty()
    {
        at += page.len() as u64;
        all.extend(page.into_iter().map(no_others));
    }
    all
}

/// Two positions with the same element.
#[derive(Debug, Clone, Copy)]
pub(super) struct ElementPair {
    pub(super) before: usize,
    pub(super) after: usize,
    pub(super) method: MatchMethod,
}

/// Pairs of equal elements, including those matched before.
pub(super) fn sequences(this: MatchContext<'_>, one: &[Value], other: &[Value]) -> Vec<ElementPair> {
    let (old, new) = (tokens(this, HeapSide::Before, one), tokens(this, HeapSide::After, other));
    let mut pairs = Vec::new();
    let mut moved = false;
    alike(&old, &new, |old, new| {
        let is_unique = old.len() == 1 && new.len() == 1;
        for (&(token, before), &(_, after)) in old.iter().zip(new) {
            moved |= is_unique && before != after;
            let method = match (old.len() == new.len(), token.is_value) {
                (true, true) => MatchMethod::Key,
                (true, false) => MatchMethod::Content,
                // Duplicates: which of them are additional is undecidable.
                (false, _) => MatchMethod::Position,
            };
            pairs.push(ElementPair { before: before as usize, after: after as usize, method });
        }
    });
    if !moved {
        let (mut has_before, mut has_after) = (vec![false; one.len()], vec![false; other.len()]);
        pairs.iter().for_each(|same| {
            has_before[same.before] = true;
            has_after[same.after] = true;
        });
        for (at, (before, after)) in one.iter().zip(other).enumerate() {
            let (Some(before), Some(after)) = (before.object(), after.object()) else { continue };
            let free = !has_before[at]
                && !has_after[at]
                && this.is_open(HeapSide::Before, before.raw())
                && this.is_open(HeapSide::After, after.raw());
            if free && this.kind(HeapSide::Before, before.raw()) == this.kind(HeapSide::After, after.raw()) {
                pairs.push(ElementPair { before: at, after: at, method: MatchMethod::Position });
            }
        }
    }
    pairs.sort_unstable_by_key(|same| same.after);
    pairs
}

/// Tokens of the elements that have one, in their order, each with its position.
fn tokens(this: MatchContext<'_>, which: HeapSide, elements: &[Value]) -> Vec<(Token, u32)> {
    let token = |(at, &element): (usize, &Value)| Some((this.token_of_value(which, element)?, at as u32));
    let mut tokens: Vec<(Token, u32)> = if elements.len() < MANY {
        elements.iter().enumerate().filter_map(token).collect()
    } else {
        elements.par_iter().enumerate().filter_map(token).collect()
    };
    tokens.par_sort_unstable();
    tokens
}

/// Runs of equal tokens in both sorted lists.
pub(super) fn alike<T: Copy + Ord>(
    mut old: &[(T, u32)],
    mut new: &[(T, u32)],
    mut with: impl FnMut(&[(T, u32)], &[(T, u32)]),
) {
    while let (Some(&(one, _)), Some(&(other, _))) = (old.first(), new.first()) {
        let run = |list: &[(T, u32)], token| list.iter().take_while(|&&(t, _)| t == token).count();
        match one.cmp(&other) {
            Ordering::Less => old = &old[run(old, one)..],
            Ordering::Greater => new = &new[run(new, other)..],
            Ordering::Equal => {
                let (same_old, rest_old) = old.split_at(run(old, one));
                let (same_new, rest_new) = new.split_at(run(new, one));
                with(same_old, same_new);
                (old, new) = (rest_old, rest_new);
            }
        }
    }
}
