//! Completion of a typed path.

use std::fs;
use std::path::MAIN_SEPARATOR;

/// Paths of so many files and folders at most that begin as the typed text, by name; folders end with a separator. A path
/// from the home folder begins with `~/`.
pub fn files_like(typed: &str, most: usize) -> Vec<String> {
    let cut = typed.rfind(['/', MAIN_SEPARATOR]).map_or(0, |at| at + 1);
    let (folder, begin) = typed.split_at(cut);
    let home = || std::env::home_dir().map(|home| format!("{}{MAIN_SEPARATOR}", home.display()));
    let read = if let Some(rest) = folder.strip_prefix("~/") { home().map(|home| home + rest) } else { None };
    let read = read.unwrap_or_else(|| if folder.is_empty() { ".".to_owned() } else { folder.to_owned() });
    let mut offers: Vec<String> = fs::read_dir(&read)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_meant = name.starts_with(begin) && (!name.starts_with('.') || begin.starts_with('.'));
            let end = if entry.path().is_dir() { MAIN_SEPARATOR.to_string() } else { String::new() };
            let shown = if folder.starts_with('~') { &read } else { folder };
            is_meant.then(|| format!("{shown}{name}{end}"))
        })
        .collect();
    offers.sort_unstable();
    offers.truncate(most);
    offers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_begin_as_the_text_are_offered() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::create_dir_all(folder.join("app-dumps")).expect("a folder");
        for name in ["app.hprof", "other.hprof", ".app"] {
            fs::write(folder.join(name), b"").expect("a file");
        }
        let begin = format!("{}{MAIN_SEPARATOR}", folder.display());
        let all = [format!("{begin}app-dumps{MAIN_SEPARATOR}"), format!("{begin}app.hprof")];
        assert_eq!(files_like(&format!("{begin}app"), 6), all);
        assert!(files_like(&format!("{begin}none"), 6).is_empty());
    }
}
