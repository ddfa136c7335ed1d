//! Answers about a dump of Android, as `tests/program/golden.rs` holds them.

use super::check;

const PHONE: &str = "fixtures/android/phone.hprof";

#[test]
fn answers_about_a_phone() {
    check("android-summary.txt", &["summary", PHONE]);
    check("android-summary.json", &["summary", PHONE, "--format", "json"]);
    check("android-summary-file.txt", &["summary", PHONE, "--sizes", "file", "--strength", "strong"]);
    check("android-histogram.txt", &["histogram", PHONE]);
    check("android-histogram.csv", &["histogram", PHONE, "--format", "csv", "--sort", "retained_native_bytes"]);
    check("android-dominators.txt", &["dominators", PHONE, "--top", "5"]);
    check("android-dominators.json", &["dominators", PHONE, "--top", "2", "--depth", "2", "--format", "json"]);
    check("android-objects.csv", &["objects", PHONE, "--format", "csv"]);
    check("android-objects-zygote.txt", &["objects", PHONE, "--filter", "heap:zygote"]);
    check(
        "android-histogram-app.txt",
        &["histogram", PHONE, "--filter", "heap:app /a/", "--sort", "retained_app_bytes"],
    );
    check("android-dominators-app.txt", &["dominators", PHONE, "--filter", "heap:app", "--top", "3", "--sort", "heap"]);
    check("android-dominators-fold.json", &["dominators", PHONE, "--fold", "--format", "json", "--top", "3"]);
    check("android-vm-roots.txt", &["dominators", PHONE, "--vm-roots", "ignore", "--top", "5"]);
    check("android-object.txt", &["object", PHONE, "0x12c01000"]);
    check("android-object.json", &["object", PHONE, "0x12c01000", "--format", "json"]);
    check("android-threads.txt", &["threads", PHONE]);
    check("android-roots.txt", &["roots", PHONE]);
    check("android-bitmaps.txt", &["bitmaps", PHONE]);
    check("android-bitmaps.json", &["bitmaps", PHONE, "--format", "json"]);
    check("android-bitmaps.csv", &["bitmaps", PHONE, "--format", "csv"]);
}

#[test]
fn sites_of_allocations() {
    const TRACKED: &str = "fixtures/android/tracked.hprof";
    check("sites.txt", &["sites", TRACKED]);
    check("sites.json", &["sites", TRACKED, "--format", "json"]);
    check("sites.csv", &["sites", TRACKED, "--format", "csv", "--sort", "own_objects"]);
    check("sites-one.txt", &["sites", TRACKED, "--site", "2"]);
    check("object-allocated.txt", &["object", TRACKED, "0x1000"]);
    check("object-allocated.json", &["object", TRACKED, "0x1000", "--format", "json"]);
}

#[test]
fn leaks_and_pictures_of_an_application() {
    const ALBUM: &str = "fixtures/android/album.hprof.gz";
    check("android-leaks.txt", &["leaks", ALBUM]);
    check("android-leaks.csv", &["leaks", ALBUM, "--format", "csv"]);
    check("android-leaks.json", &["leaks", ALBUM, "--format", "json", "--filter", "EditorFragment"]);
    check("android-leakcanary.txt", &["leaks", ALBUM, "--form", "leakcanary"]);
    check("android-album.txt", &["bitmaps", ALBUM, "--sort", "alike"]);
}

#[test]
fn names_of_a_mapping() {
    const MAPPING: [&str; 2] = ["--mapping", "fixtures/android/phone.mapping.txt"];
    let of = |name, arguments: &[&str]| check(name, &[arguments, &MAPPING].concat());
    of("mapping-histogram.txt", &["histogram", PHONE, "--filter", "shop."]);
    of("mapping-object.txt", &["object", PHONE, "shop.Catalogue.shared"]);
    of("mapping-objects.csv", &["objects", PHONE, "--class", "shop.Tree$Leaf", "--format", "csv"]);
}
