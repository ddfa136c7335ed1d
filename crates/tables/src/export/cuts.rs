//! Effect of cutting references, as a sentence and for JSON.

#![expect(missing_docs, reason = "names say it; the command line's manual explains them")]

use serde::Serialize;

use super::extent::Extent;
use heaplens_analysis::cuts::{OtherHolder, Reduction, WhatIf};
use heaplens_heap::reach::Holder;
use heaplens_heap::{Heap, ObjectId};

/// Combined effect of several cuts.
#[derive(Debug, Clone, Serialize)]
pub struct Cuts {
    /// Name of the fix that the cuts form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    pub rows: Vec<CutRow>,
    pub references: u64,
    pub before: Extent,
    pub after: Extent,
    pub freed: Extent,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freed_native_bytes: Option<u64>,
    pub still_held: Extent,
    pub ways: u64,
    pub other_ways: Vec<OtherHolderRow>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unread: Option<u64>,
    /// Names that exist in another dump only: of the comparison, or that the fix was made on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The effect as a sentence.
    #[serde(skip)]
    pub words: String,
}

/// One cut and its effect by itself.
#[derive(Debug, Clone, Serialize)]
pub struct CutRow {
    pub cut: String,
    pub references: u64,
    pub freed: Extent,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub freed_native_bytes: Option<u64>,
    #[serde(skip)]
    pub words: String,
}

/// Another reference that still holds an object behind a cut.
#[derive(Debug, Clone, Serialize)]
pub struct OtherHolderRow {
    pub id: String,
    pub class: String,
    pub holder_id: Option<String>,
    pub holder_class: Option<String>,
    pub reference: Option<String>,
    pub root_kind: Option<&'static str>,
    pub cut: String,
    #[serde(skip)]
    what: String,
}

impl Cuts {
    /// Combined effect of all cuts, and that of each by itself.
    pub fn new(heap: &Heap, reduction: &Reduction) -> Self {
        let (names, together) = (reduction.names(), &reduction.effect.what);
        let holders = together.other_holders.iter().zip(&reduction.effect.holder_names);
        Self {
            fix: reduction.fix.clone(),
            rows: names.iter().zip(&reduction.alone).map(|(name, alone)| CutRow::new(name.clone(), alone)).collect(),
            references: together.references,
            before: reduction.before().into(),
            after: reduction.after().into(),
            freed: together.freed.into(),
            freed_native_bytes: native(together),
            still_held: together.still_held.into(),
            ways: together.other_references,
            other_ways: holders.map(|(holder, name)| OtherHolderRow::new(heap, holder, name.clone())).collect(),
            unread: Some(together.unread).filter(|&unread| unread > 0),
            missing: reduction.missing.clone(),
            words: together.to_string(),
        }
    }
}

impl CutRow {
    fn new(cut: String, alone: &WhatIf) -> Self {
        let (references, freed) = (alone.references, alone.freed.into());
        Self { cut, references, freed, freed_native_bytes: native(alone), words: alone.to_string() }
    }
}

/// Native memory that is freed, if there is any.
fn native(of: &WhatIf) -> Option<u64> {
    Some(of.native.0).filter(|&bytes| bytes > 0)
}

impl OtherHolderRow {
    fn new(heap: &Heap, other: &OtherHolder, cut: String) -> Self {
        let (holder, root_kind) = match other.holder {
            Holder::Root(kind) => (None, Some(kind.key())),
            Holder::Object(object) => (Some(object), None),
        };
        Self {
            id: heap.id_text(other.object),
            class: heap.class(other.object).name.to_string(),
            holder_id: holder.map(|object| heap.id_text(object)),
            holder_class: holder.map(|object| heap.class(object).name.to_string()),
            reference: other.reference.clone(),
            root_kind,
            cut,
            what: called(heap, other.object),
        }
    }

    /// Text of the reference: holder, name and target.
    pub fn text(&self) -> String {
        match (&self.holder_id, &self.holder_class, &self.reference) {
            (Some(id), Some(class), Some(reference)) => {
                let dot = match reference.chars().next() {
                    Some('[') => "",
                    Some('<') => " ",
                    _ => ".",
                };
                format!("{class} {id}{dot}{reference} → {}", self.what)
            }
            _ => format!("GC root: {} → {}", self.root_kind.unwrap_or("Unknown"), self.what),
        }
    }
}

/// `class desk.SessionCache 0x…`, or the class and id of an object.
fn called(heap: &Heap, object: ObjectId) -> String {
    let id = heap.id_text(object);
    match heap.classes.of_object(object) {
        Some(class) => format!("class {} {id}", heap.classes.get(class).name),
        None => format!("{} {id}", heap.class(object).name),
    }
}
