//! Findings in snapshots of Node.js are named where an engineer can look: a field or variable of the application, else of
//! a package, and never along the modules, global functions and scripts of the engine that lead to everything.

use heaplens_analysis::LeakFinding;
use heaplens_analysis::leaks::{Evidence, Group, Kind};
use heaplens_dump::OpenOptions;
use heaplens_testkit::v8::form::Form;
use heaplens_testkit::v8::snapshot::{Location, Snapshot};
use heaplens_testkit::v8::write::write;

const APPLICATION: &str = "/srv/shop/server.js";
const PACKAGE: &str = "/srv/shop/node_modules/docs/lib/index.js";
const ENGINE: &str = "node:internal/timers";

/// A snapshot of Node.js under construction.
struct Node {
    made: Snapshot,
    global: usize,
    next: u64,
    scripts: Vec<(String, usize)>,
}

impl Node {
    fn new() -> Self {
        let mut made = Snapshot::default();
        let root = made.add("synthetic", "", 1, 0);
        let machine = made.add("synthetic", "(GC roots)", 3, 0);
        let global = made.add("object", "global", 5, 40);
        made.number(root, "element", 1, machine);
        made.name(root, "shortcut", "0: global", global);
        made.number(machine, "element", 1, global);
        Self { made, global, next: 7, scripts: Vec::new() }
    }

    fn add(&mut self, kind: &'static str, name: &str, bytes: u64) -> usize {
        self.next += 2;
        self.made.add(kind, name, self.next, bytes)
    }

    /// A property, variable or internal reference: `{owner} --kind name--> {to}`.
    fn put(&mut self, owner: usize, (kind, name): (&'static str, &str), to: usize) {
        self.made.name(owner, kind, name, to);
    }

    fn locate(&mut self, node: usize, script: &str, line: u32) {
        let known = self.scripts.iter().position(|(name, _)| name == script);
        let number = known.unwrap_or_else(|| {
            let of_script = self.add("code", &format!("system / Script / {script}"), 0);
            self.scripts.push((script.to_owned(), of_script));
            self.scripts.len() - 1
        });
        self.made.locations.push(Location { node, script: number as u32 + 1, line, column: 1 });
    }

    /// A function of a script.
    fn function(&mut self, name: &str, script: &str) -> usize {
        let (function, shared) = (self.add("closure", name, 32), self.add("code", "system / SharedFunctionInfo", 0));
        self.locate(function, script, 1);
        let of_script = self.scripts.iter().find(|(name, _)| name == script).expect("it was located").1;
        self.put(function, ("internal", "shared"), shared);
        self.put(shared, ("internal", "script"), of_script);
        function
    }

    /// The variables of a function of a script, with the function that is held by `holder`.
    fn scope(&mut self, holder: (usize, &str), script: &str) -> usize {
        let (function, context) = (self.function(holder.1, script), self.add("object", "system / Context", 24));
        self.put(holder.0, ("property", holder.1), function);
        self.put(function, ("internal", "context"), context);
        context
    }

    /// An object of a class that a script defines.
    fn object(&mut self, class: &str, script: &str) -> usize {
        let object = self.add("object", class, 40);
        self.locate(object, script, 10 + class.len() as u32);
        object
    }

    /// An array of `count` objects of a class that a script defines, below a reference.
    fn array(&mut self, holder: (usize, &'static str, &str), (class, script): (&str, &str), count: u32) {
        let array = self.add("object", "Array", 16);
        self.put(holder.0, (holder.1, holder.2), array);
        for at in 0..count {
            let entry = self.object(class, script);
            self.made.number(array, "element", at, entry);
        }
    }

    /// A module with its path, below the scope of the engine that has all of them; the path leads to it in one of two ways.
    fn module(&mut self, path: &str, by: &str) -> usize {
        let engine = self.scope((self.global, by), ENGINE);
        let (process, module) = (self.add("object", "process", 40), self.add("object", "Module", 40));
        let text = self.add("string", path, 60);
        self.put(engine, ("context", "_process"), process);
        self.put(process, ("property", "mainModule"), module);
        self.put(module, ("property", "filename"), text);
        module
    }

    fn findings(&self) -> Vec<LeakFinding> {
        let file = write(&self.made, &Form::node20());
        crate::leaks_of(&crate::open_bytes(file.as_bytes(), &OpenOptions::default()))
    }

    /// The largest finding.
    fn largest(&self) -> LeakFinding {
        let findings = self.findings();
        let largest = findings.iter().max_by_key(|finding| finding.frees);
        largest.cloned().unwrap_or_else(|| panic!("no finding"))
    }
}

#[test]
fn exports_begin_at_the_module() {
    for (path, label) in [(PACKAGE, "docs/lib/index.js all"), (APPLICATION, "server.js all")] {
        let mut node = Node::new();
        let (module, exports) = (node.module(path, "setTimeout"), node.add("object", "Object", 40));
        node.put(module, ("property", "<symbol node:module_export>"), exports);
        node.put(module, ("property", "exports"), exports);
        node.array((exports, "property", "all"), ("Page", path), 400);
        let largest = node.largest();
        assert_eq!((largest.label.as_str(), largest.group), (label, Group::Leak));
    }
}

#[test]
fn fields_of_functions_begin_at_the_function() {
    let mut node = Node::new();
    let module = node.module(PACKAGE, "setTimeout");
    let function = node.function("createDocs", PACKAGE);
    node.put(module, ("property", "exports"), function);
    node.array((function, "property", "instances"), ("Docs", PACKAGE), 400);
    let largest = node.largest();
    assert_eq!((largest.label.as_str(), largest.group), ("createDocs.instances", Group::Leak));
}

#[test]
fn variables_have_the_file_that_they_are_in() {
    for (script, label) in [(PACKAGE, "docs/lib/index.js cache"), (APPLICATION, "server.js cache")] {
        let mut node = Node::new();
        let (module, exports) = (node.module(script, "setTimeout"), node.add("object", "Object", 40));
        node.put(module, ("property", "exports"), exports);
        let scope = node.scope((exports, "parse"), script);
        node.array((scope, "context", "cache"), ("Page", script), 400);
        let largest = node.largest();
        assert_eq!((largest.label.as_str(), largest.group), (label, Group::Leak));
    }
}

#[test]
fn an_object_of_the_engine_names_only_what_nothing_else_does() {
    let mut node = Node::new();
    let scope = node.scope((node.global, "setTimeout"), ENGINE);
    node.scope((node.global, "listen"), "node:net");
    let server = node.object("Server", "node:net");
    node.put(scope, ("context", "servers"), server);
    node.array((server, "property", "listeners"), ("Listener", PACKAGE), 400);
    assert_eq!(node.largest().label, "Server.listeners");
    // A variable of the application that leads to it is nearer to the engineer.
    let function = node.scope((node.global, "handle"), APPLICATION);
    node.put(function, ("context", "http"), server);
    assert_eq!(node.largest().label, "server.js http");
}

#[test]
fn a_class_of_the_program_may_have_a_name_of_the_engine() {
    let mut node = Node::new();
    let scope = node.scope((node.global, "handle"), APPLICATION);
    let socket = node.object("Socket", APPLICATION);
    node.put(scope, ("context", "line"), socket);
    node.array((socket, "property", "lines"), ("Line", APPLICATION), 400);
    let largest = node.largest();
    assert_eq!((largest.label.as_str(), largest.group), ("Socket.lines", Group::Leak));
}

#[test]
fn a_chain_of_promises_has_the_name_of_what_reacts() {
    let mut node = Node::new();
    let scope = node.scope((node.global, "setImmediate"), ENGINE);
    let react = node.function("onFulfilled", PACKAGE);
    let mut above = scope;
    for at in 0..300 {
        let (promise, reaction) =
            (node.add("object", "Promise", 96), node.add("hidden", "system / PromiseReaction", 16));
        let reference = if at == 0 { ("context", "queue") } else { ("internal", "promise_or_capability") };
        node.put(above, reference, promise);
        node.put(promise, ("internal", "reactions_or_result"), reaction);
        node.put(reaction, ("internal", "fulfill_handler"), react);
        above = reaction;
    }
    let largest = node.largest();
    assert_eq!(largest.label, "docs/lib/index.js onFulfilled()");
    let library = largest.evidence.iter().find_map(|sign| match sign {
        Evidence::OfLibrary(library) => library.clone(),
        _ => None,
    });
    assert_eq!(library.as_deref(), Some("docs"));
}

/// Each closure shares its scope with one that holds the closure before: the leak that Meteor published.
#[test]
fn a_list_of_closures_has_the_name_of_the_variable_that_begins_it() {
    let mut node = Node::new();
    let module = node.module(APPLICATION, "setTimeout");
    let exports = node.add("object", "Object", 40);
    node.put(module, ("property", "exports"), exports);
    let mut scope = node.scope((exports, "replace"), APPLICATION);
    let mut variable = "latest";
    for _ in 0..300 {
        let (object, closure) = (node.add("object", "Object", 40), node.function("describe", APPLICATION));
        let (text, inner) = (node.add("string", "text of the thing", 900), node.add("object", "system / Context", 24));
        node.put(scope, ("context", variable), object);
        node.put(object, ("property", "text"), text);
        node.put(object, ("property", "describe"), closure);
        node.put(closure, ("internal", "context"), inner);
        (scope, variable) = (inner, "original");
    }
    let largest = node.largest();
    assert_eq!((largest.label.as_str(), largest.kind, largest.group), ("server.js latest", Kind::Chain, Group::Leak));
    let (accumulated, objects) = largest.accumulated.map(|of| (of.class, of.objects)).expect("links");
    assert_eq!((accumulated.as_str(), objects), ("{text, describe}", 300));
    assert_eq!(largest.known.map(|known| known.id).as_deref(), Some("shared-closure-context"));
    assert!(largest.frees.0 > 300 * 900, "{}", largest.frees);
}

#[test]
fn the_library_has_its_version_where_the_dump_states_it() {
    // The path of the folder of a package manager, or the package's own file, states the version.
    let exports = |path: &'static str, version: Option<&str>| {
        let mut node = Node::new();
        let (module, exports) = (node.module(path, "setTimeout"), node.add("object", "Object", 40));
        node.put(module, ("property", "exports"), exports);
        node.array((exports, "property", "all"), ("Page", path), 400);
        node.function("Page", path);
        if let Some(version) = version {
            let (file, object) = (node.add("object", "Module", 40), node.add("object", "Object", 40));
            let name = node.add("string", "/srv/shop/node_modules/docs/package.json", 60);
            let text = node.add("string", version, 20);
            node.put(module, ("property", "child"), file);
            node.put(file, ("property", "filename"), name);
            node.put(file, ("property", "exports"), object);
            node.put(object, ("property", "version"), text);
        }
        node.largest().evidence.into_iter().find_map(|sign| match sign {
            Evidence::OfLibrary(library) => library,
            _ => None,
        })
    };
    assert_eq!(exports(PACKAGE, None).as_deref(), Some("docs"));
    assert_eq!(exports(PACKAGE, Some("4.5.6")).as_deref(), Some("docs 4.5.6"));
    let path = "/srv/node_modules/.pnpm/docs@1.2.3/node_modules/docs/index.js";
    assert_eq!(exports(path, None).as_deref(), Some("docs 1.2.3"));
}

#[test]
fn a_fingerprint_does_not_depend_on_the_way_from_the_root() {
    let finding = |by: &str, key: &str| {
        let mut node = Node::new();
        let (module, exports) = (node.module(PACKAGE, by), node.add("object", "Object", 40));
        node.put(module, ("property", "exports"), exports);
        let events = node.add("object", "Object", 40);
        node.put(exports, ("property", "events"), events);
        for at in 0..400 {
            let entry = node.object("Page", PACKAGE);
            // The largest names the others.
            node.made.nodes[entry].self_size += if at == 7 { 100 } else { 0 };
            node.put(events, ("property", &format!("{key}{at}")), entry);
        }
        let largest = node.largest();
        (largest.label, largest.fingerprint)
    };
    let (one, other) = (finding("setTimeout", "page-"), finding("queueMicrotask", "sheet-"));
    assert_eq!(one.0, "docs/lib/index.js events");
    assert_eq!(one, other);
}

#[test]
fn functions_in_entries_and_their_references_are_evidence() {
    let evidence = |property: &str| {
        let mut node = Node::new();
        let context = node.scope((node.global, "listen"), APPLICATION);
        let (shop, array) = (node.object("Shop", APPLICATION), node.add("object", "Array", 16));
        let builtin = node.add("object", "TypedArray", 40);
        node.put(context, ("context", "shop"), shop);
        node.put(context, ("context", "builtin"), builtin);
        node.put(context, ("context", "visits"), array);
        for at in 0..200 {
            let visit = node.object("Visit", APPLICATION);
            node.made.number(array, "element", at, visit);
            match property {
                "close" => {
                    let close = node.function("close", APPLICATION);
                    node.put(visit, ("property", "close"), close);
                }
                "shop" => node.put(visit, ("property", "shop"), shop),
                "builtin" => node.put(visit, ("property", "builtin"), builtin),
                _ => {}
            }
        }
        let findings = node.findings();
        let visits = findings.into_iter().find(|finding| finding.label == "server.js visits").expect("a finding");
        let is_meant = |key: &&str| ["functions", "hold functions", "refer to others"].contains(key);
        visits.evidence.iter().map(Evidence::key).filter(is_meant).collect::<Vec<_>>()
    };
    assert_eq!(evidence("close"), ["hold functions"]);
    assert_eq!(evidence("shop"), ["refer to others"]);
    assert!(evidence("builtin").is_empty(), "an object of the engine");
    assert!(evidence("none").is_empty());
}

#[test]
fn variables_of_one_name_are_told_apart_by_their_files() {
    let mut node = Node::new();
    for (function, script, class) in [("openA", "/srv/shop/a.js", "Page"), ("openB", "/srv/shop/b.js", "Sheet")] {
        let context = node.scope((node.global, function), script);
        node.array((context, "context", "cache"), (class, script), 400);
    }
    let findings = node.findings();
    let mut names: Vec<String> = findings.iter().map(LeakFinding::whole_name).collect();
    names.sort_unstable();
    assert_eq!(names, ["a.js cache", "b.js cache"]);
}

/// A map is the location and the holder, however large its own size is beside its table, and however many hold it.
#[test]
fn a_map_is_named_and_not_its_table() {
    let finding = |own: u64, holders: usize| {
        let mut node = Node::new();
        let context = node.scope((node.global, "open"), APPLICATION);
        let (map, table) = (node.add("object", "Map", own), node.add("array", "", 8 * (5 + 512 * 7)));
        node.put(map, ("internal", "table"), table);
        for at in 0..400 {
            let entry = node.object("Page", APPLICATION);
            node.put(table, ("internal", &(3 + 512 + at * 3).to_string()), entry);
        }
        for at in 0..holders {
            let holder = node.object("Holder", APPLICATION);
            node.put(context, ("context", &format!("holder{at}")), holder);
            node.put(holder, ("property", "pages"), map);
        }
        node.largest()
    };
    let known = finding(32, 1);
    for (own, holders) in [(32, 1), (32, 40), (60_000, 1), (60_000, 40)] {
        let actual = finding(own, holders);
        let of_map = (actual.kind, actual.fingerprint.as_str(), actual.name.ends_with('>'));
        assert_eq!(of_map, (Kind::Cache, known.fingerprint.as_str(), false), "{own} {holders} {}", actual.name);
    }
}
