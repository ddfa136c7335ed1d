//! Missing data in a dump gives no verdict, and no failure.

use heaplens_analysis::android::shark::{Device, Matchers};
use heaplens_testkit::art::{APP, Art, Class, Writer, root};
use heaplens_testkit::sketch::{Id, Type, Value};

use super::{look, open, path_texts};

/// An activity held by a static, in ART's layout.
fn kept_activity() -> Art {
    const OBJECT: Id = 0x7000_0000;
    let mut art = Art::default();
    art.root(root::STICKY_CLASS, 0x12c0_0100, 0);
    art.heap(APP, "app");
    let class = |id, name, superclass| Class { id, name, superclass, bytes: 12, ..Class::default() };
    art.class(Class { bytes: 8, ..class(OBJECT, "java.lang.Object", 0) });
    art.class(Class { fields: &[("mDestroyed", Type::Boolean)], ..class(0x7000_0100, "android.app.Activity", OBJECT) });
    art.class(class(0x12c0_0000, "com.example.MainActivity", 0x7000_0100));
    let statics = [("last", Value::Object(0x12c0_1000)), ("lost", Value::Object(0x12cf_0000))];
    art.class(Class { statics: &statics, ..class(0x12c0_0100, "com.example.Holder", OBJECT) });
    art.instance(0x12c0_1000, 0x12c0_0000, &[Value::Boolean(true)]);
    art
}

/// Neither Build nor strings nor other Android classes are in the dump: Shark fails.
#[test]
fn missing_data_gives_no_verdict() {
    let complete = look(&open(&kept_activity().write(Writer::Art)), &Matchers::default());
    assert_eq!(path_texts(&complete), ["application System class: Holder.last"]);
    assert_eq!(complete.metadata.device, Device::default());
    for by in Writer::ALL {
        let report = look(&open(&kept_activity().write(by)), &Matchers::default());
        assert_eq!(report.leaks.len(), 1, "{by:?}");
        assert_eq!(report.leaks[0].fingerprint, complete.leaks[0].fingerprint, "{by:?}");
    }
}
