//! Dependencies: licences, known vulnerabilities, duplicate versions, sources. Compared with the lists in
//! `tests/supply/`, without network access.

mod affected;
mod expression;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Lines of a list without comments.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// One package of `Cargo.lock`, on any platform.
struct Locked {
    name: String,
    version: String,
    source: Option<String>,
    checksum: Option<String>,
}

fn locked() -> Vec<Locked> {
    let text = read("Cargo.lock");
    let packages = text.split("[[package]]").skip(1).map(|package| {
        let value = |key: &str| {
            let of_line =
                |line: &str| Some(line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?.to_owned());
            package.lines().find_map(of_line)
        };
        let (name, version) = (value("name").expect("a name"), value("version").expect("a version"));
        Locked { name, version, source: value("source"), checksum: value("checksum") }
    });
    packages.collect()
}

/// Metadata from cargo for the packages used in this build, which are available offline.
fn packages_of_target() -> Vec<Value> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["metadata", "--locked", "--offline", "--format-version=1"]);
    cargo.args(["--filter-platform", env!("HEAPLENS_TARGET")]).current_dir(env!("CARGO_MANIFEST_DIR"));
    if cfg!(not(feature = "gui")) {
        cargo.arg("--no-default-features");
    }
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    answer["packages"].as_array().expect("packages").clone()
}

#[test]
fn every_licence_is_allowed() {
    let text = read("tests/supply/licences.txt");
    let mut allowed: BTreeMap<&str, Option<Vec<&str>>> = BTreeMap::new();
    for line in lines(&text) {
        let (licence, rest) = line.split_once(": ").expect("a licence and a reason");
        let only = rest.strip_prefix("only ").map(|rest| rest.split_once(": ").expect("crates and a reason").0);
        allowed.insert(licence, only.map(|crates| crates.split(' ').collect()));
    }
    let packages = packages_of_target();
    assert!(packages.len() > 100, "{} packages: is that all?", packages.len());
    for package in packages {
        let name = package["name"].as_str().expect("a name");
        let licence = package["license"].as_str().unwrap_or_else(|| panic!("{name} says no licence"));
        let may = |licence: &str| {
            allowed.get(licence).is_some_and(|only| only.as_ref().is_none_or(|only| only.contains(&name)))
        };
        let satisfied = expression::is_satisfied(licence, &may);
        assert_eq!(satisfied, Ok(true), "{name} has the licence {licence}: see tests/supply/licences.txt");
    }
}

#[test]
fn no_package_has_a_known_vulnerability() {
    let (known, packages) = (read("tests/supply/advisories.txt"), locked());
    for line in lines(&known) {
        let [name, ranges, id, about] = line.split(" | ").collect::<Vec<_>>()[..] else {
            panic!("no advisory: {line}")
        };
        for package in packages.iter().filter(|package| package.name == name) {
            let affected = affected::is_affected(&package.version, ranges);
            assert_eq!(affected, Some(false), "{name} {}: {id}, {about}", package.version);
        }
    }
    // Look up a new crate before adding it.
    let looked_up = read("tests/supply/looked-up.txt");
    let looked_up: BTreeSet<&str> = lines(&looked_up).flat_map(str::split_whitespace).collect();
    for Locked { name, .. } in packages.iter().filter(|package| package.source.is_some()) {
        assert!(looked_up.contains(&**name), "look up what is known of {name}: see tests/supply/looked-up.txt");
    }
}

#[test]
fn several_versions_of_a_crate_have_a_reason() {
    let text = read("tests/supply/duplicates.txt");
    let explained: BTreeSet<&str> = lines(&text).map(|line| line.split_once(": ").expect("a reason").0).collect();
    let mut versions: BTreeMap<String, u32> = BTreeMap::new();
    locked().into_iter().for_each(|package| *versions.entry(package.name).or_default() += 1);
    let several: BTreeSet<&str> = versions.iter().filter(|(_, n)| **n > 1).map(|(name, _)| &**name).collect();
    assert_eq!(several, explained, "see tests/supply/duplicates.txt");
}

#[test]
fn packages_match_their_registry_checksums() {
    let packages = locked();
    let registry = packages.iter().find_map(|package| package.source.as_deref()).expect("a dependency");
    assert!(registry.starts_with("registry+"), "{registry}");
    for Locked { name, source, checksum, .. } in &packages {
        if name.starts_with("heaplens") {
            assert_eq!((source, checksum), (&None, &None));
            continue;
        }
        assert_eq!(source.as_deref(), Some(registry), "{name} comes from elsewhere");
        assert!(checksum.as_ref().is_some_and(|sum| sum.len() == 64), "{name} has no checksum");
    }
}

/// Lines of the manifest that name a dependency.
fn declared(manifest: &str) -> impl Iterator<Item = &str> {
    let sections = manifest.split("\n[").filter(|section| {
        let title = section.split(']').take_while(|part| !part.contains('\n')).last().unwrap_or(section);
        title.contains("dependencies")
    });
    sections.flat_map(|section| section.lines().skip(1)).filter(|line| line.contains(" = ") && !line.starts_with('#'))
}

#[test]
fn every_dependency_has_a_reason() {
    let manifest = read("Cargo.toml");
    assert!(declared(&manifest).count() > 20, "dependencies are found");
    for line in declared(&manifest).filter(|line| !line.starts_with("heaplens_") && !line.contains("workspace = true"))
    {
        assert!(line.split_once(" # ").is_some_and(|(_, why)| why.len() > 10), "why? {line}");
        for elsewhere in ["git =", "path =", "registry ="] {
            assert!(!line.contains(elsewhere), "not from the registry: {line}");
        }
    }
    assert!(!manifest.contains("\n[patch"), "a dependency is replaced");
    // The crates of the engine name no version of their own.
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("crates")).expect("the engine") {
        let manifest = std::fs::read_to_string(entry.expect("a folder").path().join("Cargo.toml")).expect("a manifest");
        for line in declared(&manifest) {
            assert!(line.contains("workspace = true"), "not from the workspace: {line}");
        }
    }
}

#[test]
fn the_minimum_rust_version_is_the_same_everywhere() {
    let manifest = read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let version = version.expect("rust-version");
    for path in ["README.md", ".ci/run"] {
        let said = read(path);
        let said: Vec<&str> = said.split(" or later").filter_map(|before| before.rsplit('(').next()).collect();
        let said = said.iter().filter(|said| said.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(said.copied().collect::<Vec<_>>(), [version], "{path} says another compiler than Cargo.toml");
    }
}
