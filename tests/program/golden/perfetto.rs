//! Answers for the heap graph in `fixtures/android`.

use super::check;

const SHOP: &str = "fixtures/android/shop.pftrace";

#[test]
fn heap_graph() {
    check("perfetto/summary.txt", &["summary", SHOP]);
    check("perfetto/summary.json", &["summary", SHOP, "--format", "json"]);
    check("perfetto/histogram.txt", &["histogram", SHOP]);
    check("perfetto/histogram-file-sizes.txt", &["histogram", SHOP, "--sizes", "file"]);
    check("perfetto/dominators.txt", &["dominators", SHOP, "--depth", "2", "--top", "6"]);
    check("perfetto/roots.txt", &["roots", SHOP]);
    check("perfetto/leaks.txt", &["leaks", SHOP]);
    check("perfetto/bitmaps.txt", &["bitmaps", SHOP]);
    check("perfetto/paths.txt", &["paths", SHOP, "0x4000200"]);
    check("perfetto/object.txt", &["object", SHOP, "0x4000100"]);
    check("perfetto/array.txt", &["object", SHOP, "0x200010"]);
    check("perfetto/references.json", &["references", SHOP, "0x4000100", "--in", "--format", "json"]);
    check("perfetto/threads.txt", &["threads", SHOP]);
    check("perfetto/strings.txt", &["strings", SHOP]);
}

#[test]
fn heap_graph_of_another_process() {
    check("perfetto/player-summary.txt", &["summary", SHOP, "--heap-graph", "1"]);
}
