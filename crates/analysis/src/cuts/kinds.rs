//! Cuts that begin or end with what they mean of an object: `root of NAME`, `from NAME`, `from package.*`, `loader NAME`,
//! `NAME[..-1000]`.

use std::collections::HashSet;

use super::cut::words;
use super::entry_range::EntryRange;
use super::{cut::Cut, entries::has_entries, leads_to::leads_to};
use crate::naming::{Namer, Unresolved};
use heaplens_base::Task;
use heaplens_heap::{Class, ObjectId, starts_with_id};

/// End of the name of a package, for all its classes.
const PACKAGE: &str = ".*";

impl Namer<'_> {
    /// The cut of a text that says what of an object it means; `None` if the text is a plain name.
    ///
    /// # Errors
    /// [`Unresolved`] if nothing has its name, or it has nothing of what is meant.
    pub(super) fn cut_by_kind(&self, text: &str, task: &Task) -> Result<Option<Cut>, Unresolved> {
        if text == words::DUPLICATE_STRINGS {
            return Ok(Some(Cut::DuplicateStrings));
        }
        if let Some(name) = text.strip_prefix(words::ROOTS) {
            return self.roots_of(name.trim(), task).map(Some);
        }
        if let Some(name) = text.strip_prefix(words::FROM) {
            return self.from(name.trim(), task).map(Some);
        }
        if let Some(name) = text.strip_prefix(words::LOADER) {
            return self.loader(name.trim(), task).map(Some);
        }
        let Some((name, range)) = EntryRange::split(text).filter(|(name, _)| !name.is_empty()) else { return Ok(None) };
        self.entries_of(name, range, task).map(Some)
    }

    fn roots_of(&self, name: &str, task: &Task) -> Result<Cut, Unresolved> {
        let of = self.plain_cut(name, task)?;
        let roots = self.dump.analysis.roots();
        if leads_to(self.dump, &of, task)?.iter().all(|&object| roots.of(object).is_empty()) {
            return Err(Unresolved::NotFound(format!("{name} is no GC root")));
        }
        Ok(Cut::Roots(Box::new(of)))
    }

    fn from(&self, name: &str, task: &Task) -> Result<Cut, Unresolved> {
        let Some(package) = name.strip_suffix(PACKAGE) else {
            let of = self.plain_cut(name, task)?;
            let is_source = |&object: &ObjectId| !self.heap.references(object).is_empty();
            if !matches!(of, Cut::Class(_)) && !leads_to(self.dump, &of, task)?.iter().any(is_source) {
                return Err(Unresolved::NotFound(format!("{name} has no references")));
            }
            return Ok(Cut::From(Box::new(of)));
        };
        if self.heap.classes.all().iter().any(|class| class.is_in(package)) {
            return Ok(Cut::Package(package.into()));
        }
        let last = package.rsplit('.').next().unwrap_or(package);
        let mut like: Vec<&str> = self.heap.classes.all().iter().map(Class::package).collect();
        like.retain(|package| package.rsplit('.').any(|part| part == last));
        like.sort_unstable();
        like.dedup();
        like.truncate(ALIKE);
        let like = if like.is_empty() { String::new() } else { format!("; similar packages: {}", like.join(", ")) };
        Err(Unresolved::NotFound(format!("no class of the package {package}{like}")))
    }

    fn loader(&self, name: &str, task: &Task) -> Result<Cut, Unresolved> {
        let objects = leads_to(self.dump, &self.plain_cut(name, task)?, task)?;
        let loaders: HashSet<ObjectId> = self.heap.classes.all().iter().filter_map(|class| class.loader).collect();
        let named: Vec<ObjectId> = objects.into_iter().filter(|object| loaders.contains(object)).collect();
        let why = match &named[..] {
            [only] => return Ok(Cut::Loader(*only)),
            [] => format!("{name} is no class loader with classes"),
            several => {
                let ids: Vec<String> = several.iter().take(ALIKE).map(|&id| self.heap.id_text(id)).collect();
                format!("{name} are {} class loaders; name one: {}", several.len(), ids.join(", "))
            }
        };
        Err(Unresolved::NotFound(why))
    }

    fn entries_of(&self, name: &str, range: EntryRange, task: &Task) -> Result<Cut, Unresolved> {
        let of = self.plain_cut(name, task)?;
        if !leads_to(self.dump, &of, task)?.iter().any(|&object| has_entries(self.dump, object)) {
            return Err(Unresolved::NotFound(format!("{name} is no collection and no array")));
        }
        Ok(Cut::Entries { of: Box::new(of), range })
    }
}

/// True if the text of a cut says what of an object it means.
pub fn is_of_kind(text: &str) -> bool {
    let text = text.trim();
    let kinds = [words::ROOTS, words::FROM, words::LOADER, words::DUPLICATE_STRINGS];
    EntryRange::split(text).is_some() || kinds.iter().any(|kind| text.starts_with(kind.trim_end()))
}

/// True if the text of a cut has the id of an object, which another dump does not have: `0x12[3]`, `object @12`,
/// `SELECT … WHERE id = 0x12`.
pub fn is_by_id(text: &str) -> bool {
    let is_id = |word: &str| {
        let hexadecimal = word.strip_prefix("0x").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()));
        hexadecimal || word.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    // Keys of maps are in quotes: they may look like ids.
    let unquoted = text.split('"').step_by(2);
    starts_with_id(text) || unquoted.flat_map(|part| part.split([' ', ':', ',', '(', '=', '<', '>'])).any(is_id)
}

/// Maximum number of names or ids offered.
const ALIKE: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_told_from_names() {
        for id in [
            "0x12",
            " 0x12:0x34",
            "object 0x12",
            "@17._events",
            "object @17",
            "12",
            "root of 0xfe0",
            "SELECT id FROM objects WHERE id=0x12",
        ] {
            assert!(is_by_id(id), "{id}");
        }
        for name in
            ["desk.Cache.ENTRIES", "desk.Cache.ENTRIES[\"0x12\"].value", "cart.js items", "a.B@c.d", "object x0x12"]
        {
            assert!(!is_by_id(name), "{name}");
        }
    }

    #[test]
    fn kinds_are_told_from_names() {
        for kind in ["from a.*", "root of x", "loader x", "a.B.c[*]", "a[..-10]", "duplicate strings"] {
            assert!(is_of_kind(kind), "{kind}");
        }
        for name in ["a.B.c", "a.B.c[17]", "a.B.c[\"k..v\"]", "object x", "0x12"] {
            assert!(!is_of_kind(name), "{name}");
        }
    }
}
