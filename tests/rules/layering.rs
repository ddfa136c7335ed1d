//! Checks `src/` against ARCHITECTURE.md: imports between modules, use of external crates, files and `unsafe`, maximum
//! file size. Groups in `use`, inline paths and `super` are resolved; comments and strings are ignored.

use std::fs;
use std::path::Path;

/// Modules, and the modules that each may import.
const ROOMS: [(&str, &str); 14] = [
    ("task", ""),
    ("units", ""),
    ("glossary", ""),
    ("storage", "units"),
    ("synth", ""),
    ("graph", "task storage"),
    ("heap", "task units storage graph"),
    ("formats", "task units storage heap"),
    ("analysis", "task units graph heap"),
    ("session", "task units storage heap formats analysis"),
    ("export", "task units heap analysis"),
    ("tables", "task units heap analysis session export"),
    ("cli", "task units storage synth heap analysis session export tables"),
    ("ui", "task units glossary storage heap analysis session export tables"),
];

/// External crates, and parts of `std` treated like them, with the modules or files that may use them.
const OUTSIDE: [(&str, &str); 24] = [
    ("egui_commonmark", "src/ui/shell/help/manual.rs"),
    ("arboard", "src/ui/clipboard.rs"),
    (
        "bytemuck",
        "storage crates/graph/src/dominators.rs crates/graph/src/forest.rs crates/graph/src/visits.rs crates/core/src/heap/address_map.rs",
    ),
    ("clap", "cli"),
    ("clap_complete clap_mangen", "src/cli/generate.rs src/cli/args/generate.rs"),
    ("crossbeam_channel", "session ui"),
    ("csv humantime", "export"),
    ("eframe egui egui_extras image rfd", "ui"),
    ("dirs libc xxhash_rust zerocopy", "storage"),
    ("flate2", "crates/core/src/formats/gzip.rs crates/core/src/formats/gzip/tests.rs crates/core/src/formats/zip.rs"),
    ("memmap2", "storage"),
    (
        "tempfile",
        "storage crates/core/src/formats/source.rs crates/session/src/files.rs crates/session/src/instance/tests.rs crates/session/src/saved_session/mod.rs crates/session/src/saved_session/saved_file.rs crates/session/src/watch.rs crates/session/src/javacore.rs crates/session/src/runtime_classes.rs src/cli/generate.rs",
    ),
    (
        "memchr",
        "crates/core/src/formats/v8/numbers.rs crates/core/src/formats/v8/sections.rs crates/core/src/formats/v8/strings.rs crates/core/src/formats/v8/text.rs crates/core/src/formats/v8/allocations.rs crates/core/src/formats/v8/passes.rs crates/core/src/formats/ibm_text/lines.rs",
    ),
    (
        "postcard",
        "storage heap crates/core/src/formats/hprof/stored.rs crates/core/src/formats/v8/contents.rs crates/core/src/formats/phd/contents.rs crates/core/src/formats/ibm_text/contents.rs",
    ),
    ("rayon", "storage graph heap formats analysis cli"),
    ("regex", "analysis crates/core/src/formats/v8/weak_maps.rs"),
    ("rustc_hash", "heap formats analysis"),
    ("serde", "units storage heap formats export tables session cli ui"),
    ("proguard", "crates/core/src/formats/mapping.rs"),
    ("png", "crates/tables/src/export/png.rs"),
    (
        "serde_json",
        "export tables session cli ui crates/core/src/formats/mapping.rs crates/core/src/formats/rawheap/metadata.rs crates/core/src/formats/v8/meta.rs crates/core/src/formats/v8/index.rs crates/core/src/formats/v8/interfaces.rs crates/core/src/formats/v8/mod.rs",
    ),
    ("sha1", "crates/analysis/src/android/shark/fingerprint.rs"),
    ("zbus", "crates/session/src/appearance/portal.rs"),
    ("std::fs", "storage crates/core/src/formats/source.rs session cli"),
];

/// Files that may contain `unsafe`, each for one operation that the language cannot check.
const UNSAFE: [&str; 4] = [
    "crates/base/src/storage/mapping.rs",
    "crates/base/src/storage/guard.rs",
    "crates/base/src/storage/trim.rs",
    "crates/base/src/storage/reserve.rs",
];

/// Modules whose parts may not import each other, and their common parts.
const STRANGERS: [(&str, &str); 2] =
    [("analysis", "filter runtime_classes wildcard"), ("formats", "cursor error gzip ibm source zip")];

/// Parts that may import other parts of their module, in addition to the common ones.
const STAND_ON: [(&str, &str); 2] =
    [("analysis::leaks", "dominator_tree finalizers naming paths waste"), ("analysis::overview", "leaks naming waste")];

const REFUSED_NAMES: &str = "utils util helpers helper common manager misc";

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|item| item == word)
}

/// Rust files below `folder` of the repository, by path.
fn rust_files(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).into_iter().flatten() {
        let path = format!("{folder}/{}", entry.expect("a readable folder").file_name().to_string_lossy());
        if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
            files.push((path.clone(), read(&path).expect("text")));
        }
        files.extend(rust_files(&path));
    }
    files
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// Tokens of the code, with `::` as one token, without comments and strings.
fn tokens(source: &str) -> Vec<String> {
    let marks = ["'\"'", "'\\\"'", "'{'", "'}'"];
    let source = marks.iter().fold(source.to_owned(), |source, mark| source.replace(mark, "' '"));
    let (mut code, mut rest) = (String::new(), &*source);
    while let Some(at) = rest.find(['"', '/']) {
        code.push_str(&rest[..at]);
        let tail = &rest[at..];
        let mut escaped = false;
        let ends = |c| {
            let ended = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ended
        };
        rest = match tail.as_bytes() {
            [b'"', ..] => tail[1..].find(ends).map_or("", |end| &tail[end + 2..]),
            [b'/', b'/', ..] => tail.find('\n').map_or("", |end| &tail[end..]),
            [b'/', b'*', ..] => tail.find("*/").map_or("", |end| &tail[end + 2..]),
            _ => &tail[1..],
        };
    }
    code.push_str(rest);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in code.chars() {
        match tokens.last_mut() {
            Some(token) if is_word(c) && is_word(last) || c == ':' && last == ':' && token == ":" => token.push(c),
            _ if !c.is_whitespace() => tokens.push(c.to_string()),
            _ => {}
        }
        last = c;
    }
    tokens
}

/// Every path in the code of `module`, as from the root of its crate: `crate::heap::ids`, `std::fs::File`.
fn paths(tokens: &[String], module: &[&str]) -> Vec<String> {
    let (mut found, mut inner, mut depth, mut at) = (Vec::new(), Vec::new(), 0, 0);
    while at < tokens.len() {
        let here: Vec<&str> = module.iter().copied().chain(inner.iter().map(|&(_, name)| name)).collect();
        match &*tokens[at] {
            "{" => {
                depth += 1;
                if at > 1 && tokens[at - 2] == "mod" {
                    inner.push((depth, tokens[at - 1].as_str()));
                }
            }
            "}" => {
                depth -= 1;
                inner.retain(|&(within, _)| within <= depth);
            }
            _ if tokens.get(at + 1).is_some_and(|next| next == "::") => {
                at = follow(tokens, at, &[], &here, &mut found);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Follows one path from `at` through its groups and returns its end.
fn follow<'a>(
    tokens: &'a [String],
    from: usize,
    so_far: &[&'a str],
    here: &[&'a str],
    found: &mut Vec<String>,
) -> usize {
    let (mut path, mut at) = (so_far.to_vec(), from);
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = if tokens[at] == "," { at + 1 } else { follow(tokens, at, &path, here, found) };
                }
                return at + 1;
            }
            "super" | "self" if path.is_empty() => path = here[..here.len() - usize::from(token == "super")].to_vec(),
            "super" => drop(path.pop()),
            "self" => {}
            word => path.push(word),
        }
        at += 1;
        if tokens.get(at).is_none_or(|token| token != "::") {
            break;
        }
        at += 1;
    }
    found.push(path.join("::"));
    at
}

/// Violations of the rules in a file of `src/`.
fn forbidden_paths(file: &str, source: &str) -> Vec<String> {
    let inside = file.trim_start_matches("src/").trim_end_matches(".rs").trim_end_matches("/mod");
    let module: Vec<&str> = ["crate"].into_iter().chain(inside.split('/')).collect();
    let tokens = tokens(source);
    let is_unsafe = tokens.iter().any(|token| token == "unsafe") && !UNSAFE.contains(&file);
    let mut wrong = paths(&tokens, &module);
    let Some((room, may_import)) = ROOMS.into_iter().find(|(name, _)| *name == module[1]) else {
        assert!(["main", "lib"].contains(&module[1]), "{file} is in no module");
        wrong.clear(); // they may see all
        return wrong;
    };
    wrong.retain(|path| {
        let parts: Vec<&str> = path.split("::").collect();
        let part = |n: usize| parts.get(n).copied().unwrap_or("");
        let upward = part(0) == "crate" && part(1) != room && ROOMS.iter().any(|(name, _)| *name == part(1));
        let shared = STRANGERS.into_iter().find(|(name, _)| *name == room && part(1) == room).map(|(_, shared)| shared);
        let stands_on = STAND_ON.into_iter().find(|(name, _)| module[1..].join("::").starts_with(name));
        let below = stands_on.map_or("", |(_, below)| below);
        let stranger = shared.is_some_and(|shared| {
            let known = has(shared, part(2)) || has(below, part(2));
            module.len() > 2 && part(0) == "crate" && part(2) != module[2] && !known
        }) && part(2).starts_with(char::is_lowercase);
        let outside = |names: &str| has(names, part(0)) || has(names, &format!("{}::{}", part(0), part(1)));
        let outside = OUTSIDE.iter().find(|(names, _)| outside(names));
        let misplaced = outside.is_some_and(|(_, places)| !has(places, room) && !has(places, file));
        upward && !has(may_import, part(1)) || stranger || misplaced
    });
    wrong.extend(is_unsafe.then(|| "unsafe".to_owned()));
    wrong
}

#[test]
fn every_room_imports_only_what_it_may() {
    for (file, source) in rust_files("src") {
        assert_eq!(forbidden_paths(&file, &source), [""; 0], "{file} violates the import rules in ARCHITECTURE.md");
    }
}

#[test]
fn forbidden_imports_are_found() {
    for (file, source, found) in [
        ("crates/graph/src/csr.rs", "use crate::heap::ids;", "crate::heap::ids"),
        ("crates/core/src/heap/ids.rs", "use crate::{graph::NONE, formats::{self, error}};", "crate::formats"),
        ("crates/core/src/heap/ids.rs", "fn f() -> super::super::session::Dump { todo!() }", "crate::session::Dump"),
        ("crates/core/src/heap/ids.rs", "mod tests { use super::super::super::ui::app; }", "crate::ui::app"),
        ("crates/analysis/src/paths.rs", "use super::histogram::Row;", "crate::analysis::histogram::Row"),
        ("crates/core/src/formats/hprof/scan.rs", "use crate::formats::{cursor::Cursor, v8};", "crate::formats::v8"),
        ("src/cli/run.rs", "fn f(c: egui::Color32) {}", "egui::Color32"),
        ("crates/core/src/heap/ids.rs", "use std::{fmt, fs::File};", "std::fs::File"),
        ("crates/core/src/formats/hprof/scan.rs", "fn f() { unsafe { g() } }", "unsafe"),
        (
            "crates/core/src/heap/ids.rs",
            "mod tests { use super::super::facts; } // crate::ui\nconst A: &str = \"crate::ui\";",
            "",
        ),
    ] {
        assert_eq!(forbidden_paths(file, source).first().map_or("", |path| path), found, "{source}");
    }
}

#[test]
fn every_file_has_a_description_and_stays_small() {
    for (file, source) in ["src", "tests", "benches"].into_iter().flat_map(rust_files) {
        assert!(source.starts_with("//!"), "{file} does not begin with what it is");
        assert!(source.lines().count() <= 600, "{file} has {} lines: split it", source.lines().count());
        let named = file.split(['/', '.']).find(|part| has(REFUSED_NAMES, part));
        assert_eq!(named, None, "{file}: the name says nothing");
    }
}

#[test]
fn every_dependency_is_used_only_in_its_rooms() {
    let manifest = read("Cargo.toml").expect("a manifest");
    let section = manifest.split("\n[").find(|section| section.starts_with("dependencies]")).expect("dependencies");
    for name in section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name.replace('-', "_")) {
        assert!(OUTSIDE.iter().any(|(names, _)| has(names, &name)), "which room uses {name}? Say so in OUTSIDE");
    }
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = read("ARCHITECTURE.md").expect("ARCHITECTURE.md");
    let files = rust_files("src");
    for path in text.split('`').skip(1).step_by(2) {
        // A file may be named relative to its module: `facts.rs`.
        let is_path = path.contains('/') || Path::new(path).extension().is_some();
        let in_a_room = || files.iter().any(|(file, _)| file.ends_with(&format!("/{path}")));
        let there = !is_path || Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists() || in_a_room();
        assert!(there, "ARCHITECTURE.md names {path}, which is not there");
    }
    assert!(text.lines().count() < 150, "ARCHITECTURE.md is for one sitting");
}
