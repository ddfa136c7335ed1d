//! Whether a file still has values of the program: the result, for every format. It depends on the data, not on a
//! marker, so that files stripped by other tools can be checked.

use super::source::Source;

/// Number of examples of a kind of values.
pub(super) const EXAMPLES: usize = 5;

/// Kind of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Strings; in HPROF, arrays of bytes and characters.
    Texts,
    /// Arrays of numbers.
    Arrays,
    /// Boxed values; in snapshots, heap numbers.
    Boxed,
    /// Regular expressions of snapshots.
    Patterns,
    /// Attributes, folders, URLs and quoted texts in names.
    Names,
    /// Strings of the string table of HPROF that nothing refers to, such as constants of the source.
    Unused,
    /// Numbers in fields, except those that sizes, counts and states are read from.
    Fields,
    /// Names of properties that are keys of objects used as dictionaries.
    Keys,
    /// Bytes of no known meaning: reserved, unknown, or outside of the dump.
    Unassigned,
}

impl ValueKind {
    /// All kinds, in the order in which they are reported.
    pub const ALL: [Self; 9] = [
        Self::Texts,
        Self::Arrays,
        Self::Boxed,
        Self::Patterns,
        Self::Names,
        Self::Unused,
        Self::Fields,
        Self::Keys,
        Self::Unassigned,
    ];

    /// Name in text and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Texts => "strings",
            Self::Arrays => "arrays",
            Self::Boxed => "boxed",
            Self::Patterns => "patterns",
            Self::Names => "names",
            Self::Unused => "unused",
            Self::Fields => "fields",
            Self::Keys => "keys",
            Self::Unassigned => "unassigned",
        }
    }
}

/// A place with a value: never the value itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueExample {
    /// Id of the object as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// Length of the value in characters, elements or bytes.
    pub length: u64,
}

/// Result for one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCheck {
    /// Kind.
    pub kind: ValueKind,
    /// Number of places with values.
    pub with_values: u64,
    /// Number of places.
    pub count: u64,
    /// The first places with values, at most five.
    pub examples: Vec<ValueExample>,
}

impl KindCheck {
    pub(super) fn new(kind: ValueKind) -> Self {
        Self { kind, with_values: 0, count: 0, examples: Vec::new() }
    }

    /// Counts a place; `example` describes it if it has a value.
    pub(super) fn see(&mut self, has_value: bool, example: impl FnOnce() -> ValueExample) {
        self.count += 1;
        self.with_values += u64::from(has_value);
        if has_value && self.examples.len() < EXAMPLES {
            self.examples.push(example());
        }
    }

    /// Adds the places of a later part of the file.
    pub(super) fn add(&mut self, later: Self) {
        self.count += later.count;
        self.with_values += later.with_values;
        let left = EXAMPLES.saturating_sub(self.examples.len());
        self.examples.extend(later.examples.into_iter().take(left));
    }
}

/// Result for a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ValueCheck {
    /// Kinds that the format can have.
    pub kinds: Vec<KindCheck>,
    /// Offset at which the file became unreadable: it may have further values.
    pub broken: Option<u64>,
}

impl ValueCheck {
    /// Adds what a file has besides the dump, which was not checked: text in front of it, and all that a packed file
    /// may have, such as a comment or other files.
    pub fn see_outside(&mut self, source: &Source) {
        let size = source.size();
        // Of a dump that was converted, only the note tells.
        let is_noted = source.notes.iter().any(|note| note.message.contains("in front of the dump"));
        let is_text = source.begin() > 0 || is_noted;
        let text = is_text.then(|| ("text before the dump", source.begin().max(1)));
        let packed = "packed file: only the dump inside was checked";
        let packed = (size.disk != size.unpacked).then_some((packed, size.disk));
        let mut outside = KindCheck::new(ValueKind::Unassigned);
        for (what, length) in text.into_iter().chain(packed) {
            outside.see(true, || ValueExample { id: "offset 0".to_owned(), class: what.to_owned(), length });
        }
        if outside.count == 0 {
            return;
        }
        match self.kinds.iter_mut().find(|of| of.kind == ValueKind::Unassigned) {
            Some(of) => {
                let inside = std::mem::replace(of, outside);
                of.add(inside);
            }
            None => self.kinds.push(outside),
        }
    }

    /// True if there is a value of a kind other than `except`.
    pub fn has_values(&self, except: &[ValueKind]) -> bool {
        self.kinds.iter().any(|of| of.with_values > 0 && !except.contains(&of.kind))
    }
}
