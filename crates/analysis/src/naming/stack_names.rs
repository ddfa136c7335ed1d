//! Names of what the stack of a thread holds. A stack is read once for each thread: it may have as many frames as
//! objects, and each of these is asked for.

use std::hash::{DefaultHasher, Hash, Hasher};

use rustc_hash::FxHashMap;

use super::spelling::{self, ordinal};
use heaplens_heap::{ObjectId, Stack};

/// Method in the names of objects that a thread holds outside its frames.
const NATIVE: &str = "native code";

/// What names need of the stack of a thread. Methods without locals are left out: many threads may share a trace.
pub(super) struct StackNames {
    /// True if a frame runs a method of the application.
    pub(super) runs_application: bool,
    /// Methods with locals.
    methods: Vec<String>,
    /// Objects in the order of their frames, innermost first, each once.
    locals: Vec<NamedLocal>,
    by_object: FxHashMap<ObjectId, u32>,
}

struct NamedLocal {
    object: ObjectId,
    /// Index in [`StackNames::methods`].
    method: u32,
    /// Number of earlier locals with the same name.
    nth: u32,
}

impl StackNames {
    /// Names of a stack, given the names of the classes of objects, and whether a class is one of the application.
    pub(super) fn new(
        stack: &Stack,
        class_of: impl Fn(ObjectId) -> String,
        is_of_application: impl Fn(&str) -> bool,
    ) -> Self {
        let runs = |method: &str| is_of_application(method.rsplit_once('.').map_or(method, |(class, _)| class));
        let mut names = Self {
            runs_application: stack.frames.iter().any(|frame| runs(&frame.method)),
            methods: Vec::new(),
            locals: Vec::new(),
            by_object: FxHashMap::default(),
        };
        let mut known: FxHashMap<String, u32> = FxHashMap::default();
        // By hash of the name: names of classes and methods are long, and there may be as many as locals.
        let mut alike: FxHashMap<u64, u32> = FxHashMap::default();
        let frames = stack.frames.iter().map(|frame| (&*frame.method, &frame.locals));
        for (method, held) in frames.chain([(NATIVE, &stack.outside)]).filter(|(_, held)| !held.is_empty()) {
            let method = if method == NATIVE { NATIVE.to_owned() } else { spelling::method(method) };
            let method = *known.entry(method).or_insert_with_key(|method| {
                names.methods.push(method.clone());
                names.methods.len() as u32 - 1
            });
            for local in held {
                let at = names.locals.len() as u32;
                if *names.by_object.entry(local.object).or_insert(at) == at {
                    let mut hasher = DefaultHasher::new();
                    names.text(method, &class_of(local.object)).hash(&mut hasher);
                    let before = alike.entry(hasher.finish()).or_default();
                    names.locals.push(NamedLocal { object: local.object, method, nth: *before });
                    *before += 1;
                }
            }
        }
        names
    }

    /// The step from the thread to an object of a class that its stack holds.
    pub(super) fn step(&self, object: ObjectId, class: &str) -> Option<String> {
        let local = self.locals.get(*self.by_object.get(&object)? as usize)?;
        Some(ordinal(self.text(local.method, class), local.nth.into()))
    }

    /// The method whose frame holds an object; `None` of one that the thread holds outside its frames.
    pub(super) fn method(&self, object: ObjectId) -> Option<&str> {
        let local = self.locals.get(*self.by_object.get(&object)? as usize)?;
        self.methods.get(local.method as usize).map(String::as_str).filter(|method| *method != NATIVE)
    }

    /// True if the stack holds an object.
    pub(super) fn holds(&self, object: ObjectId) -> bool {
        self.by_object.contains_key(&object)
    }

    /// Steps without ordinals and the objects they lead to.
    pub(super) fn steps(&self, class_of: impl Fn(ObjectId) -> String) -> impl Iterator<Item = (String, ObjectId)> {
        self.locals.iter().map(move |local| (self.text(local.method, &class_of(local.object)), local.object))
    }

    /// `.<local of desk.Worker.run: desk.Job>`
    fn text(&self, method: u32, class: &str) -> String {
        let method = self.methods.get(method as usize).map_or("", String::as_str);
        format!(".<{}>", format!("local of {method}: {class}").replace(['<', '>'], "|"))
    }
}
