//! Choice of the reference for cuts and verdicts on the path.

use super::Paths;
use crate::ui::{Command, Reference, ViewContext};
use heaplens_heap::{Heap, ObjectId};
use heaplens_tables::paths::lines::Line;

impl Paths {
    /// Reference to cut for the object: the one to the selected step if the pane has the focus, else the one to the
    /// last step.
    fn meant(&self, object: ObjectId, in_path: bool) -> Result<(ObjectId, ObjectId, usize), &'static str> {
        // The path of the previous object may still be shown.
        if self.steps().last() != Some(&object) {
            return Err("The path to the object is still being computed; try again in a moment");
        }
        let selected = self.table.cursor().filter(|_| in_path).map(|line| self.lines.at(line));
        let at = match selected {
            Some(Line::Step(at)) => at,
            Some(Line::Chain(_)) => return Err("Expand the chain and select the step whose reference to cut"),
            Some(Line::Root) => 0,
            None => self.steps().len() - 1,
        };
        let none = "The object is a GC root: there is no reference to cut on this path";
        self.reference_to(at).map(|(from, to)| (from, to, at)).ok_or(none)
    }

    /// Reference to the object, for cuts and verdicts.
    ///
    /// # Errors
    /// Reason why there is none, as a message for the user.
    pub fn reference(&self, heap: &Heap, object: ObjectId, in_path: bool) -> Result<Reference, &'static str> {
        let (from, to, at) = self.meant(object, in_path)?;
        let known = self.details.known(at).and_then(|step| step.reference.as_deref());
        Ok(Reference::between(heap, from, to, known))
    }

    /// The object and the reference that leads to it: those of the selected step if the pane has the focus.
    pub fn step(&self, object: ObjectId, in_path: bool) -> Option<(ObjectId, Option<(ObjectId, &str)>)> {
        let (from, to, at) = self.meant(object, in_path).ok()?;
        let name = self.details.known(at).and_then(|step| step.reference.as_deref());
        Some((to, name.map(|name| (from, name))))
    }

    /// Cuts the reference that holds an object, now or once its path is known.
    pub fn cut_when_known(&mut self, object: ObjectId, in_all: bool) {
        self.cutting = Some((object, in_all));
    }

    /// Carries out a pending cut once its reference is known.
    pub(super) fn tick_cut(&mut self, context: &mut ViewContext<'_>) {
        let Some((object, in_all)) = self.cutting else { return };
        if context.location.object != Some(object) {
            self.cutting = None;
            return;
        }
        let is_there = self.answer.as_ref().is_some_and(|answer| answer.options.object == object);
        let last = self.steps().len().saturating_sub(1);
        // The name of a field is read after the path is found.
        let is_named = !in_all || last == 0 || self.details.step(last).is_some() || self.details.has_failed();
        if !is_there || self.slot.is_running() || !is_named {
            return;
        }
        self.cutting = None;
        let cut = if self.path().is_none() {
            Err("The object is unreachable: there is no reference to cut")
        } else {
            self.reference(&context.dump.heap, object, false).and_then(|reference| reference.cut(in_all))
        };
        context.push(match cut {
            Ok(cut) => Command::Cut(context.location.dump, vec![cut]),
            Err(why) => Command::Hint(why.to_owned()),
        });
    }
}
