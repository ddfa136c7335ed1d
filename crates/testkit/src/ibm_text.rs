//! Writes a sketch as the text heap dump of IBM virtual machines, in the variants written by them and their tools, also
//! in EBCDIC.

use std::fmt::Write;

use super::hprof::internal_name;
use super::phd::{fields_that_refer, references_of_class};
use super::sketch::{Body, Id, Sketch};

/// Program that writes the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Virtual machines up to 1.4, and HeapRoots: references on the same line.
    Sovereign,
    /// The tool findroots: references on the next line, `char[]`.
    Findroots,
    /// J9 up to 2.5: `OBJ` and `CLS`, the class as the first reference, nulls.
    OldJ9,
    /// J9 since: 16 digits, nulls are counted but not printed.
    J9,
    /// The tool jdmpview: nulls as `0x0`.
    Jdmpview,
}

impl Variant {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Sovereign, Self::Findroots, Self::OldJ9, Self::J9, Self::Jdmpview];

    fn has_kinds(self) -> bool {
        matches!(self, Self::OldJ9 | Self::J9 | Self::Jdmpview)
    }

    fn prints_nulls(self) -> bool {
        matches!(self, Self::OldJ9 | Self::Jdmpview)
    }

    fn null(self) -> &'static str {
        if self == Self::OldJ9 { "0x00000000" } else { "0x0" }
    }

    fn id(self, id: Id) -> String {
        match self {
            Self::J9 => format!("0x{id:016X}"),
            Self::Sovereign => format!("{id:#x}"),
            _ => format!("0x{id:08X}"),
        }
    }
}

/// Details of the file besides the objects, and line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Program that writes the file.
    pub variant: Variant,
    /// Line end.
    pub end: &'static str,
    /// Error added to the object count in the last line.
    pub wrong_by: u64,
}

/// One object, its references with nulls.
struct Record {
    name: String,
    references: Vec<Id>,
}

/// Writes the sketch as a file; `size` returns the size of an object in bytes.
pub fn write(sketch: &Sketch, form: Form, size: impl Fn(Id) -> u64) -> String {
    let Form { variant, end, wrong_by } = form;
    let mut text = format!("// Version: J2RE 1.4.1 made up{end}");
    let mut kinds = [0_u64; 4];
    let (mut references, mut nulls) = (0, 0);
    let mut put = |id: Id, Record { name, references: all }: Record| {
        let printed = all.iter().filter(|&&to| to != 0 || variant.prints_nulls());
        let printed: Vec<String> =
            printed.map(|&to| if to == 0 { variant.null().to_owned() } else { variant.id(to) }).collect();
        // Findroots and earlier variants have no nulls.
        let counts_nulls = variant.has_kinds();
        references += if counts_nulls { all.len() } else { printed.len() };
        nulls += if counts_nulls { all.iter().filter(|&&to| to == 0).count() } else { 0 };
        let _written = write!(text, "{} [{}] {name}", variant.id(id), size(id));
        match variant {
            Variant::Sovereign => printed.iter().for_each(|to| {
                let _written = write!(text, " {to}");
            }),
            _ => {
                let _written = write!(text, "{end}\t{} ", printed.join(" "));
            }
        }
        text.push_str(end);
    };
    for class in &sketch.classes {
        kinds[0] += 1;
        let mut references = references_of_class(class);
        if variant == Variant::OldJ9 {
            references.insert(0, sketch.class_named("java.lang.Class").map_or(0, |class| class.id));
        }
        let word = if variant.has_kinds() { "CLS" } else { "class" };
        put(class.id, Record { name: format!("{word} {}", internal_name(&class.name)), references });
    }
    for object in &sketch.objects {
        let class = sketch.class_of(object);
        let name = class.map_or("", |class| &class.name);
        let (kind, mut references) = match &object.body {
            Body::Instance { fields, .. } => (1, fields_that_refer(fields)),
            Body::Objects { elements, .. } => (2, elements.clone()),
            Body::Primitives { .. } => (3, Vec::new()),
        };
        kinds[kind] += 1;
        let internal = internal_name(name);
        let name = match kind {
            _ if variant.has_kinds() => format!("OBJ {internal}"),
            2 => {
                let element = name.strip_suffix("[]").unwrap_or(name);
                format!("array of {}", internal_name(element))
            }
            3 if variant == Variant::Findroots => name.to_owned(),
            3 => "primitive array".to_owned(),
            _ => internal,
        };
        if variant == Variant::OldJ9 {
            references.insert(0, class.map_or(0, |class| class.id));
        }
        put(object.id, Record { name, references });
    }
    let [classes, objects, arrays, primitives] = kinds;
    let all: u64 = kinds.iter().sum::<u64>() + wrong_by;
    let _written = write!(
        text,
        "{end}// Breakdown - Classes: {classes}, Objects: {objects}, ObjectArrays: {arrays}, PrimitiveArrays: \
         {primitives}{end}// EOF:  Total 'Objects',Refs(null) : {all},{references}({nulls}){end}"
    );
    text
}

/// The text in code page 1047; line feeds become the line end of z/OS.
///
/// # Panics
/// If it contains characters other than letters, digits and the punctuation of heap dumps.
pub fn ebcdic(text: &str) -> Vec<u8> {
    let code = |c: char| match c {
        '0'..='9' => 0xf0 + (c as u8 - b'0'),
        'A'..='I' => 0xc1 + (c as u8 - b'A'),
        'J'..='R' => 0xd1 + (c as u8 - b'J'),
        'S'..='Z' => 0xe2 + (c as u8 - b'S'),
        'a'..='i' => 0x81 + (c as u8 - b'a'),
        'j'..='r' => 0x91 + (c as u8 - b'j'),
        's'..='z' => 0xa2 + (c as u8 - b's'),
        _ => MARKS.iter().find(|&&(mark, _)| mark == c).map_or_else(|| panic!("{c:?}"), |&(_, code)| code),
    };
    text.chars().map(code).collect()
}

/// Marks in code page 1047.
const MARKS: [(char, u8); 17] = [
    ('\n', 0x15),
    ('\t', 0x05),
    (' ', 0x40),
    ('.', 0x4b),
    ('(', 0x4d),
    ('$', 0x5b),
    (')', 0x5d),
    (';', 0x5e),
    ('-', 0x60),
    ('/', 0x61),
    (',', 0x6b),
    ('_', 0x6d),
    (':', 0x7a),
    ('\'', 0x7d),
    ('=', 0x7e),
    ('[', 0xad),
    (']', 0xbd),
];
