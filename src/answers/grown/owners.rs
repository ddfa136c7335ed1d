//! Who holds what came and went.

use std::path::PathBuf;

use super::{By, Grown, GrownRow};
use crate::analysis::diff::growth::{GrowthRow, Owner, Part};
use crate::analysis::diff::kinds::Kinds;
use crate::analysis::diff::{Amount, Pair};
use crate::analysis::naming::Namer;
use crate::answers::Trouble;
use crate::heap::ids::ObjectId;
use crate::session::comparison::Comparison;
use crate::task::Task;
use crate::units::ByteDelta;

/// Owners that are named: what comes after them is hardly looked at.
const NAMED: usize = 2_000;
/// Single owners that are listed of those that are alike.
const LISTED: usize = 200;
/// Kinds of classes that are told of what came and went.
const PARTS: usize = 6;

impl Grown {
    /// Owners, in the order in which they grew.
    ///
    /// # Errors
    /// [`Trouble::Cancelled`] when the task is.
    pub fn owners(
        pair: Pair<'_>,
        found: &Comparison,
        namer: &Namer<'_>,
        before: PathBuf,
        task: &Task,
    ) -> Result<Self, Trouble> {
        let mut names = Names { pair, kinds: &found.matches.kinds, namer, left: NAMED };
        let mut rows = Vec::with_capacity(found.growth.rows.len());
        for grown in &found.growth.rows {
            task.checkpoint()?;
            let is_told = |part: &Part| part.came > 0 || part.went > 0 || part.moved.0 != 0;
            // Who only had others come and go in its place has nothing to say.
            if grown.bytes.0 != 0 || grown.objects.0 != 0 || grown.parts.iter().any(is_told) {
                rows.push(names.row(grown, task)?);
            }
        }
        // They stand in the order of the analysis already: what shrank comes last.
        Ok(Self { by: By::Owner, rows, before })
    }
}

/// Names owners, as long as anybody will read them.
struct Names<'a> {
    pair: Pair<'a>,
    kinds: &'a Kinds,
    namer: &'a Namer<'a>,
    left: usize,
}

impl Names<'_> {
    fn row(&mut self, grown: &GrowthRow, task: &Task) -> Result<GrownRow, Trouble> {
        let mut members = Vec::new();
        if grown.owners.len() > 1 {
            for &owner in grown.owners.iter().take(LISTED) {
                members.push(self.owner(owner, task)?);
            }
        }
        let first = match (members.first(), grown.owners.first()) {
            (Some(first), _) => first.clone(),
            (None, Some(&owner)) => self.owner(owner, task)?,
            (None, None) => GrownRow::named(String::new()),
        };
        let (before, after) = (grown.change.before, grown.change.after);
        let (objects, bytes, times) = (grown.objects, grown.bytes, grown.owners.len() as u64);
        let moved = ByteDelta(grown.parts.iter().map(|part| part.moved.0).sum());
        let mut parts: Vec<(Box<str>, u64, u64)> = grown.parts.iter().map(|part| self.part(part)).collect();
        // Sessions say more than the byte[] that they hold, though these take more.
        parts.sort_by_key(|(class, ..)| self.namer.index.rules.contains(class));
        parts.truncate(PARTS);
        Ok(GrownRow { times, before, after, objects, bytes, parts, moved, members, ..first })
    }

    fn owner(&mut self, owner: Owner, task: &Task) -> Result<GrownRow, Trouble> {
        match owner {
            Owner::Object { before, after, how } => {
                let amount = |side: crate::analysis::diff::Side<'_>, object: ObjectId| Amount {
                    objects: side.analyzed.dominated(object) + 1,
                    shallow: side.heap.shallow(object),
                    retained: side.analyzed.retained(object),
                };
                let (before, of) = (amount(self.pair.before, before), after);
                let after = amount(self.pair.after, of);
                let (objects, bytes) = (
                    crate::units::CountDelta::between(before.objects, after.objects),
                    ByteDelta::between(before.retained, after.retained),
                );
                let name = self.name(of, task)?;
                Ok(GrownRow {
                    before,
                    after,
                    objects,
                    bytes,
                    how: Some(how),
                    object: Some(of),
                    ..GrownRow::named(name)
                })
            }
            Owner::Top(kind) => {
                let name = self.kinds.get(kind).map_or("", |kind| &*kind.name);
                Ok(GrownRow::named(format!("{name}, held by no single object")))
            }
        }
    }

    fn name(&mut self, object: ObjectId, task: &Task) -> Result<String, Trouble> {
        let class = || self.pair.after.heap.class(object).name.to_string();
        if self.left == 0 {
            return Ok(class());
        }
        self.left -= 1;
        Ok(self.namer.name(object, task)?.unwrap_or_else(class))
    }

    fn part(&self, part: &Part) -> (Box<str>, u64, u64) {
        let name = self.kinds.get(part.kind).map_or("", |kind| &*kind.name);
        (name.into(), part.came, part.went)
    }
}
