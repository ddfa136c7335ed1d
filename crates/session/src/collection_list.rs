//! The user's own list of collections of libraries, in the platform's folder for settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::lists::read_list;
use heaplens_base::storage::folder::settings_folder;
use heaplens_heap::collection_list::CollectionList;

/// File name of the list.
const FILE: &str = "collections.txt";

/// Path of the user's list.
pub fn user_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(FILE))
}

/// The user's list before the built-in one; `None` if there is none.
///
/// # Errors
/// Those of [`read`].
pub fn of_user() -> Result<Option<Arc<CollectionList>>, String> {
    let path = user_file().filter(|path| path.exists());
    path.map(|path| read(&path).map(Arc::new)).transpose()
}

/// The lines of a file before the built-in ones.
///
/// # Errors
/// A message if the file cannot be read, with the number of the line if one is wrong.
pub fn read(path: &Path) -> Result<CollectionList, String> {
    let text = read_list(path, "collections")?;
    CollectionList::with(&text).map_err(|why| format!("{}: {why}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_named_with_file_and_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join(FILE);
        std::fs::write(&file, "# mine\norg.acme.Cache map within of=data").expect("written");
        let list = read(&file).expect("one line");
        assert_eq!(list.of_class("org.acme.Cache").len(), 1);
        std::fs::write(&file, "# mine\norg.acme.Cache map").expect("written");
        let error = read(&file).expect_err("no shape");
        assert_eq!(error, format!("{}: line 2: expected: CLASS KIND SHAPE ROLE=FIELDS …", file.display()));
    }
}
