//! Names of cuts. The last step of a name is the reference to cut: `desk.SessionCache.ENTRIES` is that static field,
//! `desk.Session.cart` the field in all instances, `desk.Session` all objects of the class. `object` followed by a name
//! or id is an object with all references to it. A class may be written without its package: `SessionCache.ENTRIES`. In
//! snapshots, `PriceFeed._events` is the property in all instances, `server.js sessions` a variable of a script. Other
//! kinds are in [`kinds`](super::kinds).

use super::cut::{Cut, words::OBJECT};
use super::{properties, scripts};
use crate::naming::{Entry, Namer, Unresolved, field, likeliest};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ObjectId, split_class, starts_with_id};

/// Number of properties of instances that are named where one does not exist.
const SAMPLED: usize = 1_000;

impl Namer<'_> {
    /// Resolves the text of a cut: a name as [`Namer::cut_name`] writes it, or one with ids: `0x123`, `0x123.field`,
    /// `0x123[7]`, `0x123:0x456`, `@12:@34`. The text of a query is not resolved here.
    ///
    /// # Errors
    /// [`Unresolved`] if nothing has this name, or the task is cancelled.
    pub fn resolve_cut(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        let text = text.trim();
        match self.cut_by_kind(text, task)? {
            Some(cut) => Ok(cut),
            None => self.plain_cut(text, task),
        }
    }

    /// The cut of a name or id alone.
    pub(super) fn plain_cut(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        if let Some(name) = text.strip_prefix(OBJECT) {
            let by_id = self.heap.find(name);
            return by_id.map_or_else(|| self.resolve(name, task), Ok).map(Cut::Object);
        }
        if starts_with_id(text) {
            return self.cut_by_id(text, task);
        }
        if let Some((class, length)) = self.class_prefix(text).or_else(|| self.short_class_alone(text)) {
            match &text[length..] {
                "" => return Ok(Cut::Class(class)),
                ".class" => return self.start_of(text).map(|(object, _)| Cut::Object(object)),
                step => {
                    // A variable of a script may be called as a class is, which has no object in a snapshot.
                    let is_variable = self.heap.classes.get(class).object.is_none();
                    let start = if is_variable { self.start_of(text).ok() } else { None };
                    let variable = start.map(|start| self.cut_at_end(text, start, task));
                    if let Some(Ok(cut)) = variable {
                        return Ok(cut);
                    }
                    if let Some(cut) = self.field_of_all(class, step, task)? {
                        return Ok(cut);
                    }
                    if let Some(wrong) = variable {
                        return wrong;
                    }
                    // Only a field has no further step; other texts are paths, which report their own errors.
                    if is_variable || self.is_no_member(class, step) {
                        if let Some(cut) = self.cut_of_script(text, task)? {
                            return Ok(cut);
                        }
                        // `process.config.variables`: what is known by its class is the only one of it.
                        let is_path = step.strip_prefix('.').is_some_and(|steps| steps.contains(['.', '[', '{']));
                        if is_path
                            && is_variable
                            && let Some(object) = properties::only_instance(self.dump, class, task)?
                        {
                            return self.cut_at_end(text, (object, length), task);
                        }
                        return Err(self.no_member(class, &text[..length], step, task)?);
                    }
                }
            }
        }
        match self.start_of(text) {
            Ok(start) => self.cut_at_end(text, start, task),
            Err(missing) => self.cut_of_script(text, task)?.ok_or(missing),
        }
    }

    /// The reference by which the script of a snapshot has a variable.
    fn cut_of_script(&self, text: &str, task: &Task) -> Result<Option<Cut>, Unresolved> {
        let start = scripts::variable(*self, text, task)?;
        start.map(|(context, steps)| self.cut_at_end(&steps, (context, 0), task)).transpose()
    }

    /// The class whose short name begins a text, unless the text begins with something else: a thread, a root, a variable.
    fn short_class_alone(&self, text: &str) -> Option<(ClassId, usize)> {
        let short = self.short_class_prefix(text)?;
        let is_class = |object: &ObjectId| self.heap.classes.of_object(*object) == Some(short.0);
        let starts = self.start_of(text).ok().filter(|(object, _)| !is_class(object));
        starts.is_none().then_some(short)
    }

    fn cut_by_id(&self, text: &str, task: &Task) -> Result<Cut, Unresolved> {
        let object = |id: &str| {
            let missing = || Unresolved::NotFound(format!("no object {id}: write ids as 0x…"));
            self.heap.find(id).ok_or_else(missing)
        };
        if let Some((from, to)) = text.split_once(':') {
            let (from, to) = (object(from)?, object(to)?);
            if !self.heap.may_hold(from, to) {
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
            // A local variable: the stack of a thread is no object.
            if !self.dump.analysis.roots().of(end.object).is_empty() {
                return Ok(Cut::Roots(Box::new(Cut::Object(end.object))));
            }
            let why = "cannot be cut: an object always refers to its class".to_owned();
            return Err(Unresolved::Partly { object: end.object, name: text.to_owned(), why });
        }
        Ok(Cut::Reference { from, to: end.object })
    }

    /// `.cart` of a class: the field in all its instances, unless a static field has that name.
    fn field_of_all(&self, class: ClassId, step: &str, task: &Task) -> Result<Option<Cut>, Cancelled> {
        if self.heap.snapshot().is_some() {
            let name = properties::named(self.dump, class, step, task)?;
            return Ok(name.map(|name| Cut::Field { class, name: name.into() }));
        }
        let is_static = self.heap.classes.get(class).object.is_some_and(|object| self.child(object, step, 0).is_some());
        let fields = self.contents.named_references(class);
        let shown = |&(of, name): &(ClassId, &str)| {
            let ambiguous = || format!("{}.{name}", split_class(&self.heap.classes.get(of).name).1);
            let is_it = |name: &String| field(name) == step;
            Some(name.to_owned()).filter(is_it).or_else(|| Some(ambiguous()).filter(is_it))
        };
        let name = fields.iter().find_map(shown).filter(|_| !is_static);
        Ok(name.map(|name| Cut::Field { class, name: name.into() }))
    }

    /// True if `step` is a single field step that is not a static field of the class: then it names an instance field.
    fn is_no_member(&self, class: ClassId, step: &str) -> bool {
        let one = step.strip_prefix('.').is_some_and(|name| !name.contains(['.', '[', '{', '(', '"', '×', '*']));
        let object = self.heap.classes.get(class).object;
        one && object.is_none_or(|object| self.child(object, step, 0).is_none())
    }

    fn no_member(&self, class: ClassId, name: &str, step: &str, task: &Task) -> Result<Unresolved, Cancelled> {
        let statics = self.heap.classes.get(class).object.map(|object| self.fields(object)).unwrap_or_default();
        let statics = statics.into_iter().filter(|f| f.value.object().is_some()).map(|f| field(&f.name));
        let fields = self.contents.named_references(class).into_iter().map(|(_, name)| field(name));
        let mut there: Vec<String> = statics.chain(fields).collect();
        let mut met = 0;
        let is_last = |name: &str| {
            there.extend((!name.starts_with('<')).then(|| field(name)));
            met += 1;
            met == SAMPLED
        };
        if self.heap.snapshot().is_some() {
            properties::names(self.dump, class, is_last, task)?;
        }
        there.sort_unstable();
        there.dedup();
        let instead = likeliest(&mut there, step);
        Ok(Unresolved::NotFound(format!("{name} has no reference {step}; it has {instead}")))
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
            Cut::Loader(object) => self.cut_name_of(cut, &Cut::Object(*object), task)?,
            Cut::Roots(of) | Cut::From(of) | Cut::Entries { of, .. } => self.cut_name_of(cut, of, task)?,
            Cut::Query { .. } | Cut::Package(_) | Cut::DuplicateStrings => cut.text_with_ids(self.heap),
        })
    }

    /// The name of a cut of what another cut leads to: without the word for an object, since its name leads there, too.
    fn cut_name_of(&self, cut: &Cut, of: &Cut, task: &Task) -> Result<String, Cancelled> {
        let named = self.cut_name(of, task)?;
        Ok(cut.text(&|_| named.strip_prefix(OBJECT).unwrap_or(&named).to_owned()))
    }
}
