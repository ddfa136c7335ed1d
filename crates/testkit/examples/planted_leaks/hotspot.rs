//! Leaks of server programs on HotSpot.

use heaplens_testkit::sketch::{Id, Type, Value};

use crate::java::{Java, OBJECT, to};
use crate::question::Plan;

const O: Type = Type::Object;

/// Plants a number of objects.
pub(crate) type Plant = fn(&mut Java, usize);

const BASE: Plan = Plan {
    name: "",
    kind: "",
    question: "The heap of this server grows until it restarts. What holds the memory, and what has to change?",
    holder: &[],
    class: &[],
    count: 600,
    has_larger: false,
    has_before: false,
};

/// All of them, with what plants each.
pub(crate) const LEAKS: [(Plan, Plant); 14] = [
    (
        Plan {
            name: "shop-1",
            kind: "static map",
            holder: &["com.acme.web.SessionRegistry.SESSIONS"],
            class: &["com.acme.web.UserSession"],
            ..BASE
        },
        |java, count| {
            let sessions = sessions(java, count);
            java.class("com.acme.web.SessionRegistry", OBJECT, &[]);
            let map = java.concurrent_map(&sessions);
            java.set_static("com.acme.web.SessionRegistry", "SESSIONS", to(map));
        },
    ),
    (
        Plan {
            name: "shop-2",
            kind: "static list",
            question: "Memory after full collections rose from the first dump to the second. Which field keeps the new objects?",
            holder: &["com.acme.audit.AuditTrail.EVENTS"],
            class: &["com.acme.audit.AuditEvent"],
            count: 2_000,
            has_larger: true,
            has_before: true,
        },
        |java, count| {
            let events = records(java, "com.acme.audit.AuditEvent", count, "order changed by user", 96);
            java.class("com.acme.audit.AuditTrail", OBJECT, &[]);
            let list = java.list(&events);
            java.set_static("com.acme.audit.AuditTrail", "EVENTS", to(list));
        },
    ),
    (
        Plan {
            name: "desk-1",
            kind: "listeners",
            question: "Closed order panels are still in memory. Who holds them?",
            holder: &["com.acme.desk.PriceFeed.listeners", "com.acme.desk.PriceFeed.INSTANCE"],
            class: &["com.acme.desk.OrderPanel", "com.acme.desk.OrderPanel$1"],
            count: 150,
            ..BASE
        },
        listeners,
    ),
    (
        Plan {
            name: "clinic-1",
            kind: "thread local",
            question: "After each night's reports the pool's threads keep more memory. What is it, and who should remove it?",
            holder: &["com.acme.report.Renderer.CONTEXT", "thread \"report-"],
            class: &["com.acme.report.RenderContext"],
            count: 8,
            ..BASE
        },
        thread_locals,
    ),
    (
        Plan {
            name: "mail-1",
            kind: "queue",
            question: "Outgoing mail stopped yesterday, and the heap is full today. What is in it?",
            holder: &["com.acme.mail.Outbox.PENDING"],
            class: &["com.acme.mail.Message"],
            count: 1_800,
            has_larger: true,
            has_before: true,
        },
        |java, count| {
            let mails = records(java, "com.acme.mail.Message", count, "Your order was sent", 160);
            java.class("com.acme.mail.Outbox", OBJECT, &[]);
            let queue = java.queue(&mails);
            java.set_static("com.acme.mail.Outbox", "PENDING", to(queue));
        },
    ),
    (
        Plan {
            name: "host-1",
            kind: "class loaders",
            question: "Each redeployment costs memory. Why are the old versions of the application not collected?",
            holder: &["java.sql.DriverManager.registeredDrivers"],
            class: &["com.acme.host.WebappLoader", "com.acme.jdbc.Driver", "com.acme.shop.Template"],
            count: 6,
            ..BASE
        },
        loaders,
    ),
    (
        Plan {
            name: "import-1",
            kind: "lambda",
            question: "Finished imports stay in memory with all their rows. What refers to them?",
            holder: &["com.acme.imports.Retries.waiting", "com.acme.imports.Retries.INSTANCE"],
            class: &["com.acme.imports.ImportJob", "com.acme.imports.ImportJob$$Lambda$14", "com.acme.imports.Row"],
            count: 60,
            ..BASE
        },
        lambdas,
    ),
    (
        Plan {
            name: "archive-1",
            kind: "finalizers",
            question: "OutOfMemoryError, although no scan is open. What fills the heap?",
            holder: &["java.lang.ref.Finalizer"],
            class: &["com.acme.scan.LegacyScan", "java.lang.ref.Finalizer"],
            count: 300,
            ..BASE
        },
        finalizers,
    ),
    (
        Plan {
            name: "parse-1",
            kind: "interned strings",
            question: "The parser's process grows with each file, also between files. What keeps the strings?",
            holder: &["com.acme.parse.Symbols.POOL"],
            class: &["java.lang.String"],
            count: 6_000,
            has_larger: true,
            has_before: true,
        },
        |java, count| {
            java.class("com.acme.parse.Symbols", OBJECT, &[]);
            let texts: Vec<Id> =
                (0..count).map(|at| java.text(&format!("invoice/line/{at}/reference/{}", at * 7))).collect();
            let map = java.hash_map(&texts.iter().map(|&text| (text, text)).collect::<Vec<_>>());
            java.set_static("com.acme.parse.Symbols", "POOL", to(map));
        },
    ),
    (
        Plan {
            name: "thumb-1",
            kind: "executor queue",
            question: "OutOfMemoryError under load. Which work waits, and in which executor?",
            holder: &["com.acme.thumb.Thumbnails.EXECUTOR", "thread \"thumbs-"],
            class: &["com.acme.thumb.ThumbnailJob", "java.util.concurrent.FutureTask"],
            count: 900,
            ..BASE
        },
        executor,
    ),
    (
        Plan {
            name: "shop-3",
            kind: "broken LRU",
            question: "The sessions should be limited to a hundred, but the heap grows. What is not limited?",
            holder: &["com.acme.web.SessionStore.sessions", "com.acme.web.SessionStore.INSTANCE"],
            class: &["com.acme.web.UserSession"],
            count: 900,
            has_larger: true,
            has_before: true,
        },
        |java, count| {
            let sessions = sessions(java, count);
            java.class("com.acme.web.SessionStore", OBJECT, &[("sessions", O), ("limit", Type::Int)]);
            java.class("com.acme.web.SessionStore$LruMap", "java.util.LinkedHashMap", &[("this$0", O)]);
            // removeEldestEntry() compares with the wrong number: a few expired sessions were removed by hand.
            let map = java.linked_map("com.acme.web.SessionStore$LruMap", &sessions, 11);
            let values = [("sessions", to(map)), ("limit", Value::Int(100))];
            let store = java.make("com.acme.web.SessionStore", &values);
            java.set(map, "this$0", to(store));
            java.set_static("com.acme.web.SessionStore", "INSTANCE", to(store));
        },
    ),
    (
        Plan {
            name: "meta-1",
            kind: "weak map",
            question: "A WeakHashMap should have let go of its entries. Which one does not, and why?",
            holder: &["com.acme.meta.Descriptors.CACHE"],
            class: &["com.acme.meta.Descriptor", "com.acme.meta.Document"],
            count: 500,
            ..BASE
        },
        weak_map,
    ),
    (
        Plan {
            name: "net-1",
            kind: "direct buffers",
            question: "The process uses much more memory than its heap. Which buffers are not freed, and who holds them?",
            holder: &["com.acme.net.Frames.FREE"],
            class: &["java.nio.DirectByteBuffer"],
            count: 400,
            ..BASE
        },
        direct_buffers,
    ),
    (
        Plan {
            name: "draw-1",
            kind: "own linked list",
            question: "The editor's heap grows with every change of a drawing. What keeps the old states?",
            holder: &["com.acme.draw.Editor.last", "com.acme.draw.Editor.CURRENT"],
            class: &["com.acme.draw.UndoStep"],
            count: 700,
            has_larger: true,
            has_before: true,
        },
        |java, count| {
            java.class("com.acme.draw.UndoStep", OBJECT, &[("previous", O), ("shapes", O), ("title", O)]);
            java.class("com.acme.draw.Editor", OBJECT, &[("last", O)]);
            let mut last = 0;
            for number in 0..count {
                let (title, shapes) = (java.text(&format!("Move shape {number}")), java.bytes(480));
                let values = [("previous", to(last)), ("shapes", to(shapes)), ("title", to(title))];
                last = java.make("com.acme.draw.UndoStep", &values);
            }
            let editor = java.make("com.acme.draw.Editor", &[("last", to(last))]);
            java.set_static("com.acme.draw.Editor", "CURRENT", to(editor));
        },
    ),
];

/// Objects of a class with a number, a text and some bytes.
pub(crate) fn records(java: &mut Java, class: &str, count: usize, text: &str, bytes: u32) -> Vec<Id> {
    java.class(class, OBJECT, &[("number", Type::Long), ("text", O), ("body", O)]);
    let record = |java: &mut Java, number: usize| {
        let (text, body) = (java.text(&format!("{text} {number}")), java.bytes(bytes));
        let values = [("number", Value::Long(number as i64)), ("text", to(text)), ("body", to(body))];
        java.make(class, &values)
    };
    (0..count).map(|number| record(java, number)).collect()
}

/// Sessions of users by their tokens.
fn sessions(java: &mut Java, count: usize) -> Vec<(Id, Id)> {
    java.class("com.acme.web.User", OBJECT, &[("name", O), ("email", O)]);
    java.class("com.acme.web.UserSession", OBJECT, &[("user", O), ("attributes", O), ("lastAccess", Type::Long)]);
    let mut entries = Vec::new();
    for number in 0..count {
        let token = java.text(&format!("5f0c7e21-4c1d-9a55-{number:012x}"));
        let (name, email) = (java.text(&format!("user {number}")), java.text(&format!("user{number}@example.com")));
        let user = java.make("com.acme.web.User", &[("name", to(name)), ("email", to(email))]);
        let (key, cart) = (java.text("cart"), java.bytes(300));
        let attributes = java.hash_map(&[(key, cart)]);
        let values = [
            ("user", to(user)),
            ("attributes", to(attributes)),
            ("lastAccess", Value::Long(1_700_000_000_000 + number as i64 * 900)),
        ];
        entries.push((token, java.make("com.acme.web.UserSession", &values)));
    }
    entries
}

fn listeners(java: &mut Java, count: usize) {
    java.class("com.acme.desk.OrderPanel", OBJECT, &[("title", O), ("rows", O), ("isClosed", Type::Boolean)]);
    java.class("com.acme.desk.OrderPanel$1", OBJECT, &[("this$0", O)]);
    java.class("com.acme.desk.PriceFeed", OBJECT, &[("listeners", O)]);
    let mut all = Vec::new();
    for number in 0..count {
        let (title, rows) = (java.text(&format!("Order {number}")), java.bytes(3_000));
        let values = [("title", to(title)), ("rows", to(rows)), ("isClosed", Value::Boolean(number + 3 < count))];
        let panel = java.make("com.acme.desk.OrderPanel", &values);
        all.push(java.make("com.acme.desk.OrderPanel$1", &[("this$0", to(panel))]));
    }
    let (array, lock) = (java.array("java.lang.Object[]", all), java.make(OBJECT, &[]));
    let list = java.make("java.util.concurrent.CopyOnWriteArrayList", &[("array", to(array)), ("lock", to(lock))]);
    let feed = java.make("com.acme.desk.PriceFeed", &[("listeners", to(list))]);
    java.set_static("com.acme.desk.PriceFeed", "INSTANCE", to(feed));
}

/// Threads of a pool whose values were not removed after a task.
fn thread_locals(java: &mut Java, count: usize) {
    java.class("com.acme.report.Renderer", OBJECT, &[]);
    java.class("com.acme.report.RenderContext", OBJECT, &[("canvas", O), ("fonts", O)]);
    java.class("com.acme.report.ReportTask", OBJECT, &[]);
    let local = java.make("java.lang.ThreadLocal", &[]);
    java.set_static("com.acme.report.Renderer", "CONTEXT", to(local));
    for number in 1..=count {
        let font = |java: &mut Java, at| java.text(&format!("font {at} of thread {number}"));
        let fonts: Vec<Id> = (0..40).map(|at| font(java, at)).collect();
        let (fonts, canvas) = (java.list(&fonts), java.bytes(60_000));
        let values = [("canvas", to(canvas)), ("fonts", to(fonts))];
        let context = java.make("com.acme.report.RenderContext", &values);
        let locals = java.thread_locals(&[(local, context)]);
        let values = [("threadLocals", to(locals))];
        java.thread(&format!("report-{number}"), "com.acme.report.ReportTask", &[], &values);
    }
}

/// Loaders of applications, all but the last undeployed: each left a driver in the list of the JDK.
fn loaders(java: &mut Java, count: usize) {
    java.class("com.acme.host.WebappLoader", "java.net.URLClassLoader", &[("contextPath", O)]);
    let mut drivers = Vec::new();
    for version in 1..=count {
        let path = java.text(&format!("/shop##{version}"));
        let loader = java.make("com.acme.host.WebappLoader", &[("contextPath", to(path))]);
        let server =
            java.sketch.classes.iter().find(|class| class.name == "com.acme.app.Main").map_or(0, |of| of.loader);
        java.load_by(loader);
        let mut classes =
            vec![java.class("com.acme.jdbc.Driver", OBJECT, &[]), java.class("com.acme.shop.Templates", OBJECT, &[])];
        classes.extend((0..20).map(|at| java.class(&format!("com.acme.shop.Service{at}"), OBJECT, &[("next", O)])));
        let templates = records(java, "com.acme.shop.Template", 60, "template", 600);
        classes.push(java.class_id("com.acme.shop.Template"));
        let templates = java.list(&templates);
        java.set_static("com.acme.shop.Templates", "ALL", to(templates));
        let classes = java.list(&classes);
        java.set(loader, "classes", to(classes));
        let driver = java.make("com.acme.jdbc.Driver", &[]);
        drivers.push(java.make("java.sql.DriverInfo", &[("driver", to(driver))]));
        java.load_by(server);
        if version == count {
            java.thread("shop-scheduler", "com.acme.app.Main", &[], &[("contextClassLoader", to(loader))]);
        }
    }
    let array = java.array("java.lang.Object[]", drivers);
    let list = java.make("java.util.concurrent.CopyOnWriteArrayList", &[("array", to(array))]);
    java.set_static("java.sql.DriverManager", "registeredDrivers", to(list));
}

fn lambdas(java: &mut Java, count: usize) {
    let lambda = "com.acme.imports.ImportJob$$Lambda$14";
    java.class("com.acme.imports.ImportJob", OBJECT, &[("file", O), ("rows", O)]);
    java.class(lambda, OBJECT, &[("arg$1", O)]);
    java.class("com.acme.imports.Row", OBJECT, &[("cells", O)]);
    java.class("com.acme.imports.Retries", OBJECT, &[("waiting", O)]);
    let mut waiting = Vec::new();
    for number in 0..count {
        let mut rows = Vec::new();
        for row in 0..30 {
            let cells = java.text(&format!("{number};{row};2026-11-26;done"));
            rows.push(java.make("com.acme.imports.Row", &[("cells", to(cells))]));
        }
        let (file, rows) = (java.text(&format!("import-{number}.csv")), java.list(&rows));
        let job = java.make("com.acme.imports.ImportJob", &[("file", to(file)), ("rows", to(rows))]);
        waiting.push(java.make(lambda, &[("arg$1", to(job))]));
    }
    let waiting = java.list(&waiting);
    let retries = java.make("com.acme.imports.Retries", &[("waiting", to(waiting))]);
    java.set_static("com.acme.imports.Retries", "INSTANCE", to(retries));
}

/// Objects whose finalizers wait for the first, which hangs.
fn finalizers(java: &mut Java, count: usize) {
    java.class("com.acme.scan.LegacyScan", OBJECT, &[("handle", Type::Long), ("pixels", O)]);
    let queue = java.make("java.lang.ref.ReferenceQueue", &[]);
    let (mut last, mut waiting) = (0, 0);
    for number in 0..count {
        let pixels = java.bytes(2_000);
        let values = [("handle", Value::Long(number as i64)), ("pixels", to(pixels))];
        let scan = java.make("com.acme.scan.LegacyScan", &values);
        // All of them are queued: only the finalizer is reachable otherwise.
        let values = [("referent", to(scan)), ("next", to(last)), ("queue", to(queue))];
        let finalizer = java.make("java.lang.ref.Finalizer", &values);
        if last != 0 {
            java.set(last, "prev", to(finalizer));
        }
        last = finalizer;
        waiting += 1;
    }
    java.set(queue, "queueLength", Value::Long(waiting));
    java.set(queue, "head", to(last));
    java.set_static("java.lang.ref.Finalizer", "queue", to(queue));
    java.set_static("java.lang.ref.Finalizer", "unfinalized", to(last));
    java.thread("Finalizer", "java.lang.ref.Finalizer", &[], &[]);
}

fn executor(java: &mut Java, count: usize) {
    java.class("com.acme.thumb.Thumbnails", OBJECT, &[]);
    let jobs = records(java, "com.acme.thumb.ThumbnailJob", count, "photo", 500);
    let mut tasks = Vec::new();
    for job in jobs {
        let callable = java.make("java.util.concurrent.Executors$RunnableAdapter", &[("task", to(job))]);
        tasks.push(java.make("java.util.concurrent.FutureTask", &[("callable", to(callable))]));
    }
    let queue = java.queue(&tasks);
    let values = [("workQueue", to(queue)), ("corePoolSize", Value::Int(4)), ("maximumPoolSize", Value::Int(4))];
    let executor = java.make("java.util.concurrent.ThreadPoolExecutor", &values);
    let mut workers = Vec::new();
    for number in 1..=4 {
        let worker = java.make("java.util.concurrent.ThreadPoolExecutor$Worker", &[("this$0", to(executor))]);
        let name = format!("thumbs-{number}");
        let class = "java.util.concurrent.ThreadPoolExecutor$Worker";
        let thread = java.thread(&name, class, &[worker], &[("target", to(worker))]);
        java.set(worker, "thread", to(thread));
        workers.push((worker, worker));
    }
    let map = java.hash_map(&workers);
    let set = java.make("java.util.HashSet", &[("map", to(map))]);
    java.set(executor, "workers", to(set));
    java.set_static("com.acme.thumb.Thumbnails", "EXECUTOR", to(executor));
}

/// Map whose values hold their keys, so that no key is ever collected.
fn weak_map(java: &mut Java, count: usize) {
    java.class("com.acme.meta.Descriptors", OBJECT, &[]);
    java.class("com.acme.meta.Document", OBJECT, &[("title", O), ("content", O)]);
    java.class("com.acme.meta.Descriptor", OBJECT, &[("document", O), ("summary", O)]);
    let queue = java.make("java.lang.ref.ReferenceQueue", &[]);
    let mut table = vec![0; 1_024];
    for number in 0..count {
        let (title, content) = (java.text(&format!("document {number}")), java.bytes(700));
        let document = java.make("com.acme.meta.Document", &[("title", to(title)), ("content", to(content))]);
        let summary = java.text(&format!("summary of document {number}"));
        let values = [("document", to(document)), ("summary", to(summary))];
        let descriptor = java.make("com.acme.meta.Descriptor", &values);
        let bucket = number * 37 % table.len();
        let values =
            [("referent", to(document)), ("queue", to(queue)), ("value", to(descriptor)), ("next", to(table[bucket]))];
        table[bucket] = java.make("java.util.WeakHashMap$Entry", &values);
    }
    let table = java.array("java.util.WeakHashMap$Entry[]", table);
    let size = Value::Int(count as i32);
    let values = [("table", to(table)), ("size", size), ("queue", to(queue)), ("modCount", size)];
    let map = java.make("java.util.WeakHashMap", &values);
    java.set_static("com.acme.meta.Descriptors", "CACHE", to(map));
}

/// Buffers of a megabyte outside of the heap, given back to a pool that lends none of them again.
fn direct_buffers(java: &mut Java, count: usize) {
    java.class("com.acme.net.Frames", OBJECT, &[]);
    let (mut free, mut last) = (Vec::new(), 0);
    for number in 0..count {
        let (size, address) = (1_i64 << 20, 0x7f00_0000_0000 + number as i64 * (1 << 20));
        let values =
            [("address", Value::Long(address)), ("size", Value::Long(size)), ("capacity", Value::Int(1 << 20))];
        let deallocator = java.make("java.nio.DirectByteBuffer$Deallocator", &values);
        let limit = Value::Int(1 << 20);
        let values = [("address", Value::Long(address)), ("capacity", limit), ("limit", limit)];
        let buffer = java.make("java.nio.DirectByteBuffer", &values);
        let values = [("referent", to(buffer)), ("thunk", to(deallocator)), ("next", to(last))];
        let cleaner = java.make("jdk.internal.ref.Cleaner", &values);
        if last != 0 {
            java.set(last, "prev", to(cleaner));
        }
        java.set(buffer, "cleaner", to(cleaner));
        last = cleaner;
        free.push(buffer);
    }
    java.set_static("jdk.internal.ref.Cleaner", "first", to(last));
    let elements = java.array("java.lang.Object[]", free);
    let values = [("elements", to(elements)), ("tail", Value::Int(count as i32))];
    let deque = java.make("java.util.ArrayDeque", &values);
    java.set_static("com.acme.net.Frames", "FREE", to(deque));
}
