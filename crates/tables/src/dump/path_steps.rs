//! Steps of the paths from GC roots to one object, one path after the other.

use crate::List;
use crate::columns::{Columns, Item, heading, headings};
use heaplens_analysis::{PathStep, ReferencePath};

pub(crate) const COLUMNS: Columns<Item<NumberedStep>> = &[&[
    heading("path", "Path", "Number of the path, from 1").count(|row, _| Some(row.path)),
    heading("step", "Step", "Position of the object on the path, from the GC root").count(|row, _| Some(row.nth)),
    heading("reference", "Reference", "Field or element through which the previous object references this one")
        .text(|row, _| row.step.reference.as_deref().map(Into::into)),
    headings::ID.object(|row, _| Some(row.step.object)),
    headings::CLASS.text(|row, _| Some(row.step.class.as_str().into())),
    headings::LABEL.text(|row, _| row.step.label.as_deref().map(Into::into)),
]];

/// A step with its numbers, from 0.
pub struct NumberedStep {
    path: u64,
    nth: u64,
    step: PathStep,
}

/// Table of the steps of computed paths.
pub fn step_table(paths: Vec<ReferencePath>) -> List<NumberedStep> {
    let steps =
        |(path, of): (u64, ReferencePath)| (0..).zip(of.steps).map(move |(nth, step)| NumberedStep { path, nth, step });
    List::new(COLUMNS, (0..).zip(paths).flat_map(steps).collect())
}
