//! Answers for a text dump of the old HPROF agent.

use super::check;

const TEXT: &str = "fixtures/hprof-text/java.hprof.txt";

#[test]
fn a_text_dump_of_the_agent() {
    check("hprof-text/summary.txt", &["summary", TEXT]);
    check("hprof-text/histogram.txt", &["histogram", TEXT]);
    check("hprof-text/dominators.txt", &["dominators", TEXT]);
    check("hprof-text/threads.txt", &["threads", TEXT]);
    check("hprof-text/roots.json", &["roots", TEXT, "--format", "json"]);
    check("hprof-text/object.txt", &["object", TEXT, "0x50000201"]);
    check("hprof-text/paths.txt", &["paths", TEXT, "0x50001000"]);
    check("hprof-text/references.txt", &["references", TEXT, "0x50001000", "--in"]);
}
