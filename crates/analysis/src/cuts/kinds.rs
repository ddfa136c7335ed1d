//! Cuts that begin or end with what they mean of an object: `root of NAME`, `from NAME`, `from package.*`, `loader NAME`,
//! `NAME[..-1000]`.

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
            let (class, objects) = (matches!(of, Cut::Class(_)), leads_to(self.dump, &of, task)?);
            let is_source = |&object: &ObjectId| !self.heap.references(object).is_empty();
            if !class && !objects.iter().any(is_source) {
                return Err(Unresolved::NotFound(format!("{name} has no references")));
            }
            return Ok(Cut::From(Box::new(of)));
        };
        let below = format!("{package}.");
        let is_its = |class: &Class| class.package() == package || class.package().starts_with(&below);
        if self.heap.classes.all().iter().any(is_its) {
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
        let is_loader = |object: &&ObjectId| self.heap.classes.all().iter().any(|class| class.loader == Some(**object));
        match &objects[..] {
            [only] if is_loader(&only) => Ok(Cut::Loader(*only)),
            several => {
                let loaders: Vec<ObjectId> = several.iter().filter(is_loader).copied().collect();
                match &loaders[..] {
                    [] => Err(Unresolved::NotFound(format!("{name} is no class loader with classes"))),
                    [only] => Ok(Cut::Loader(*only)),
                    several => {
                        let ids: Vec<String> = several.iter().take(ALIKE).map(|&id| self.heap.id_text(id)).collect();
                        let why = format!("{name} are {} class loaders; name one: {}", several.len(), ids.join(", "));
                        Err(Unresolved::NotFound(why))
                    }
                }
            }
        }
    }

    fn entries_of(&self, name: &str, range: EntryRange, task: &Task) -> Result<Cut, Unresolved> {
        let of = self.plain_cut(name, task)?;
        if !leads_to(self.dump, &of, task)?.iter().any(|&object| has_entries(self.dump, object)) {
            return Err(Unresolved::NotFound(format!("{name} is no collection and no array")));
        }
        Ok(Cut::Entries { of: Box::new(of), range })
    }
}

/// True if the text of a cut has the id of an object, which another dump does not have. Those in a query are not seen.
pub fn is_by_id(text: &str) -> bool {
    let text = text.trim();
    let kinds = [words::OBJECT, words::ROOTS, words::FROM, words::LOADER];
    let name = kinds.iter().find_map(|kind| text.strip_prefix(kind)).unwrap_or(text);
    starts_with_id(name.trim_start())
}

/// Maximum number of names or ids offered.
const ALIKE: usize = 8;
