//! Variables of JavaScript programs. A snapshot has no declarations: they are read from the objects that have them,
//! those with the largest retained size first, up to a limit of each kind.

use std::cmp::Reverse;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::variable::{Variable, VariableKind, VariableTarget, is_name};
use crate::answers::DumpData;
use crate::naming::{global_name, is_of_engine};
use crate::rows::shown_of;
use heaplens_base::{Cancelled, Task};
use heaplens_heap::{ClassId, ClassKind, ObjectId, ReferenceKind};

/// Class of functions, of plain objects, and of the modules of Node.js.
const FUNCTION: &str = "Function";
const OBJECT: &str = "Object";
const MODULE: &str = "Module";
/// Maximum number of objects read of each kind: contexts of closures, functions, plain objects, modules.
const READ: usize = 20_000;
/// Number of instances read of any other class: instances of one class may have different properties.
const SAMPLED: usize = 8;
/// Maximum number of references read per object, and per global object.
const EDGES: usize = 200;
const GLOBAL_EDGES: usize = 100_000;
/// Maximum number of referrers of a context among which a function is looked for, and of contexts inside of it.
const REFERRERS: usize = 64;
const CONTEXTS: usize = 8;
/// Maximum number of characters of a path of a module.
const PATH: usize = 1 << 12;
/// Properties that every function has.
const OF_FUNCTIONS: [&str; 7] = ["prototype", "constructor", "__proto__", "name", "length", "arguments", "caller"];
/// Properties by which the engine links objects and classes.
const OF_ENGINE: [&str; 2] = ["__proto__", "constructor"];
/// Properties with the path of the file of a module.
const PATHS: [&str; 2] = ["filename", "id"];

/// What is known of the classes of a snapshot.
struct Samples {
    /// By class, some instances.
    instances: Vec<Vec<ObjectId>>,
    /// By class, true if an instance has captured variables.
    is_scope: Vec<bool>,
}

/// Variables of scripts, properties of globals, modules and classes, then fields of instances.
pub(super) fn variables(dump: DumpData<'_>, task: &Task) -> Result<Vec<Variable>, Cancelled> {
    let samples = samples(dump, task)?;
    let class_of = |class: ClassId| &*dump.heap.classes.get(class).name;
    let mut search = Search {
        dump,
        names: FxHashMap::default(),
        read: FxHashSet::default(),
        fields: FxHashSet::default(),
        variables: Vec::new(),
    };
    for object in shown_of(dump, |class| global_name(class_of(class)).is_some(), task)? {
        let declares = global_name(&dump.heap.class(object).name).unwrap_or_default().to_owned();
        search.properties(
            object,
            (VariableKind::Property, &declares),
            GLOBAL_EDGES,
            |_, to| !is_of_engine_function(dump, to),
            task,
        )?;
    }
    for object in largest(dump, |class| class_of(class) == MODULE, task)? {
        search.exports(object, task)?;
    }
    // The name of a function may be hidden.
    let has_names = !dump.contents.hides_values();
    for object in largest(dump, |class| has_names && class_of(class) == FUNCTION, task)? {
        let label = dump.contents.label(dump.heap, object).unwrap_or_default();
        let Some(declares) = label.strip_suffix("()").filter(|name| !name.contains(' ')) else { continue };
        let is_value = |name: &str, to| !OF_FUNCTIONS.contains(&name) && &*dump.heap.class(to).name != FUNCTION;
        search.properties(object, (VariableKind::Property, declares), EDGES, is_value, task)?;
    }
    for object in largest(dump, |class| samples.is_scope.get(class.index()) == Some(&true), task)? {
        search.scope(object, task)?;
    }
    for object in largest(dump, |class| class_of(class) == OBJECT, task)? {
        search.fields(object, task)?;
    }
    for object in samples.instances.into_iter().flatten() {
        search.fields(object, task)?;
    }
    Ok(search.variables)
}

/// True for functions of the engine: globals have hundreds of them.
fn is_of_engine_function(dump: DumpData<'_>, object: ObjectId) -> bool {
    &*dump.heap.class(object).name == FUNCTION && script_of(dump, object).is_none_or(|script| is_of_engine(&script))
}

fn script_of(dump: DumpData<'_>, function: ObjectId) -> Option<String> {
    dump.contents.script_location(dump.heap, function)?.script
}

/// Objects of some classes with the largest retained size.
fn largest(
    dump: DumpData<'_>,
    is_meant: impl Fn(ClassId) -> bool + Sync,
    task: &Task,
) -> Result<Vec<ObjectId>, Cancelled> {
    // Many objects have the class of plain objects: the question is asked once per class.
    let meant: Vec<bool> = dump.heap.classes.iter().map(|(class, _)| is_meant(class)).collect();
    let mut objects = shown_of(dump, |class| meant.get(class.index()) == Some(&true), task)?;
    let order = |object: &ObjectId| (Reverse(dump.analysis.retained(*object)), *object);
    if objects.len() > READ {
        objects.select_nth_unstable_by_key(READ, order);
        objects.truncate(READ);
    }
    objects.sort_unstable_by_key(order);
    Ok(objects)
}

/// Some instances of each class of the program, and the classes with captured variables.
fn samples(dump: DumpData<'_>, task: &Task) -> Result<Samples, Cancelled> {
    let heap = dump.heap;
    let mut instances: Vec<Vec<ObjectId>> = vec![Vec::new(); heap.classes.len()];
    let of_rows = heap.class_column().slices();
    for block in task.blocks(heap.len()) {
        for row in block? {
            let class = of_rows.get(row).and_then(ClassId::from_raw);
            let Some(sample) = class.and_then(|class| instances.get_mut(class.index())) else { continue };
            if sample.len() < SAMPLED {
                sample.extend(ObjectId::new(row).filter(|&object| dump.analysis.is_reachable(object)));
            }
        }
    }
    let mut is_scope = vec![false; instances.len()];
    for (class, sample) in instances.iter_mut().enumerate() {
        task.checkpoint()?;
        let has_variables = |&object: &ObjectId| {
            let named = dump.contents.named_references_of(heap, object, EDGES).unwrap_or_default();
            named.iter().any(|(name, _)| name.kind == ReferenceKind::Context)
        };
        is_scope[class] = sample.iter().any(has_variables);
        let id = ClassId::new(class);
        let is_of_program = id.is_some_and(|class| {
            let row = heap.classes.get(class);
            let is_other = ![FUNCTION, OBJECT].contains(&&*row.name) && global_name(&row.name).is_none();
            is_other
                && row.kind == ClassKind::Plain
                && !dump.contents.is_engine_class(class)
                && !row.name.starts_with('(')
        });
        if is_scope[class] || !is_of_program {
            sample.clear();
        }
    }
    Ok(Samples { instances, is_scope })
}

/// A variable without its name.
#[derive(Clone, Copy)]
struct Details {
    kind: VariableKind,
    target: VariableTarget,
    holders: u64,
    is_of_runtime: bool,
}

impl Details {
    fn value(kind: VariableKind, object: ObjectId, is_of_runtime: bool) -> Self {
        Self { kind, target: VariableTarget::Value(object), holders: 1, is_of_runtime }
    }
}

struct Search<'a> {
    dump: DumpData<'a>,
    names: FxHashMap<String, Arc<str>>,
    /// Objects whose properties are known: the exports of a module are plain objects, too.
    read: FxHashSet<ObjectId>,
    /// Known fields of classes with several instances.
    fields: FxHashSet<(ClassId, String)>,
    variables: Vec<Variable>,
}

impl Search<'_> {
    fn add(&mut self, declares: &str, name: String, details: Details) {
        if !is_name(&name) {
            return;
        }
        let Details { kind, target, holders, is_of_runtime } = details;
        let declared_by = match self.names.get(declares) {
            Some(known) => known.clone(),
            None => self.names.entry(declares.to_owned()).or_insert_with(|| declares.into()).clone(),
        };
        self.variables.push(Variable { kind, declared_by, name: name.into(), target, holders, is_of_runtime });
    }

    /// Properties of an object that is the only one of its kind.
    fn properties(
        &mut self,
        object: ObjectId,
        (kind, declares): (VariableKind, &str),
        most: usize,
        is_meant: impl Fn(&str, ObjectId) -> bool,
        task: &Task,
    ) -> Result<(), Cancelled> {
        task.checkpoint()?;
        if !self.read.insert(object) || self.dump.contents.is_dictionary(self.dump.heap, object) && most == EDGES {
            return Ok(());
        }
        let named = self.dump.contents.named_references_of(self.dump.heap, object, most).unwrap_or_default();
        for (name, to) in named {
            if name.kind == ReferenceKind::Property && !OF_ENGINE.contains(&&*name.text) && is_meant(&name.text, to) {
                self.add(declares, name.text, Details::value(kind, to, false));
            }
        }
        Ok(())
    }

    /// Properties of the exports of a module of Node.js.
    fn exports(&mut self, module: ObjectId, task: &Task) -> Result<(), Cancelled> {
        let DumpData { heap, contents, .. } = self.dump;
        let named = contents.named_references_of(heap, module, EDGES).unwrap_or_default();
        let of = |wanted: &str| named.iter().find(|(name, _)| name.text == wanted).map(|(_, to)| *to);
        let path = PATHS
            .iter()
            .find_map(|name| contents.text(heap, of(name)?, PATH).filter(|path| path.contains(['/', '\\'])));
        match (path, of("exports")) {
            (Some(path), Some(exports)) => {
                self.properties(exports, (VariableKind::Export, file_of(&path)), EDGES, |_, _| true, task)
            }
            _ => Ok(()),
        }
    }

    /// Variables of a context of closures, by the script of its functions.
    fn scope(&mut self, context: ObjectId, task: &Task) -> Result<(), Cancelled> {
        task.checkpoint()?;
        let DumpData { heap, contents, .. } = self.dump;
        let named = contents.named_references_of(heap, context, EDGES).unwrap_or_default();
        if !named.iter().any(|(name, _)| name.kind == ReferenceKind::Context) {
            return Ok(());
        }
        let script = self.script_of_context(context);
        let is_of_runtime = script.as_deref().is_some_and(is_of_engine);
        let declares = script.as_deref().map_or("(closure)", file_of).to_owned();
        for (name, to) in named.into_iter().filter(|(name, _)| name.kind == ReferenceKind::Context) {
            self.add(&declares, name.text, Details::value(VariableKind::Scope, to, is_of_runtime));
        }
        Ok(())
    }

    /// The script of the functions of a context, or of the contexts inside of it.
    fn script_of_context(&self, context: ObjectId) -> Option<String> {
        let mut contexts = vec![context];
        let mut at = 0;
        while let Some(&context) = contexts.get(at) {
            at += 1;
            for from in self.dump.analysis.referrers(context).take(REFERRERS) {
                let class = &*self.dump.heap.class(from).name;
                if class == FUNCTION
                    && let Some(script) = script_of(self.dump, from)
                {
                    return Some(script);
                }
                let is_context = class == &*self.dump.heap.class(context).name;
                if is_context && contexts.len() < CONTEXTS && !contexts.contains(&from) {
                    contexts.push(from);
                }
            }
        }
        None
    }

    /// Properties of an instance, as fields of its class.
    fn fields(&mut self, object: ObjectId, task: &Task) -> Result<(), Cancelled> {
        task.checkpoint()?;
        let DumpData { heap, contents, analysis, .. } = self.dump;
        // Names of the properties of a dictionary are keys.
        if !self.read.insert(object) || contents.is_dictionary(heap, object) {
            return Ok(());
        }
        let class = heap.class_id(object);
        let row = heap.classes.get(class);
        // Properties of plain objects say nothing of other plain objects.
        let is_single = &*row.name == OBJECT || analysis.class_totals(class).objects == 1;
        let script = row.made_at.and_then(|at| contents.script_name(at.script));
        let is_of_runtime = self.dump.answers.runtime_classes().contains(&row.name) && &*row.name != OBJECT
            || script.is_some_and(|script| is_of_engine(&script));
        for (name, to) in contents.named_references_of(heap, object, EDGES).unwrap_or_default() {
            if name.kind != ReferenceKind::Property || OF_ENGINE.contains(&&*name.text) {
                continue;
            }
            let is_of_runtime = is_of_runtime || is_of_engine_function(self.dump, to);
            let of_one = Details::value(VariableKind::Field, to, is_of_runtime);
            if is_single {
                self.add(&row.name, name.text, of_one);
            } else if self.fields.insert((class, name.text.clone())) {
                let holders = analysis.class_totals(class).objects;
                self.add(&row.name, name.text, Details { target: VariableTarget::Instances(class), holders, ..of_one });
            }
        }
        Ok(())
    }
}

/// The file of a script: below the last `node_modules`, else the name of the file.
fn file_of(path: &str) -> &str {
    const MODULES: &str = "node_modules/";
    let below = path.rfind(MODULES).and_then(|at| path.get(at + MODULES.len()..));
    below.unwrap_or_else(|| path.rsplit(['/', '\\']).next().unwrap_or(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_named_by_its_file() {
        for (path, file) in [
            ("/srv/app/server.js", "server.js"),
            ("file:///srv/app/node_modules/express/lib/router.js", "express/lib/router.js"),
            ("/a/node_modules/.pnpm/co@4/node_modules/co/index.js", "co/index.js"),
            ("C:\\app\\x.js", "x.js"),
            ("node:internal/timers", "timers"),
            ("server.js", "server.js"),
        ] {
            assert_eq!(file_of(path), file, "{path}");
        }
    }
}
