//! The user's own list of runtime classes, in the platform's folder for settings.

use std::io::{ErrorKind, Write};
use std::{path::PathBuf, sync::Arc};

use super::lists::read_list;
pub use heaplens_analysis::RuntimeClasses;
use heaplens_base::storage::folder::settings_folder;

/// File name of the list.
const FILE: &str = "runtime-classes.txt";

/// Path of the user's list.
pub fn user_file() -> Option<PathBuf> {
    settings_folder().map(|folder| folder.join(FILE))
}

/// Initial contents of a new list: a description of the format.
const TEMPLATE: &str = "\
# Classes of the runtime and its libraries: heaplens never names them as owners of objects.
#
# Every line is a prefix of class names; the longest matching prefix decides:
#   org.acme.platform.        runtime classes
#   !org.acme.platform.shop.  application classes
#   replace                   ignore the built-in list
#
# Reload runtime classes, in the View menu, reads this file again.
";

/// Creates the list unless it exists.
///
/// # Errors
/// A message if it cannot be written.
pub fn create(path: &std::path::Path) -> Result<(), String> {
    let described = |error: std::io::Error| format!("{}: {error}", path.display());
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(described)?;
    }
    match std::fs::File::create_new(path) {
        Ok(mut file) => file.write_all(TEMPLATE.as_bytes()).map_err(described),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(described(error)),
    }
}

/// Built-in rules with those of the user's list. An unreadable list is ignored.
pub fn of_user() -> Arc<RuntimeClasses> {
    let read = user_file().and_then(|path| read(&path).ok());
    Arc::new(read.unwrap_or_default())
}

/// Built-in rules with those of a file.
///
/// # Errors
/// A message if the file cannot be read.
pub fn read(path: &std::path::Path) -> Result<RuntimeClasses, String> {
    read_list(path, "class prefixes").map(|text| RuntimeClasses::with(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_list_changes_nothing_and_an_existing_one_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("settings").join(FILE);
        create(&file).expect("it can be written");
        assert_eq!(read(&file), Ok(RuntimeClasses::default()));
        std::fs::write(&file, "org.acme.").expect("written");
        create(&file).expect("it is there");
        assert_eq!(read(&file), Ok(RuntimeClasses::with("org.acme.")));
    }
}
