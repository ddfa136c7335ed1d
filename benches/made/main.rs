//! Generates one heap as HPROF, as PHD, as text and as a trace of Perfetto, of any size: `cargo bench --bench made -- FOLDER OBJECTS`. Map
//! entries with keys, values and strings, lists, and references to random objects: three for each two objects. Then
//! `cargo bench --bench open -- FOLDER/*` measures.

#![expect(clippy::print_stdout, reason = "it says what it made")]

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use heaplens_testkit::perfetto::{self, Graph, Object, kind, root};
use heaplens_testkit::phd::{ClassRecord, Form, Writer};
use heaplens_testkit::random::Random;
use heaplens_testkit::sketch::{Id, Type};

/// Classes: name, and how many references an instance has.
const CLASSES: [(&str, u64); 5] =
    [("java/lang/Object", 0), ("java/lang/Class", 0), ("shop/Entry", 3), ("java/lang/String", 1), ("shop/Item", 2)];
const ENTRY: usize = 2;
const STRING: usize = 3;
const ITEM: usize = 4;
/// Bytes from one object to the next.
const APART: u64 = 32;
const FIRST: Id = 0x1_0000_0000;
/// Objects of a group: an entry, its key with its characters, its value.
const GROUP: u64 = 4;

fn class(at: usize) -> Id {
    FIRST - 0x10_0000 + 64 * at as u64
}

/// Contents of an object.
enum Thing {
    Instance(usize, Vec<Id>),
    Chars(u64),
}

fn things(objects: u64) -> impl Iterator<Item = (Id, Thing)> {
    let groups = objects / GROUP;
    let id = |group: u64, part: u64| FIRST + (group * GROUP + part) * APART;
    let mut random = Random::new(1);
    (0..groups).flat_map(move |group| {
        // Every eighth begins a list of its own; the last group has no next.
        let next = if group % 8 == 7 || group + 1 == groups { None } else { Some(id(group + 1, 0)) };
        let anywhere = id(random.number() % groups, 3);
        let entry = [Some(id(group, 1)), Some(id(group, 3)), next];
        let other = if group % 2 == 0 { vec![anywhere] } else { Vec::new() };
        [
            (id(group, 0), Thing::Instance(ENTRY, entry.into_iter().flatten().collect())),
            (id(group, 1), Thing::Instance(STRING, vec![id(group, 2)])),
            (id(group, 2), Thing::Chars(group % 8)),
            (id(group, 3), Thing::Instance(ITEM, other)),
        ]
    })
}

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let [folder, objects] = &arguments[..] else {
        println!("made FOLDER OBJECTS");
        return Ok(());
    };
    let (folder, objects) = (Path::new(folder), objects.parse().map_err(io::Error::other)?);
    let file = |ending: &str| -> io::Result<_> {
        let path = folder.join(format!("made.{ending}"));
        println!("{}", path.display());
        Ok(BufWriter::with_capacity(1 << 20, File::create(path)?))
    };
    phd(&mut file("phd")?, objects)?;
    text(&mut file("txt")?, objects)?;
    trace(&mut file("pftrace")?, objects)?;
    hprof(&mut file("hprof")?, objects)
}

fn phd(out: &mut dyn Write, objects: u64) -> io::Result<()> {
    let form = Form::MODERN;
    let mut writer = Writer::new(out, form)?;
    for (id, thing) in things(objects) {
        match thing {
            Thing::Instance(of, references) => writer.instance(id, class(of), &references)?,
            Thing::Chars(length) => {
                writer.primitives(id, Type::Char, length, form.array_bytes(Type::Char, length, true))?;
            }
        }
    }
    for (at, (name, fields)) in CLASSES.into_iter().enumerate() {
        let (id, superclass) = (class(at), if at == 0 { 0 } else { class(0) });
        let references: &[Id] = if at == 0 { &[] } else { &[superclass] };
        let instance_bytes = form.instance_bytes((0..fields).map(|_| Type::Object));
        writer.class(&ClassRecord { id, instance_bytes, superclass, name, references })?;
    }
    writer.end()?;
    out.flush()
}

fn text(out: &mut dyn Write, objects: u64) -> io::Result<()> {
    writeln!(out, "// Version: JRE 1.8.0 made up")?;
    for (at, (name, _)) in CLASSES.into_iter().enumerate() {
        writeln!(out, "0x{:016X} [64] CLS {name}", class(at))?;
        if at > 0 {
            writeln!(out, "\t0x{:016X} ", class(0))?;
        }
    }
    for (id, thing) in things(objects) {
        match thing {
            Thing::Instance(of, references) => {
                let (name, fields) = CLASSES[of];
                write!(out, "0x{id:016X} [{}] OBJ {name}\n\t", 16 + 8 * fields)?;
                for to in references {
                    write!(out, "0x{to:016X} ")?;
                }
                writeln!(out)?;
            }
            Thing::Chars(length) => write!(out, "0x{id:016X} [{}] OBJ [C\n\t\n", 16 + 8 * (length / 4 + 1))?,
        }
    }
    out.flush()
}

/// The same objects, references and roots as in HPROF.
fn trace(out: &mut dyn Write, objects: u64) -> io::Result<()> {
    let names = ["java.lang.Object", "java.lang.Class", "shop.Entry", "java.lang.String", "shop.Item", "char[]"];
    let names = || (0..).zip(names.into_iter().chain(["java.lang.ClassLoader"]));
    let class_objects = 10;
    let mut graph = Graph::new(&mut *out, perfetto::Form::MODERN, (1, 1, 1));
    for (at, name) in names() {
        let fields: Vec<u64> = CLASSES.get(at).map_or(0..0, |(_, fields)| 0..*fields).map(|n| 10 + n).collect();
        let (id, superclass) = (at as u64 + 1, u64::from(at > 0));
        let kind = if name == "char[]" { kind::NO_REFERENCES } else { kind::NORMAL };
        let row = perfetto::Type {
            id,
            name,
            superclass,
            kind,
            object_size: 32,
            fields: &fields,
            ..perfetto::Type::default()
        };
        graph.type_of(&row)?;
        let name = format!("java.lang.Class<{name}>");
        graph.type_of(&perfetto::Type { id: id + class_objects, name: &name, ..perfetto::Type::default() })?;
        graph.roots(root::STICKY_CLASS, &[class(at)])?;
    }
    for (at, _) in names() {
        let (of, above) = (at as u64 + 1 + class_objects, [if at == 0 { 0 } else { class(0) }]);
        let row = Object { id: class(at), of, size: 64, fields: &[1], references: &above, ..Object::default() };
        graph.object(&row)?;
    }
    for (nth, (id, thing)) in things(objects).enumerate() {
        match thing {
            Thing::Instance(of, references) => {
                if of == ENTRY && (nth as u64 / GROUP).is_multiple_of(8) {
                    graph.roots(root::UNKNOWN, &[id])?;
                }
                let values = references.into_iter().chain(std::iter::repeat(0));
                let references: Vec<Id> = values.take(CLASSES[of].1 as usize).collect();
                let of = of as u64 + 1;
                graph.object(&Object { id, of, references: &references, ..Object::default() })?;
            }
            Thing::Chars(length) => {
                let of = CLASSES.len() as u64 + 1;
                graph.object(&Object { id, of, size: 12 + 2 * length, ..Object::default() })?;
            }
        }
    }
    graph.field_name(1, "java.lang.Class java.lang.Class.superClass")?;
    for n in 0..3 {
        graph.field_name(10 + n, &format!("java.lang.Object shop.Entry.field{n}"))?;
    }
    graph.end()?;
    out.flush()
}

/// Tags as in JDK 6 and later.
fn hprof(out: &mut dyn Write, objects: u64) -> io::Result<()> {
    let record = |out: &mut dyn Write, tag: u8, body: &[u8]| -> io::Result<()> {
        out.write_all(&[tag, 0, 0, 0, 0])?;
        out.write_all(&(body.len() as u32).to_be_bytes())?;
        out.write_all(body)
    };
    out.write_all(b"JAVA PROFILE 1.0.2\0\0\0\0\x08\0\0\x01\x8b\xcf\xe5\x68\0")?;
    let named =
        |out: &mut dyn Write, id: u64, name: &str| record(out, 1, &[&id.to_be_bytes(), name.as_bytes()].concat());
    let mut classes = Vec::new();
    let extra = ["[C", "java/lang/ClassLoader"].map(|name| (name, 0));
    named(out, 0x50, "field")?;
    for (at, (name, fields)) in CLASSES.into_iter().chain(extra).enumerate() {
        named(out, 0x100 + at as u64, name)?;
        let id = class(at).to_be_bytes();
        let number = 1 + at as u32;
        let body = [&number.to_be_bytes()[..], &id, &[0; 4], &(0x100 + at as u64).to_be_bytes()];
        record(out, 2, &body.concat())?;
        let superclass = if at == 0 { 0 } else { class(0) };
        classes.extend([&[0x20][..], &id, &[0; 4], &superclass.to_be_bytes(), &[0; 40]].concat());
        classes.extend((8 * fields as u32).to_be_bytes());
        classes.extend([0, 0, 0, 0]);
        classes.extend((fields as u16).to_be_bytes());
        (0..fields).for_each(|_| classes.extend([&0x50_u64.to_be_bytes()[..], &[2]].concat()));
        classes.extend([&[5][..], &id].concat());
    }
    record(out, 0x1c, &classes)?;
    let mut segment = Vec::new();
    for (nth, (id, thing)) in things(objects).enumerate() {
        match thing {
            Thing::Instance(of, references) => {
                // The first node of a list has a holder.
                if of == ENTRY && (nth as u64 / GROUP).is_multiple_of(8) {
                    segment.extend([&[0xff][..], &id.to_be_bytes()].concat());
                }
                segment.extend([&[0x21][..], &id.to_be_bytes(), &[0; 4], &class(of).to_be_bytes()].concat());
                segment.extend((8 * CLASSES[of].1 as u32).to_be_bytes());
                let values = references.into_iter().chain(std::iter::repeat(0)).take(CLASSES[of].1 as usize);
                values.for_each(|to| segment.extend(to.to_be_bytes()));
            }
            Thing::Chars(length) => {
                segment
                    .extend([&[0x23][..], &id.to_be_bytes(), &[0; 4], &(length as u32).to_be_bytes(), &[5]].concat());
                segment.extend(std::iter::repeat_n(0, 2 * length as usize));
            }
        }
        if segment.len() > 1 << 20 {
            record(out, 0x1c, &segment)?;
            segment.clear();
        }
    }
    record(out, 0x1c, &segment)?;
    record(out, 0x2c, &[])?;
    out.flush()
}
