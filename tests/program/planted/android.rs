//! A dump of Android with a marker in every place that an application can fill.

use heaplens_heap::value_rules::DataKind;
use heaplens_testkit::art::{APP, Art, Class, IMAGE, Writer, root};
use heaplens_testkit::sketch::{Id, Type, Value};

use super::marked_place::{MarkedPlaces, Shown};

/// The dump and its places.
pub(super) fn planted() -> (Vec<u8>, MarkedPlaces) {
    use Shown::{Kept, Never, WithoutNumbers};
    let (mut art, mut marked_places, mut next) = (Art::default(), MarkedPlaces::new('a'), 0x1000_0000_u32);
    let mut id = || {
        next += 0x100;
        Id::from(next)
    };
    let heap = marked_places.text("heap name", Kept(DataKind::HeapName));
    art.heap(IMAGE, "image");
    let object = art.class(Class { id: id(), name: "java.lang.Object", ..Class::default() });
    let above = object;
    let string = art.class(Class {
        id: id(),
        name: "java.lang.String",
        superclass: above,
        fields: &[("count", Type::Int), ("hash", Type::Int), ("value", Type::Object)],
        ..Class::default()
    });
    let bytes = art.class(Class { id: id(), name: "byte[]", superclass: above, ..Class::default() });
    art.root(root::STICKY_CLASS, bytes, 0);
    art.heap(APP, "app");
    let mut held = Vec::new();
    // Objects of libraries with a text.
    for (name, class, field) in [
        ("title of an activity", "android.app.Activity", "mTitle"),
        ("extra of an intent", "android.content.Intent", "mAction"),
        ("text of a view", "android.widget.TextView", "mText"),
        ("name of a file", "android.app.SharedPreferencesImpl", "mFile"),
        ("path of a loader", "dalvik.system.DexPathList", "path"),
        ("process name", "android.app.ActivityThread", "mProcessName"),
        ("serial number of the device", "android.os.BuildInfo", "serial"),
        ("statement of a database", "android.database.sqlite.SQLiteQuery", "mSql"),
        ("description of a leaked object", "leakcanary.KeyedWeakReference", "description"),
        ("thread name", "java.lang.Thread", "name"),
    ] {
        let class = art.class(Class {
            id: id(),
            name: class,
            superclass: above,
            fields: &[(field, Type::Object)],
            ..Class::default()
        });
        let text = marked_places.text(name, Never);
        let text = art.string(id(), string, &[], &text);
        held.push(art.instance(id(), class, &[Value::Object(text)]));
    }
    let text = marked_places.text("text outside of ASCII", Never);
    held.push(art.string(id(), string, &[], &format!("é€{text}")));
    let text = marked_places.text("pixels of a bitmap", Never);
    held.push(art.numbers(id(), Type::Byte, text.bytes().map(|byte| Value::Byte(byte.cast_signed())).collect()));
    let number = marked_places.number("numbers of a game", 8, Never);
    held.push(art.numbers(id(), Type::Long, vec![Value::Long(number.cast_signed())]));
    let number = marked_places.number("identifier of an account", 8, WithoutNumbers);
    let account = art.class(Class {
        id: id(),
        name: "shop.Account",
        superclass: above,
        fields: &[("number", Type::Long)],
        statics: &[],
        ..Class::default()
    });
    held.push(art.instance(id(), account, &[Value::Long(number.cast_signed())]));
    let number = marked_places.number("static number", 8, WithoutNumbers);
    let name = marked_places.text("class name", Kept(DataKind::ClassName));
    let class = art.class(Class {
        id: id(),
        name: &format!("shop.{name}"),
        superclass: above,
        statics: &[("LAST", Value::Long(number.cast_signed()))],
        ..Class::default()
    });
    art.root(root::STICKY_CLASS, class, 0);
    let objects = art.class(Class { id: id(), name: "java.lang.Object[]", superclass: above, ..Class::default() });
    let all = art.objects(id(), objects, &held);
    art.root(root::JNI_GLOBAL, all, 0);
    art.heap(80, &heap);
    let other = art.objects(id(), objects, &[all]);
    art.root(root::VM_INTERNAL, other, 0);
    (art.write(Writer::Art), marked_places)
}
