//! Who holds the objects of each class.

use super::{AFTER, check, check_failure, heaplens};

const ALBUM: &str = "fixtures/android/album.hprof.gz";
const NODE: &str = "fixtures/node/desk-final.heapsnapshot.gz";

#[test]
fn owners_of_classes() {
    check("histogram-owners.txt", &["histogram", AFTER, "--owners", "--top", "20"]);
    check("histogram-owners.csv", &["histogram", AFTER, "--owners", "--filter", "session", "--format", "csv"]);
    check(
        "histogram-owners.json",
        &["histogram", AFTER, "--owners", "--sort", "main_owner_bytes", "--top", "4", "--format", "json"],
    );
    check("node-histogram-owners.txt", &["histogram", NODE, "--owners", "--top", "15"]);
    check("class-owners.csv", &["class-owners", AFTER, "--filter", "byte[]", "--format", "csv"]);
    check_failure(&["histogram", AFTER, "--owners", "--by", "package"], 2, "--by class");
    check_failure(&["histogram", ALBUM, "--owners", "--filter", "heap:app desk"], 2, "all heaps");
    let output = heaplens(&["histogram", "fixtures/ibm/shop-v5.phd", "--owners"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the dump does not name fields"));
}

/// The owners of a class add up to its row of the histogram.
#[test]
fn owners_of_a_class_add_up() {
    let sums = "SELECT class, sum(objects) AS objects, sum(shallow_bytes) AS bytes";
    let sql = format!(
        "SELECT c.class FROM ({sums} FROM classes GROUP BY class) c JOIN ({sums} FROM class_owners GROUP BY class) o \
         ON o.class = c.class WHERE o.objects <> c.objects OR o.bytes <> c.bytes"
    );
    for fixture in [NODE, ALBUM] {
        let output = heaplens(&["query", fixture, &sql, "--format", "csv"]);
        assert_eq!(String::from_utf8_lossy(&output.stdout), "class\n", "{fixture}");
    }
}
