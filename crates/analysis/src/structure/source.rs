//! Where the code of a snapshot is from: the engine, an npm package, or the application.

use super::short_name::Origin;
use crate::answers::DumpData;
use crate::captured_variables::source_variables;
use heaplens_heap::contents::ScriptLocation;
use heaplens_heap::{ClassKind, ObjectId};

use crate::naming::{Namer, is_of_engine};

/// Class of closure contexts in V8.
pub(super) const CONTEXT: &str = "system / Context";
/// Class of functions.
pub(super) const FUNCTION: &str = "Function";
/// Class of the modules of Node.js, and its fields that have the path of the file.
pub(super) const MODULE: &str = "Module";
const PATHS: [&str; 2] = ["filename", "id"];
/// Maximum number of referrers of a context among which a function is looked for, and of contexts inside of it.
const REFERRERS: usize = 64;
const CONTEXTS: usize = 8;
/// Maximum number of characters of a path.
const PATH: usize = 1 << 12;

/// Name of a file that says nothing without its folder.
const INDEX: &str = "index";

/// Whose code it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    /// A script of the engine or of Node.js itself.
    Engine,
    /// An npm package.
    Package {
        /// Its name: `@apollo/client`.
        name: String,
        /// The file below the last `node_modules`: `@apollo/client/core/index.js`.
        file: String,
    },
    /// The application, by the name of the file: `server.js`, `routes/index.js`.
    Application(String),
}

impl Source {
    /// The source that the path of a script tells.
    fn of_path(path: &str) -> Self {
        if is_of_engine(path) {
            return Self::Engine;
        }
        // The query of an address, such as the time of its last change.
        let path = if path.contains("://") { path.split(['?', '#']).next().unwrap_or(path) } else { path };
        let parts: Vec<&str> = path.split(['/', '\\']).collect();
        let below = parts.iter().rposition(|&part| part == "node_modules").and_then(|at| parts.get(at + 1..));
        let Some(below) = below.filter(|below| !below.is_empty()) else {
            return Self::Application(Self::file_of_application(&parts));
        };
        let name = match below {
            [scope, name, _, ..] if scope.starts_with('@') => format!("{scope}/{name}"),
            [name, ..] => (*name).to_owned(),
            [] => String::new(),
        };
        Self::Package { name, file: below.join("/") }
    }

    /// The name of a file; with its folder, if there are many of this name. Above it are folders of the machine.
    fn file_of_application(parts: &[&str]) -> String {
        let named = |part: &&&str| !part.is_empty();
        let mut last = parts.iter().rev().filter(named);
        let file = last.next().copied().unwrap_or_default();
        let is_index = file.split('.').next() == Some(INDEX);
        match last.next().filter(|folder| is_index && !folder.ends_with(':')) {
            Some(folder) => format!("{folder}/{file}"),
            None => file.to_owned(),
        }
    }

    /// What stands before a variable or the exports of a module: the file. `None` of the engine.
    pub(super) fn file(&self) -> Option<&str> {
        match self {
            Self::Engine => None,
            Self::Package { file, .. } | Self::Application(file) => Some(file),
        }
    }

    /// Whose code it is, of names.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Engine => Origin::Runtime,
            Self::Package { .. } => Origin::Library,
            Self::Application(_) => Origin::Application,
        }
    }

    /// The package or the file: others may have a variable of one name.
    pub(super) fn package(&self) -> Option<&str> {
        match self {
            Self::Engine => None,
            Self::Package { name, .. } | Self::Application(name) => Some(name),
        }
    }
}

/// Name of the npm package that a script belongs to, by its path.
pub(crate) fn package_of(path: &str) -> Option<String> {
    match Source::of_path(path) {
        Source::Package { name, .. } => Some(name),
        Source::Engine | Source::Application(_) => None,
    }
}

/// Name of a function in its script; `None` if it has none.
pub(super) fn function_name(namer: Namer<'_>, function: ObjectId) -> Option<String> {
    let label = namer.contents.label(namer.heap, function)?;
    let name = label.trim_end_matches("()");
    (!name.is_empty() && !name.contains(['(', ' '])).then(|| name.to_owned())
}

/// The source of a function; `None` of functions of the engine without a script.
pub(super) fn of_function(namer: Namer<'_>, function: ObjectId) -> Option<Source> {
    let location = namer.contents.script_location(namer.heap, function)?;
    location.file().map(Source::of_path)
}

/// The source of the functions of a closure context, or of the contexts inside of it.
pub(super) fn of_context(namer: Namer<'_>, context: ObjectId) -> Option<Source> {
    function_with(namer, context)?.file().map(Source::of_path)
}

/// The file of the functions of a closure context, as names have it.
pub(crate) fn file_of_context(namer: Namer<'_>, context: ObjectId) -> Option<String> {
    of_context(namer, context)?.file().map(str::to_owned)
}

/// True if an object is the closure context of a script of the program or of a package: its variables can be changed there.
pub(crate) fn is_scope_of_program(namer: Namer<'_>, object: ObjectId) -> bool {
    let is_scope = namer.heap.snapshot().is_some() && namer.heap.class(object).name.starts_with(CONTEXT);
    is_scope && of_context(namer, object).is_some_and(|source| source != Source::Engine)
}

/// Name and source of a variable of a closure context in the source of a bundle, if a source map tells it.
pub(super) fn variable_of_bundle(namer: Namer<'_>, context: ObjectId, variable: &str) -> Option<(String, Source)> {
    function_with(namer, context).filter(|function| function.source.is_some())?;
    let variables = namer.index.bundle_variables(context, || source_variables(namer.dump, context));
    let variable_of_source = variables.get(variable)?;
    Some((variable_of_source.name.clone(), Source::of_path(&variable_of_source.file)))
}

/// Where a function of a closure context, or of a context inside of it, begins.
fn function_with(namer: Namer<'_>, context: ObjectId) -> Option<ScriptLocation> {
    let DumpData { heap, analysis, .. } = namer.dump;
    let mut contexts = vec![context];
    let mut at = 0;
    while let Some(&context) = contexts.get(at) {
        at += 1;
        for from in analysis.referrers(context).take(REFERRERS) {
            let class = &*heap.class(from).name;
            if class == FUNCTION
                && let Some(location) = namer.contents.script_location(heap, from)
                && location.file().is_some()
            {
                return Some(location);
            }
            if class.starts_with(CONTEXT) && contexts.len() < CONTEXTS && !contexts.contains(&from) {
                contexts.push(from);
            }
        }
    }
    None
}

/// True if an object is a module of Node.js.
pub(crate) fn is_module(namer: Namer<'_>, object: ObjectId) -> bool {
    let class = namer.heap.class(object);
    class.kind == ClassKind::Plain && &*class.name == MODULE && namer.index.is_runtime(namer.heap.class_id(object))
}

/// The source of a module of Node.js, by the path of its file.
pub(super) fn of_module(namer: Namer<'_>, module: ObjectId) -> Option<Source> {
    let fields = namer.contents.fields(namer.heap, module).ok()?;
    let path = PATHS.iter().find_map(|name| {
        let text = fields.iter().find(|field| field.name == *name)?.value.object()?;
        namer.contents.text(namer.heap, text, PATH).filter(|path| path.contains(['/', '\\']))
    });
    path.map(|path| Source::of_path(&path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_package_or_file() {
        let package = |name: &str, file: &str| Source::Package { name: name.to_owned(), file: file.to_owned() };
        let application = |file: &str| Source::Application(file.to_owned());
        for (path, source) in [
            ("node:internal/timers", Source::Engine),
            ("/srv/app/server.js", application("server.js")),
            ("/srv/app/routes/index.mjs", application("routes/index.mjs")),
            ("http://localhost:8080/app.js?v=17", application("app.js")),
            ("/srv/app/node_modules/debug/src/node.js", package("debug", "debug/src/node.js")),
            ("/srv/node_modules/a/node_modules/@apollo/client/x.js", package("@apollo/client", "@apollo/client/x.js")),
            ("/srv/node_modules/.pnpm/co@4.6.0/node_modules/co/index.js", package("co", "co/index.js")),
            ("C:\\app\\node_modules\\eve\\eve.js", package("eve", "eve/eve.js")),
            ("webpack:///./node_modules/vue/dist/vue.js", package("vue", "vue/dist/vue.js")),
            ("", application("")),
        ] {
            assert_eq!(Source::of_path(path), source, "{path}");
        }
    }
}
