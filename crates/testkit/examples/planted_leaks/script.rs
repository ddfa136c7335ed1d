//! Builder for a snapshot of a JavaScript program, with the nodes and edges that V8 writes: functions with their contexts,
//! arrays with their elements, maps with their tables.

use heaplens_testkit::v8::snapshot::{Location, Snapshot};

/// A snapshot in the making. Ids go on with every node, as in one process, so an earlier state has the same ids.
pub(crate) struct Script {
    /// What is made so far.
    pub(crate) made: Snapshot,
    next_id: u64,
    /// Node of the global object.
    pub(crate) global: usize,
    /// Node of its native context.
    pub(crate) native: usize,
    shape: usize,
    /// `(Global handles)`.
    handles: usize,
    scripts: u32,
    /// Script of the functions that follow: its node, its number, and the next line.
    current: (usize, u32, u32),
    /// What programs outside of modules, such as timers, are held by.
    pub(crate) main: usize,
}

impl Script {
    /// A program with the global object of this name, such as `global` or `Window / https://shop.example`.
    pub(crate) fn new(global: &str) -> Self {
        let mut script = Self {
            made: Snapshot::default(),
            next_id: 1,
            global: 0,
            native: 0,
            shape: 0,
            handles: 0,
            scripts: 0,
            current: (0, 0, 1),
            main: 0,
        };
        let root = script.add("synthetic", "", 0);
        let roots = script.add("synthetic", "(GC roots)", 0);
        script.made.number(root, "element", 1, roots);
        script.shape = script.add("object shape", "system / Map", 72);
        script.native = script.add("hidden", "system / NativeContext", 2_264);
        script.global = script.object(global, 40);
        for (index, name) in
            (1..).zip(["(Internalized strings)", "(Strong roots)", "(Stack roots)", "(Global handles)"])
        {
            script.handles = script.add("synthetic", name, 0);
            script.made.number(roots, "element", index, script.handles);
        }
        let (global, native) = (script.global, script.native);
        script.made.name(root, "shortcut", "2", global);
        script.made.name(global, "internal", "native_context", native);
        script.made.name(native, "internal", "extension", global);
        script.made.number(script.handles, "element", 1, native);
        script.script("node:internal/bootstrap");
        for name in [
            "Array", "Boolean", "Date", "Error", "JSON", "Map", "Math", "Number", "Object", "Promise", "Proxy", "Set",
            "String",
        ] {
            let constructor = script.closure(name, native);
            let prototype = script.object("Object", 56);
            script.property(constructor, "prototype", prototype);
            for method in ["toString", "valueOf", "at", "entries", "keys", "forEach", "map", "concat"] {
                let method_closure = script.closure(method, native);
                script.property(prototype, method, method_closure);
            }
            script.property(global, name, constructor);
        }
        script
    }

    /// Adds a node.
    pub(crate) fn add(&mut self, kind: &'static str, name: &str, bytes: u64) -> usize {
        let id = self.next_id;
        self.next_id += 2;
        self.made.add(kind, name, id, bytes)
    }

    /// Adds a named property.
    pub(crate) fn property(&mut self, from: usize, name: &str, to: usize) {
        self.made.name(from, "property", name, to);
    }

    /// Adds an internal edge.
    pub(crate) fn internal(&mut self, from: usize, name: &str, to: usize) {
        self.made.name(from, "internal", name, to);
    }

    /// Adds a variable of a context.
    pub(crate) fn variable(&mut self, context: usize, name: &str, to: usize) {
        self.made.name(context, "context", name, to);
    }

    /// An object of a class.
    pub(crate) fn object(&mut self, class: &str, bytes: u64) -> usize {
        let object = self.add("object", class, bytes);
        let shape = self.shape;
        self.internal(object, "map", shape);
        object
    }

    /// An object with properties.
    pub(crate) fn record(&mut self, class: &str, properties: &[(&str, usize)]) -> usize {
        let object = self.object(class, 24 + 8 * properties.len() as u64);
        properties.iter().for_each(|&(name, to)| self.property(object, name, to));
        object
    }

    /// A string of characters of one byte.
    pub(crate) fn string(&mut self, text: &str) -> usize {
        self.add("string", text, (16 + text.len() as u64).next_multiple_of(8))
    }

    /// Adds an element to an array, which [`close_array`](Self::close_array) ends.
    pub(crate) fn element(&mut self, array: usize, index: u32, to: usize) {
        self.made.number(array, "element", index, to);
    }

    /// An array.
    pub(crate) fn array(&mut self, elements: &[usize]) -> usize {
        let array = self.object("Array", 32);
        (0..).zip(elements).for_each(|(index, &to)| self.element(array, index, to));
        self.close_array(array, elements);
        array
    }

    /// Adds the backing store of an array that grew by pushing: half as long again, and sixteen, each time it was full.
    pub(crate) fn close_array(&mut self, array: usize, elements: &[usize]) {
        let mut room = 0;
        while room < elements.len() {
            room += room / 2 + 16;
        }
        let store = self.add("array", "(object elements)", 16 + 8 * room as u64);
        for (index, &to) in (0..).zip(elements) {
            self.made.number(store, "hidden", index, to);
        }
        self.internal(array, "elements", store);
    }

    /// An array of numbers, which are no nodes.
    pub(crate) fn numbers(&mut self, length: u64) -> usize {
        let array = self.object("Array", 32);
        let store = self.add("array", "(object elements)", 16 + 8 * length);
        self.internal(array, "elements", store);
        array
    }

    /// Adds the table of a `Map`, or the properties of an object that is a dictionary.
    pub(crate) fn table(&mut self, map: usize, name: &str, entries: &[(usize, usize)]) {
        let table =
            self.add("array", if name == "table" { "" } else { "(object properties)" }, 40 + 36 * entries.len() as u64);
        for (at, &(key, value)) in (0..).zip(entries) {
            self.made.name(table, "internal", format!("{}", 35 + 3 * at), key);
            self.made.name(table, "internal", format!("{}", 36 + 3 * at), value);
        }
        self.internal(map, name, table);
    }

    /// Begins a script: the functions that follow are in it.
    pub(crate) fn script(&mut self, file: &str) {
        self.scripts += 1;
        let node = self.add("code", file, 144);
        let name = self.string(file);
        self.internal(node, "name", name);
        self.current = (node, self.scripts, 1);
    }

    /// A context of variables below another one.
    pub(crate) fn context(&mut self, previous: usize) -> usize {
        let context = self.object("system / Context", 48);
        self.internal(context, "previous", previous);
        context
    }

    /// A function of the current script.
    pub(crate) fn closure(&mut self, name: &str, context: usize) -> usize {
        let closure = self.add("closure", name, 64);
        let shared = self.add("code", if name.is_empty() { "(shared function info)" } else { name }, 56);
        let ((script, number, line), shape) = (self.current, self.shape);
        self.internal(closure, "map", shape);
        self.internal(closure, "shared", shared);
        self.internal(closure, "context", context);
        if script != 0 {
            self.internal(shared, "script_or_debug_info", script);
        }
        self.made.locations.push(Location { node: closure, script: number, line, column: 8 });
        self.current.2 += 3;
        closure
    }

    /// A module with an exported function; returns the context of the module, to which variables can be added.
    pub(crate) fn module(&mut self, file: &str, function: &str) -> usize {
        self.script(file);
        let native = self.native;
        let context = self.context(native);
        let function_closure = self.closure(function, context);
        let exports = self.record("Object", &[(function, function_closure)]);
        let name = self.string(file);
        let children = self.array(&[]);
        let module = self.record("Module", &[("exports", exports), ("filename", name), ("children", children)]);
        if self.main == 0 {
            let process = self.record("process", &[("mainModule", module)]);
            let global = self.global;
            self.property(global, "process", process);
            self.main = self.object("Object", 24);
            let cache = self.main;
            let load = self.closure("load", native);
            self.property(load, "_cache", cache);
            self.property(process, "load", load);
        }
        let cache = self.main;
        self.property(cache, file, module);
        context
    }
}
