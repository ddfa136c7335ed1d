//! Names of what may be cut. The last step of a name is the reference that is
//! meant: `desk.SessionCache.ENTRIES` is that static, `desk.Session.cart` the
//! field in all instances, `desk.Session` all objects of the class. An object
//! itself, whoever refers to it, is `object` and its name, or its id.

use super::Namer;
use super::entries::Entry;
use super::resolve::{Unresolved, likeliest};
use super::spelling::field;
use crate::heap::cut::Cut;
use crate::heap::ids::{ClassId, ObjectId};
use crate::task::{Cancelled, Task};

/// Stands before the name of an object that is meant itself.
const OBJECT: &str = "object ";

impl Namer<'_> {
    /// What a person means to cut: a name as [`Namer::cut_name`] writes it, or with ids in it: `0x123`, `0x123.field`,
    /// `0x123[7]`, `0x123:0x456`.
    ///
    /// # Errors
    /// [`Unresolved`] when there is no such thing, or the task is cancelled.
    pub fn cut(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix(OBJECT) {
            let by_id = self.heap.find(name);
            return by_id.map_or_else(|| self.resolve(name, task), Ok).map(Cut::Object);
        }
        if text.starts_with(|c: char| c.is_ascii_digit()) {
            return self.cut_by_id(text, task);
        }
        if let Some((class, length)) = self.class_prefix(text) {
            match &text[length..] {
                "" => return Ok(Cut::Class(class)),
                ".class" => return self.start_of(text).map(|(object, _)| Cut::Object(object)),
                step => {
                    if let Some(cut) = self.field_of_all(class, step) {
                        return Ok(cut);
                    }
                    // Only a field has no step behind it: anything else is a way, and says itself what is wrong.
                    if self.heap.classes.get(class).object.is_none() || self.is_no_member(class, step) {
                        return Err(self.no_member(class, &text[..length], step));
                    }
                }
            }
        }
        let start = self.start_of(text)?;
        self.cut_at_end(text, start, task)
    }

    fn cut_by_id(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        let object = |id: &str| {
            let missing = || Unresolved::NotFound(format!("no object {id}: write ids as 0x…"));
            self.heap.find(id).ok_or_else(missing)
        };
        if let Some((from, to)) = text.split_once(':') {
            let (from, to) = (object(from)?, object(to)?);
            if !self.heap.references(from).contains(&to.raw()) {
                return Err(Unresolved::NotFound(format!("{} does not refer to {}", self.id(from), self.id(to))));
            }
            return Ok(Cut::Reference { from, to });
        }
        let length = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        self.cut_at_end(text, (object(&text[..length])?, length), task)
    }

    fn id(&self, object: ObjectId) -> String {
        self.heap.id_text(object)
    }

    /// The last step of a name; the object where it has none.
    fn cut_at_end(&self, text: &str, start: (ObjectId, usize), task: &Task) -> Result<Cut, Unresolved> {
        let end = self.walk(text, start, task)?;
        let Some((from, token)) = end.last else { return Ok(Cut::Object(end.object)) };
        let from = if token.text.starts_with(['[', '{']) && self.is_collection(from) {
            let entry = self.entry(from, token.text, token.place, task)?;
            entry.and_then(|entry: Entry| self.entry_holder(from, &entry)).ok_or_else(|| {
                let why = "is an entry without a known holder: cut the object by its id".to_owned();
                Unresolved::Partly { object: end.object, name: text.to_owned(), why }
            })?
        } else {
            from
        };
        if !self.heap.references(from).contains(&end.object.raw()) {
            let why = "cannot be cut: an object always refers to its class".to_owned();
            return Err(Unresolved::Partly { object: end.object, name: text.to_owned(), why });
        }
        Ok(Cut::Reference { from, to: end.object })
    }

    /// `.cart` of a class: the field in all its instances. A static of the name is meant rather.
    fn field_of_all(&self, class: ClassId, step: &str) -> Option<Cut> {
        let is_static = self.heap.classes.get(class).object.is_some_and(|object| self.child(object, step, 0).is_some());
        let (_, name) = self.contents.named_references(class).into_iter().find(|(_, name)| field(name) == step)?;
        (!is_static).then(|| Cut::Field { class, name: name.into() })
    }

    /// Whether a step is the one behind a class, and no member of it.
    fn is_no_member(&self, class: ClassId, step: &str) -> bool {
        let one = step.strip_prefix('.').is_some_and(|name| !name.contains(['.', '[', '{', '(', '"', '×', '*']));
        let object = self.heap.classes.get(class).object;
        one && object.is_none_or(|object| self.child(object, step, 0).is_none())
    }

    fn no_member(&self, class: ClassId, name: &str, step: &str) -> Unresolved {
        let statics = self.heap.classes.get(class).object.map(|object| self.fields(object)).unwrap_or_default();
        let statics = statics.into_iter().filter(|f| f.value.object().is_some()).map(|f| field(&f.name));
        let fields = self.contents.named_references(class).into_iter().map(|(_, name)| field(name));
        let mut there: Vec<String> = statics.chain(fields).collect();
        let instead = likeliest(&mut there, step);
        Unresolved::NotFound(format!("{name} has no reference {step}; it has {instead}"))
    }

    /// How [`Namer::cut`] is told of a cut: without addresses where what refers has a name, so that it means the same
    /// in the next dump.
    ///
    /// # Errors
    /// [`Cancelled`] when the task is.
    pub fn cut_name(&self, cut: &Cut, task: &Task) -> Result<String, Cancelled> {
        Ok(match cut {
            Cut::Reference { from, to } => {
                let name = match self.heap.classes.of_object(*from) {
                    Some(_) => Some(self.class_step(*from, *to)),
                    None => self.name(*from, task)?.map(|name| name + &self.step(*from, *to)),
                };
                // A name that leaves steps out, or one by a key that is written like others, may lead elsewhere.
                let leads_back = |name: &String| self.cut(name, task).is_ok_and(|found| found == *cut);
                name.filter(leads_back).unwrap_or_else(|| format!("{}:{}", self.id(*from), self.id(*to)))
            }
            Cut::Field { class, name } => self.index.class(self.heap, *class) + &field(name),
            Cut::Object(object) => {
                let name = self.name(*object, task)?.map(|name| format!("{OBJECT}{name}"));
                let leads_back = |name: &String| self.cut(name, task).is_ok_and(|found| found == *cut);
                name.filter(leads_back).unwrap_or_else(|| self.id(*object))
            }
            Cut::Class(class) => self.index.class(self.heap, *class),
        })
    }
}
