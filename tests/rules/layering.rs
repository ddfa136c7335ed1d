//! Checks the tree against ARCHITECTURE.md: what cargo does not hold about imports, files with `unsafe`, size of files.
//! Which crate may import which is in their manifests.

use std::path::Path;

use super::imports::{found_paths, read, rust_files, sources, tokens};

/// Folders whose files may not name these crates, modules or parts of `std`.
const REFUSED: [(&str, &str); 9] = [
    // The engine reads files in few places, and never prints or draws.
    ("crates/graph/src", "std::fs"),
    ("crates/heap/src", "std::fs"),
    ("crates/analysis/src", "std::fs heaplens_dump"),
    ("crates/tables/src", "std::fs"),
    ("crates/sql/src", "std::fs"),
    ("src/cli", "crate::ui egui eframe"),
    ("src/ui", "crate::cli std::fs heaplens_graph"),
    // Nothing of the testkit may come from a reader: it is the second witness.
    ("crates/testkit/src", "heaplens_base heaplens_graph heaplens_heap heaplens_formats heaplens_dump std::fs"),
    // The readers are for the crates that open files.
    ("src", "heaplens_formats heaplens_testkit"),
];

/// Files that alone may name a crate, each the one place of what the crate is for.
const ONLY_IN: [(&str, &str); 29] = [
    ("arboard", "src/ui/clipboard.rs"),
    ("clap_complete clap_mangen", "src/cli/generate.rs src/cli/args/generate.rs"),
    ("bzip2 lzma_rust2 ruzstd tar", "crates/formats/src/archive.rs crates/formats/src/archive/"),
    ("aho_corasick", "crates/analysis/src/secrets/matcher.rs"),
    ("csv png", "crates/tables/src/export/"),
    ("ctrlc", "src/cli/take/running.rs"),
    ("humantime", "crates/base/src/times.rs crates/tables/src/export/diff/words.rs src/cli/args/take.rs"),
    ("dirs", "crates/platform/src/folders.rs"),
    ("dunce libc rustix winapi_util windows_sys", "crates/platform/src/"),
    ("muda", "crates/platform/src/menu_bar/app_kit.rs"),
    ("objc2_core_graphics", "crates/platform/src/desktop/quartz.rs"),
    ("objc2 objc2_app_kit objc2_foundation", "crates/platform/src/documents/apple_events.rs"),
    ("memmap2", "crates/base/src/storage/ crates/platform/src/memory/ crates/platform/src/mapped_file/unix.rs"),
    (
        "xxhash_rust",
        "crates/base/src/storage/ crates/heap/src/contents/fingerprints.rs crates/analysis/src/secrets/mask.rs",
    ),
    ("yoke", "crates/base/src/storage/mapping.rs"),
    ("zerocopy", "crates/base/src/storage/"),
    ("egui_commonmark", "src/ui/shell/help/manual.rs"),
    ("flate2", "crates/formats/src/gzip.rs crates/formats/src/gzip/ crates/formats/src/zip.rs"),
    (
        "memchr",
        "crates/formats/src/v8/ crates/formats/src/ibm_text/lines.rs crates/formats/src/jsc/text.rs \
         crates/formats/src/text_lines.rs crates/formats/src/source_map/",
    ),
    ("proguard", "crates/formats/src/mapping.rs"),
    ("rfd", "src/ui/alert.rs src/ui/file_dialog.rs src/ui/pictures.rs"),
    ("base64 rmcp schemars tokio", "crates/assistant/"),
    ("arrow_array arrow_ipc arrow_schema parquet", "crates/sql/"),
    ("rusqlite", "crates/sql/"),
    ("rustyline", "src/cli/sql/prompt.rs"),
    ("httparse tungstenite", "crates/take/src/inspector/"),
    ("sha1", "crates/analysis/src/android/shark/fingerprint.rs"),
    ("zbus", "crates/platform/src/appearance/portal.rs"),
    ("image", "src/ui/"),
];

/// Files that may contain `unsafe`, each for one operation that the language cannot check.
const UNSAFE: [&str; 15] = [
    "crates/base/src/storage/mapping.rs",
    "crates/base/src/storage/reserve.rs",
    "crates/platform/src/console/windows.rs",
    "crates/platform/src/documents/apple_events.rs",
    "crates/platform/src/files/windows.rs",
    "crates/platform/src/mapped_file/unix.rs",
    "crates/platform/src/mapped_file/windows/fault.rs",
    "crates/platform/src/mapped_file/windows/view.rs",
    "crates/platform/src/memory/mod.rs",
    "crates/platform/src/processes/windows.rs",
    "crates/platform/src/processor/count_ones.rs",
    "crates/platform/src/processor/prefetch.rs",
    "crates/platform/src/signals/unix.rs",
    "crates/platform/src/standard_streams/unix.rs",
    "crates/sql/src/virtual_table.rs",
];

/// Formats, which may not import each other, and what they share.
const FORMATS: &str = "crates/formats/src/";
const SHARED_BY_FORMATS: &str = "class_names cursor entries error gzip ibm moment options reading source stripping text_conversion text_lines value_check \
     wide_objects zip";

const REFUSED_NAMES: &str = "utils util helpers helper common manager misc";

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|item| item == word)
}

/// Violations of the rules in a file of the crate with its source in `folder`.
fn forbidden(folder: &str, file: &str, source: &str) -> Vec<String> {
    let inside =
        file.trim_start_matches(folder).trim_start_matches('/').trim_end_matches(".rs").trim_end_matches("/mod");
    let module: Vec<&str> = ["crate"].into_iter().chain(inside.split('/').filter(|name| *name != "lib")).collect();
    let tokens = tokens(source);
    let is_below = |index: &str| file.starts_with(index);
    let mut wrong: Vec<String> = found_paths(&tokens, &module).into_iter().map(|(path, _)| path).collect();
    wrong.retain(|path| {
        let parts: Vec<&str> = path.split("::").collect();
        let part = |n: usize| parts.get(n).copied().unwrap_or("");
        let is_named = |names: &str| has(names, part(0)) || has(names, &format!("{}::{}", part(0), part(1)));
        let refused = REFUSED.iter().any(|(index, names)| is_below(&format!("{index}/")) && is_named(names));
        let misplaced = ONLY_IN.iter().any(|(names, indexes)| has(names, part(0)) && !indexes.split(' ').any(is_below));
        let format = file.strip_prefix(FORMATS).filter(|inside| inside.contains('/'));
        let is_stranger = format.is_some_and(|_| {
            part(0) == "crate"
                && part(1) != module[1]
                && !has(SHARED_BY_FORMATS, part(1))
                && part(1).starts_with(char::is_lowercase)
        });
        refused || misplaced || is_stranger
    });
    let may_be_unsafe = UNSAFE.contains(&file);
    let is_unsafe = tokens.iter().any(|token| token == "unsafe") && !may_be_unsafe;
    wrong.extend(is_unsafe.then(|| "unsafe".to_owned()));
    wrong
}

#[test]
fn every_file_imports_only_what_it_may() {
    for folder in sources() {
        for (file, source) in rust_files(&folder) {
            let wrong = forbidden(&folder, &file, &source);
            assert_eq!(wrong, [""; 0], "{file} violates the import rules in ARCHITECTURE.md");
        }
    }
}

/// The crate that alone may ask for what system it is compiled.
const PLATFORM: &str = "crates/platform/";

/// True if a source asks for a system or a processor: `cfg(unix)`, `cfg!(windows)`, `cfg(target_os = "macos")`.
fn asks_for_a_system(source: &str) -> bool {
    let tokens = tokens(source);
    let is_system = |token: &String| {
        matches!(token.as_str(), "unix" | "windows" | "target_arch" | "target_env" | "target_family" | "target_os")
    };
    let mut rest = tokens.as_slice();
    while let Some(at) = rest.iter().position(|token| token == "cfg" || token == "cfg_attr") {
        rest = rest.get(at + 1..).unwrap_or_default();
        let (mut depth, mut end) = (0, 0);
        for token in rest {
            depth += i32::from(token == "(") - i32::from(token == ")");
            end += 1;
            if depth == 0 && token != "!" {
                break;
            }
        }
        if rest.get(..end).unwrap_or_default().iter().any(is_system) {
            return true;
        }
    }
    false
}

#[test]
fn only_the_platform_asks_for_a_system() {
    for folder in sources() {
        for (file, source) in rust_files(&folder) {
            assert!(
                file.starts_with(PLATFORM) || !asks_for_a_system(&source),
                "{file}: what differs between systems is in {PLATFORM}"
            );
        }
    }
    for (source, expected) in [
        ("#[cfg(unix)] fn f() {}", true),
        ("const A: bool = cfg!(all(feature = \"x\", not(target_os = \"linux\")));", true),
        ("#[cfg_attr(windows, path = \"a.rs\")] mod a;", true),
        ("#[cfg(test)] use std::os::unix::fs::symlink;", false),
        ("// cfg(unix)\n#[cfg(any(feature = \"gui\", miri))] fn unix() {}", false),
    ] {
        assert_eq!(asks_for_a_system(source), expected, "{source}");
    }
}

#[test]
fn forbidden_imports_are_found() {
    let (heap, formats) = ("crates/heap/src", "crates/formats/src");
    for (folder, file, source, actual) in [
        (heap, "crates/heap/src/ids.rs", "use std::{fmt, fs::File};", "std::fs::File"),
        (heap, "crates/heap/src/ids.rs", "mod tests { use super::super::facts; } // std::fs", ""),
        (formats, "crates/formats/src/hprof/scan.rs", "use crate::{cursor::Cursor, v8};", "crate::v8"),
        (
            formats,
            "crates/formats/src/hprof/scan.rs",
            "fn f() -> super::super::v8::Tags { todo!() }",
            "crate::v8::Tags",
        ),
        (formats, "crates/formats/src/hprof/scan.rs", "fn f() { unsafe { g() } }", "unsafe"),
        ("src", "src/cli/run.rs", "use heaplens_formats::is_stream;", "heaplens_formats::is_stream"),
        ("src", "src/cli/run.rs", "fn f(c: egui::Color32) {}", "egui::Color32"),
        ("src", "src/cli/run.rs", "fn f(c: zbus::Connection) {}", "zbus::Connection"),
        ("src", "src/ui/app/mod.rs", "const A: &str = \"std::fs\"; use heaplens_graph::Csr;", "heaplens_graph::Csr"),
    ] {
        assert_eq!(forbidden(folder, file, source).first().map_or("", |path| path), actual, "{source}");
    }
}

#[test]
fn every_file_has_a_description_and_stays_small() {
    for (file, source) in ["src", "crates", "tests", "benches"].into_iter().flat_map(rust_files) {
        assert!(source.starts_with("//!"), "{file} does not begin with what it is");
        assert!(source.lines().count() <= 600, "{file} has {} lines: split it", source.lines().count());
        let named = file.split(['/', '.']).find(|part| has(REFUSED_NAMES, part));
        assert_eq!(named, None, "{file}: the name says nothing");
    }
}

/// What lies at the top of the tree; hidden files, and what building makes, are not looked at.
const TOP: &str = "ARCHITECTURE.md CHANGELOG.md Cargo.lock Cargo.toml LICENSE-APACHE LICENSE-MIT README.md SECURITY.md assets benches \
                   clippy.toml crates docs fixtures fuzz integrations rustfmt.toml screenshots src target tests";

#[test]
fn nothing_is_left_at_the_top() {
    for entry in std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("a folder") {
        let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
        assert!(name.starts_with('.') || has(TOP, &name), "{name} does not belong at the top of the tree");
    }
}

#[test]
fn every_path_in_the_architecture_exists() {
    let text = read("ARCHITECTURE.md").expect("ARCHITECTURE.md");
    let files: Vec<(String, String)> = sources().iter().flat_map(|folder| rust_files(folder)).collect();
    for path in text.split('`').skip(1).step_by(2) {
        // A file may be named relative to its module, a folder to its crate: `facts.rs`, `heap/`.
        let is_path = path.contains('/') || Path::new(path).extension().is_some();
        let in_a_crate = || {
            let inside = format!("/{path}");
            files.iter().any(|(file, _)| file.ends_with(&inside) || path.ends_with('/') && file.contains(&inside))
        };
        let there = !is_path || Path::new(env!("CARGO_MANIFEST_DIR")).join(path).exists() || in_a_crate();
        assert!(there, "ARCHITECTURE.md names {path}, which is not there");
    }
    assert!(text.lines().count() < 150, "ARCHITECTURE.md is for one sitting");
}
