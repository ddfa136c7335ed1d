//! Links on the command line without a display, and in reports.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use heaplens::view::View;
use heaplens_platform::desktop;
use heaplens_session::Link;

const AFTER: &str = "fixtures/leak-after.hprof.gz";

fn heaplens(words: &[&str]) -> Output {
    let mut heaplens = Command::new(env!("CARGO_BIN_EXE_heaplens"));
    heaplens.current_dir(env!("CARGO_MANIFEST_DIR")).args(words).arg("--no-cache");
    heaplens.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it starts")
}

/// True on Windows and macOS, which have a display without being told: there a window would open.
fn opens_window() -> bool {
    desktop::session() == desktop::Session::Own
}

/// Standard output of a run that succeeds.
fn printed(words: &[&str]) -> String {
    let output = heaplens(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("answers are UTF-8")
}

/// Links of a report.
fn links(report: &str) -> Vec<Link> {
    let parts = report.split("heaplens://").skip(1);
    let texts = parts.map(|part| part.split([')', '"']).next().unwrap_or_default().replace("&amp;", "&"));
    texts.map(|text| Link::parse(&format!("heaplens://{text}")).expect("a link")).collect()
}

#[test]
fn without_a_display_a_link_prints_what_it_names() {
    if opens_window() {
        return;
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(AFTER);
    let object = Some(r#"desk.SessionCache.ENTRIES["ceb7a421a2ccb0095de77a006253411"]"#.to_owned());
    let link = Link { file: Some(file.clone()), object, ..Link::default() };
    let object = printed(&[&link.to_string()]);
    assert!(object.contains("desk.Session") && object.contains("ceb7a421a2ccb0095de77a006253411"), "{object}");
    let cuts = vec!["desk.SessionCache.ENTRIES".to_owned()];
    let text = printed(&[&Link { cuts, ..link }.to_string()]);
    assert!(text.starts_with("After 1 removal: 7.0 → 1.7 MB (frees 5.4 MB in 18,003 objects)\n\n"), "{text}");
    let class = Link { file: Some(file.clone()), class: Some("desk.Order".to_owned()), ..Link::default() };
    assert!(printed(&[&class.to_string()]).contains("desk.Order"));
    // A dump before the link is used instead of its file.
    let link = Link { file: Some("/no/such/app.hprof".into()), ..Link::default() };
    assert!(printed(&[AFTER, &link.to_string()]).contains("SessionCache.ENTRIES holds 1,200 desk.Session"));
    let url = format!("file://{}", file.display());
    assert!(printed(&[&url]).contains("Largest objects by retained size"));
}

#[test]
fn bad_links_name_their_problem() {
    if opens_window() {
        return;
    }
    let name = Link { file: Some("/no/such/app.hprof".into()), ..Link::default() }.to_string();
    let other = "heaplens://open?dump=other&object=0xfe03f300";
    for (words, status, text) in [
        (&["heaplens://open?object=%zz"][..], 2, "damaged link: object"),
        (&["heaplens://delete?file=/"], 2, "must begin with heaplens://open?"),
        (&[&*name], 1, "/no/such/app.hprof is not found; write a dump before the link"),
        (&[AFTER, other], 1, "another dump, whose id 0xfe03f300 says nothing here"),
        (&[AFTER, "heaplens://open?object=desk.Missing"], 1, "no class desk.Missing"),
        (&[&*name, "--screenshot", "/tmp/never.png"], 1, "--screenshot takes dumps, not links"),
    ] {
        let output = heaplens(words);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(status) && stderr.contains(text), "{words:?}: {stderr}");
    }
    // A name stays valid in another dump.
    let output = heaplens(&[AFTER, "heaplens://open?dump=other&object=desk.SessionCache.ENTRIES"]);
    assert!(output.status.success() && String::from_utf8_lossy(&output.stderr).contains("another dump than"));
}

#[test]
fn findings_of_reports_link_to_their_places() {
    for words in [
        &["overview", AFTER, "--format", "markdown"][..],
        &["overview", AFTER, "--format", "html"],
        &["leaks", AFTER, "--format", "markdown"],
        &["overview", "fixtures/node/desk-final.heapsnapshot.gz", "--format", "markdown"],
    ] {
        let actual = links(&printed(words));
        assert!(actual.len() >= 2, "{words:?}: {actual:?}");
        for link in &actual {
            let view = link.view.as_deref();
            assert!(View::ALL.iter().any(|known| Some(known.info().argument) == view), "{words:?}: {view:?}");
            let file = link.file.clone().expect("a name");
            assert_eq!(PathBuf::from(file.file_name().expect("a name")), file, "without its folder");
            // What is named by an object leads to it.
            if let Some(object) = &link.object {
                printed(&["object", words[1], object]);
            }
        }
    }
    if opens_window() {
        return;
    }
    // The text of a link in a report leads to its finding.
    let first = links(&printed(&["leaks", AFTER, "--format", "markdown", "--top", "1"])).remove(0).to_string();
    assert!(printed(&[AFTER, &first]).contains("SessionCache.ENTRIES holds 1,200 desk.Session"));
}
