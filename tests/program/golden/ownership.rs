//! Golden answers that need no GC roots: inferred roots, routes, retained sets, gaps.

use super::{AFTER, CACHE, COLLIDING, HOLDER, check, check_failure};

#[test]
fn inferred_roots() {
    check("ownership.txt", &["roots", AFTER, "--ownership", "--top", "12"]);
    check(
        "ownership.json",
        &["roots", AFTER, "--ownership", "--soft", "ignore", "--sort", "depth", "--top", "3", "--format", "json"],
    );
    check("ownership-every.csv", &["roots", AFTER, "--ownership", "--every-object", "--top", "12", "--format", "csv"]);
    check("ownership-listing.txt", &["roots", AFTER, "--listing", "--auto-threshold", "25", "--prune"]);
    check("ownership-below.txt", &["roots", AFTER, "--listing", "--of", CACHE, "--threshold", "2000", "--depth", "4"]);
    check("ownership-object.json", &["object", AFTER, HOLDER, "--ownership", "--top", "1", "--format", "json"]);
    check("ownership-objects.txt", &["objects", AFTER, "--sort", "descendants", "--lines", "3-7"]);
    check("route.json", &["route", AFTER, CACHE, COLLIDING, "--format", "json"]);
    check("route.txt", &["route", AFTER, HOLDER, CACHE]);
    check("retained-set.txt", &["retained-set", AFTER, CACHE, "--top", "4"]);
    check("retained-set.txt", &["kept", AFTER, CACHE, "--top", "4"]);
    let actual = ["retained-set", AFTER, CACHE, "--roots", "found", "--top", "2", "--format", "json"];
    check("retained-set-found.json", &actual);
    let several = ["retained-set", AFTER, "desk.OrderDesk.customers", "desk.OrderDesk.orders", "--top", "2"];
    check("retained-set-several.txt", &several);
    check(
        "retained-set-class.json",
        &["retained-set", AFTER, "--class", "desk.Session", "--top", "1", "--format", "json"],
    );
    check_failure(&["retained-set", AFTER], 2, "ID");
    check("related.txt", &["related", AFTER, "--class", "desk.Order", "--top", "6"]);
    check(
        "related-without.json",
        &[
            "related",
            AFTER,
            "desk.OrderDesk.customers",
            "--without",
            "desk.OrderDesk.orders",
            "--top",
            "4",
            "--format",
            "json",
        ],
    );
    check(
        "related-dominators.csv",
        &["related", AFTER, "--class", "desk.Session", "--by", "dominators", "--format", "csv"],
    );
    check("related-incoming.txt", &["related", AFTER, "--class", "desk.Customer", "--by", "incoming"]);
    check("related-outgoing.txt", &["related", AFTER, "--class", "desk.Session", "--by", "outgoing"]);
    check_failure(&["related", AFTER], 2, "ID");
    check_failure(&["related", AFTER, "--class", "no.such.Class"], 1, "no class no.such.Class");
    check_failure(&["related", AFTER, CACHE, "--without", "no.such"], 1, "--without no.such");
    check_failure(&["related", AFTER, CACHE, "--by", "incoming", "--without", "a.B.c"], 2, "--by retained only");
    check("gaps.txt", &["gaps", AFTER, "--top", "5"]);
    check("gaps.json", &["gaps", AFTER, "--sort", "count", "--top", "3", "--format", "json"]);
    check_failure(&["gaps", "fixtures/node/desk-final.heapsnapshot.gz"], 2, "are not addresses");
    check_failure(&["roots", AFTER, "--listing", "--format", "json"], 2, "--ownership");
    check_failure(&["roots", AFTER, "--listing", "--sort", "class"], 2, "descendants");
    check_failure(&["roots", AFTER, "--every-object"], 2, "--ownership");
    check_failure(&["roots", AFTER, "--soft", "ignore"], 2, "--ownership or --listing");
    check_failure(&["roots", AFTER, "--listing", "--reverse"], 2, "--reverse and --rows");
    check_failure(&["roots", AFTER, "--listing", "--rows", "1"], 2, "--reverse and --rows");
}
