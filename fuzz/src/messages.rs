//! Runs one command for each input, to cover output other than tables.

use std::path::Path;

use clap::Parser;
use heaplens::cli::{self, args::Arguments};
use heaplens_heap::Heap;

/// Command lines; `FILE` is the dump, `OUT` an output file, `A` and `B` are objects.
const LINES: [&str; 30] = [
    "paths FILE A --count 5",
    "paths FILE A --format json",
    "paths FILE --all --least-objects 1 --format csv",
    "paths FILE --all --merge class --class java.lang.String",
    "route FILE A B",
    "retained-set FILE A",
    "retained-set FILE A B",
    "references FILE A --in",
    "object FILE A --redact",
    "search FILE a",
    "search FILE a --redact --format json",
    "sites FILE --format json",
    "threads FILE --format csv",
    "dominators FILE --owner",
    "dominators FILE --by class --depth 6 --format json",
    "dominators FILE --of A --depth 4",
    "dominators FILE --drops",
    "histogram FILE --by package",
    "histogram FILE --by superclass --keep-unreachable",
    "histogram FILE --retained-by detached",
    "objects FILE --owner --top 40",
    "objects FILE --ownership --format csv",
    "leaks FILE --least 1 --format markdown",
    "leaks FILE --least 1 --form leakcanary",
    "leaks FILE --least 1 --form koom",
    "overview FILE --format html",
    "overview FILE --format markdown --redact",
    "diff FILE FILE --format markdown",
    "diff FILE FILE --of leaks --swap --keep-unreachable",
    "strip FILE OUT",
];

/// Runs one of the command lines on the dump at `path` with content `bytes`; the choice depends on the bytes only.
pub(crate) fn one(path: &Path, bytes: &[u8], heap: &Heap) {
    let hash = bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let object = |by: u64| {
        let at = (hash >> 8).wrapping_mul(by) % (heap.len() as u64).max(1);
        heap.objects().nth(at as usize).map_or_else(|| "0x1".to_owned(), |object| heap.id_text(object))
    };
    let out = crate::folder().join(format!("heaplens-fuzz-{}.out", std::process::id()));
    let (file, written) = (path.to_string_lossy().into_owned(), out.to_string_lossy().into_owned());
    let words = LINES[(hash % LINES.len() as u64) as usize].split(' ').map(|word| match word {
        "FILE" => file.clone(),
        "OUT" => written.clone(),
        "A" => object(1),
        "B" => object(7),
        word => word.to_owned(),
    });
    let line = ["heaplens".to_owned()].into_iter().chain(words).chain(["--no-cache".to_owned()]);
    let Arguments { command, .. } = Arguments::try_parse_from(line).expect("a command line");
    let _ended = cli::run(&command.expect("a command"));
    let _gone = std::fs::remove_file(out);
}
