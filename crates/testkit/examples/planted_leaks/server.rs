//! Ordinary heap of a server program: what it has whether it leaks or not.

use heaplens_testkit::sketch::{Id, Type, Value};

use crate::java::{Java, Machine, OBJECT, to};
use crate::library::SERVER;

const O: Type = Type::Object;

/// Heap of a server that has been started; `has_larger` adds a table of constants of about a megabyte.
pub(crate) fn started(first: Id, has_larger: bool) -> Java {
    let mut java = Java::new(Machine::Server, first, SERVER);
    let loader = java.make("jdk.internal.loader.ClassLoaders$AppClassLoader", &[]);
    java.root(loader);
    java.load_by(loader);
    java.class("com.acme.app.Main", OBJECT, &[]);
    configuration(&mut java);
    catalog(&mut java);
    connections(&mut java);
    pages(&mut java);
    if has_larger {
        postal_codes(&mut java);
    }
    workers(&mut java);
    java.thread("main", "com.acme.app.Main", &[], &[("contextClassLoader", to(loader))]);
    java
}

/// Ends the heap: the loader has all its classes, and the group its threads.
pub(crate) fn finish(java: &mut Java) {
    let loader = java.sketch.classes.iter().find(|class| class.name == "com.acme.app.Main").map_or(0, |of| of.loader);
    let classes: Vec<Id> =
        java.sketch.classes.iter().filter(|class| class.loader == loader).map(|class| class.id).collect();
    let classes = java.list(&classes);
    java.set(loader, "classes", to(classes));
    let mut threads = java.instances("java.lang.Thread");
    let count = Value::Int(threads.len() as i32);
    threads.resize(threads.len().next_power_of_two(), 0);
    let name = java.text("main");
    let array = java.array("java.lang.Thread[]", threads.clone());
    let values = [("name", to(name)), ("nthreads", count), ("threads", to(array))];
    let group = java.make("java.lang.ThreadGroup", &values);
    for thread in threads.into_iter().filter(|&thread| thread != 0) {
        java.set(thread, "group", to(group));
    }
}

fn configuration(java: &mut Java) {
    java.class("com.acme.app.Settings", OBJECT, &[]);
    java.class("com.acme.web.Route", OBJECT, &[("path", O), ("handler", O), ("method", Type::Int)]);
    java.class("com.acme.web.Handler", OBJECT, &[("bean", O)]);
    java.class("com.acme.web.Routes", OBJECT, &[]);
    let entry = |java: &mut Java, number: usize| {
        let key = java.text(&format!("acme.module{}.setting{number}", number % 17));
        (key, java.text(&format!("value of setting {number}")))
    };
    let entries: Vec<(Id, Id)> = (0..300).map(|number| entry(java, number)).collect();
    let map = java.hash_map(&entries);
    java.set_static("com.acme.app.Settings", "VALUES", to(map));
    let mut routes = Vec::new();
    for number in 0..90 {
        let path = java.text(&format!("/api/v2/resource{number}/{{id}}"));
        let handler = java.make("com.acme.web.Handler", &[]);
        routes.push(java.make("com.acme.web.Route", &[("path", to(path)), ("handler", to(handler))]));
    }
    let routes = java.list(&routes);
    java.set_static("com.acme.web.Routes", "ALL", to(routes));
}

fn catalog(java: &mut Java) {
    java.class("com.acme.catalog.Catalog", OBJECT, &[]);
    let fields = [("code", Type::Int), ("price", Type::Long), ("name", O), ("tags", O)];
    java.class("com.acme.catalog.Product", OBJECT, &fields);
    let tags: Vec<Id> = ["new", "sale", "fragile", "bulky"].map(|tag| java.text(tag)).to_vec();
    let mut entries = Vec::new();
    for code in 0..420 {
        let name = java.text(&format!("product number {code}"));
        let own = java.list(&tags[..code as usize % 4]);
        let values = [("code", Value::Int(code)), ("name", to(name)), ("tags", to(own))];
        let product = java.make("com.acme.catalog.Product", &values);
        entries.push((java.make("java.lang.Integer", &[("value", Value::Int(code))]), product));
    }
    let map = java.hash_map(&entries);
    java.set_static("com.acme.catalog.Catalog", "BY_CODE", to(map));
}

fn connections(java: &mut Java) {
    java.class("com.acme.db.ConnectionPool", OBJECT, &[("idle", O)]);
    java.class("com.acme.db.Connection", OBJECT, &[("url", O), ("buffer", O)]);
    let url = java.text("jdbc:acme://database:4711/shop");
    let mut idle = Vec::new();
    for _ in 0..10 {
        let buffer = java.bytes(8_192);
        idle.push(java.make("com.acme.db.Connection", &[("url", to(url)), ("buffer", to(buffer))]));
    }
    let idle = java.list(&idle);
    let pool = java.make("com.acme.db.ConnectionPool", &[("idle", to(idle))]);
    java.set_static("com.acme.db.ConnectionPool", "INSTANCE", to(pool));
}

/// Cache at its limit of two hundred pages: thousands were removed from it.
fn pages(java: &mut Java) {
    java.class("com.acme.web.PageCache", "java.util.LinkedHashMap", &[("limit", Type::Int)]);
    java.class("com.acme.web.Page", OBJECT, &[("path", O), ("html", O)]);
    let mut entries = Vec::new();
    for number in 0..200 {
        let path = java.text(&format!("/page/{number}"));
        let html = java.bytes(400);
        entries.push((path, java.make("com.acme.web.Page", &[("path", to(path)), ("html", to(html))])));
    }
    let map = java.linked_map("com.acme.web.PageCache", &entries, 9_000);
    java.set(map, "limit", Value::Int(200));
    java.set_static("com.acme.web.PageCache", "SHARED", to(map));
}

/// Table that is read at the start and never changes.
fn postal_codes(java: &mut Java) {
    java.class("com.acme.geo.PostalCodes", OBJECT, &[]);
    java.class("com.acme.geo.Place", OBJECT, &[("name", O), ("outline", O), ("code", Type::Int)]);
    let mut entries = Vec::new();
    for code in 0..1_300 {
        let (name, outline) = (java.text(&format!("town {code}")), java.bytes(900));
        let values = [("name", to(name)), ("outline", to(outline)), ("code", Value::Int(code))];
        let record = java.make("com.acme.geo.Place", &values);
        entries.push((java.make("java.lang.Integer", &[("value", Value::Int(code))]), record));
    }
    let map = java.hash_map(&entries);
    java.set_static("com.acme.geo.PostalCodes", "TABLE", to(map));
}

/// Threads that answer requests, each with a buffer as a thread local.
fn workers(java: &mut Java) {
    java.class("com.acme.web.Worker", OBJECT, &[("served", Type::Long)]);
    java.class("com.acme.web.Buffers", OBJECT, &[]);
    let local = java.make("java.lang.ThreadLocal", &[]);
    java.set_static("com.acme.web.Buffers", "BUFFER", to(local));
    for number in 1..=6 {
        let buffer = java.bytes(4_096);
        let locals = java.thread_locals(&[(local, buffer)]);
        let worker = java.make("com.acme.web.Worker", &[("served", Value::Long(4_000))]);
        let name = format!("http-worker-{number}");
        java.thread(&name, "com.acme.web.Worker", &[worker], &[("threadLocals", to(locals))]);
    }
}
