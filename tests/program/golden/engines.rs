//! Answers for snapshots of Bun, in V8's form and in both forms of JavaScriptCore.

use super::check;

#[test]
fn snapshots_of_one_program_in_three_forms() {
    for (name, file) in
        [("bun", "bun.heapsnapshot"), ("inspector", "jsc-inspector.json"), ("debugging", "jsc-debugging.json")]
    {
        let file = &format!("fixtures/engines/{file}.gz");
        check(&format!("engines/{name}-summary.txt"), &["summary", file]);
        check(&format!("engines/{name}-histogram.txt"), &["histogram", file, "--top", "12"]);
        check(&format!("engines/{name}-roots.txt"), &["roots", file]);
        check(&format!("engines/{name}-dominators.txt"), &["dominators", file, "--top", "6", "--depth", "2"]);
        check(&format!("engines/{name}-session.txt"), &["objects", file, "--class", "Session", "--top", "3"]);
    }
}
