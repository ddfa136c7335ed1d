//! Ordinary heap of an Android application, and how it becomes a file of ART.

use heaplens_testkit::art::{APP, Art, Class, IMAGE, root};
use heaplens_testkit::sketch::{Body, Id, RootRecord, Type, Value};

use crate::java::{ClassRow, Java, Machine, OBJECT, to};

const O: Type = Type::Object;
const I: Type = Type::Int;
const Z: Type = Type::Boolean;
const CONTEXT: &str = "android.content.Context";

/// Classes of the runtime and of Android, with the fields that matter here.
const ANDROID: &[ClassRow] = &[
    (OBJECT, "", &[("shadow$_klass_", O), ("shadow$_monitor_", I)]),
    ("java.lang.Class", OBJECT, &[]),
    ("java.lang.String", OBJECT, &[("count", I), ("hash", I), ("value", O)]),
    ("byte[]", OBJECT, &[]),
    ("int[]", OBJECT, &[]),
    ("java.lang.Object[]", OBJECT, &[]),
    ("java.util.HashMap$Node[]", OBJECT, &[]),
    ("java.lang.Thread", OBJECT, &[("name", O), ("target", O), ("threadLocals", O), ("tid", Type::Long)]),
    ("java.util.AbstractList", OBJECT, &[("modCount", I)]),
    ("java.util.ArrayList", "java.util.AbstractList", &[("elementData", O), ("size", I)]),
    ("java.util.AbstractMap", OBJECT, &[("keySet", O), ("values", O)]),
    (
        "java.util.HashMap",
        "java.util.AbstractMap",
        &[("table", O), ("entrySet", O), ("size", I), ("modCount", I), ("threshold", I), ("loadFactor", Type::Float)],
    ),
    ("java.util.HashMap$Node", OBJECT, &[("hash", I), ("key", O), ("value", O), ("next", O)]),
    ("java.util.LinkedHashMap", "java.util.HashMap", &[("head", O), ("tail", O), ("accessOrder", Z)]),
    ("java.util.LinkedHashMap$LinkedHashMapEntry", "java.util.HashMap$Node", &[("before", O), ("after", O)]),
    ("java.lang.ref.Reference", OBJECT, &[("referent", O), ("queue", O)]),
    ("java.lang.ref.WeakReference", "java.lang.ref.Reference", &[]),
    ("android.os.Build", OBJECT, &[]),
    ("android.os.Build$VERSION", OBJECT, &[]),
    (CONTEXT, OBJECT, &[]),
    ("android.app.Application", CONTEXT, &[]),
    (
        "android.app.Activity",
        CONTEXT,
        &[("mDestroyed", Z), ("mFinished", Z), ("mTitle", O), ("mDecor", O), ("mFragments", O)],
    ),
    (
        "android.view.View",
        OBJECT,
        &[("mContext", O), ("mAttachInfo", O), ("mParent", O), ("mBackground", O), ("mWindowAttachCount", I)],
    ),
    ("android.view.View$AttachInfo", OBJECT, &[("mRootView", O)]),
    ("android.view.ViewGroup", "android.view.View", &[("mChildren", O), ("mChildrenCount", I)]),
    ("android.widget.TextView", "android.view.View", &[("mText", O)]),
    ("android.widget.FrameLayout", "android.view.ViewGroup", &[]),
    ("android.os.Looper", OBJECT, &[("mQueue", O), ("mThread", O)]),
    ("android.os.MessageQueue", OBJECT, &[("mMessages", O)]),
    ("android.os.Handler", OBJECT, &[("mLooper", O), ("mQueue", O)]),
    ("android.os.Message", OBJECT, &[("next", O), ("target", O), ("callback", O), ("when", Type::Long)]),
    (
        "android.graphics.Bitmap",
        OBJECT,
        &[("mBuffer", O), ("mDensity", I), ("mHeight", I), ("mRecycled", Z), ("mWidth", I)],
    ),
    ("android.util.LruCache", OBJECT, &[("map", O), ("size", I), ("maxSize", I)]),
];

/// Application after its start: resources, a shown activity, notes. `has_larger` adds a dictionary of about a megabyte.
pub(crate) fn started(has_larger: bool) -> Java {
    let mut java = Java::new(Machine::Android, 0x7000_0000, ANDROID);
    let maker = java.text("Google");
    java.set_static("android.os.Build", "MANUFACTURER", to(maker));
    java.set_static("android.os.Build$VERSION", "SDK_INT", Value::Int(25));
    java.class("com.example.notes.NotesApplication", "android.app.Application", &[]);
    java.class("com.example.notes.Repository", OBJECT, &[("notes", O)]);
    java.class("com.example.notes.Note", OBJECT, &[("title", O), ("text", O), ("isPinned", Z)]);
    java.class("com.example.notes.MainActivity", "android.app.Activity", &[("repository", O)]);
    java.class("com.example.notes.Strings", OBJECT, &[]);
    let texts: Vec<Id> = (0..500).map(|at| java.text(&format!("Text of resource {at}"))).collect();
    let texts = java.list(&texts);
    java.set_static("com.example.notes.Strings", "ALL", to(texts));
    let mut notes = Vec::new();
    for number in 0..250 {
        let (title, text) =
            (java.text(&format!("Note {number}")), java.text(&format!("Buy {number} apples and a pear")));
        let key = java.text(&format!("note-{number}"));
        notes.push((key, java.make("com.example.notes.Note", &[("title", to(title)), ("text", to(text))])));
    }
    let notes = java.hash_map(&notes);
    let repository = java.make("com.example.notes.Repository", &[("notes", to(notes))]);
    java.set_static("com.example.notes.Repository", "INSTANCE", to(repository));
    if has_larger {
        java.class("com.example.notes.Dictionary", OBJECT, &[("words", O), ("index", O)]);
        let words: Vec<Id> = (0..3_000).map(|at| java.text(&format!("word {at} of the spelling dictionary"))).collect();
        let (words, index) = (java.list(&words), java.bytes(900_000));
        let values = [("words", to(words)), ("index", to(index))];
        let dictionary = java.make("com.example.notes.Dictionary", &values);
        java.set_static("com.example.notes.Dictionary", "ENGLISH", to(dictionary));
    }
    let main = java.thread("main", OBJECT, &[], &[]);
    let queue = java.make("android.os.MessageQueue", &[]);
    let looper = java.make("android.os.Looper", &[("mQueue", to(queue)), ("mThread", to(main))]);
    java.set_static("android.os.Looper", "sMainLooper", to(looper));
    let activity = screen(&mut java, "com.example.notes.MainActivity", 120, false);
    java.set(activity, "repository", to(repository));
    java.class("android.app.ActivityThread", OBJECT, &[("mActivities", O), ("mLooper", O)]);
    let shown = java.list(&[activity]);
    let thread = java.make("android.app.ActivityThread", &[("mActivities", to(shown)), ("mLooper", to(looper))]);
    java.set_static("android.app.ActivityThread", "sCurrentActivityThread", to(thread));
    java
}

/// An activity with its views, shown or destroyed.
pub(crate) fn screen(java: &mut Java, class: &str, views: usize, is_destroyed: bool) -> Id {
    let title = java.text("Notes");
    let values = [
        ("mDestroyed", Value::Boolean(is_destroyed)),
        ("mFinished", Value::Boolean(is_destroyed)),
        ("mTitle", to(title)),
    ];
    let activity = java.make(class, &values);
    let decor = tree(java, "android.widget.FrameLayout", activity, views, !is_destroyed);
    java.set(activity, "mDecor", to(decor));
    activity
}

/// A view with text views in it, attached to a window or not any more.
pub(crate) fn tree(java: &mut Java, class: &str, context: Id, views: usize, is_attached: bool) -> Id {
    let count = Value::Int(i32::from(is_attached) + 1);
    let parent = java.make(class, &[("mContext", to(context)), ("mWindowAttachCount", count)]);
    let attach = if is_attached { java.make("android.view.View$AttachInfo", &[("mRootView", to(parent))]) } else { 0 };
    java.set(parent, "mAttachInfo", to(attach));
    let mut children = Vec::new();
    for number in 0..views {
        let text = java.text(&format!("line {number}"));
        let values = [
            ("mContext", to(context)),
            ("mAttachInfo", to(attach)),
            ("mParent", to(parent)),
            ("mWindowAttachCount", count),
            ("mText", to(text)),
        ];
        children.push(java.make("android.widget.TextView", &values));
    }
    let array = java.array("java.lang.Object[]", children);
    java.set(parent, "mChildren", to(array));
    java.set(parent, "mChildrenCount", Value::Int(views as i32));
    parent
}

/// Bitmap whose pixels are in the heap, as up to Android 7.
pub(crate) fn bitmap(java: &mut Java, width: i32, height: i32) -> Id {
    let pixels = java.bytes((width * height * 4).cast_unsigned());
    let size = [("mWidth", Value::Int(width)), ("mHeight", Value::Int(height)), ("mDensity", Value::Int(320))];
    java.make("android.graphics.Bitmap", &[&size[..], &[("mBuffer", to(pixels))]].concat())
}

/// The heap as ART writes it.
pub(crate) fn art(java: &Java) -> Art {
    let mut art = Art::default();
    let sketch = &java.sketch;
    for &(object, why) in &sketch.roots {
        match why {
            RootRecord::Thread { thread, .. } => art.root(root::THREAD, object, thread),
            RootRecord::JavaFrame { thread, .. } => art.root(root::JAVA_FRAME, object, thread),
            RootRecord::JniGlobal => art.root(root::JNI_GLOBAL, object, 0),
            _ => {}
        }
    }
    for class in &sketch.classes {
        art.root(root::STICKY_CLASS, class.id, 0);
    }
    for of_application in [false, true] {
        if of_application {
            art.heap(APP, "app");
        } else {
            art.heap(IMAGE, "image");
        }
        for class in sketch.classes.iter().filter(|class| class.name.starts_with("com.") == of_application) {
            let line = sketch.line_of(class.id);
            let bytes = line.iter().flat_map(|of| &of.fields).map(|(_, kind)| kind.bytes(4)).sum::<u64>() as u32;
            // The array of a string is no field in memory.
            let bytes = if class.name == "java.lang.String" { bytes - 4 } else { bytes };
            let statics: Vec<(&str, Value)> =
                class.statics.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let fields: Vec<(&str, Type)> = class.fields.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
            let (id, name, superclass) = (class.id, class.name.as_str(), class.superclass);
            art.class(Class { id, name, superclass, loader: 0, bytes, statics: &statics, fields: &fields });
        }
    }
    let mut strings = Vec::new();
    for object in &sketch.objects {
        match (&object.body, java.texts.get(&object.id)) {
            (Body::Instance { class, .. }, Some(text)) => {
                strings.push(object.id + if text.is_empty() { 8 } else { 16 });
                art.string(object.id, *class, &[to(*class), Value::Int(0)], text);
            }
            (Body::Instance { class, fields }, None) => drop(art.instance(object.id, *class, fields)),
            (Body::Objects { class, elements }, _) => drop(art.objects(object.id, *class, elements)),
            // The characters of a string come right after it, and were written with it.
            (Body::Primitives { .. }, _) if strings.last() == Some(&object.id) => {}
            (Body::Primitives { kind, elements }, _) => drop(art.numbers(object.id, *kind, elements.clone())),
        }
    }
    art
}
