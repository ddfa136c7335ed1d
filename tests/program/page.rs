//! The page for the person on call, in every form: `heaplens report`.

use std::fmt::Write as _;
use std::fs;

use crate::golden::heaplens;
use crate::removals::{answered, json, text};
use heaplens_testkit::hprof::{Form, write};
use heaplens_testkit::notation;

const AFTER: &str = "fixtures/leak-after.hprof.gz";
const BEFORE: &str = "fixtures/leak-before.hprof.gz";

/// Texts of the claims of a part.
fn claims(page: &serde_json::Value, part: &str) -> Vec<String> {
    let parts = page["parts"].as_array().expect("a list");
    let of_part = parts.iter().filter(|row| row["part"] == part).filter_map(|row| row["claims"].as_array());
    of_part.flatten().map(|claim| claim["text"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn the_page_tells_the_story_of_a_growing_cache() {
    let page = json(&["report", AFTER, "--before", BEFORE, "--values"]);
    let of = |part: &str| claims(&page, part).join("\n");
    assert!(of("cause").starts_with("No OutOfMemoryError is in the dump"), "{}", of("cause"));
    assert!(of("memory").contains("The live heap is 7.0 MB in 56,647 objects"), "{}", of("memory"));
    let holders = claims(&page, "holders");
    assert!(holders[0].starts_with("SessionCache.ENTRIES holds 1,200 desk.Session"), "{holders:?}");
    assert!(holders[1].starts_with("One of 1,200 entries: "), "{holders:?}");
    assert!(of("path").contains("class SessionCache"), "{}", of("path"));
    assert!(of("growth").contains("SessionCache.ENTRIES: it grew by 5.1 MB"), "{}", of("growth"));
    assert!(
        of("growth").contains("; the dumps are of two processes") && !of("growth").contains(" a minute"),
        "each of which began with an empty heap: {}",
        of("growth")
    );
    assert!(
        of("fix").contains("frees 5.4 MB in 18,003 objects (5,384,272 bytes, 76.4 % of the heap)"),
        "{}",
        of("fix")
    );
    assert!(!of("tonight").contains(" within ") && !of("tonight").contains("there again"), "{}", of("tonight"));
    assert!(of("verdict").starts_with("Leak: SessionCache.ENTRIES holds 1,200 desk.Session"), "{}", of("verdict"));
    assert!(of("change").starts_with("desk.SessionCache.ENTRIES: Limit the size of the map"), "{}", of("change"));
    assert!(!of("unknown").contains("one dump does not tell"), "{}", of("unknown"));
    // The same finding as the leak search has, to the byte.
    let leaks = json(&["leaks", AFTER, "--before", BEFORE]);
    assert_eq!(page["holders"][0]["fingerprint"], leaks["findings"][0]["fingerprint"]);
    assert_eq!(page["holders"][0]["bytes"], leaks["findings"][0]["bytes"]);
}

#[test]
fn a_page_that_is_sent_has_no_values_unless_asked() {
    let secret = "ceb7a421a2ccb0095de77a006253411";
    for form in ["html", "markdown", "json"] {
        let hidden = text(&answered(&["report", AFTER, "--format", form]).stdout);
        assert!(!hidden.contains(&secret[..12]), "{form}");
        assert!(hidden.contains("--values shows them"), "{form}");
    }
    // The claims are the same.
    let claimed = |more: &[&str]| {
        let page = json(&[&["report", AFTER][..], more].concat());
        (claims(&page, "verdict"), claims(&page, "fix"), page["holders"][0]["certainty"].clone())
    };
    assert_eq!(claimed(&[]), claimed(&["--values"]));
    let html = text(&answered(&["report", AFTER, "--format", "html"]).stdout);
    assert!(html.len() < 300_000, "{} bytes", html.len());
    assert!(!html.contains("<script") && !html.contains("http://") && !html.contains("https://"));
    assert!(html.contains("<svg class=\"boxes\"") && html.contains("heaplens://"));
}

/// The table of what the user expects names findings, too.
#[test]
fn names_of_expected_findings_have_no_values_either() {
    let folder = tempfile::tempdir().expect("a folder");
    let rules = folder.path().join("rules.txt");
    fs::write(&rules, "expected java.lang.Thread\n").expect("disk space");
    let rules = rules.to_str().expect("UTF-8");
    let page = |more: &[&str]| {
        text(&answered(&[&["report", BEFORE, "--rules", rules, "--format", "html"][..], more].concat()).stdout)
    };
    let (hidden, shown) = (page(&[]), page(&["--values"]));
    assert!(hidden.contains("Expected by your verdicts") && !hidden.contains("report-writer"));
    assert!(shown.contains("report-writer"));
}

#[test]
fn markdown_fits_a_channel() {
    for dump in [AFTER, "fixtures/android/album.hprof.gz", "fixtures/node/desk-final.heapsnapshot.gz"] {
        let page = text(&answered(&["report", dump, "--format", "markdown"]).stdout);
        assert!(page.lines().count() <= 40, "{dump}: {} lines", page.lines().count());
    }
}

#[cfg(unix)]
#[test]
fn a_program_of_the_user_gets_the_page_and_its_failure_is_ours() {
    let folder = tempfile::tempdir().expect("a folder");
    let sent = folder.path().join("sent");
    let command = format!("cat > '{}'", sent.display());
    let printed = answered(&["report", AFTER, "--format", "markdown", "--post", &command]).stdout;
    assert_eq!(fs::read(&sent).expect("it was sent"), printed);
    let refused = heaplens(&["report", AFTER, "--post", "exit 7"]);
    assert_eq!(refused.status.code(), Some(1), "{}", text(&refused.stderr));
    assert!(text(&refused.stderr).contains("--post \"exit 7\" failed"), "{}", text(&refused.stderr));
}

/// A dump of a list that a static field and a local variable hold, with class loaders in it, and the paths of both.
fn registry() -> (tempfile::TempDir, String) {
    let mut text = "\
        class java.lang.Thread\n field name: object\n\
        class java.lang.ClassLoader\n field classes: object\n\
        class plugins.PluginLoader extends java.lang.ClassLoader\n\
        class plugins.Registry\n field plugins: object\n\
        class plugins.Main\n static registry: object = registry\n\
        name = \"main\"\nmain = java.lang.Thread name=name\nroot main thread 1 trace 1\n\
        root plugins.Main class\nroot plugins frame 1 0\n\
        trace 1 thread 1\n  frame plugins.Main.load (I)V Main.java 17\n\
        registry = plugins.Registry plugins=plugins\n"
        .to_owned();
    let all = (0..60).fold(String::new(), |all, at| all + &format!(" loader{at}"));
    let _ = writeln!(text, "plugins = java.lang.Object[]{all} null null null null");
    for at in 0..60 {
        let bytes = " 1".repeat(400);
        let _ = writeln!(
            text,
            "class rules{at}.Rule by loader{at}\nloader{at} = plugins.PluginLoader classes=of{at}\nof{at} = byte[]{bytes}"
        );
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("registry.hprof");
    fs::write(&path, write(&notation::read(&text).expect("a heap"), Form::MODERN)).expect("disk space");
    let dump = path.to_str().expect("a path").to_owned();
    (folder, dump)
}

#[test]
fn the_path_is_by_the_member_that_names_the_holder() {
    let (_folder, dump) = registry();
    let page = json(&["report", &dump, "--values"]);
    let path = claims(&page, "path").join("\n");
    assert!(claims(&page, "holders")[0].starts_with("Registry.plugins holds 60"), "{page}");
    assert!(path.ends_with("→ .registry Registry → .plugins Object[]"), "{path}");
    // So is that of the leak search, though a local variable is nearer.
    let of_leaks = json(&["leaks", &dump])["findings"][0]["path"]["steps"].as_array().expect("a path").len();
    assert_eq!(of_leaks, 3, "{path}");
}

#[test]
fn what_owns_most_class_loaders_is_named() {
    let (_folder, dump) = registry();
    let process = text(&answered(&["process", &dump]).stdout);
    assert!(process.contains("60 PluginLoader in Registry.plugins"), "{process}");
}
