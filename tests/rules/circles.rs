//! No circle between the files of a crate: what a file imports can be read before the file itself.
//!
//! A child module may import from its parent, unless the parent's own code uses the child: then both need a third.
//! `mod` lines and re-exports are no uses, tests may import anything.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{SourceFile, definer, read, rust_files, sources};

/// Files of a crate by module, without test modules.
fn files_of(folder: &str) -> BTreeMap<String, SourceFile> {
    let files = rust_files(folder).into_iter();
    let files = files.filter(|(path, _)| !path.ends_with("/tests.rs") && !path.contains("/tests/"));
    files.map(|(path, source)| SourceFile::of(folder, path, &source)).map(|file| (file.module.clone(), file)).collect()
}

/// Imports between the files: by path, the paths of the files that it imports from, with the names.
fn imports(files: &BTreeMap<String, SourceFile>) -> BTreeMap<&str, BTreeMap<&str, BTreeSet<&str>>> {
    let mut all = BTreeMap::new();
    for file in files.values() {
        let mut of_file: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for path in &file.paths {
            // A name without a path is a child or a name of the file itself.
            let child = format!("{}::{path}", file.module);
            let is_outside = !path.starts_with("crate");
            let full = if is_outside { child.as_str() } else { path.as_str() };
            if let Some(from) = definer(files, full).filter(|from| from.path != file.path) {
                let is_parent_of_child = is_outside && !full.starts_with(&from.module);
                if !is_parent_of_child {
                    of_file.entry(&from.path).or_default().insert(path.rsplit("::").next().unwrap_or_default());
                }
            }
        }
        all.insert(file.path.as_str(), of_file);
    }
    all
}

/// Files that can be reached from `start`.
fn reached<'a>(imports: &BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<&'a str>>>, start: &'a str) -> BTreeSet<&'a str> {
    let (mut seen, mut next) = (BTreeSet::new(), vec![start]);
    while let Some(file) = next.pop() {
        for &from in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if seen.insert(from) {
                next.push(from);
            }
        }
    }
    seen
}

/// Lines that describe all circles of a crate: each file in one, with the files of the same circle that it imports.
fn circles(folder: &str) -> Vec<String> {
    let files = files_of(folder);
    let imports = imports(&files);
    let reach: BTreeMap<&str, BTreeSet<&str>> = imports.keys().map(|&file| (file, reached(&imports, file))).collect();
    let mut lines = Vec::new();
    for (file, from) in &imports {
        for (other, names) in from {
            if reach[other].contains(file) {
                lines.push(format!("{file} imports {names:?} from {other}"));
            }
        }
    }
    lines
}

#[test]
fn no_circle_between_files() {
    let actual: Vec<String> = sources().iter().flat_map(|folder| circles(folder)).collect();
    assert!(actual.is_empty(), "circles:\n{}", actual.join("\n"));
}

/// Groups of `mod` lines in a `lib.rs`, separated by empty lines: by module, the index of its group.
fn groups(lib: &str) -> BTreeMap<&str, usize> {
    let groups = lib.split("\n\n").enumerate().flat_map(|(group, lines)| {
        let names = lines.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
        names.map(move |name| (name.trim_end_matches(';'), group))
    });
    groups.collect()
}

/// Analyses import from groups above their own only: none imports another of its group.
#[test]
fn imports_between_analyses_run_up_the_list() {
    let folder = "crates/analysis/src";
    let files = files_of(folder);
    let lib = read(&format!("{folder}/lib.rs")).expect("lib.rs");
    let groups = groups(&lib);
    let module = |file: &str| -> String {
        let inside = file.trim_start_matches(folder).trim_start_matches('/').trim_end_matches(".rs");
        inside.split('/').next().unwrap_or_default().to_owned()
    };
    for (file, from) in imports(&files) {
        for other in from.keys().filter(|other| module(other) != module(file)) {
            let is_above = groups[&*module(other)] < groups[&*module(file)];
            assert!(is_above, "{file} imports from {other}, which is not above it in {folder}/lib.rs");
        }
    }
}

#[test]
fn a_circle_is_found_and_a_re_export_is_none() {
    let made = |sources: &[(&str, &str)]| -> BTreeMap<String, SourceFile> {
        let files = sources.iter().map(|(path, source)| SourceFile::of("src", format!("src/{path}"), source));
        files.map(|file| (file.module.clone(), file)).collect()
    };
    let ties = |sources: &[(&str, &str)]| -> Vec<(String, String)> {
        let files = made(sources);
        let imports = imports(&files);
        let pairs = imports.iter().flat_map(|(file, from)| from.keys().map(move |other| (*file, *other)));
        pairs.map(|(file, other)| (file.to_owned(), other.to_owned())).collect()
    };
    let tie = |from: &str, to: &str| (format!("src/{from}"), format!("src/{to}"));
    // A child imports from its parent, and the parent uses the child.
    let circle = [("lib.rs", "mod a; pub struct B; fn f() { a::g() }"), ("a.rs", "use crate::B; pub fn g() {}")];
    assert_eq!(ties(&circle), [tie("a.rs", "lib.rs"), tie("lib.rs", "a.rs")]);
    // It only re-exports it.
    let front = [("lib.rs", "mod a; pub use a::g; pub struct B;"), ("a.rs", "use super::B; pub fn g() {}")];
    assert_eq!(ties(&front), [tie("a.rs", "lib.rs")]);
    // A re-export leads to the file behind it.
    let behind = [("lib.rs", "mod a; mod b; pub use a::g;"), ("a.rs", "pub fn g() {}"), ("b.rs", "use crate::g;")];
    assert_eq!(ties(&behind), [tie("b.rs", "a.rs")]);
    // Tests do not count.
    let tests = [("lib.rs", "mod a; fn f() { a::g() }"), ("a.rs", "#[cfg(test)]\nmod tests { use crate::f; }")];
    assert_eq!(ties(&tests), [tie("lib.rs", "a.rs")]);
}
