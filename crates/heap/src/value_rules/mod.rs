//! What a value of the program is: for every kind of text and number that a dump can carry, whether it is shown to others,
//! hidden, or shown in part. The only definition: `strip`, `strip --check`, redacted contents, and with them the
//! assistant, digests and reports, ask here. `docs/trust.md` has the same table, which a test compares.

mod frames;
mod machine_messages;
mod messages;
mod names;
mod paths;

use std::borrow::Cow;

pub use self::frames::frame;
pub use self::machine_messages::is_machine_message;
pub use self::messages::{LEADING_TEXT, OTHER_DUMPS, message};
pub use self::names::{is_runtime_symbol, is_weak_map_entry, name, weak_map_entry};
pub use self::paths::{file_name, path};

/// Number of named properties from which on a plain object of JavaScript is a dictionary: the names of its properties are
/// keys.
pub const DICTIONARY: usize = 24;

/// Replacement of a character of a text that is hidden in part. A question mark would begin a query.
const BLANK: char = '_';

/// A kind of text or number in a dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DataKind {
    /// Name of a class, a constructor, an interface or a DOM node.
    ClassName,
    /// Name of a field, a static field or a property.
    FieldName,
    /// Name or signature of a method or a function.
    MethodName,
    /// Label that the runtime gives to its own objects.
    RuntimeLabel,
    /// Name of a heap of Android.
    HeapName,
    /// Path or URL of a source file or a script.
    SourcePath,
    /// URL in any other name.
    Url,
    /// Attributes and texts of DOM nodes.
    DomText,
    /// Characters of a string, in any encoding, and names of threads and loaders, properties and environment, which are
    /// strings.
    StringText,
    /// Elements of an array of numbers, and boxed values.
    Numbers,
    /// Source of a regular expression.
    Pattern,
    /// Description of a symbol that the program made.
    SymbolDescription,
    /// Key of a map, and name of a property of an object with [`DICTIONARY`] or more.
    Key,
    /// Numbers, characters and flags in fields.
    FieldNumber,
    /// Strings of a table that nothing refers to.
    UnusedText,
    /// Reserved fields, padding, records and members that no reader knows, bytes outside of the dump.
    Unassigned,
    /// Path of the dump.
    DumpPath,
    /// Ids, references, sizes, lengths, counts, lines, columns, times of samples, and the time of the dump.
    Structure,
}

/// Whether data is shown to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    /// Shown.
    Kept,
    /// Shown without the values in it.
    InPart,
    /// Not shown.
    Hidden,
    /// Hidden in answers; removed from a file if asked for.
    OnRequest,
}

impl Disclosure {
    /// Name in the manual.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::InPart => "in part",
            Self::Hidden => "hidden",
            Self::OnRequest => "hidden; `strip` by option",
        }
    }
}

/// The rule for a kind of data.
#[derive(Debug, Clone, Copy)]
pub struct ValueRule {
    /// The kind.
    pub kind: DataKind,
    /// What it is, as the manual names it.
    pub data: &'static str,
    /// Whether it is shown.
    pub disclosure: Disclosure,
    /// Why, or what remains.
    pub reason: &'static str,
}

const fn rule(kind: DataKind, data: &'static str, disclosure: Disclosure, reason: &'static str) -> ValueRule {
    ValueRule { kind, data, disclosure, reason }
}

/// The rules, in the order of the manual.
pub const RULES: [ValueRule; 18] = [
    rule(
        DataKind::ClassName,
        "class, constructor and interface names",
        Disclosure::InPart,
        "names of code; URLs, paths, quoted texts and DOM texts in them are hidden as below",
    ),
    rule(
        DataKind::FieldName,
        "field and property names",
        Disclosure::InPart,
        "names of code; URLs, paths and quoted texts in them are hidden",
    ),
    rule(
        DataKind::MethodName,
        "method and function names, signatures",
        Disclosure::InPart,
        "names of code; URLs, paths and quoted texts in them are hidden",
    ),
    rule(
        DataKind::RuntimeLabel,
        "labels of the runtime's own objects",
        Disclosure::InPart,
        "names of the runtime, such as `system / Map`; URLs, paths and quoted texts in them are hidden",
    ),
    rule(DataKind::HeapName, "heap names of Android", Disclosure::Kept, "names of the runtime: app, zygote, image"),
    rule(
        DataKind::SourcePath,
        "source files and scripts",
        Disclosure::InPart,
        "the file name remains, from `node_modules` on the folders too; folders, hosts, users, passwords, queries and `data:` are hidden",
    ),
    rule(
        DataKind::Url,
        "URLs in names",
        Disclosure::InPart,
        "the scheme and a file name with an extension remain; user, password, host, folders, query and fragment are hidden",
    ),
    rule(
        DataKind::DomText,
        "DOM nodes",
        Disclosure::InPart,
        "tags and names of attributes remain; values of attributes, texts and comments are hidden",
    ),
    rule(
        DataKind::StringText,
        "strings, byte and char arrays",
        Disclosure::Hidden,
        "also names of threads and loaders, system properties, environment; the length remains",
    ),
    rule(DataKind::Numbers, "arrays of numbers, boxed values", Disclosure::Hidden, "the length and the type remain"),
    rule(DataKind::Pattern, "regular expressions", Disclosure::Hidden, "their source is a text"),
    rule(
        DataKind::SymbolDescription,
        "symbol descriptions",
        Disclosure::Hidden,
        "any text may be one; the well-known `Symbol.iterator` and the like remain",
    ),
    rule(
        DataKind::Key,
        "keys of maps, property names of dictionaries",
        Disclosure::OnRequest,
        "`--keys`; keys of maps are objects and always hidden; a dictionary is a plain object with 24 or more properties",
    ),
    rule(
        DataKind::FieldNumber,
        "numbers, flags and characters in fields",
        Disclosure::OnRequest,
        "`--numbers`; a few states and sizes of library objects remain",
    ),
    rule(
        DataKind::UnusedText,
        "unused strings of string tables",
        Disclosure::Hidden,
        "HotSpot writes constants of the source there",
    ),
    rule(
        DataKind::Unassigned,
        "data of no known meaning",
        Disclosure::Hidden,
        "reserved fields, padding, unknown records and members, bytes before and after the dump, headers of packed files",
    ),
    rule(DataKind::DumpPath, "path of the dump", Disclosure::InPart, "the file name remains"),
    rule(
        DataKind::Structure,
        "ids, references, sizes, counts, lines, time of the dump",
        Disclosure::Kept,
        "the heap itself",
    ),
];

/// The rule for a kind of data.
pub fn rule_of(kind: DataKind) -> &'static ValueRule {
    const OTHER: ValueRule = rule(DataKind::Unassigned, "", Disclosure::Hidden, "");
    RULES.iter().find(|rule| rule.kind == kind).unwrap_or(&OTHER)
}

/// A text as others may see it, as long as before in UTF-16 units: what is hidden of it becomes `_`.
pub fn disclosed(kind: DataKind, text: &str) -> Cow<'_, str> {
    match rule_of(kind).disclosure {
        Disclosure::Kept => Cow::Borrowed(text),
        Disclosure::Hidden | Disclosure::OnRequest => Cow::Owned(all_blank(text)),
        Disclosure::InPart => match kind {
            DataKind::SourcePath | DataKind::DumpPath => Cow::Owned(path(text)),
            _ => name(text),
        },
    }
}

/// A text of blanks.
fn all_blank(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    blank(&mut out, text, &[]);
    out
}

/// Ends of lines, by which readers recognise names.
const LINE_ENDS: [char; 4] = ['\n', '\r', '\u{2028}', '\u{2029}'];

/// Adds a text with its characters replaced, except some and line ends.
fn blank(out: &mut String, text: &str, except: &[char]) {
    for c in text.chars() {
        if except.contains(&c) || LINE_ENDS.contains(&c) {
            out.push(c);
        } else {
            out.extend(std::iter::repeat_n(BLANK, c.len_utf16()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_one_rule() {
        for rule in &RULES {
            assert_eq!(RULES.iter().filter(|other| other.kind == rule.kind).count(), 1, "{}", rule.data);
            assert_eq!(rule_of(rule.kind).data, rule.data);
        }
        assert_eq!(disclosed(DataKind::StringText, "hunter2 \u{1f600}"), "__________");
        assert_eq!(disclosed(DataKind::HeapName, "zygote"), "zygote");
        assert_eq!(disclosed(DataKind::SourcePath, "/srv/ann/shop.js"), "/___/___/shop.js");
        assert_eq!(disclosed(DataKind::ClassName, "shop.Cart"), "shop.Cart");
    }
}
