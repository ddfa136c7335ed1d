//! Records of a digest. One dump has a record of its own, one for each finding, and one for each of its largest
//! classes. All have the same columns, so that a file of many digests is one table; what a record does not have is empty.

use std::sync::Arc;

use heaplens_sql::{SqlColumn, SqlType};
use heaplens_tables::columns::Value;
use serde::{Deserialize, Serialize};

/// Word of the records of a dump.
pub const DUMP: &str = "dump";
/// Word of the records of findings.
pub const FINDING: &str = "finding";
/// Word of the records of classes.
pub const CLASS: &str = "class";
/// Status of a dump that was read as a whole.
pub const READ: &str = "read";
/// Status of a dump of which a part is missing.
pub const INCOMPLETE: &str = "incomplete";
/// Status of a dump that could not be read.
pub const UNREADABLE: &str = "unreadable";

/// Declares the columns once: name, type, definition.
macro_rules! columns {
    ($($name:ident: $kind:ident $about:literal;)+) => {
        /// A record.
        #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct DigestRecord {
            $(
                #[doc = $about]
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $name: Option<columns!(@type $kind)>,
            )+
        }

        /// Columns of records: name, type, definition.
        pub const COLUMNS: [(&str, SqlType, &str); 0 $(+ { let _ = stringify!($name); 1 })+] =
            [$((stringify!($name), SqlType::$kind, $about)),+];

        /// Reads the value of each column.
        const VALUES: [for<'a> fn(&'a DigestRecord) -> Value<'a>; COLUMNS.len()] =
            [$(|record| Field::value(record.$name.as_ref())),+];

        /// Sets the value of each column; one of another type is none.
        const SETTERS: [for<'a> fn(&mut DigestRecord, &'a Value<'a>); COLUMNS.len()] =
            [$(|record, value| record.$name = Field::of(value)),+];

        impl DigestRecord {
            /// Value of the column at a place of [`COLUMNS`].
            pub fn value(&self, index: usize) -> Value<'_> {
                VALUES.get(index).map_or(Value::Null, |value| value(self))
            }

            /// All numbers but reals.
            pub(crate) fn numbers(&self) -> impl Iterator<Item = u64> {
                [$(Field::number(self.$name.as_ref())),+].into_iter().flatten()
            }

            /// All texts, to be held once if they are equal.
            pub(crate) fn texts(&mut self) -> impl Iterator<Item = &mut Arc<str>> {
                [$(Field::text(&mut self.$name)),+].into_iter().flatten()
            }

            /// Sets the column at a place of [`COLUMNS`].
            pub(crate) fn set(&mut self, index: usize, value: &Value<'_>) {
                if let Some(set) = SETTERS.get(index) {
                    set(self, value);
                }
            }
        }
    };
    (@type Text) => { Arc<str> };
    (@type Integer) => { u64 };
    (@type Bytes) => { u64 };
    (@type Real) => { f64 };
}

columns! {
    record: Text "What the row is about: dump, finding or class";
    dump_id: Text "Identifies the dump: made of the file, program, version, device and time";
    dump: Text "Name of the file; with `--values` or `--name` as it was given";
    app: Text "Program, or unknown";
    version: Text "Version of the program, or unknown";
    version_order: Text "The version with its numbers padded: sorting it as text sorts versions";
    device: Text "Host or device, or unknown";
    taken_at: Text "Time of the dump in UTC, as in 2026-11-26T12:00:00Z";
    runtime: Text "Virtual machine, if the dump records it";
    format: Text "Format of the file";
    heaplens: Text "Version of heaplens that read the dump";
    status: Text "read, incomplete if a part is missing or damaged, or unreadable";
    error: Text "Why the dump is unreadable or incomplete";
    seconds: Real "Time to open the dump and to search it";
    file_bytes: Bytes "Size of the file";
    reference_count: Integer "References between reachable objects";
    classes: Integer "Classes";
    roots: Integer "GC roots";
    unreachable_objects: Integer "Unreachable objects";
    unreachable_bytes: Bytes "Their shallow size";
    least_bytes: Bytes "Smallest finding that the digest lists: a smaller one may be in the dump";
    place: Integer "Place of the finding in the list of leaks, or of the class by retained size, from 1";
    section: Text "Group of the finding: leak, waste and so on";
    kind: Text "Kind of the finding";
    fingerprint: Text "Identifies the finding in all dumps of the program";
    name: Text "Name of the finding; without values unless they were asked for";
    owner: Text "References to cut; without values unless they were asked for";
    holder: Text "Id of the holding object";
    class: Text "The class, or the class that accumulates";
    count: Integer "Objects of the class that accumulates";
    objects: Integer "Reachable objects; of a finding those that a fix frees; of a class its instances";
    shallow_bytes: Bytes "Their shallow size; not of findings";
    retained_bytes: Bytes "Bytes that a fix frees; of a class the retained size of its instances";
    share: Real "Share of these bytes in the reachable heap";
    native_bytes: Bytes "Native memory that objects hold outside the heap; of a finding of kind native what its owner holds";
    resident_bytes: Bytes "Resident memory of the process, if it was recorded with the dump";
    baseline_bytes: Bytes "The same bytes in the baseline; empty if it does not list them";
}

/// A value of a column.
trait Field: Sized {
    fn value(of: Option<&Self>) -> Value<'_>;
    fn of(value: &Value<'_>) -> Option<Self>;
    fn text(_of: &mut Option<Self>) -> Option<&mut Arc<str>> {
        None
    }
    fn number(_of: Option<&Self>) -> Option<u64> {
        None
    }
}

impl Field for Arc<str> {
    fn value(of: Option<&Self>) -> Value<'_> {
        of.map_or(Value::Null, |text| Value::text(&**text))
    }

    fn of(value: &Value<'_>) -> Option<Self> {
        if let Value::Text(text) = value { Some(Arc::from(&**text)) } else { None }
    }

    fn text(of: &mut Option<Self>) -> Option<&mut Arc<str>> {
        of.as_mut()
    }
}

impl Field for u64 {
    fn value(of: Option<&Self>) -> Value<'_> {
        of.map_or(Value::Null, |&number| Value::Count(number))
    }

    fn of(value: &Value<'_>) -> Option<Self> {
        if let &Value::Integer(number) = value { Self::try_from(number).ok() } else { None }
    }

    fn number(of: Option<&Self>) -> Option<u64> {
        of.copied()
    }
}

impl Field for f64 {
    fn value(of: Option<&Self>) -> Value<'_> {
        of.map_or(Value::Null, |&number| Value::Real(number))
    }

    fn of(value: &Value<'_>) -> Option<Self> {
        match *value {
            Value::Real(number) => Some(number),
            Value::Integer(number) => Some(number as Self),
            _ => None,
        }
    }
}

impl DigestRecord {
    /// Id of the dump by its file, program, version, device and time: the number of the file, and that of all.
    pub(crate) fn own_id(&self) -> Arc<str> {
        let file = fnv(&[&self.dump, &self.version, &self.device]);
        format!("{file:016x}{:016x}", fnv(&[&self.dump, &self.app, &self.version, &self.device, &self.taken_at])).into()
    }

    /// Number of the file of the dump: also of one that could not be read, of which nothing else is known. The id has it,
    /// since the name may lack the folders; earlier versions wrote ids without.
    pub(crate) fn file_number(&self) -> u64 {
        let id = self.dump_id.as_deref().filter(|id| id.len() == 32).and_then(|id| id.get(..16));
        let number = id.and_then(|file| u64::from_str_radix(file, 16).ok());
        number.unwrap_or_else(|| fnv(&[&self.dump, &self.version, &self.device]))
    }
}

/// FNV-1a hash of texts, of 64 bits.
fn fnv(parts: &[&Option<Arc<str>>]) -> u64 {
    let bytes = parts.iter().flat_map(|part| part.as_deref().unwrap_or_default().bytes().chain([0]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Place of the column with a name.
pub(crate) fn index_of(name: &str) -> Option<usize> {
    COLUMNS.iter().position(|(known, ..)| *known == name)
}

/// Columns as queries declare them.
pub(crate) fn sql_columns() -> Vec<SqlColumn> {
    COLUMNS.iter().map(|&(name, kind, about)| SqlColumn::shown(name, kind, about)).collect()
}
