//! What is outside of the heap in two dumps of a program: findings, growth, the process and digests.

use std::fs;
use std::path::{Path, PathBuf};

use heaplens_testkit::{hprof, notation, outside};

use crate::removals::{answered, json, text};

/// Two dumps of a program whose cache of tiles grows outside of the heap.
fn dumps(folder: &Path) -> [PathBuf; 2] {
    [("before.hprof", 2), ("after.hprof", 7)].map(|(name, tiles)| {
        let sketch = notation::read(&outside::tiles(tiles)).expect("a heap");
        let path = folder.join(name);
        fs::write(&path, hprof::write(&sketch, hprof::Form::MODERN)).expect("disk space");
        path
    })
}

#[test]
fn growth_outside_of_the_heap_is_named_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let [before, after] = dumps(folder.path());
    let [before, after] = [&before, &after].map(|path| path.to_str().expect("UTF-8"));
    let leaks = text(&answered(&["leaks", after]).stdout);
    assert!(leaks.contains("TileCache.tiles holds 7 direct buffers: 7.0 MB outside the heap"), "{leaks}");
    let grown = json(&["diff", before, after, "--of", "outside"]);
    let row = &grown["outside"][0];
    assert_eq!(row["holder"], "maps.TileCache.tiles (direct buffers)", "{grown}");
    assert_eq!((&row["before"]["objects"], &row["delta"]["native_bytes"]), (&2.into(), &5_000_000.into()));
    let process = json(&["process", after, "--before", before]);
    let sentence = process["growth"].as_str().expect("a sentence");
    assert!(sentence.ends_with("; direct buffers +5.0 MB, held by TileCache.tiles"), "{sentence}");
    let csv = text(&answered(&["process", after, "--before", before, "--format", "csv"]).stdout);
    assert!(
        csv.lines().any(|line| line.starts_with("Direct buffers,direct-buffers,7000000,2000000,5000000,")),
        "{csv}"
    );
    let digest = text(&answered(&["digest", after]).stdout);
    let native = digest.lines().find(|line| line.contains(r#""section":"native""#)).expect("a finding");
    assert!(native.contains(r#""native_bytes":7000000"#) && native.contains("maps.TileCache.tiles"), "{native}");
}
