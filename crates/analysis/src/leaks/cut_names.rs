//! Names of the references to cut.

use std::collections::HashMap;

use super::finding::ReferenceToCut;
use crate::naming::{Namer, field};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ObjectId, ReferenceKind, ReferenceName};

/// Names references. Many lead from or to the same object, whose name takes a search.
pub(super) struct CutNames<'a> {
    namer: Namer<'a>,
    known: HashMap<ObjectId, Option<String>>,
}

impl<'a> CutNames<'a> {
    pub(super) fn new(namer: Namer<'a>) -> Self {
        Self { namer, known: HashMap::new() }
    }

    /// A reference with its name.
    pub(super) fn of(&mut self, from: ObjectId, to: ObjectId, task: &Task) -> Result<ReferenceToCut, Cancelled> {
        let heap = self.namer.heap;
        let first = self.namer.contents.reference_names(heap, from, to, 1).pop();
        let reference = first.as_ref().map_or_else(|| "<unknown>".to_owned(), |name| name.text.clone());
        let is_local = first.as_ref().is_some_and(|name| name.kind == ReferenceKind::Local);
        let name = match (heap.classes.of_object(from), &first) {
            (Some(class), Some(ReferenceName { kind: ReferenceKind::Static, text, .. })) => {
                format!("{}.{text}", heap.classes.get(class).name)
            }
            _ => match self.object(to, task)? {
                // The name may follow another path than this reference.
                Some(name) if ends_with_step(&name, &reference) || is_local => name,
                _ => {
                    let holder = self.object(from, task)?.unwrap_or_else(|| heap.class(from).name.to_string());
                    if reference.starts_with('[') { holder + &reference } else { holder + &field(&reference) }
                }
            },
        };
        let (from_id, to_id) = (heap.id_text(from), heap.id_text(to));
        Ok(ReferenceToCut { name, from, from_id, to, to_id, reference, times: 1, is_local })
    }

    /// The name of an object.
    fn object(&mut self, object: ObjectId, task: &Task) -> Result<Option<String>, Cancelled> {
        if let Some(known) = self.known.get(&object) {
            return Ok(known.clone());
        }
        let name = self.namer.name(object, task)?;
        Ok(self.known.entry(object).or_insert(name).clone())
    }
}

fn ends_with_step(name: &str, reference: &str) -> bool {
    name.strip_suffix(reference).is_some_and(|rest| reference.starts_with('[') || rest.ends_with('.'))
}
