//! Small dumps used by targets and as seeds.

use std::sync::LazyLock;

use heaplens_dump::Dump;
use heaplens_session::OpenOptions;
use heaplens_session::dump::open_and_wait;
use heaplens_testkit::sketch::Sketch;
use heaplens_testkit::{heaps, notation};
use heaplens_base::Task;

/// File content of [`PHONE`].
pub const PHONE_BYTES: &[u8] = include_bytes!("../../fixtures/android/phone.hprof");

/// An open Android dump.
pub static PHONE: LazyLock<Dump> = LazyLock::new(|| {
    open_and_wait(crate::file(PHONE_BYTES).path(), &OpenOptions::default(), &Task::new()).expect("a fixture")
});

/// A program with a cart, a thread and one of everything.
///
/// # Panics
/// Never: the text is a valid heap.
pub fn tiny() -> Sketch {
    notation::read(
        "class java.lang.ClassLoader
         class java.lang.Thread
           field name: object
         class java.lang.ref.Reference
           field referent: object
         class Weak extends java.lang.ref.Reference
         class shop.Loader extends java.lang.ClassLoader
         class shop.Cart by loader
           field lines: object
           field n: long
           static last: object = cart
           static max: int = 3
         loader = shop.Loader
         cart = shop.Cart lines=items n=-1
         items = java.lang.Object[] cart name weak null
         numbers = double[] 1.5 2
         name = \"till 7\"
         weak = Weak referent=cart
         main = java.lang.Thread name=name
         root main thread 1 trace 1
         root items frame 1 0
         root shop.Cart class
         root numbers global
         trace 1 thread 1
           frame shop.Cart.sell ()V Cart.java 9",
    )
    .expect("a heap")
}

/// A heap that all formats can represent: without class loaders, which differ between formats.
pub fn plain(seed: u64, objects: u32) -> Sketch {
    let mut sketch = heaps::random(seed, objects);
    sketch.classes.iter_mut().for_each(|class| class.loader = 0);
    sketch
}

/// A javacore of [`tiny`].
pub fn javacore(sketch: &Sketch) -> String {
    let id = |label: &str| format!("{:016X}", sketch.id(label));
    format!(
        "0SECTION       TITLE subcomponent dump routine
3LKMONOBJECT       shop/Cart@0x{cart}: owner \"main\" (J9VMThread:0x1), entry count 1
3XMTHREADINFO      \"main\" J9VMThread:0x1, j9thread_t:0x2, java/lang/Thread:0x{main}, state:CW, prio=5
3XMJAVALTHREAD            (java/lang/Thread getId:0x1, isDaemon:false)
4XESTACKTRACE                at shop/Cart.add(Cart.java:17(Compiled Code))
5XESTACKTRACE                   (entered lock: shop/Cart@0x{cart}, entry count: 1)
3XMTHREADINFO      \"native\" TID:0x7, state:R, prio=10
2CLTEXTCLLOAD  \t\tLoader *System*(0x{loader})
3CLTEXTCLASS   \t\t\tjava/lang/String(0x0000000000000099)
",
        cart = id("cart"),
        main = id("main"),
        loader = id("loader"),
    )
}
