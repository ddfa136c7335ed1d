//! A dump of the JVM with a marker in every place that can carry a text or a number.

use heaplens_heap::value_rules::DataKind;
use heaplens_testkit::hprof::RecordBuffer;

use super::marked_place::{MarkedPlaces, Shown};

/// Bytes of an id.
const ID: u8 = 8;

struct Maker {
    marked_places: MarkedPlaces,
    out: RecordBuffer,
    heap: RecordBuffer,
    strings: u64,
    serial: u32,
    objects: u64,
    /// Objects that a root holds.
    held: Vec<u64>,
}

impl Maker {
    fn body() -> RecordBuffer {
        RecordBuffer::new(ID)
    }

    fn string(&mut self, text: &[u8]) -> u64 {
        self.strings += 1;
        let mut body = Self::body();
        body.id(0x1_0000 + self.strings);
        body.bytes.extend(text);
        self.out.record(0x01, &body.bytes);
        0x1_0000 + self.strings
    }

    /// Loads a class and dumps it: statics as type and bytes, fields as type.
    fn class(&mut self, name: &str, superclass: u64, statics: &[(&str, u8, Vec<u8>)], fields: &[(&str, u8)]) -> u64 {
        self.class_with(name, superclass, statics, fields, [0; 2], &[])
    }

    fn class_with(
        &mut self,
        name: &str,
        superclass: u64,
        statics: &[(&str, u8, Vec<u8>)],
        fields: &[(&str, u8)],
        reserved: [u64; 2],
        constants: &[(u8, Vec<u8>)],
    ) -> u64 {
        let name = self.string(name.as_bytes());
        self.serial += 1;
        let id = 0xc000_0000 + u64::from(self.serial) * 64;
        let mut body = Self::body();
        body.u4(self.serial);
        body.id(id);
        body.u4(0);
        body.id(name);
        self.out.record(0x02, &body.bytes);
        let names: Vec<u64> = statics
            .iter()
            .map(|of| of.0)
            .chain(fields.iter().map(|of| of.0))
            .map(|name| self.string(name.as_bytes()))
            .collect();
        let (of_statics, of_fields) = names.split_at(statics.len());
        let heap = &mut self.heap;
        heap.u1(0x20);
        heap.id(id);
        heap.u4(0);
        heap.ids([superclass, 0, 0, 0, reserved[0], reserved[1]]);
        heap.u4(64);
        heap.u2(constants.len() as u16);
        for (at, (kind, value)) in (1..).zip(constants) {
            heap.u2(at);
            heap.u1(*kind);
            heap.bytes.extend(value);
        }
        heap.u2(statics.len() as u16);
        for (name, (_, kind, value)) in of_statics.iter().zip(statics) {
            heap.id(*name);
            heap.u1(*kind);
            heap.bytes.extend(value);
        }
        heap.u2(fields.len() as u16);
        for (name, (_, kind)) in of_fields.iter().zip(fields) {
            heap.id(*name);
            heap.u1(*kind);
        }
        id
    }

    fn next(&mut self) -> u64 {
        self.objects += 1;
        let id = 0xa000_0000 + self.objects * 128;
        self.held.push(id);
        id
    }

    fn instance(&mut self, class: u64, values: &[u8]) -> u64 {
        self.instance_at(class, values, 0)
    }

    fn instance_at(&mut self, class: u64, values: &[u8], trace: u32) -> u64 {
        let id = self.next();
        self.heap.u1(0x21);
        self.heap.id(id);
        self.heap.u4(trace);
        self.heap.id(class);
        self.heap.u4(values.len() as u32);
        self.heap.bytes.extend(values);
        id
    }

    /// An array of a type, from its bytes.
    fn array(&mut self, kind: u8, bytes: &[u8]) -> u64 {
        let id = self.next();
        let size = match kind {
            4 | 8 => 1,
            5 | 9 => 2,
            6 | 10 => 4,
            _ => 8,
        };
        self.heap.u1(0x23);
        self.heap.id(id);
        self.heap.u4(0);
        self.heap.u4((bytes.len() / size) as u32);
        self.heap.u1(kind);
        self.heap.bytes.extend(&bytes[..bytes.len() / size * size]);
        id
    }

    fn objects(&mut self, class: u64, elements: &[u64]) -> u64 {
        let id = self.next();
        self.heap.u1(0x22);
        self.heap.id(id);
        self.heap.u4(0);
        self.heap.u4(elements.len() as u32);
        self.heap.id(class);
        self.heap.ids(elements.iter().copied());
        id
    }

    /// A string of Java 9 and later.
    fn text(&mut self, class: u64, text: &str) -> u64 {
        let value = self.array(8, text.as_bytes());
        self.instance(class, &[&value.to_be_bytes()[..], &[0], &[0; 4]].concat())
    }

    fn planted(&mut self, class: u64, name: &'static str) -> u64 {
        let text = self.marked_places.text(name, Shown::Never);
        self.text(class, &text)
    }
}

fn wide(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

/// The dump and its places.
pub(super) fn planted() -> (Vec<u8>, MarkedPlaces) {
    use Shown::{Never, WithoutNumbers};
    let mut m = Maker {
        marked_places: MarkedPlaces::new('h'),
        out: RecordBuffer::new(ID),
        heap: RecordBuffer::new(ID),
        strings: 0,
        serial: 0,
        objects: 0,
        held: Vec::new(),
    };
    m.out.bytes.extend(b"JAVA PROFILE 1.0.2\0");
    m.out.u4(ID.into());
    m.out.u8(1_700_000_000_000);
    let object = m.class("java/lang/Object", 0, &[], &[]);
    let string = m.class("java/lang/String", object, &[], &[("value", 2), ("coder", 8), ("hash", 10)]);
    let all = texts(&mut m, object, string);
    numbers(&mut m, object, string);
    records(&mut m);
    names(&mut m, object);
    // What no reader knows.
    let rest = m.marked_places.text("end of an instance", Never);
    let plain = m.class("shop/Plain", object, &[], &[]);
    m.instance(plain, rest.as_bytes());
    let undescribed = m.marked_places.text("instance of a class without a description", Never);
    m.instance(0xdead_0000, undescribed.as_bytes());
    let trace = m.marked_places.number("stack trace of an object", 4, Never);
    m.instance_at(plain, &[], trace as u32);
    let reserved = [
        m.marked_places.number("first reserved id of a class", 8, Never),
        m.marked_places.number("second reserved id of a class", 8, Never),
    ];
    let constant = m.marked_places.number("constant of a class", 8, Never);
    m.class_with("shop/Reserved", object, &[], &[], reserved, &[(11, constant.to_be_bytes().to_vec())]);
    let jni = m.marked_places.number("JNI reference of a root", 8, Never);
    m.heap.u1(0x01);
    m.heap.id(all);
    m.heap.id(jni);
    let objects = m.class("[Ljava/lang/Object;", object, &[], &[]);
    let held = std::mem::take(&mut m.held);
    let holder = m.objects(objects, &held);
    m.heap.u1(0xff);
    m.heap.id(holder);
    let mut keeper = vec![("all", 2, holder.to_be_bytes().to_vec())];
    let number = m.marked_places.number("static field", 8, WithoutNumbers);
    keeper.push(("pin", 11, number.to_be_bytes().to_vec()));
    let keeper = m.class("shop/Keeper", object, &keeper, &[]);
    m.heap.u1(0x05);
    m.heap.id(keeper);
    let sub = m.marked_places.text("unknown sub-record", Never);
    m.heap.u1(0x77);
    m.heap.bytes.extend(sub.bytes());
    let (mut out, heap) = (m.out, m.heap);
    out.record(0x1c, &heap.bytes);
    let end = m.marked_places.text("body of the end record", Never);
    out.record(0x2c, end.as_bytes());
    let behind = m.marked_places.text("bytes after the dump", Never);
    out.bytes.extend(behind.bytes());
    (out.bytes, m.marked_places)
}

/// Texts of the program in objects; returns a map that holds some.
fn texts(m: &mut Maker, object: u64, string: u64) -> u64 {
    let latin = m.planted(string, "string");
    let text = m.marked_places.text("string in UTF-16", Shown::Never);
    let value = m.array(8, &wide(&text, u16::to_le_bytes));
    m.instance(string, &[&value.to_be_bytes()[..], &[1], &[0; 4]].concat());
    let text = m.marked_places.text("char[]", Shown::Never);
    m.array(5, &wide(&text, u16::to_be_bytes));
    for (name, kind) in [("byte[]", 8), ("boolean[]", 4), ("short[]", 9), ("int[]", 10), ("float[]", 6)] {
        let text = m.marked_places.text(name, Shown::Never) + "...";
        m.array(kind, text.as_bytes());
    }
    let bits = m.marked_places.number("long[]", 8, Shown::Never);
    m.array(11, &bits.to_be_bytes());
    let bits = m.marked_places.number("double[]", 8, Shown::Never);
    m.array(7, &bits.to_be_bytes());
    let encoded = m.marked_places.text("byte[] with a header of basic authentication", Shown::Never);
    m.array(8, format!("Authorization: Basic {encoded}==").as_bytes());
    let builder = m.class("java/lang/StringBuilder", object, &[], &[("value", 2), ("coder", 8), ("count", 10)]);
    let text = m.marked_places.text("StringBuilder", Shown::Never);
    let value = m.array(8, text.as_bytes());
    m.instance(builder, &[&value.to_be_bytes()[..], &[0], &[0, 0, 0, 10]].concat());
    // A map with a key, a system property, and an entry of the environment.
    let map = m.class("java/util/HashMap", object, &[], &[("table", 2), ("size", 10)]);
    let node = m.class("java/util/HashMap$Node", object, &[], &[("hash", 10), ("key", 2), ("value", 2), ("next", 2)]);
    let nodes = m.class("[Ljava/util/HashMap$Node;", object, &[], &[]);
    let pairs = [
        (m.planted(string, "key of a map"), latin),
        (m.text(string, "javax.net.ssl.trustStorePassword"), m.planted(string, "system property")),
        (m.text(string, "AWS_SECRET_ACCESS_KEY"), m.planted(string, "environment variable")),
    ];
    let entries: Vec<u64> = pairs
        .iter()
        .map(|(key, value)| {
            m.instance(node, &[&[0; 4][..], &key.to_be_bytes(), &value.to_be_bytes(), &[0; 8]].concat())
        })
        .collect();
    let table = m.objects(nodes, &entries);
    let all = m.instance(map, &[&table.to_be_bytes()[..], &[0, 0, 0, 3]].concat());
    let thread = m.class("java/lang/Thread", object, &[], &[("name", 2), ("tid", 11)]);
    let name = m.planted(string, "thread name");
    let thread = m.instance(thread, &[&name.to_be_bytes()[..], &[0, 0, 0, 0, 0, 0, 0, 7]].concat());
    m.heap.u1(0x08);
    m.heap.id(thread);
    m.heap.u4(1);
    m.heap.u4(1);
    let loader = m.class("java/lang/ClassLoader", object, &[], &[("name", 2)]);
    let name = m.planted(string, "class loader name");
    m.instance(loader, &name.to_be_bytes());
    let url = m.class("java/net/URL", object, &[], &[("file", 2)]);
    let password = m.marked_places.text("password in a URL", Shown::Never);
    let file = m.text(string, &format!("jdbc:postgresql://shop:{password}@db.test/shop"));
    m.instance(url, &file.to_be_bytes());
    let error = m.class("java/lang/Throwable", object, &[], &[("detailMessage", 2)]);
    let message = m.planted(string, "message of an exception");
    m.instance(error, &message.to_be_bytes());
    let file = m.class("java/io/File", object, &[], &[("path", 2)]);
    let path = m.marked_places.text("path of a file", Shown::Never);
    let path = m.text(string, &format!("/home/{path}/a.key"));
    m.instance(file, &path.to_be_bytes());
    all
}

/// Numbers of the program in objects.
fn numbers(m: &mut Maker, object: u64, string: u64) {
    use Shown::{Never, WithoutNumbers};
    let number = m.class("java/lang/Number", object, &[], &[]);
    for (name, class, kind) in [("Long", "java/lang/Long", 11), ("Double", "java/lang/Double", 7)] {
        let class = m.class(class, number, &[], &[("value", kind)]);
        let value = m.marked_places.number(name, 8, Never);
        m.instance(class, &value.to_be_bytes());
    }
    for (name, class, kind) in [("Integer", "java/lang/Integer", 10), ("Float", "java/lang/Float", 6)] {
        let class = m.class(class, number, &[], &[("value", kind)]);
        let value = m.marked_places.number(name, 4, Never) as u32;
        m.instance(class, &value.to_be_bytes());
    }
    let class = m.class("java/lang/Short", number, &[], &[("value", 9)]);
    let rest = m.marked_places.text("end of a boxed value", Never);
    m.instance(class, &[&[0; 2], rest.as_bytes()].concat());
    let hash = m.marked_places.number("hash code of a string", 4, WithoutNumbers) as u32;
    let value = m.array(8, b"");
    m.instance(string, &[&value.to_be_bytes()[..], &[0], &hash.to_be_bytes()].concat());
    let wide = [
        ("long field", "shop/Account", "number", 11),
        ("double field", "shop/Rate", "rate", 7),
        ("counter of the program", "java/util/concurrent/atomic/AtomicLong", "value", 11),
        ("time of a date", "java/util/Date", "fastTime", 11),
        ("bits of a UUID", "java/util/UUID", "mostSigBits", 11),
        ("bits of a decimal", "java/math/BigDecimal", "intCompact", 11),
    ];
    for (name, class, field, kind) in wide {
        let class = m.class(class, object, &[], &[(field, kind)]);
        let value = m.marked_places.number(name, 8, WithoutNumbers);
        m.instance(class, &value.to_be_bytes());
    }
    for (name, class, field, kind) in [("int field", "shop/Pin", "pin", 10), ("float field", "shop/Share", "share", 6)]
    {
        let class = m.class(class, object, &[], &[(field, kind)]);
        let value = m.marked_places.number(name, 4, WithoutNumbers) as u32;
        m.instance(class, &value.to_be_bytes());
    }
    for (name, class, kind, size) in [
        ("byte fields", "shop/Bytes", 8, 1),
        ("boolean fields", "shop/Flags", 4, 1),
        ("char fields", "shop/Chars", 5, 2),
        ("short fields", "shop/Shorts", 9, 2),
    ] {
        let text = m.marked_places.text(name, WithoutNumbers);
        let bytes = if kind == 5 { wide_be(&text) } else { text.into_bytes() };
        let names: Vec<String> = (0..bytes.len() / size).map(|at| format!("f{at}")).collect();
        let fields: Vec<(&str, u8)> = names.iter().map(|name| (name.as_str(), kind)).collect();
        let class = m.class(class, object, &[], &fields);
        m.instance(class, &bytes);
    }
}

fn wide_be(text: &str) -> Vec<u8> {
    wide(text, u16::to_be_bytes)
}

/// Places of records outside of the heap.
fn records(m: &mut Maker) {
    use Shown::Never;
    let text = m.marked_places.text("unused string of the string table", Never);
    m.string(text.as_bytes());
    let text = m.marked_places.text("thread name of a start record", Never);
    let (name, group) = (m.string(text.as_bytes()), m.marked_places.text("thread group of a start record", Never));
    let group = m.string(group.as_bytes());
    let mut body = Maker::body();
    body.u4(1);
    body.id(0xa000_0000);
    body.u4(1);
    body.ids([name, group, group]);
    let more = m.marked_places.text("end of a start record", Never);
    body.bytes.extend(more.bytes());
    m.out.record(0x0a, &body.bytes);
    for (tag, name) in [
        (0x03, "unload record"),
        (0x06, "allocation sites"),
        (0x07, "heap summary"),
        (0x0b, "end of a thread"),
        (0x0d, "CPU samples"),
        (0x0e, "settings"),
        (0x63, "unknown record"),
    ] {
        let text = m.marked_places.text(name, Never);
        m.out.record(tag, format!("{text}, and more of it than the record has room for").as_bytes());
    }
    let time = m.marked_places.number("time of a record", 4, Never) as u32;
    let mut body = Maker::body();
    body.id(0x77_7777);
    body.bytes.extend(b"unused");
    m.out.u1(0x01);
    m.out.u4(time);
    m.out.u4(body.bytes.len() as u32);
    m.out.bytes.extend(&body.bytes);
    // A class with a stack trace that is not there, and more than it has room for.
    let name = m.string(b"shop/Loaded");
    let (trace, more) = (
        m.marked_places.number("stack trace of a class", 4, Never),
        m.marked_places.text("end of a class record", Never),
    );
    let mut body = Maker::body();
    body.u4(9_999);
    body.id(0xbeef_0000);
    body.u4(trace as u32);
    body.id(name);
    body.bytes.extend(more.bytes());
    m.out.record(0x02, &body.bytes);
    let folder = m.marked_places.text("folder of a source file", Never);
    let file = m.marked_places.text("source file", Shown::Kept(DataKind::SourcePath));
    let method = m.marked_places.text("method name", Shown::Kept(DataKind::MethodName));
    let signature = m.marked_places.text("signature", Shown::Kept(DataKind::MethodName));
    let source = m.string(format!("/home/{folder}/{file}.java").as_bytes());
    let (method, signature) = (m.string(method.as_bytes()), m.string(format!("(L{signature};)V").as_bytes()));
    let mut body = Maker::body();
    body.ids([0x70_0000, method, signature, source]);
    body.u4(1);
    body.u4(17);
    let more = m.marked_places.text("end of a stack frame", Never);
    body.bytes.extend(more.bytes());
    m.out.record(0x04, &body.bytes);
    let mut body = Maker::body();
    body.u4(1);
    body.u4(1);
    body.u4(1);
    body.id(0x70_0000);
    let more = m.marked_places.text("end of a stack trace", Never);
    body.bytes.extend(more.bytes());
    m.out.record(0x05, &body.bytes);
}

/// Names of code, and values in them.
fn names(m: &mut Maker, object: u64) {
    use Shown::{Kept, Never};
    let class = m.marked_places.text("class name", Kept(DataKind::ClassName));
    let field = m.marked_places.text("field name", Kept(DataKind::FieldName));
    let class = m.class(&format!("shop/{class}"), object, &[], &[(&field, 2)]);
    m.instance(class, &[0; 8]);
    let lambda = m.marked_places.text("name of a lambda class", Kept(DataKind::ClassName));
    let class = m.class(&format!("shop/Cart$$Lambda/0x{lambda}"), object, &[], &[]);
    m.instance(class, &[]);
    let (user, query) = (
        m.marked_places.text("user of a URL in a class name", Never),
        m.marked_places.text("query of a URL in a class name", Never),
    );
    let class = m.class(&format!("Script https://{user}:pw@shop.test/a.groovy?{query}"), object, &[], &[]);
    m.instance(class, &[]);
}
