//! Names of cuts. The last step of a name is the reference to cut: `desk.SessionCache.ENTRIES` is that static field,
//! `desk.Session.cart` the field in all instances, `desk.Session` all objects of the class. `object` followed by a name
//! or id is an object with all references to it.

use super::cut::Cut;
use crate::naming::{Entry, Namer, Unresolved, field, likeliest};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, split_class, starts_with_id};

/// Prefix of the name of an object that is cut itself.
const OBJECT: &str = "object ";

impl Namer<'_> {
    /// Resolves the text of a cut: a name as [`Namer::cut_name`] writes it, or one with ids: `0x123`, `0x123.field`,
    /// `0x123[7]`, `0x123:0x456`, `@12:@34`.
    ///
    /// # Errors
    /// [`Unresolved`] if nothing has this name, or the task is cancelled.
    pub fn resolve_cut(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        let text = text.trim();
        if let Some(name) = text.strip_prefix(OBJECT) {
            let by_id = self.heap.find(name);
            return by_id.map_or_else(|| self.resolve(name, task), Ok).map(Cut::Object);
        }
        if starts_with_id(text) {
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
                    // A variable of a script may be called as a class is, which has no object in a snapshot.
                    let is_variable = self.heap.classes.get(class).object.is_none();
                    if is_variable && let Ok(start) = self.start_of(text) {
                        return self.cut_at_end(text, start, task);
                    }
                    // Only a field has no further step; other texts are paths, which report their own errors.
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
                let id = |object| self.heap.id_text(object);
                return Err(Unresolved::NotFound(format!("{} does not refer to {}", id(from), id(to))));
            }
            return Ok(Cut::Reference { from, to });
        }
        let begin = usize::from(text.starts_with('@'));
        let length = text[begin..].find(|c: char| !c.is_ascii_alphanumeric()).map_or(text.len(), |end| begin + end);
        self.cut_at_end(text, (object(&text[..length])?, length), task)
    }

    /// The last step of a name, or the object if there is none.
    fn cut_at_end(&self, text: &str, start: (ObjectId, usize), task: &Task) -> Result<Cut, Unresolved> {
        let end = self.walk(text, start, task)?;
        let Some((from, token)) = end.last else { return Ok(Cut::Object(end.object)) };
        let from = if token.text.starts_with(['[', '{']) && self.is_collection(from) {
            let entry = self.entry(from, token.text, token.ordinal, task)?;
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

    /// `.cart` of a class: the field in all its instances, unless a static field has that name.
    fn field_of_all(&self, class: ClassId, step: &str) -> Option<Cut> {
        let is_static = self.heap.classes.get(class).object.is_some_and(|object| self.child(object, step, 0).is_some());
        let fields = self.contents.named_references(class);
        let shown = |&(of, name): &(ClassId, &str)| {
            let ambiguous = || format!("{}.{name}", split_class(&self.heap.classes.get(of).name).1);
            let is_it = |name: &String| field(name) == step;
            Some(name.to_owned()).filter(is_it).or_else(|| Some(ambiguous()).filter(is_it))
        };
        let name = fields.iter().find_map(shown)?;
        (!is_static).then(|| Cut::Field { class, name: name.into() })
    }

    /// True if `step` is a single field step that is not a static field of the class: then it names an instance field.
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

    /// The text of a cut for [`Namer::resolve_cut`], without addresses if the holder has a name, so that it is valid
    /// for later dumps.
    pub fn cut_name(&self, cut: &Cut, task: &Task) -> Result<String, Cancelled> {
        Ok(match cut {
            Cut::Reference { from, to } => {
                let name = match self.heap.classes.of_object(*from) {
                    Some(_) => Some(self.class_step(*from, *to)),
                    None => self.name(*from, task)?.map(|name| name + &self.step(*from, *to)),
                };
                // An abbreviated name, or one with an ambiguous key, may lead to another object.
                let leads_back = |name: &String| self.resolve_cut(name, task).is_ok_and(|resolved| resolved == *cut);
                name.filter(leads_back).unwrap_or_else(|| cut.text_with_ids(self.heap))
            }
            Cut::Field { class, name } => self.index.class(self.heap, *class) + &field(name),
            Cut::Object(object) => {
                let name = self.name(*object, task)?.map(|name| format!("{OBJECT}{name}"));
                let leads_back = |name: &String| self.resolve_cut(name, task).is_ok_and(|resolved| resolved == *cut);
                name.filter(leads_back).unwrap_or_else(|| cut.text_with_ids(self.heap))
            }
            Cut::Class(class) => self.index.class(self.heap, *class),
        })
    }
}
