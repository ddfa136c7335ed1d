//! Removes references from a sketch, for files of the heap that a program has after it sets them to null.

use super::random::Random;
use super::sketch::{Body, Class, Id, Object, RootRecord, Sketch, Type, Value};

/// References to remove, by the ids of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// All references from one object to another, in fields, elements, static fields and on the stack of a thread.
    Reference(Id, Id),
    /// Field in all instances of a class and its subclasses, declared by the class or the nearest superclass that has it.
    Field(Id, String),
    /// All references to an object other than a class, and its root records.
    Object(Id),
    /// The same for all instances of a class.
    Class(Id),
    /// The root records of an object that is no thread, class or local variable.
    Roots(Id),
    /// All references from an object other than a class, also those on the stack of a thread.
    From(Id),
    /// The same for all instances of a class, and its static fields.
    FromClass(Id),
}

impl Sketch {
    /// The same heap after a removal. Classes keep superclass and loader, on which the layout of instances depends.
    #[must_use]
    pub fn without(&self, removal: &Removal) -> Self {
        let mut left = self.clone();
        match removal {
            Removal::Reference(from, to) => left.remove_reference(*from, *to),
            Removal::Field(class, name) => left.remove_field(*class, name),
            Removal::Object(id) => left.remove_objects(&[*id]),
            Removal::Class(class) => {
                let is_instance = |object: &&Object| self.class_of(object).is_some_and(|of| of.id == *class);
                let ids: Vec<Id> = self.objects.iter().filter(is_instance).map(|object| object.id).collect();
                left.remove_objects(&ids);
            }
            Removal::Roots(id) => left.roots.retain(|(root, _)| root != id),
            Removal::From(id) => left.remove_sources(&[*id]),
            Removal::FromClass(class) => {
                let is_instance = |object: &&Object| self.class_of(object).is_some_and(|of| of.id == *class);
                let ids: Vec<Id> = self.objects.iter().filter(is_instance).map(|object| object.id).collect();
                left.remove_sources(&ids);
                let of = left.classes.iter_mut().filter(|of| of.id == *class);
                of.for_each(|class| clear_statics(class, |_| true));
            }
        }
        left
    }

    /// Numbers of the threads of an object.
    fn threads_of(&self, object: Id) -> Vec<u32> {
        let number = |&(id, why): &(Id, RootRecord)| match why {
            RootRecord::Thread { thread, .. } if id == object => Some(thread),
            _ => None,
        };
        self.roots.iter().filter_map(number).collect()
    }

    fn remove_reference(&mut self, from: Id, to: Id) {
        let threads = self.threads_of(from);
        self.roots.retain(|&(id, why)| id != to || stack_of(why).is_none_or(|thread| !threads.contains(&thread)));
        let classes = self.classes.iter_mut().filter(|class| class.id == from);
        classes.for_each(|class| clear_statics(class, |id| id == to));
        let objects = self.objects.iter_mut().filter(|object| object.id == from);
        objects.for_each(|object| clear_references(object, |id| id == to));
    }

    fn remove_field(&mut self, class: Id, name: &str) {
        let is_it = |(field, kind): &(String, Type)| field == name && *kind == Type::Object;
        let declares = self.line_of(class).into_iter().find(|class| class.fields.iter().any(is_it)).map(|of| of.id);
        let index = |of: Id| {
            let line = self.line_of(of);
            let mut fields = line.iter().flat_map(|class| class.fields.iter().map(|field| (class.id, field)));
            let inherits = line.iter().any(|above| above.id == class);
            inherits.then(|| fields.position(|(of, field)| Some(of) == declares && is_it(field))).flatten()
        };
        let indexes = self.classes.iter().filter_map(|class| Some((class.id, index(class.id)?)));
        let indexes: Vec<(Id, usize)> = indexes.collect();
        for object in &mut self.objects {
            let Body::Instance { class, fields } = &mut object.body else { continue };
            let cut = indexes.iter().find(|(of, _)| of == class).and_then(|&(_, index)| fields.get_mut(index));
            cut.into_iter().for_each(|value| *value = Value::Object(0));
        }
    }

    fn remove_objects(&mut self, ids: &[Id]) {
        let threads: Vec<u32> = ids.iter().flat_map(|&id| self.threads_of(id)).collect();
        // The locals of a thread that is no root any more would become roots.
        let is_left = |why| stack_of(why).is_none_or(|thread| !threads.contains(&thread));
        self.roots.retain(|&(id, why)| !ids.contains(&id) && is_left(why));
        self.classes.iter_mut().for_each(|class| clear_statics(class, |id| ids.contains(&id)));
        self.objects.iter_mut().for_each(|object| clear_references(object, |id| ids.contains(&id)));
    }

    fn remove_sources(&mut self, ids: &[Id]) {
        let threads: Vec<u32> = ids.iter().flat_map(|&id| self.threads_of(id)).collect();
        self.roots.retain(|&(_, why)| stack_of(why).is_none_or(|thread| !threads.contains(&thread)));
        let objects = self.objects.iter_mut().filter(|object| ids.contains(&object.id));
        objects.for_each(|object| clear_references(object, |_| true));
    }

    /// Random removal with an effect on the file; `None` if the numbers chose nothing that can be removed.
    pub fn random_removal(&self, random: &mut Random) -> Option<Removal> {
        if self.objects.is_empty() {
            return None;
        }
        let object = random.pick(&self.objects);
        let loaders: Vec<Id> = self.classes.iter().map(|class| class.loader).collect();
        Some(match random.below(13) {
            10 => {
                // The stack of a thread is one with its references.
                let on_stack = |id| self.roots.iter().any(|&(root, why)| root == id && stack_of(why).is_some());
                let roots = self.roots.iter().map(|&(id, _)| id);
                let is_plain = |&id: &Id| self.class(id).is_none() && self.threads_of(id).is_empty() && !on_stack(id);
                Removal::Roots(pick(random, &roots.filter(is_plain).collect::<Vec<_>>())?)
            }
            11 => Removal::From(object.id),
            12 => Removal::FromClass(self.class_of(object)?.id),
            0 if !loaders.contains(&object.id) => Removal::Object(object.id),
            1 => {
                let class = self.class_of(object)?;
                let has_loader = |of: &Object| loaders.contains(&of.id) && self.class_of(of) == Some(class);
                // Every object refers to its class, and every class to its loader, which may be without a record.
                let is_special = ["java.lang.Class", "java.lang.ClassLoader"].contains(&&*class.name);
                let is_removable = !is_special && !self.objects.iter().any(has_loader);
                is_removable.then_some(Removal::Class(class.id))?
            }
            2..=4 => {
                let line = self.line_of(self.class_of(object)?.id);
                let fields = line.iter().flat_map(|class| &class.fields).filter(|(_, kind)| *kind == Type::Object);
                let names: Vec<&String> = fields.map(|(name, _)| name).collect();
                let name = (!names.is_empty()).then(|| (*random.pick(&names)).clone())?;
                // Named by a superclass that has the field, too.
                let has_it = |class: &&&Class| {
                    let line = self.line_of(class.id);
                    line.iter().any(|of| of.fields.contains(&(name.clone(), Type::Object)))
                };
                let named: Vec<Id> = line.iter().filter(has_it).map(|class| class.id).collect();
                Removal::Field(*random.pick(&named), name)
            }
            5 => {
                let class = random.pick(&self.classes);
                let values = class.statics.iter().filter_map(|&(_, value)| target(value));
                let targets: Vec<Id> = values.filter(|id| ![class.superclass, class.loader].contains(id)).collect();
                Removal::Reference(class.id, pick(random, &targets)?)
            }
            6 => {
                let on_stack = self.roots.iter().filter_map(|&(id, why)| Some((stack_of(why)?, id)));
                let (thread, to) = pick(random, &on_stack.collect::<Vec<_>>())?;
                let is_thread = |(_, why): &&(Id, RootRecord)| match why {
                    RootRecord::Thread { thread: number, .. } => *number == thread,
                    _ => false,
                };
                Removal::Reference(self.roots.iter().find(is_thread)?.0, to)
            }
            _ => Removal::Reference(object.id, pick(random, &references_of(object))?),
        })
    }
}

/// Number of the thread that a root record of a stack belongs to.
fn stack_of(why: RootRecord) -> Option<u32> {
    match why {
        RootRecord::JniLocal { thread, .. }
        | RootRecord::JavaFrame { thread, .. }
        | RootRecord::NativeStack { thread }
        | RootRecord::ThreadBlock { thread } => Some(thread),
        _ => None,
    }
}

fn pick<T: Copy>(random: &mut Random, choices: &[T]) -> Option<T> {
    (!choices.is_empty()).then(|| *random.pick(choices))
}

fn target(value: Value) -> Option<Id> {
    match value {
        Value::Object(id) if id != 0 => Some(id),
        _ => None,
    }
}

fn references_of(object: &Object) -> Vec<Id> {
    match &object.body {
        Body::Instance { fields, .. } => fields.iter().filter_map(|&value| target(value)).collect(),
        Body::Objects { elements, .. } => elements.iter().copied().filter(|&id| id != 0).collect(),
        Body::Primitives { .. } => Vec::new(),
    }
}

fn clear(value: &mut Value, is_removed: impl Fn(Id) -> bool) {
    if target(*value).is_some_and(is_removed) {
        *value = Value::Object(0);
    }
}

fn clear_statics(class: &mut Class, is_removed: impl Fn(Id) -> bool) {
    class.statics.iter_mut().for_each(|(_, value)| clear(value, &is_removed));
}

fn clear_references(object: &mut Object, is_removed: impl Fn(Id) -> bool) {
    match &mut object.body {
        Body::Instance { fields, .. } => fields.iter_mut().for_each(|value| clear(value, &is_removed)),
        Body::Objects { elements, .. } => {
            elements.iter_mut().filter(|id| is_removed(**id)).for_each(|id| *id = 0);
        }
        Body::Primitives { .. } => {}
    }
}
