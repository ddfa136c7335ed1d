//! Imports of Rust files, read from their text: groups in `use`, inline paths, `super` and re-exports are resolved;
//! comments, strings and test modules are ignored.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A file of a crate.
pub(crate) struct SourceFile {
    /// Path from the repository, such as `crates/graph/src/csr.rs`.
    pub(crate) path: String,
    /// Path of its module, such as `crate::csr`.
    pub(crate) module: String,
    /// Paths in its code, as from the root of the crate. Re-exports are not among them.
    pub(crate) paths: Vec<String>,
    /// Names that it re-exports, with the full path of each.
    exports: BTreeMap<String, String>,
}

/// Text of a file of the repository.
pub(crate) fn read(path: &str) -> Option<String> {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).ok()
}

/// Rust files below `folder` of the repository, with their text, by path.
pub(crate) fn rust_files(folder: &str) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).into_iter().flatten() {
        let path = format!("{folder}/{}", entry.expect("a readable folder").file_name().to_string_lossy());
        if Path::new(&path).extension().is_some_and(|extension| extension == "rs") {
            files.push((path.clone(), read(&path).expect("text")));
        }
        files.extend(rust_files(&path));
    }
    files.sort();
    files
}

/// Folders with the source of each crate.
pub(crate) fn sources() -> Vec<String> {
    let crates = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")).expect("the engine");
    let mut folders: Vec<String> = crates
        .map(|entry| format!("crates/{}/src", entry.expect("a readable folder").file_name().to_string_lossy()))
        .collect();
    folders.push("src".to_owned());
    folders.sort();
    folders
}

impl SourceFile {
    /// Reads the imports of a file of the crate with its source in `folder`.
    pub(crate) fn of(folder: &str, path: String, source: &str) -> Self {
        let inside = path.trim_start_matches(folder).trim_start_matches('/').trim_end_matches(".rs");
        let inside = inside.trim_end_matches("/mod");
        let module = if inside == "lib" { String::new() } else { format!("::{}", inside.replace('/', "::")) };
        let module = format!("crate{module}");
        let tokens = tokens(without_tests(source));
        let names: Vec<&str> = module.split("::").collect();
        let (mut paths, mut exports) = (Vec::new(), BTreeMap::new());
        for (path, is_export) in found_paths(&tokens, &names) {
            if is_export {
                let name = path.rsplit("::").next().unwrap_or_default().to_owned();
                let full = if path.starts_with("crate") { path } else { format!("{module}::{path}") };
                exports.insert(name, full);
            } else {
                paths.push(path);
            }
        }
        Self { path, module, paths, exports }
    }
}

/// The file that defines what `path` names: that of the longest module on it, behind re-exports.
pub(crate) fn definer<'a>(files: &'a BTreeMap<String, SourceFile>, path: &str) -> Option<&'a SourceFile> {
    let mut path = path.to_owned();
    // A re-export may name another; a loop of them does not compile.
    for _ in 0..8 {
        let parts: Vec<&str> = path.split("::").collect();
        let (file, rest) = (1..=parts.len())
            .rev()
            .find_map(|length| Some((files.get(&parts[..length].join("::"))?, parts[length..].to_vec())))?;
        match rest.first().and_then(|name| file.exports.get(*name)) {
            Some(exported) if *exported != path => {
                path =
                    std::iter::once(exported.as_str()).chain(rest[1..].iter().copied()).collect::<Vec<_>>().join("::");
            }
            _ => return Some(file),
        }
    }
    None
}

/// The source before its test module.
pub(crate) fn without_tests(source: &str) -> &str {
    let starts = ["#[cfg(test)]\nmod tests {", "#[cfg(all(test"];
    starts.iter().filter_map(|start| source.find(start)).min().map_or(source, |at| &source[..at])
}

/// Tokens of the code, with `::` as one token, without comments and strings.
pub(crate) fn tokens(source: &str) -> Vec<String> {
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

/// Every path in the code of `module`, as from the root of its crate (`crate::heap::ids`, `std::fs::File`), and true for
/// one that a `pub use` re-exports.
pub(crate) fn found_paths(tokens: &[String], module: &[&str]) -> Vec<(String, bool)> {
    let (mut actual, mut inner, mut depth, mut at) = (Vec::new(), Vec::new(), 0, 0);
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
                let mut paths = Vec::new();
                let is_use = at > 0 && tokens[at - 1] == "use";
                let is_export = is_use && at > 1 && (tokens[at - 2] == "pub" || tokens[at - 2] == ")");
                // `pub(in PATH)` says who may import, not what is imported.
                let is_visibility = at > 1 && tokens[at - 1] == "in" && tokens[at - 2] == "(";
                at = follow(tokens, at, &[], &here, &mut paths);
                if is_visibility {
                    continue;
                }
                actual.extend(paths.into_iter().map(|path| (path, is_export)));
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    actual
}

/// Follows one path from `at` through its groups and returns its end.
fn follow<'a>(
    tokens: &'a [String],
    from: usize,
    so_far: &[&'a str],
    here: &[&'a str],
    actual: &mut Vec<String>,
) -> usize {
    let (mut path, mut at) = (so_far.to_vec(), from);
    while let Some(token) = tokens.get(at) {
        match token.as_str() {
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|token| token != "}") {
                    at = if tokens[at] == "," { at + 1 } else { follow(tokens, at, &path, here, actual) };
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
    actual.push(path.join("::"));
    // `as NAME` gives a path another name in this file only.
    if tokens.get(at).is_some_and(|token| token == "as") { at + 2 } else { at }
}
