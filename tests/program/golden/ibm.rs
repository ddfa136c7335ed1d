//! Answers for the heapdumps of IBM in `fixtures/ibm`.

use super::check;

const PHD: &str = "fixtures/ibm/heapdump.20261122.120000.4711.0001.phd";

#[test]
fn phd_with_its_javacore() {
    check("ibm/summary.txt", &["summary", PHD]);
    check("ibm/histogram.txt", &["histogram", PHD]);
    check("ibm/dominators.txt", &["dominators", PHD]);
    check("ibm/threads.txt", &["threads", PHD]);
    check("ibm/roots.txt", &["roots", PHD]);
    check("ibm/loaders.txt", &["loaders", PHD]);
    check("ibm/objects.csv", &["objects", PHD, "--format", "csv"]);
}

#[test]
fn phd_by_the_rules_of_mat() {
    check("ibm/v5-summary.json", &["summary", "fixtures/ibm/shop-v5.phd", "--sizes", "mat", "--format", "json"]);
    check("ibm/v5-objects.csv", &["objects", "fixtures/ibm/shop-v5.phd", "--sizes", "mat", "--format", "csv"]);
}

#[test]
fn text_whose_last_line_is_wrong() {
    check("ibm/text-summary.txt", &["summary", "fixtures/ibm/shop-wrong-trailer.txt"]);
    check("ibm/text-objects.csv", &["objects", "fixtures/ibm/shop-wrong-trailer.txt", "--format", "csv"]);
}
