//! Class histogram of a running JVM, as `jmap -histo` prints it.

use std::collections::BTreeMap;

use super::JvmConnection;
use crate::TakeError;

/// Longest answer in bytes: a million classes.
const LIMIT: u64 = 200 << 20;

/// Objects of the classes of one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassRow {
    /// Name as in source: `java.lang.String`, `byte[]`.
    pub class: String,
    /// Number of objects.
    pub objects: u64,
    /// Shallow size of all of them in bytes.
    pub bytes: u64,
}

impl JvmConnection {
    /// Class histogram. The JVM pauses for it: with `is_live` for a full collection, without for a walk over the heap.
    ///
    /// # Errors
    /// If the process ends or refuses.
    pub fn class_histogram(&self, is_live: bool) -> Result<Vec<ClassRow>, TakeError> {
        let answer = self.ask("inspectheap", [if is_live { "-live" } else { "-all" }, "", ""], LIMIT)?;
        let rows = parse(&answer);
        if rows.is_empty() {
            return Err(TakeError::Refused(format!("process {} answered without a class histogram", self.pid())));
        }
        Ok(rows)
    }
}

/// Rows by name. A line is `rank: objects bytes class (module)`; classes of several loaders are added up.
fn parse(text: &str) -> Vec<ClassRow> {
    let mut rows: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(rank) = words.next().and_then(|word| word.strip_suffix(':')) else { continue };
        let (Some(objects), Some(bytes), Some(class)) = (words.next(), words.next(), words.next()) else { continue };
        if let (Ok(_), Ok(objects), Ok(bytes)) = (rank.parse::<u64>(), objects.parse::<u64>(), bytes.parse::<u64>()) {
            let sums = rows.entry(source_name(class)).or_default();
            *sums = (sums.0.saturating_add(objects), sums.1.saturating_add(bytes));
        }
    }
    rows.into_iter().map(|(class, (objects, bytes))| ClassRow { class, objects, bytes }).collect()
}

/// Name of a class in source for its name in a descriptor: `[[I` is `int[][]`, `[Ljava.lang.String;` is
/// `java.lang.String[]`.
fn source_name(name: &str) -> String {
    let element = name.trim_start_matches('[');
    let dimensions = name.len() - element.len();
    if dimensions == 0 {
        return name.to_owned();
    }
    let element = match element {
        "Z" => "boolean",
        "B" => "byte",
        "C" => "char",
        "D" => "double",
        "F" => "float",
        "I" => "int",
        "J" => "long",
        "S" => "short",
        object => object.strip_prefix('L').and_then(|name| name.strip_suffix(';')).unwrap_or(object),
    };
    format!("{element}{}", "[]".repeat(dimensions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_read_and_added_up() {
        let text = " num     #instances         #bytes  class name (module)\n\
            -------------------------------------------------------\n\
            \x20  1:          5000         400000  [B (java.base@17.0.15)\n\
            \x20  2:            10            240  shop.Session\n\
            \x20  3:             1             24  shop.Session\n\
            \x20  4:             2             48  [[Lshop.Order;\n\
            Total          5013         400312\n";
        let row = |class: &str, objects, bytes| ClassRow { class: class.to_owned(), objects, bytes };
        assert_eq!(
            parse(text),
            [row("byte[]", 5000, 400_000), row("shop.Order[][]", 2, 48), row("shop.Session", 11, 264)]
        );
    }
}
