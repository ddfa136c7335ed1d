//! A fix: removals with a name, by the names of their references, which mean the same in other dumps of the program.

use super::saved_cut::SavedCut;
use heaplens_analysis::cuts::is_by_id;

/// Removals with a name, as they are saved to a file and applied to another dump.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fix {
    /// Name, in one line.
    pub name: String,
    /// Key of the dump that ids are of; `None` if no removal has an id.
    pub dump: Option<String>,
    /// The removals, as the command line takes them.
    pub removals: Vec<SavedCut>,
}

impl Fix {
    /// The removals that are on.
    pub fn active(&self) -> impl Iterator<Item = &str> {
        self.removals.iter().filter(|removal| !removal.is_off).map(|removal| &*removal.cut)
    }

    /// True if a removal is written with an id, which means nothing in the dump with this key.
    pub fn is_id_of_other(&self, removal: &str, dump: &str) -> bool {
        is_by_id(removal) && self.dump.as_deref() != Some(dump)
    }
}

/// The name of a reference with `…` in place of its texts, as answers with redacted values have it.
pub fn without_texts(name: &str) -> String {
    let parts = name.split('"').enumerate();
    let hidden = parts.map(|(at, part)| if at % 2 == 1 { "…" } else { part });
    hidden.collect::<Vec<&str>>().join("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_names_are_hidden() {
        assert_eq!(without_texts("a.B.c[\"user 1\"].d[\"x\"]"), "a.B.c[\"…\"].d[\"…\"]");
        assert_eq!((&*without_texts("a.B.c"), &*without_texts("a[\"cut")), ("a.B.c", "a[\"…"));
    }

    #[test]
    fn an_id_is_of_one_dump() {
        let fix = Fix { dump: Some("one".to_owned()), ..Fix::default() };
        assert!(fix.is_id_of_other("0x12", "two") && !fix.is_id_of_other("0x12", "one"));
        assert!(!fix.is_id_of_other("desk.Cache.ENTRIES", "two"));
        assert!(Fix::default().is_id_of_other("0x12", "two"), "a file without the dump of its ids");
    }
}
