//! Second reading of the lines: the row of every object, with its references.

use rustc_hash::FxHashSet;

use super::classes::ClassTable;
use super::lines::{Line, Member, Record, line};
use crate::text_lines::Lines;
use heaplens_base::{Bytes, Cancelled, Task};
use heaplens_heap::{ClassId, Classes, CollectedReferences, HeapColumns, RowWriter, Strength};

/// Field of `java.lang.ref.Reference` that may be weak.
pub(super) const REFERENT: &[u8] = b"referent";

/// Inputs of the second reading.
pub(super) struct Filler<'a> {
    pub(super) file: &'a [u8],
    pub(super) begin: u64,
    pub(super) table: &'a ClassTable,
    pub(super) classes: &'a Classes,
    pub(super) columns: &'a HeapColumns<'a>,
    /// Ids shared by several records.
    pub(super) claimed_twice: &'a FxHashSet<u64>,
}

/// References of all objects.
pub(super) struct FillResult {
    pub(super) part: CollectedReferences,
    /// Number of records with an id that an earlier record has, and offset of the first of them.
    pub(super) refused: (u64, Option<u64>),
}

impl Filler<'_> {
    /// Fills all rows. Progress counts bytes.
    pub(super) fn fill(&self, task: &Task) -> Result<FillResult, Cancelled> {
        let mut part = self.columns.part();
        let mut lines = Lines::new(self.file, self.begin, self.file.len() as u64);
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut refused = (0, None);
        let mut members = Vec::new();
        let mut is_weak = None;
        while let Some((offset, bytes)) = lines.next_checked(task)? {
            match line(bytes) {
                Line::Record(record) => {
                    end(&mut part, &mut members, is_weak);
                    let (id, class, size) = self.of(&record);
                    let is_first = !self.claimed_twice.contains(&id) || seen.insert(id);
                    if !is_first {
                        refused = (refused.0 + 1, refused.1.or(Some(offset)));
                    }
                    let row_and_class = self.columns.row(id).filter(|_| is_first).zip(class);
                    is_weak = row_and_class.map(|(row, class)| {
                        part.object(row, class, Bytes(size), offset);
                        let is_instance = matches!(record, Record::Instance { .. });
                        is_instance && self.classes.get(class).strength != Strength::Strong
                    });
                }
                Line::Member(member) if is_weak.is_some() => members.push(member),
                Line::End => break,
                _ => {}
            }
        }
        end(&mut part, &mut members, is_weak);
        task.advance_checked((self.file.len() as u64).saturating_sub(self.begin))?;
        Ok(FillResult { part: part.finish(), refused })
    }

    /// Id, class and size of an object.
    fn of(&self, record: &Record<'_>) -> (u64, Option<ClassId>, u64) {
        let (id, class, size) = match *record {
            // The size of class objects is not recorded.
            Record::Class { id, .. } => (id, self.table.class_of_classes(), 0),
            Record::Instance { id, size, ref class } => (id, self.table.find(class, false), size),
            Record::Array { id, size, ref element, .. } => (id, self.table.find(element, true), size),
        };
        (id, class.and_then(ClassId::from_raw), size)
    }
}

/// Writes the references of an object: that which may be weak comes first.
fn end(part: &mut RowWriter<'_>, members: &mut Vec<Member<'_>>, is_weak: Option<bool>) {
    let referent = members.iter().position(|member| is_weak == Some(true) && member.name == REFERENT);
    if let Some(referent) = referent {
        part.referent(members.remove(referent).target);
    }
    members.drain(..).for_each(|member| part.reference(member.target));
}
