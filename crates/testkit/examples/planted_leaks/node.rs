//! Leaks of JavaScript programs: in Node.js, and in a page.

use crate::question::Plan;
use crate::script::Script;

/// Plants a number of objects.
pub(crate) type Plant = fn(&mut Script, usize);

const BASE: Plan = Plan {
    name: "",
    kind: "",
    question: "The resident memory of this service grows. Which variable keeps the objects?",
    holder: &[],
    class: &[],
    count: 400,
    has_larger: false,
    has_before: false,
};

/// All of them, with what plants each.
pub(crate) const LEAKS: [(Plan, Plant); 8] = [
    (
        Plan { name: "service-1", kind: "module map", holder: &["sessions"], class: &["Session"], ..BASE },
        |script, count| {
            let context = script.module("/srv/app/session.js", "login");
            let sessions = script.object("Map", 32);
            script.variable(context, "sessions", sessions);
            let mut entries = Vec::new();
            for number in 0..count {
                let (name, agent) =
                    (script.string(&format!("user{number}")), script.string("Mozilla/5.0 (X11; Linux x86_64)"));
                let user = script.record("Object", &[("name", name), ("agent", agent)]);
                let data = script.numbers(60);
                let session = script.record("Session", &[("user", user), ("data", data)]);
                entries.push((script.string(&format!("token-{number:08x}")), session));
            }
            script.table(sessions, "table", &entries);
        },
    ),
    (
        Plan {
            name: "service-2",
            kind: "closure",
            question: "Each import adds some megabytes that are never freed, although only small functions are kept. What do they capture?",
            holder: &["checks", "rows"],
            class: &["Array", "(array)", "Function"],
            count: 30,
            ..BASE
        },
        |script, count| {
            let context = script.module("/srv/app/checks.js", "register");
            let checks = script.object("Array", 32);
            script.variable(context, "checks", checks);
            let mut closures = Vec::new();
            for number in 0..count {
                let own = script.context(context);
                let rows = script.numbers(2_500);
                script.variable(own, "rows", rows);
                let closure = script.closure("", own);
                script.element(checks, number as u32, closure);
                closures.push(closure);
            }
            script.close_array(checks, &closures);
        },
    ),
    (
        Plan {
            name: "service-3",
            kind: "listeners",
            question: "Views of closed sockets are still there. Who holds them?",
            holder: &["bus", "_events"],
            class: &["SocketView"],
            count: 300,
            has_larger: true,
            has_before: true,
        },
        listeners,
    ),
    (
        Plan {
            name: "service-4",
            kind: "timers",
            question: "Finished jobs are not collected. What still refers to them?",
            holder: &["timerListMap", "_onTimeout", "TimersList", "Timeout"],
            class: &["PollJob"],
            count: 150,
            ..BASE
        },
        timers,
    ),
    (
        Plan {
            name: "page-1",
            kind: "detached nodes",
            question: "The page gets slower with every dialog that was opened and closed. What keeps the dialogs?",
            holder: &["closedDialogs"],
            class: &["<div>", "HTMLDivElement", "Detached"],
            count: 40,
            ..BASE
        },
        detached,
    ),
    (
        Plan {
            name: "service-5",
            kind: "promises",
            question: "Uploads hang, and memory grows. Where do the requests wait?",
            holder: &["inflight"],
            class: &["UploadRequest", "Promise"],
            count: 200,
            ..BASE
        },
        promises,
    ),
    (
        Plan {
            name: "service-6",
            kind: "string slices",
            question: "A list of short titles takes megabytes. Why?",
            holder: &["titles"],
            class: &["(string)", "(sliced string)", "string"],
            count: 30,
            ..BASE
        },
        |script, count| {
            let context = script.module("/srv/app/titles.js", "add");
            let titles = script.object("Array", 32);
            script.variable(context, "titles", titles);
            let mut slices = Vec::new();
            for number in 0..count {
                let body = format!("<html><title>Page {number}</title>{}", "lorem ipsum dolor ".repeat(2_000));
                let parent = script.string(&body);
                let slice = script.add("sliced string", &format!("Page {number} of the archive"), 32);
                script.internal(slice, "parent", parent);
                script.element(titles, number as u32, slice);
                slices.push(slice);
            }
            script.close_array(titles, &slices);
        },
    ),
    (
        Plan {
            name: "service-7",
            kind: "cache object",
            question: "The old-space grows by the hour. Which object is the cache without a limit?",
            holder: &["renderCache"],
            class: &["RenderedPage"],
            count: 700,
            has_larger: true,
            has_before: true,
        },
        |script, count| {
            let context = script.module("/srv/app/render.js", "render");
            let cache = script.object("Object", 24);
            script.variable(context, "renderCache", cache);
            let mut entries = Vec::new();
            for number in 0..count {
                let html = script.string(&format!("<p>page {number}</p>{}", "<br>".repeat(200)));
                let page = script.record("RenderedPage", &[("html", html)]);
                let key = format!("/page/{number}?lang=en");
                script.property(cache, &key, page);
                entries.push((script.string(&key), page));
            }
            script.table(cache, "properties", &entries);
        },
    ),
];

/// A program after its start; `has_larger` adds a map of constants of about a megabyte.
pub(crate) fn started(is_page: bool, has_larger: bool) -> Script {
    let mut script = Script::new(if is_page { "Window / https://shop.example" } else { "global" });
    let context = script.module("/srv/app/server.js", "listen");
    let mut routes = Vec::new();
    for number in 0..120 {
        let handler = script.closure(&format!("handle{number}"), context);
        let path = script.string(&format!("/api/v2/resource{number}"));
        routes.push(script.record("Route", &[("path", path), ("handler", handler)]));
    }
    let routes = script.array(&routes);
    script.variable(context, "routes", routes);
    let context = script.module("/srv/app/i18n.js", "translate");
    let messages = script.object("Object", 24);
    script.variable(context, "messages", messages);
    let mut entries = Vec::new();
    for number in 0..600 {
        let key = format!("message.{number}");
        let text = script.string(&format!("Text number {number} of the translation"));
        script.property(messages, &key, text);
        entries.push((script.string(&key), text));
    }
    script.table(messages, "properties", &entries);
    let context = script.module("/srv/app/templates.js", "compile");
    let templates = script.object("Map", 32);
    script.variable(context, "templates", templates);
    let mut entries = Vec::new();
    for number in 0..80 {
        let parts: Vec<usize> = (0..12).map(|part| script.record("TemplatePart", &[("next", part)])).collect();
        let parts = script.array(&parts);
        let template = script.record("Template", &[("parts", parts)]);
        entries.push((script.string(&format!("template-{number}")), template));
    }
    script.table(templates, "table", &entries);
    if has_larger {
        let context = script.module("/srv/app/geo.js", "find");
        let codes = script.object("Map", 32);
        script.variable(context, "postalCodes", codes);
        let mut entries = Vec::new();
        for number in 0..1_300 {
            let name = script.string(&format!("town {number}"));
            let outline = script.numbers(110);
            let record = script.record("Place", &[("name", name), ("outline", outline)]);
            entries.push((script.string(&format!("{:05}", number * 7)), record));
        }
        script.table(codes, "table", &entries);
    }
    script
}

fn listeners(script: &mut Script, count: usize) {
    let context = script.module("/srv/app/sockets.js", "accept");
    let bus = script.object("EventEmitter", 104);
    script.variable(context, "bus", bus);
    let events = script.object("Object", 24);
    script.property(bus, "_events", events);
    let tick = script.object("Array", 32);
    script.property(events, "tick", tick);
    let mut closures = Vec::new();
    for number in 0..count {
        let buffer = script.numbers(250);
        let address = script.string(&format!("10.0.{}.{}:4711", number / 200, number % 200));
        let view = script.record("SocketView", &[("buffer", buffer), ("address", address)]);
        let own = script.context(context);
        script.variable(own, "this", view);
        let closure = script.closure("onTick", own);
        script.property(view, "onTick", closure);
        script.element(tick, number as u32, closure);
        closures.push(closure);
    }
    script.close_array(tick, &closures);
}

/// Intervals that are never cleared, in the list of their duration.
fn timers(script: &mut Script, count: usize) {
    script.script("node:internal/timers");
    let (native, global) = (script.native, script.global);
    let internals = script.context(native);
    let clear = script.closure("clearInterval", internals);
    script.property(global, "clearInterval", clear);
    let lists = script.object("Object", 24);
    script.variable(internals, "timerListMap", lists);
    let list = script.object("TimersList", 136);
    script.element(lists, 60_000, list);
    let context = script.module("/srv/app/poll.js", "poll");
    let mut last = list;
    for number in 0..count {
        let (results, url) = (script.numbers(300), script.string(&format!("https://jobs.example/{number}")));
        let job = script.record("PollJob", &[("results", results), ("url", url)]);
        let own = script.context(context);
        script.variable(own, "job", job);
        let callback = script.closure("", own);
        let timeout = script.record("Timeout", &[("_idlePrev", last), ("_onTimeout", callback)]);
        script.property(last, "_idleNext", timeout);
        last = timeout;
    }
    script.property(list, "_idlePrev", last);
    script.property(last, "_idleNext", list);
}

/// Dialogs that were removed from the document, but not from the program's list.
fn detached(script: &mut Script, count: usize) {
    let global = script.global;
    let document = script.add("native", "HTMLDocument", 1_200);
    script.made.nodes[document].detachedness = 1;
    script.property(global, "document", document);
    let body = element(script, "<body>", 1, document);
    for number in 0..150 {
        let item = element(script, "<li class=\"entry\">", 1, body);
        let text = script.add("native", "Text", 80);
        script.made.nodes[text].detachedness = 1;
        script.internal(item, "firstChild", text);
        let note = script.string(&format!("entry {number}"));
        script.internal(text, "data", note);
    }
    let context = script.module("https://shop.example/dialogs.js", "close");
    let closed = script.object("Array", 32);
    script.variable(context, "closedDialogs", closed);
    let mut dialogs = Vec::new();
    for number in 0..count {
        let dialog = script.add("native", "<div class=\"dialog\">", 640);
        script.made.nodes[dialog].detachedness = 2;
        for _ in 0..20 {
            element(script, "<input type=\"text\">", 2, dialog);
        }
        script.element(closed, number as u32, dialog);
        dialogs.push(dialog);
    }
    script.close_array(closed, &dialogs);
}

/// A DOM element in another one: both refer to each other.
fn element(script: &mut Script, name: &str, detachedness: u64, parent: usize) -> usize {
    let node = script.add("native", name, 320);
    script.made.nodes[node].detachedness = detachedness;
    script.internal(parent, "child", node);
    script.internal(node, "parent", parent);
    node
}

/// Promises of a server that never answers, with what they would go on with.
fn promises(script: &mut Script, count: usize) {
    let context = script.module("/srv/app/upload.js", "send");
    let inflight = script.object("Array", 32);
    script.variable(context, "inflight", inflight);
    let mut all = Vec::new();
    for number in 0..count {
        let body = script.string(&format!("{{\"file\":{number},\"data\":\"{}\"}}", "a".repeat(2_000)));
        let request = script.record("UploadRequest", &[("body", body)]);
        let own = script.context(context);
        script.variable(own, "request", request);
        let then = script.closure("", own);
        let reaction = script.add("code", "system / PromiseReaction", 56);
        script.internal(reaction, "fulfill_handler", then);
        let promise = script.object("Promise", 48);
        script.internal(promise, "reactions_or_result", reaction);
        script.element(inflight, number as u32, promise);
        all.push(promise);
    }
    script.close_array(inflight, &all);
}
