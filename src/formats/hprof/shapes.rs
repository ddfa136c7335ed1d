//! What reading objects again takes beside the file: names, the types and
//! order of fields, static references, stacks. No value of any object is in
//! here, so a stored analysis can keep it of a dump that is gone, and of the
//! file's table of strings only the names of classes, fields and methods.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::records::Index;
use super::roots::Rooted;
use super::schema::Schema;
use super::tags::BasicType;
use crate::heap::ids::ObjectId;

/// A text in [`Names`].
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct Name(u32);

/// Texts one behind the other: a dump has tens of thousands.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Names {
    text: String,
    ends: Vec<usize>,
}

/// A field of a class's own.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct FieldShape {
    pub(super) name: Name,
    pub(super) kind: BasicType,
}

/// A static of a class.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct StaticShape {
    pub(super) name: Name,
    pub(super) kind: BasicType,
    /// The address a reference leads to, which is structure; of a number 0, for that would be a value.
    pub(super) target: u64,
}

/// A class.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Shape {
    pub(super) name: Name,
    /// Place of the superclass among the classes.
    pub(super) superclass: Option<u32>,
    /// Whether the file says which fields it has.
    pub(super) described: bool,
    pub(super) statics: Box<[StaticShape]>,
    pub(super) fields: Box<[FieldShape]>,
}

/// Something a thread's stack holds; objects are rows.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LocalShape {
    thread: u32,
    object: u32,
    /// `<Java Local>`
    name: Name,
}

/// A frame of a stack.
#[derive(Debug, Serialize, Deserialize)]
struct Frame {
    /// Place of the class among the classes.
    class: Option<u32>,
    method: Option<Name>,
    source: Option<Name>,
    /// Positive: a line; 0 none, -1 unknown, -2 compiled, -3 native.
    line: i32,
}

/// Names and shapes of a dump.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Shapes {
    pub(super) id_bytes: u32,
    names: Names,
    /// In the order of the heap's classes.
    pub(super) classes: Vec<Shape>,
    /// By thread.
    locals: Vec<LocalShape>,
    /// Thread and place of its trace, by thread.
    threads: Vec<(u32, u32)>,
    /// Places of frames, innermost first. Threads may share a trace, and traces a frame.
    traces: Vec<Vec<u32>>,
    frames: Vec<Frame>,
}

impl Names {
    fn add(&mut self, text: &str) -> Name {
        let name = Name(self.ends.len() as u32);
        self.text.push_str(text);
        self.ends.push(self.text.len());
        name
    }

    fn get(&self, Name(at): Name) -> Option<&str> {
        let end = *self.ends.get(at as usize)?;
        let start = at.checked_sub(1).and_then(|before| self.ends.get(before as usize)).copied();
        self.text.get(start.unwrap_or(0)..end)
    }
}

/// Takes over texts from the file, each once.
struct Namer<'a> {
    file: &'a [u8],
    index: &'a Index,
    names: Names,
    known: FxHashMap<u64, Name>,
}

impl Namer<'_> {
    fn of(&mut self, id: u64) -> Name {
        let (file, index, names) = (self.file, self.index, &mut self.names);
        let text = || index.text(file, id).unwrap_or_else(|| format!("name {id:#x}"));
        *self.known.entry(id).or_insert_with(|| names.add(&text()))
    }

    fn if_there(&mut self, id: u64) -> Option<Name> {
        self.index.strings.contains_key(&id).then(|| self.of(id))
    }
}

impl Shapes {
    /// What is needed of all that was read.
    pub(super) fn new(file: &[u8], index: &Index, schema: &Schema, rooted: &Rooted) -> Self {
        let mut namer = Namer { file, index, names: Names::default(), known: FxHashMap::default() };
        let mut classes = Vec::with_capacity(schema.classes.len());
        for class in &schema.classes {
            let name = namer.names.add(&class.name);
            let field = |field: &super::subrecords::RawField| (field.name, field.kind);
            let fields = class.fields.iter().map(field);
            let fields = fields.map(|(name, kind)| FieldShape { name: namer.of(name), kind }).collect();
            let statics = class.statics.iter().map(|s| {
                let target = if s.kind == BasicType::Object { s.value } else { 0 };
                StaticShape { name: namer.of(s.name), kind: s.kind, target }
            });
            let statics = statics.collect();
            let described = class.undescribed == 0;
            classes.push(Shape { name, superclass: class.superclass, described, statics, fields });
        }
        let mut kinds = std::collections::BTreeMap::new();
        let locals = rooted.locals.iter().map(|local| {
            let name = kinds.entry(local.kind).or_insert_with(|| namer.names.add(&format!("<{}>", local.kind.name())));
            LocalShape { thread: local.thread.raw(), object: local.object.raw(), name: *name }
        });
        let locals = locals.collect();
        let mut shapes = Self { id_bytes: index.id_bytes, classes, locals, ..Self::default() };
        shapes.add_stacks(&mut namer, schema, rooted);
        shapes.names = namer.names;
        shapes
    }

    fn add_stacks(&mut self, namer: &mut Namer<'_>, schema: &Schema, rooted: &Rooted) {
        let (index, mut traces, mut frames) = (namer.index, FxHashMap::default(), FxHashMap::default());
        let mut threads: Vec<(u32, u32)> =
            rooted.stacks.iter().map(|(thread, &serial)| (thread.raw(), serial)).collect();
        threads.sort_unstable();
        for (thread, serial) in threads {
            let Some(ids) = index.traces.get(&serial) else { continue };
            let place = *traces.entry(serial).or_insert_with(|| {
                let frame = |id: &u64| {
                    let raw = index.frames.get(id)?;
                    Some(*frames.entry(*id).or_insert_with(|| {
                        let class = index.class_by_serial.get(&raw.class_serial).and_then(|&class| schema.of(class));
                        let (method, source) = (namer.if_there(raw.method), namer.if_there(raw.source));
                        self.frames.push(Frame { class, method, source, line: raw.line });
                        self.frames.len() as u32 - 1
                    }))
                };
                self.traces.push(ids.iter().filter_map(frame).collect());
                self.traces.len() as u32 - 1
            });
            self.threads.push((thread, place));
        }
    }

    /// A text; nothing where there is no such name.
    pub(super) fn name(&self, name: Name) -> &str {
        self.names.get(name).unwrap_or("")
    }

    /// A class by its place.
    pub(super) fn class(&self, at: u32) -> Option<&Shape> {
        self.classes.get(at as usize)
    }

    /// Place of the first class of this name.
    pub(super) fn named(&self, name: &str) -> Option<u32> {
        self.classes.iter().position(|class| self.name(class.name) == name).map(|at| at as u32)
    }

    /// The fields of an instance, those of its own class first, with the class that declares each; none if the
    /// file does not describe its class.
    pub(super) fn fields<'a>(&'a self, class: &'a Shape) -> impl Iterator<Item = (&'a Shape, &'a FieldShape)> {
        let described = Some(class).filter(|class| class.described);
        let line = std::iter::successors(described, |class| class.superclass.and_then(|above| self.class(above)));
        line.flat_map(|class| class.fields.iter().map(move |field| (class, field)))
    }

    /// Whether a field is the one whose reference may be weak.
    pub(super) fn is_referent(&self, declares: &Shape, field: &FieldShape) -> bool {
        self.name(field.name) == "referent" && self.name(declares.name) == "java.lang.ref.Reference"
    }

    /// What the stack of a thread holds.
    pub(super) fn locals(&self, thread: ObjectId) -> &[LocalShape] {
        let from = self.locals.partition_point(|local| local.thread < thread.raw());
        let to = self.locals.partition_point(|local| local.thread <= thread.raw());
        self.locals.get(from..to).unwrap_or(&[])
    }

    /// The names of those locals of `thread` that are `object`.
    pub(super) fn local_names(&self, thread: ObjectId, object: ObjectId) -> impl Iterator<Item = &str> {
        let locals = self.locals(thread).iter().filter(move |local| local.object == object.raw());
        locals.map(|local| self.name(local.name))
    }

    /// The stack of a thread, as a stack trace writes it.
    pub(super) fn stack(&self, thread: ObjectId) -> Vec<String> {
        let at = self.threads.binary_search_by_key(&thread.raw(), |&(thread, _)| thread).ok();
        let trace = at.and_then(|at| self.threads.get(at)).and_then(|&(_, trace)| self.traces.get(trace as usize));
        let frames = trace.into_iter().flatten().filter_map(|&frame| self.frames.get(frame as usize));
        frames.map(|frame| self.frame_text(frame)).collect()
    }

    fn frame_text(&self, frame: &Frame) -> String {
        let text = |name: Option<Name>| name.map_or("", |name| self.name(name));
        let class = frame.class.and_then(|at| self.class(at)).map_or("unknown class", |class| self.name(class.name));
        let (method, source) = (text(frame.method), text(frame.source));
        match frame.line {
            -3 => format!("{class}.{method}(native method)"),
            line if line > 0 && !source.is_empty() => format!("{class}.{method}({source}:{line})"),
            _ if source.is_empty() => format!("{class}.{method}(unknown source)"),
            _ => format!("{class}.{method}({source})"),
        }
    }

    /// What is wrong with shapes that somebody else wrote. Places that lead nowhere are only looked up; but
    /// whoever goes up a line of classes must come to its end.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let wrong = |place: Option<u32>, len: usize| place.is_some_and(|at| at as usize >= len);
        let classes = self.classes.len();
        let frames = self.traces.iter().flatten();
        if self.id_bytes != 4 && self.id_bytes != 8 {
            return Some("ids are of no known size");
        }
        if self.classes.iter().any(|class| wrong(class.superclass, classes)) || self.any_ring() {
            return Some("a class has no end of superclasses");
        }
        let wrong_stack = self.frames.iter().any(|frame| wrong(frame.class, classes))
            || frames.copied().any(|at| wrong(Some(at), self.frames.len()))
            || self.threads.iter().any(|&(_, trace)| wrong(Some(trace), self.traces.len()));
        wrong_stack.then_some("a stack leads nowhere")
    }

    /// Whether a class is its own superclass, by whatever way.
    fn any_ring(&self) -> bool {
        // Which walk upwards came by a class first: none meets itself unless there is a ring.
        let mut first_walk: Vec<Option<u32>> = vec![None; self.classes.len()];
        (0..self.classes.len() as u32).any(|walk| {
            let mut at = Some(walk);
            while let Some(class) = at {
                match first_walk.get_mut(class as usize) {
                    Some(first @ None) => *first = Some(walk),
                    Some(first) => return *first == Some(walk),
                    None => return false,
                }
                at = self.class(class).and_then(|class| class.superclass);
            }
            false
        })
    }
}
