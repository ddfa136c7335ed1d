//! The case studies of the manual: every quoted answer is that of the program, and every link opens its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::golden::heaplens;
use crate::removals::{json, text};
use heaplens::view::View;
use heaplens_platform::desktop;
use heaplens_session::Link;

/// The pages about a case.
fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/cases");
    let entries = fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("an entry").path());
    let mut pages: Vec<PathBuf> = entries.filter(|path| !path.ends_with("README.md")).collect();
    pages.sort();
    pages
}

/// Words of a command line: separated by blanks, grouped by single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![None::<String>];
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.last_mut().expect("a word").get_or_insert_default().push_str(part);
            continue;
        }
        for (at, part) in part.split(' ').enumerate() {
            if at > 0 {
                words.push(None);
            }
            if !part.is_empty() {
                words.last_mut().expect("a word").get_or_insert_default().push_str(part);
            }
        }
    }
    words.into_iter().flatten().collect()
}

/// The rows of `lines=1-4,9,12-`, of `rows` rows.
fn wanted(lines: &str, rows: usize) -> Vec<bool> {
    let mut wanted = vec![false; rows];
    for part in lines.replace('$', &rows.to_string()).split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let last = if last.is_empty() { rows } else { last.parse().expect("a number") };
        let first: usize = first.parse().expect("a number");
        (first..=last.min(rows)).for_each(|row| wanted[row - 1] = true);
    }
    wanted
}

/// What `docs/make.sh` writes into a page for a command.
fn quoted(command: &str, lines: &str, cut: usize) -> String {
    let arguments = words(command);
    let output = heaplens(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    let printed = text(&output.stdout);
    let rows: Vec<&str> = printed.trim_end_matches('\n').split('\n').map(str::trim_end).collect();
    let mut quoted = vec![format!("$ heaplens {command}")];
    for (row, is_wanted) in rows.iter().zip(wanted(lines, rows.len())) {
        if is_wanted && row.chars().count() > cut {
            let start: String = row.chars().take(cut - 1).collect();
            quoted.push(format!("{}…", start.trim_end()));
        } else if is_wanted {
            quoted.push((*row).to_owned());
        } else if quoted.last().is_some_and(|last| last != "…") {
            quoted.push("…".to_owned());
        }
    }
    quoted.join("\n")
}

#[test]
fn every_quoted_answer_is_that_of_the_program() {
    for page in pages() {
        let source = fs::read_to_string(&page).expect("a page");
        let mut answers = 0;
        for (at, _) in source.match_indices("<!-- heaplens") {
            let (mark, rest) = source[at..].split_once(" -->\n```\n").expect("a mark, and a block of code");
            let (options, command) = mark.trim_start_matches("<!-- heaplens").split_once(": ").expect("a command");
            let of = |key: &str| options.split(' ').find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            let cut = of("cut").map_or(160, |cut| cut.parse().expect("a number"));
            let answer = quoted(command, of("lines").unwrap_or("1-"), cut);
            let (block, _) = rest.split_once("\n```").expect("the end of the block");
            assert_eq!(block, answer, "{}: docs/make.sh writes the answers", page.display());
            answers += 1;
        }
        assert!(answers >= 5, "{}: {answers} answers", page.display());
        for part in ["Symptom", "The page", "The path", "The fix", "The proof"] {
            assert!(source.contains(&format!("\n## {part}\n")), "{}: no part {part:?}", page.display());
        }
    }
    assert_eq!(pages().len(), 5);
}

#[test]
fn every_link_opens_its_place() {
    for page in pages() {
        let source = fs::read_to_string(&page).expect("a page");
        let lines: Vec<&str> = source.lines().filter(|line| line.contains("'heaplens://")).collect();
        assert!(!lines.is_empty(), "{} has no link", page.display());
        for line in lines {
            let [_, dump, link] = words(line).try_into().expect("a command line");
            let parsed = Link::parse(&link).expect("a link");
            assert_eq!(parsed.to_string(), link, "as the program writes it");
            assert_eq!(parsed.file_name().as_deref(), dump.rsplit('/').next(), "{line}");
            let view = parsed.view.as_deref();
            assert!(View::ALL.iter().any(|known| Some(known.info().argument) == view), "{line}");
            // On other systems a window would open.
            if desktop::session() != desktop::Session::Own {
                let mut opened = Command::new(env!("CARGO_BIN_EXE_heaplens"));
                opened.current_dir(env!("CARGO_MANIFEST_DIR")).args([&*dump, &*link, "--no-cache"]);
                let output = opened.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").output().expect("it starts");
                assert!(output.status.success(), "{line}: {}", text(&output.stderr));
                // A message about what the dump does not have would be there.
                let is_expected = |line: &str| line.starts_with("heaplens: cannot open a window");
                assert!(text(&output.stderr).lines().all(is_expected), "{line}: {}", text(&output.stderr));
                let named =
                    parsed.class.as_deref().or(parsed.object.as_deref()).and_then(|name| name.rsplit('.').next());
                assert!(text(&output.stdout).contains(named.unwrap_or("Overview of")), "{line}");
            }
        }
    }
}

const POOLS: &str = "fixtures/cases/hikaricp.hprof.gz";

/// Three groups of pools are in the same four threads: each of these was counted with each group.
#[test]
fn holders_of_several_groups_are_counted_once() {
    let leaks = json(&["leaks", POOLS]);
    let findings = leaks["findings"].as_array().expect("a list");
    let shared = findings.iter().find(|finding| finding["kind"] == "shared").expect("shared pools");
    let cuts: Vec<&str> =
        shared["cut"].as_array().expect("a list").iter().map(|cut| cut["name"].as_str().expect("a name")).collect();
    assert_eq!(cuts.len(), 4, "each thread once: {cuts:?}");
    let cut: Vec<&str> = cuts.iter().flat_map(|name| ["--cut", name]).collect();
    let summary = json(&[&["summary", POOLS][..], &cut].concat());
    assert_eq!(summary["cuts"]["freed"]["bytes"], shared["frees"]);
    assert_eq!(summary["cuts"]["freed"]["objects"], shared["objects"]);
}

/// A third of the heap is named, even if nothing says that it leaks.
#[test]
fn what_has_a_third_of_the_heap_is_in_the_first_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let known = folder.path().join("known.txt");
    let entry = "pools\n  class com.zaxxer.hikari.*\n  evidence none\n  title Pools\n  do Nothing\n";
    fs::write(&known, entry).expect("disk space");
    let page = json(&["report", POOLS, "--known-leaks", known.to_str().expect("UTF-8")]);
    let verdict = page["parts"][0]["claims"][0]["text"].as_str().expect("a text");
    assert!(
        verdict.starts_with("Nothing in the heap looks like a leak. The largest part: FastList.elementData[…]"),
        "{verdict}"
    );
}

/// Findings with the same advice about the same field say it once.
#[test]
fn advice_is_given_once() {
    let page = json(&["report", POOLS]);
    let parts = page["parts"].as_array().expect("a list");
    let change = parts.iter().find(|part| part["part"] == "change").expect("advice");
    assert_eq!(change["claims"].as_array().map(Vec::len), Some(1), "{change}");
}

/// What only the JDK holds is named where it is more than the whole heap.
#[test]
fn what_only_the_runtime_holds_outside_of_the_heap_is_named_if_it_is_more_than_the_heap() {
    let page = json(&["report", "fixtures/cases/h2.hprof.gz"]);
    let verdict = page["parts"][0]["claims"][0]["text"].as_str().expect("a text");
    assert!(verdict.starts_with("17 direct buffers have 53.5 MB outside the heap"), "{verdict}");
    let leaks = text(&heaplens(&["leaks", "fixtures/cases/h2.hprof.gz"]).stdout);
    assert!(leaks.contains("17 direct buffers have 53.5 MB outside the heap"), "{leaks}");
    let fixed = text(&heaplens(&["leaks", "fixtures/cases/h2-fixed.hprof.gz"]).stdout);
    assert!(!fixed.contains("outside the heap"), "{fixed}");
}
