//! Which reference is meant when somebody cuts what holds an object.

use super::Paths;
use super::lines::Line;
use crate::heap::cut::Cut;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;

impl Paths {
    /// The reference that is meant when somebody cuts what holds the object: that to the selected step if keys go to
    /// the pane, else that to the last one.
    fn meant(&self, object: ObjectId, in_path: bool) -> Result<(ObjectId, ObjectId, usize), &'static str> {
        let way = self.way().map(|way| way.steps.as_slice());
        // Until its own path is there, that of the object before may be shown.
        let steps =
            way.filter(|steps| steps.last() == Some(&object)).ok_or("The path to the object is not known yet")?;
        let selected = self.table.cursor().filter(|_| in_path).map(|line| self.lines.at(line));
        let at = match selected {
            Some(Line::Step(at)) => at,
            Some(Line::Chain(_)) => return Err("Unfold the chain, and choose the step whose reference to cut"),
            Some(Line::Root) => 0,
            None => steps.len().saturating_sub(1),
        };
        let before = at.checked_sub(1).and_then(|before| steps.get(before)).copied();
        let none = "The object is a GC root: no reference on this path holds it";
        before.zip(steps.get(at).copied()).map(|(from, to)| (from, to, at)).ok_or(none)
    }

    /// The cut of what holds the object.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn cut(&mut self, _: &Heap, object: ObjectId, in_path: bool) -> Result<Cut, &'static str> {
        self.meant(object, in_path).map(|(from, to, _)| Cut::Reference { from, to })
    }

    /// The cut of the field that holds the object, in all instances.
    ///
    /// # Errors
    /// Why there is none, for people.
    pub fn cut_in_all(&mut self, heap: &Heap, object: ObjectId, in_path: bool) -> Result<Cut, &'static str> {
        let (from, to, at) = self.meant(object, in_path)?;
        if heap.classes.of_object(from).is_some() {
            // A static there is once.
            return Ok(Cut::Reference { from, to });
        }
        let known = self.details.step(at).and_then(|step| step.reference.as_deref());
        let name = known.ok_or("The name of the reference is not known yet")?;
        if name.starts_with(['[', '<']) {
            return Err("An element of an array is no field: X without Shift cuts this one");
        }
        Ok(Cut::Field { class: heap.class_id(from), name: name.into() })
    }
}
