//! Photo application on Android 7.1, with typical leaks, and bitmaps whose pixels are in the heap.
//!
//! | what leaks | held by |
//! |---|---|
//! | three `PhotoActivity` | a listener that each adds to `ShareTracker.listeners` and never takes back |
//! | `EditorFragment` | the callback of a request that `ImageLoader.pending` waits for |
//! | `AlbumViewModel` | a local variable of the thread `upload-1` |
//! | `SearchBox` | `InputMethodManager.mNextServedView`: a bug of Android that is known |
//! | `SettingsActivity` | nothing: the next collection takes it |

mod builder;
mod painter;

use self::builder::ObjectBuilder;
use self::painter::Canvas;
use super::art::{APP, Art, IMAGE, ZYGOTE, root};
use super::sketch::{Id, Type, Value};

/// Storage of the pixels of a bitmap.
enum Pixels {
    Argb,
    Rgb565,
    Alpha,
    Recycled,
}

/// The heap.
pub fn sample() -> Art {
    let mut builder = ObjectBuilder::new();
    let [loader, tracker, cache, manager, shown] = [(); 5].map(|()| builder.next_id());
    builder.art.heap(IMAGE, "image");
    runtime(&mut builder);
    builder.art.heap(ZYGOTE, "zygote");
    android(&mut builder, manager);
    builder.art.heap(APP, "app");
    let statics = [("INSTANCE", Value::Object(loader))];
    builder.class_with("com.example.album.ImageLoader", OBJECT, &[("pending", Type::Object)], &statics);
    let statics = [("INSTANCE", Value::Object(tracker))];
    builder.class_with("com.example.album.ShareTracker", OBJECT, &[("listeners", Type::Object)], &statics);
    let statics = [("INSTANCE", Value::Object(cache))];
    builder.class_with("com.example.album.ThumbnailCache", OBJECT, &[("thumbnails", Type::Object)], &statics);
    let statics = [("current", Value::Object(shown))];
    builder.class_with("com.example.album.AlbumApplication", "android.app.Application", &[], &statics);
    classes(&mut builder);
    let avatar = showing(&mut builder, shown, cache);
    sharing(&mut builder, tracker, avatar);
    editing(&mut builder, loader);
    uploading(&mut builder);
    searching(&mut builder, manager);
    settings(&mut builder);
    builder.art
}

const OBJECT: &str = "java.lang.Object";

fn reference(id: Id) -> Value {
    Value::Object(id)
}

fn runtime(builder: &mut ObjectBuilder) {
    let object = Type::Object;
    builder.class(OBJECT, "", &[("shadow$_klass_", object), ("shadow$_monitor_", Type::Int)]);
    builder.class("java.lang.Class", OBJECT, &[]);
    builder.class("java.lang.String", OBJECT, &[("count", Type::Int), ("hash", Type::Int), ("value", object)]);
    for array in ["java.lang.Object[]", "byte[]", "char[]", "int[]"] {
        builder.class(array, OBJECT, &[]);
    }
    builder.class("java.util.ArrayList", OBJECT, &[("elementData", object), ("size", Type::Int)]);
    builder.class("java.util.HashMap", OBJECT, &[("table", object), ("size", Type::Int)]);
    let node = [("hash", Type::Int), ("key", object), ("value", object), ("next", object)];
    builder.class("java.util.HashMap$Node", OBJECT, &node);
    builder.class("java.lang.Thread", OBJECT, &[("name", object), ("tid", Type::Long)]);
    builder.class("java.lang.ref.Reference", OBJECT, &[("referent", object), ("queue", object)]);
    builder.class("java.lang.ref.WeakReference", "java.lang.ref.Reference", &[]);
}

/// The classes of Android.
fn android(builder: &mut ObjectBuilder, manager: Id) {
    let object = Type::Object;
    let maker = builder.text("Google");
    builder.class_with("android.os.Build", OBJECT, &[], &[("MANUFACTURER", reference(maker))]);
    builder.class_with("android.os.Build$VERSION", OBJECT, &[], &[("SDK_INT", Value::Int(25))]);
    builder.class("android.content.Context", OBJECT, &[]);
    builder.class("android.app.Application", "android.content.Context", &[]);
    let activity = [("mDestroyed", Type::Boolean), ("mFinished", Type::Boolean), ("mTitle", object)];
    builder.class("android.app.Activity", "android.content.Context", &activity);
    builder.class("android.app.Fragment", OBJECT, &[("mFragmentManager", object), ("mTag", object)]);
    let view = [("mContext", object), ("mAttachInfo", object), ("mParent", object), ("mWindowAttachCount", Type::Int)];
    builder.class("android.view.View", OBJECT, &view);
    builder.class("androidx.lifecycle.ViewModel", OBJECT, &[("mCleared", Type::Boolean)]);
    let statics = [("sInstance", reference(manager))];
    let name = "android.view.inputmethod.InputMethodManager";
    builder.class_with(name, OBJECT, &[("mNextServedView", object)], &statics);
    let bitmap = [
        ("mBuffer", object),
        ("mDensity", Type::Int),
        ("mHeight", Type::Int),
        ("mIsPremultiplied", Type::Boolean),
        ("mRecycled", Type::Boolean),
        ("mWidth", Type::Int),
    ];
    builder.class("android.graphics.Bitmap", OBJECT, &bitmap);
}

/// The classes of the application, and of LeakCanary in it.
fn classes(builder: &mut ObjectBuilder) {
    let object = Type::Object;
    let weak = [
        ("key", object),
        ("description", object),
        ("watchUptimeMillis", Type::Long),
        ("retainedUptimeMillis", Type::Long),
    ];
    let statics = [("heapDumpUptimeMillis", Value::Long(95_000))];
    builder.class_with("leakcanary.KeyedWeakReference", "java.lang.ref.WeakReference", &weak, &statics);
    let activity = "android.app.Activity";
    builder.class(
        "com.example.album.MainActivity",
        activity,
        &[("header", object), ("icon", object), ("cover", object)],
    );
    builder.class("com.example.album.PhotoActivity", activity, &[("photo", object), ("avatar", object)]);
    builder.class("com.example.album.PhotoActivity$shareListener$1", OBJECT, &[("this$0", object)]);
    builder.class("com.example.album.ProfileHeader", "android.view.View", &[("avatar", object)]);
    builder.class("com.example.album.ImageLoader$Request", OBJECT, &[("url", object), ("callback", object)]);
    builder.class("com.example.album.EditorFragment$onLoaded$1", OBJECT, &[("this$0", object)]);
    builder.class("com.example.album.EditorFragment", "android.app.Fragment", &[("preview", object)]);
    builder.class("com.example.album.UploadTask", OBJECT, &[("model", object)]);
    builder.class("com.example.album.AlbumViewModel", "androidx.lifecycle.ViewModel", &[("draft", object)]);
    builder.class("com.example.album.SearchActivity", activity, &[]);
    builder.class("com.example.album.SearchBox", "android.view.View", &[("hint", object)]);
    builder.class("com.example.album.SettingsActivity", activity, &[]);
}

fn bitmap(builder: &mut ObjectBuilder, canvas: &Canvas, pixels: &Pixels) -> Id {
    let buffer = match pixels {
        Pixels::Argb => builder.bytes(&canvas.argb_8888()),
        Pixels::Rgb565 => builder.bytes(&canvas.rgb_565()),
        Pixels::Alpha => builder.bytes(&canvas.alpha_8()),
        Pixels::Recycled => 0,
    };
    let is_recycled = matches!(pixels, Pixels::Recycled);
    builder.object(
        "android.graphics.Bitmap",
        &[
            ("mBuffer", reference(buffer)),
            ("mWidth", Value::Int(canvas.width)),
            ("mHeight", Value::Int(canvas.height)),
            ("mDensity", Value::Int(320)),
            ("mIsPremultiplied", Value::Boolean(true)),
            ("mRecycled", Value::Boolean(is_recycled)),
        ],
    )
}

/// Adds an object that LeakCanary has watched since `since` on its clock.
fn watched(builder: &mut ObjectBuilder, object: Id, number: u32, description: &str, since: i64) {
    let key = builder.text(&format!("5f0c{number:04x}-7e21-4c1d-9a55-d1c8e0b7{number:04x}"));
    let description = builder.text(description);
    let values = [
        ("referent", reference(object)),
        ("key", reference(key)),
        ("description", reference(description)),
        ("watchUptimeMillis", Value::Long(since)),
        ("retainedUptimeMillis", Value::Long(since + 5_000)),
    ];
    let weak = builder.object("leakcanary.KeyedWeakReference", &values);
    builder.art.root(root::JNI_GLOBAL, weak, 0);
}

fn sunset(width: i32, height: i32) -> Canvas {
    let mut canvas = Canvas::new(width, height, [62, 44, 110], [255, 158, 92]);
    canvas.disc((width * 5 / 8, height * 5 / 9), height / 6, [255, 236, 160], [255, 178, 84]);
    canvas.hill((width / 4, height * 6 / 10), width, [88, 52, 98], [58, 34, 76]);
    canvas.hill((width * 3 / 4, height * 7 / 10), width * 3 / 2, [52, 30, 66], [26, 16, 40]);
    canvas
}

fn forest() -> Canvas {
    let mut canvas = Canvas::new(160, 120, [158, 208, 236], [236, 246, 240]);
    canvas.cone((110, 18), 90, [214, 224, 232], [126, 148, 168]);
    canvas.cone((60, 34), 80, [190, 206, 218], [104, 128, 150]);
    for (nth, x) in (8..160).step_by(19).enumerate() {
        let top = 58 + (nth as i32 * 7) % 13;
        canvas.cone((x, top), 62, [66, 134, 88], [24, 74, 52]);
    }
    canvas.hill((70, 104), 900, [120, 168, 96], [72, 120, 66]);
    canvas
}

fn sea() -> Canvas {
    let mut canvas = Canvas::new(160, 100, [126, 196, 240], [226, 244, 250]);
    canvas.disc((36, 26), 12, [255, 248, 206], [255, 226, 130]);
    canvas.fill([40, 142, 186], [14, 74, 124], |_, y| y >= 56);
    canvas.fill([255, 255, 255], [228, 236, 240], |x, y| (30..58).contains(&y) && (x - 104).abs() * 2 <= y - 30);
    canvas.fill([150, 74, 52], [104, 48, 36], |x, y| (58..66).contains(&y) && (x - 104).abs() <= 22 - (y - 58) * 2);
    canvas.hill((150, 88), 60, [244, 220, 164], [222, 190, 128]);
    canvas
}

fn face() -> Canvas {
    let mut canvas = Canvas::clear(96, 96);
    canvas.disc((48, 48), 46, [92, 180, 198], [44, 104, 150]);
    let in_disc = |x: i32, y: i32| (x - 48).pow(2) + (y - 48).pow(2) <= 46_i32.pow(2);
    canvas.fill([248, 214, 120], [232, 170, 86], |x, y| in_disc(x, y) && y >= 66 + (x - 48).pow(2) / 40);
    canvas.disc((48, 42), 19, [252, 222, 190], [238, 190, 152]);
    canvas.fill([92, 58, 40], [70, 42, 30], |x, y| {
        (x - 48).pow(2) + (y - 42).pow(2) <= 20_i32.pow(2) && y < 34 + (x - 40).pow(2) / 70
    });
    for eye in [41, 55] {
        canvas.disc((eye, 43), 2, [52, 40, 36], [52, 40, 36]);
    }
    canvas
}

/// A heart, for a button.
fn heart() -> Canvas {
    let mut canvas = Canvas::clear(48, 48);
    let white = [255, 255, 255];
    canvas.disc((16, 17), 11, white, white);
    canvas.disc((32, 17), 11, white, white);
    canvas.fill(white, white, |x, y| (20..44).contains(&y) && (x - 24).abs() * 23 <= (44 - y) * 19);
    canvas
}

fn portrait() -> Canvas {
    let mut canvas = Canvas::new(90, 140, [250, 226, 214], [232, 160, 150]);
    canvas.disc((45, 58), 34, [255, 246, 232], [246, 200, 176]);
    for (x, y, size) in [(45, 40, 15), (30, 54, 13), (60, 54, 13), (36, 72, 13), (54, 72, 13)] {
        canvas.disc((x, y), size, [236, 96, 116], [186, 44, 84]);
    }
    canvas.disc((45, 58), 8, [255, 222, 110], [240, 178, 60]);
    canvas.fill([92, 148, 98], [44, 92, 62], |x, y| y >= 84 && (x - 45).abs() <= 2);
    canvas.cone((66, 104), 20, [112, 172, 110], [56, 112, 70]);
    canvas
}

/// Adds the objects for the current screen and its cache; returns the bitmap of the face.
fn showing(builder: &mut ObjectBuilder, shown: Id, cache: Id) -> Id {
    let pictures = [
        ("sunset.jpg", bitmap(builder, &sunset(160, 120), &Pixels::Argb)),
        ("forest.jpg", bitmap(builder, &forest(), &Pixels::Argb)),
        ("sea.jpg", bitmap(builder, &sea(), &Pixels::Rgb565)),
        ("rose.jpg", bitmap(builder, &portrait(), &Pixels::Argb)),
        ("ada.png", bitmap(builder, &face(), &Pixels::Argb)),
    ];
    let map = builder.next_id();
    builder.map(map, &pictures);
    builder.put(cache, "com.example.album.ThumbnailCache", &[("thumbnails", reference(map))]);
    let avatar = bitmap(builder, &face(), &Pixels::Argb);
    let icon = bitmap(builder, &heart(), &Pixels::Alpha);
    let cover = bitmap(builder, &Canvas::clear(64, 64), &Pixels::Recycled);
    let header = builder.object(
        "com.example.album.ProfileHeader",
        &[("avatar", reference(avatar)), ("mContext", reference(shown)), ("mAttachInfo", reference(shown))],
    );
    let title = builder.text("Album");
    let values = [
        ("header", reference(header)),
        ("icon", reference(icon)),
        ("cover", reference(cover)),
        ("mTitle", reference(title)),
    ];
    builder.put(shown, "com.example.album.MainActivity", &values);
    avatar
}

/// Adds destroyed screens that are held by the listeners they registered.
fn sharing(builder: &mut ObjectBuilder, tracker: Id, avatar: Id) {
    let mut listeners = Vec::new();
    let photos = [(320, 180), (160, 120), (120, 90)];
    for (number, (width, height)) in (1..).zip(photos) {
        let photo = bitmap(builder, &sunset(width, height), &Pixels::Argb);
        let activity = builder.object(
            "com.example.album.PhotoActivity",
            &[
                ("photo", reference(photo)),
                ("avatar", reference(avatar)),
                ("mDestroyed", Value::Boolean(true)),
                ("mFinished", Value::Boolean(true)),
            ],
        );
        let listener = [("this$0", reference(activity))];
        listeners.push(builder.object("com.example.album.PhotoActivity$shareListener$1", &listener));
        let why = "com.example.album.PhotoActivity received Activity#onDestroy() callback";
        watched(builder, activity, number, why, 20_000 * i64::from(number));
    }
    let list = builder.next_id();
    builder.list(list, &listeners);
    builder.put(tracker, "com.example.album.ShareTracker", &[("listeners", reference(list))]);
}

/// Adds an editor that was closed while its picture was being loaded.
fn editing(builder: &mut ObjectBuilder, loader: Id) {
    let preview = bitmap(builder, &forest(), &Pixels::Argb);
    let tag = builder.text("editor");
    let values = [("preview", reference(preview)), ("mTag", reference(tag))];
    let fragment = builder.object("com.example.album.EditorFragment", &values);
    let callback = builder.object("com.example.album.EditorFragment$onLoaded$1", &[("this$0", reference(fragment))]);
    let url = builder.text("https://album.example/photos/4711");
    let values = [("url", reference(url)), ("callback", reference(callback))];
    let request = builder.object("com.example.album.ImageLoader$Request", &values);
    let pending = builder.next_id();
    builder.map(pending, &[("photos/4711", request)]);
    builder.put(loader, "com.example.album.ImageLoader", &[("pending", reference(pending))]);
}

/// Adds a thread that still works for a destroyed screen.
fn uploading(builder: &mut ObjectBuilder) {
    let draft = builder.bytes(&[7; 2_400]);
    let values = [("draft", reference(draft)), ("mCleared", Value::Boolean(true))];
    let model = builder.object("com.example.album.AlbumViewModel", &values);
    let task = builder.object("com.example.album.UploadTask", &[("model", reference(model))]);
    let name = builder.text("upload-1");
    let thread = builder.object("java.lang.Thread", &[("name", reference(name)), ("tid", Value::Long(31))]);
    builder.art.root(root::THREAD, thread, 31);
    builder.art.root(root::JAVA_FRAME, task, 31);
}

/// Adds the text field that Android keeps after typing.
fn searching(builder: &mut ObjectBuilder, manager: Id) {
    let activity = builder.object("com.example.album.SearchActivity", &[("mDestroyed", Value::Boolean(true))]);
    let hint = builder.text("Search the album");
    let values = [("hint", reference(hint)), ("mContext", reference(activity)), ("mWindowAttachCount", Value::Int(1))];
    let view = builder.object("com.example.album.SearchBox", &values);
    builder.put(manager, "android.view.inputmethod.InputMethodManager", &[("mNextServedView", reference(view))]);
}

/// Adds a destroyed screen without holders.
fn settings(builder: &mut ObjectBuilder) {
    let values = [("mDestroyed", Value::Boolean(true)), ("mFinished", Value::Boolean(true))];
    let activity = builder.object("com.example.album.SettingsActivity", &values);
    let why = "com.example.album.SettingsActivity received Activity#onDestroy() callback";
    watched(builder, activity, 9, why, 88_000);
}
