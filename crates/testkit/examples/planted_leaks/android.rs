//! Leaks of Android applications.

use heaplens_testkit::sketch::{Id, Type, Value};

use crate::java::{Java, OBJECT, to};
use crate::phone::{bitmap, screen, tree};
use crate::question::Plan;

const O: Type = Type::Object;

/// Plants a number of objects.
pub(crate) type Plant = fn(&mut Java, usize);

const BASE: Plan = Plan {
    name: "",
    kind: "",
    question: "A screen that was closed is still in memory. Who holds it?",
    holder: &[],
    class: &[],
    count: 1,
    has_larger: false,
    has_before: false,
};

/// All of them, with what plants each.
pub(crate) const LEAKS: [(Plan, Plant); 5] = [
    (
        Plan {
            name: "notes-1",
            kind: "activity in a static",
            holder: &["com.example.notes.Analytics.lastScreen"],
            class: &["com.example.notes.EditorActivity"],
            has_larger: true,
            ..BASE
        },
        |java, _| {
            java.class("com.example.notes.EditorActivity", "android.app.Activity", &[("draft", O)]);
            java.class("com.example.notes.Analytics", OBJECT, &[]);
            let activity = screen(java, "com.example.notes.EditorActivity", 60, true);
            let draft = java.bytes(40_000);
            java.set(activity, "draft", to(draft));
            java.set_static("com.example.notes.Analytics", "lastScreen", to(activity));
        },
    ),
    (
        Plan {
            name: "feed-1",
            kind: "activity in a message",
            holder: &[
                "android.os.MessageQueue.mMessages",
                "android.os.Message.callback",
                "com.example.feed.FeedActivity$1.this$0",
            ],
            class: &["com.example.feed.FeedActivity"],
            count: 3,
            ..BASE
        },
        messages,
    ),
    (
        Plan {
            name: "maps-1",
            kind: "activity in a listener",
            holder: &["com.example.maps.LocationHub.listeners", "com.example.maps.LocationHub.INSTANCE"],
            class: &["com.example.maps.MapActivity"],
            count: 4,
            has_larger: true,
            ..BASE
        },
        |java, count| {
            java.class("com.example.maps.MapActivity", "android.app.Activity", &[("tiles", O)]);
            java.class("com.example.maps.MapActivity$2", OBJECT, &[("this$0", O)]);
            java.class("com.example.maps.LocationHub", OBJECT, &[("listeners", O)]);
            let mut listeners = Vec::new();
            for _ in 0..count {
                let activity = screen(java, "com.example.maps.MapActivity", 30, true);
                let tiles = bitmap(java, 100, 80);
                java.set(activity, "tiles", to(tiles));
                listeners.push(java.make("com.example.maps.MapActivity$2", &[("this$0", to(activity))]));
            }
            let listeners = java.list(&listeners);
            let hub = java.make("com.example.maps.LocationHub", &[("listeners", to(listeners))]);
            java.set_static("com.example.maps.LocationHub", "INSTANCE", to(hub));
        },
    ),
    (
        Plan {
            name: "shop-4",
            kind: "view of a fragment",
            question: "A fragment on the back stack keeps its views after onDestroyView. Which field has to be cleared?",
            holder: &["com.example.shop.DetailsFragment.productList"],
            class: &["com.example.shop.ProductList"],
            count: 80,
            ..BASE
        },
        fragment,
    ),
    (
        Plan {
            name: "photo-1",
            kind: "bitmap cache",
            question: "OutOfMemoryError while scrolling through pictures. What keeps the bitmaps?",
            holder: &["com.example.photo.Thumbnails.loaded", "com.example.photo.Thumbnails.INSTANCE"],
            class: &["android.graphics.Bitmap"],
            count: 90,
            ..BASE
        },
        |java, count| {
            java.class("com.example.photo.Thumbnails", OBJECT, &[("loaded", O)]);
            let mut entries = Vec::new();
            for number in 0..count {
                let (key, picture) = (java.text(&format!("content://media/{number}")), bitmap(java, 64, 48));
                entries.push((key, picture));
            }
            let map = java.hash_map(&entries);
            let cache = java.make("com.example.photo.Thumbnails", &[("loaded", to(map))]);
            java.set_static("com.example.photo.Thumbnails", "INSTANCE", to(cache));
        },
    ),
];

/// Destroyed screens whose delayed callbacks are still in the queue of the main thread.
fn messages(java: &mut Java, count: usize) {
    java.class("com.example.feed.FeedActivity", "android.app.Activity", &[("posts", O)]);
    java.class("com.example.feed.FeedActivity$1", OBJECT, &[("this$0", O)]);
    let statics =
        &java.sketch.classes.iter().find(|class| class.name == "android.os.Looper").map(|of| of.statics.clone());
    let looper = statics.iter().flatten().find(|(name, _)| name == "sMainLooper").map_or(0, |(_, value)| id(*value));
    let handler = java.make("android.os.Handler", &[("mLooper", to(looper))]);
    let mut next = 0;
    for number in 0..count {
        let activity = screen(java, "com.example.feed.FeedActivity", 50, true);
        let posts: Vec<Id> = (0..200).map(|at| java.text(&format!("post {at} of screen {number}"))).collect();
        let posts = java.list(&posts);
        java.set(activity, "posts", to(posts));
        let callback = java.make("com.example.feed.FeedActivity$1", &[("this$0", to(activity))]);
        let when = Value::Long(9_000_000 - 1_000 * number as i64);
        let values = [("next", to(next)), ("target", to(handler)), ("callback", to(callback)), ("when", when)];
        next = java.make("android.os.Message", &values);
    }
    let queue = java.make("android.os.MessageQueue", &[("mMessages", to(next))]);
    java.set(looper, "mQueue", to(queue));
    java.set(handler, "mQueue", to(queue));
}

fn id(value: Value) -> Id {
    if let Value::Object(id) = value { id } else { 0 }
}

/// Fragment that is alive, with views that were destroyed; LeakCanary watches them.
fn fragment(java: &mut Java, count: usize) {
    java.class("androidx.fragment.app.Fragment", OBJECT, &[("mFragmentManager", O), ("mTag", O), ("mView", O)]);
    java.class("androidx.fragment.app.FragmentManager", OBJECT, &[("mActive", O)]);
    java.class("com.example.shop.ProductList", "android.view.ViewGroup", &[("header", O)]);
    java.class("com.example.shop.DetailsFragment", "androidx.fragment.app.Fragment", &[("productList", O)]);
    let watch =
        [("key", O), ("description", O), ("watchUptimeMillis", Type::Long), ("retainedUptimeMillis", Type::Long)];
    java.class("leakcanary.KeyedWeakReference", "java.lang.ref.WeakReference", &watch);
    java.set_static("leakcanary.KeyedWeakReference", "heapDumpUptimeMillis", Value::Long(95_000));
    java.class("com.example.shop.ShopActivity", "android.app.Activity", &[]);
    let activity = screen(java, "com.example.shop.ShopActivity", 40, false);
    let manager = java.make("androidx.fragment.app.FragmentManager", &[]);
    let list = tree(java, "com.example.shop.ProductList", activity, count, false);
    let header = bitmap(java, 200, 100);
    java.set(list, "header", to(header));
    let tag = java.text("details");
    let values = [("mFragmentManager", to(manager)), ("mTag", to(tag)), ("productList", to(list))];
    let fragment = java.make("com.example.shop.DetailsFragment", &values);
    let active = java.list(&[fragment]);
    java.set(manager, "mActive", to(active));
    java.set(activity, "mFragments", to(manager));
    let why = "com.example.shop.DetailsFragment received Fragment#onDestroyView() callback (references to its views should \
               be cleared to prevent leaks)";
    let (key, why) = (java.text("5f0c0001-7e21-4c1d-9a55-d1c8e0b70001"), java.text(why));
    let times = [("watchUptimeMillis", Value::Long(20_000)), ("retainedUptimeMillis", Value::Long(25_000))];
    let values = [("referent", to(list)), ("key", to(key)), ("description", to(why))];
    let weak = java.make("leakcanary.KeyedWeakReference", &[&values[..], &times].concat());
    java.root(weak);
    java.class("com.example.shop.ShopApplication", OBJECT, &[]);
    java.set_static("com.example.shop.ShopApplication", "shown", to(activity));
}
