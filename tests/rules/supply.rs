//! Dependencies: sources, checksums, reasons. Licences, known vulnerabilities and duplicate versions are checked by
//! `tests/supply/deny.sh`, which the gate runs.

use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// One package of `Cargo.lock`, on any platform.
struct Locked {
    name: String,
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
        Locked { name: value("name").expect("a name"), source: value("source"), checksum: value("checksum") }
    });
    packages.collect()
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
        let output = read(path);
        let output: Vec<&str> = output.split(" or later").filter_map(|before| before.rsplit('(').next()).collect();
        let output = output.iter().filter(|output| output.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(output.copied().collect::<Vec<_>>(), [version], "{path} says another compiler than Cargo.toml");
    }
}
