//! The small heapdumps in `fixtures/ibm`: as they are written here. With `UPDATE_GOLDEN=1` they are written anew.

use std::fs;

use heaplens_testkit::fixtures;
use heaplens_testkit::ibm_text::{self, Variant};
use heaplens_testkit::notation;
use heaplens_testkit::phd::{self, Form};
use heaplens_testkit::sketch::Sketch;

/// A shop whose cache holds carts; a thread waits for one of them.
const SHOP: &str = "
    class java.lang.ClassLoader
      field parent: object
    class java.lang.Thread
      field target: object
    class java.lang.ref.Reference
      field referent: object
    class java.lang.ref.WeakReference extends java.lang.ref.Reference
    class com.ibm.oti.vm.BootstrapClassLoader extends java.lang.ClassLoader
    class shop.Loader extends java.lang.ClassLoader
    class shop.Cart
      field owner: object
      field lines: object
      field total: long
    class shop.Line
      field next: object
      field name: object
    class shop.Cache
      field carts: object
      static current: object = cache
    class java.lang.Object[]
    boot = com.ibm.oti.vm.BootstrapClassLoader
    loader = shop.Loader parent=boot
    main = java.lang.Thread target=cache
    cache = shop.Cache carts=carts
    carts = java.lang.Object[] first second null
    first = shop.Cart owner=main lines=line1 total=17
    second = shop.Cart lines=line1 total=4
    line1 = shop.Line next=line2 name=pen
    line2 = shop.Line name=ink
    pen = \"pen\"
    ink = \"ink\"
    weak = java.lang.ref.WeakReference referent=second
    numbers = int[] 1 2 3 4 5
    ring1 = shop.Line next=ring2
    ring2 = shop.Line next=ring1";

fn javacore(sketch: &Sketch) -> String {
    let id = |label: &str| format!("{:016X}", sketch.id(label));
    let mut text = "0SECTION       TITLE subcomponent dump routine\n".to_owned();
    for line in [
        format!("3LKMONOBJECT       shop/Cart@0x{}: owner \"main\" (J9VMThread:0x1), entry count 1", id("first")),
        format!(
            "3XMTHREADINFO      \"main\" J9VMThread:0x1, j9thread_t:0x2, java/lang/Thread:0x{}, state:CW, prio=5",
            id("main")
        ),
        "3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)".to_owned(),
        "4XESTACKTRACE                at java/lang/Object.wait(Native Method)".to_owned(),
        "4XESTACKTRACE                at shop/Cart.add(Cart.java:17(Compiled Code))".to_owned(),
        format!("5XESTACKTRACE                   (entered lock: shop/Cart@0x{}, entry count: 1)", id("first")),
        "3XMTHREADINFO      \"GC Slave\" TID:0x7, state:CW, prio=10".to_owned(),
        format!("2CLTEXTCLLOAD  \t\tLoader *System*(0x{})", id("boot")),
        "3CLTEXTCLASS   \t\t\tjava/lang/String(0x0000000000000099)".to_owned(),
        format!("2CLTEXTCLLOAD  \t\tLoader shop/Loader(0x{})", id("loader")),
        "3CLTEXTCLASS   \t\t\tshop/Cart(0x0000000000000098)".to_owned(),
    ] {
        text += &line;
        text.push('\n');
    }
    text
}

#[test]
fn fixtures_match_their_generators() {
    let sketch = notation::read(SHOP).expect("a heap");
    let text = ibm_text::Form { variant: Variant::Findroots, end: "\n", wrong_by: 1 };
    let folder = fixtures::path("ibm");
    let v5 = Form { version: 5, wide: false, hashed: true, ..Form::MODERN };
    for (name, bytes) in [
        ("heapdump.20261122.120000.4711.0001.phd", phd::write(&sketch, Form::MODERN)),
        ("javacore.20261122.120000.4711.0002.txt", javacore(&sketch).into_bytes()),
        ("shop-v5.phd", phd::write(&sketch, v5)),
        ("shop-wrong-trailer.txt", ibm_text::write(&sketch, text, |id| 16 + id % 3 * 8).into_bytes()),
    ] {
        let path = folder.join(name);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(&path, &bytes).expect("the fixture can be written");
        }
        assert_eq!(fs::read(&path).expect("a fixture"), bytes, "{name}");
    }
}
