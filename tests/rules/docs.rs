//! Checks the manual: all views and commands have a page, all pages are in the table of contents, all links resolve, all
//! command lines parse. `docs/make.sh` checks that printed output and screenshots are current.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

mod known_leaks;
mod words;

use clap::{CommandFactory, Parser};
use heaplens::cli::args::{Arguments, by_job};
use heaplens::view::View;
use heaplens_tables::Job;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Files below a folder whose names end with `.extension`, by path.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a readable folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Every page of the manual, and the README.
fn pages() -> Vec<PathBuf> {
    let mut pages = files(&root().join("docs"), "md");
    pages.push(root().join("README.md"));
    pages.sort();
    pages
}

/// Link targets of a page, as written; code blocks and code spans are skipped.
fn links(page: &str) -> Vec<&str> {
    let mut links = Vec::new();
    let mut in_block = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            in_block = !in_block;
        }
        if in_block {
            continue;
        }
        // Unbalanced backticks are code. A link text may contain code, so only the end of the link is checked.
        for (at, _) in line.match_indices("](") {
            if line[..at].matches('`').count().is_multiple_of(2) {
                let rest = &line[at + 2..];
                links.extend(rest.split_once(')').map(|(to, _)| to));
            }
        }
    }
    links
}

/// The names of the pages in a folder.
fn pages_in(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("docs").join(folder)).expect("a readable folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned());
    names.filter_map(|name| name.strip_suffix(".md").map(str::to_owned)).filter(|name| name != "README").collect()
}

#[test]
fn every_view_has_a_page_and_every_page_a_view() {
    let views: BTreeSet<String> = View::ALL.into_iter().map(|view| view.info().argument.to_owned()).collect();
    assert_eq!(views, pages_in("views"), "src/view/list.rs, docs/views/");
}

#[test]
fn every_command_has_a_page_and_every_page_a_command() {
    let table = Arguments::command();
    // Names of earlier versions are hidden.
    let visible = table.get_subcommands().filter(|command| !command.is_hide_set());
    let commands: BTreeSet<String> = visible.map(|command| command.get_name().to_owned()).collect();
    assert_eq!(commands, pages_in("commands"), "src/cli/args/mod.rs, docs/commands/");
}

/// Commands by the titles of their jobs, common ones first: as the help lists them.
fn commands_by_job() -> Vec<(&'static str, Vec<String>)> {
    let program = Arguments::command();
    let mut jobs: Vec<(&str, Vec<String>)> = Job::ALL.iter().map(|job| (job.title(), Vec::new())).collect();
    for (job, commands) in [true, false].into_iter().flat_map(|is_common| by_job(&program, is_common)) {
        let names = commands.iter().map(|command| command.get_name().to_owned());
        jobs.iter_mut().filter(|(title, _)| *title == job.title()).for_each(|(_, of)| of.extend(names.clone()));
    }
    jobs
}

#[test]
fn the_manual_lists_commands_by_the_jobs_of_the_help() {
    let contents = read(&root().join("docs/README.md"));
    let table =
        contents.split("\n## Commands\n").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap_or_default();
    let lines = read(&root().join("docs/command-line.md"));
    let lines = lines.split("```\n").nth(1).unwrap_or_default();
    let (mut rest_of_table, mut rest_of_lines) = (table, lines);
    for (job, commands) in commands_by_job() {
        let wanted: BTreeSet<&str> = commands.iter().map(String::as_str).collect();
        let heading = format!("| **{job}** | |\n");
        let (_, after) = rest_of_table.split_once(&*heading).unwrap_or_else(|| panic!("docs/README.md: {heading}"));
        let section = after.split("| **").next().unwrap_or_default();
        let linked = section.split("](commands/").skip(1).filter_map(|link| link.split(".md").next());
        assert_eq!(linked.collect::<BTreeSet<&str>>(), wanted, "docs/README.md: {job}");
        rest_of_table = after;
        let heading = format!("\n{job}:\n");
        let (_, after) =
            rest_of_lines.split_once(&*heading).unwrap_or_else(|| panic!("docs/command-line.md: {heading}"));
        let section = after.split("\n\n").next().unwrap_or_default();
        let named = section.lines().filter_map(|line| line.strip_prefix("heaplens ")?.split_whitespace().next());
        assert_eq!(named.collect::<BTreeSet<&str>>(), wanted, "docs/command-line.md: {job}");
        rest_of_lines = after;
    }
}

/// The help of the window has the pages of commands in the order of the command line's help.
#[test]
fn pages_of_commands_are_in_the_order_of_their_jobs() {
    let source = read(&root().join("src/ui/shell/help/pages.rs"));
    let list = source.split("= pages! {").nth(1).and_then(|rest| rest.split("};").next()).unwrap_or_default();
    let pages: Vec<&str> = list.split('"').filter_map(|word| word.strip_prefix("commands/")).collect();
    let commands: Vec<String> = commands_by_job().into_iter().flat_map(|(_, commands)| commands).collect();
    assert_eq!(pages, commands, "src/ui/shell/help/pages.rs");
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = root().join("docs/README.md");
    let text = read(&contents);
    let linked: BTreeSet<PathBuf> = links(&text)
        .into_iter()
        .filter_map(|to| root().join("docs").join(to.split('#').next().unwrap_or_default()).canonicalize().ok())
        .collect();
    for page in pages() {
        let is_contents = page == contents || page == root().join("README.md");
        let page = page.canonicalize().expect("it was just listed");
        assert!(is_contents || linked.contains(&page), "docs/README.md does not link {}", page.display());
    }
    assert!(
        links(&read(&root().join("README.md"))).contains(&"docs/README.md"),
        "README.md does not link docs/README.md"
    );
}

/// Anchor of a heading: lower case, `-` for blanks, without punctuation.
fn anchor(heading: &str) -> String {
    let plain = heading.trim_start_matches('#').trim();
    let stored = plain.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    stored.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    for page in pages() {
        let (text, folder) = (read(&page), page.parent().expect("a folder"));
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let to = if file.is_empty() { page.clone() } else { folder.join(file) };
            assert!(to.exists(), "{}: {link} leads nowhere", page.display());
            if !heading.is_empty() {
                let has = read(&to).lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(has, "{}: {link} names no heading there", page.display());
            }
        }
    }
}

/// Words of a command line: separated by blanks, grouped by single quotes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted, mut is_word) = (Vec::new(), String::new(), false, false);
    for c in line.chars() {
        match c {
            '\'' => (is_quoted, is_word) = (!is_quoted, true),
            ' ' if !is_quoted => {
                if std::mem::take(&mut is_word) {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => {
                word.push(c);
                is_word = true;
            }
        }
    }
    if is_word {
        words.push(word);
    }
    words
}

#[test]
fn every_quoted_answer_has_a_valid_command_line_and_fixture() {
    let mut seen = 0;
    // Contributor guides contain such marks as examples.
    for page in pages().iter().filter(|page| !page.starts_with(root().join("docs/contributing"))) {
        let text = read(page);
        let marks = text.lines().filter_map(|line| line.strip_prefix("<!-- heaplens")?.strip_suffix(" -->"));
        for mark in marks {
            let (_, line) = mark.split_once(": ").unwrap_or_else(|| panic!("{}: {mark}", page.display()));
            let words = words(line);
            let given = std::iter::once("heaplens".to_owned()).chain(words.iter().cloned());
            if let Err(error) = Arguments::try_parse_from(given) {
                panic!("{}: {line}: {error}", page.display());
            }
            for file in words.iter().filter(|word| word.starts_with("fixtures/") || word.starts_with("docs/pictures/"))
            {
                assert!(root().join(file).exists(), "{}: {line}: there is no {file}", page.display());
            }
            assert!(
                !line.contains("--screenshot") || text.contains("](../pictures/") || text.contains("](pictures/"),
                "{}: {line}: the picture is not shown",
                page.display()
            );
            seen += 1;
        }
    }
    assert!(seen > 70, "only {seen} answers: are the marks still written so?");
}

#[test]
fn every_page_shows_an_answer_or_a_picture() {
    for folder in ["views", "commands"] {
        for name in pages_in(folder) {
            let text = read(&root().join("docs").join(folder).join(format!("{name}.md")));
            let shows = if folder == "views" { text.contains("![") } else { text.contains("<!-- heaplens") };
            assert!(shows, "docs/{folder}/{name}.md shows nothing");
            // Commands that print no table say what they write instead.
            let parts = ["How to read it", "What ", "Contents", "Removed data", "Completed words", "Installed files"];
            assert!(
                parts.iter().any(|part| text.contains(&format!("## {part}"))),
                "docs/{folder}/{name}.md does not say how to read it"
            );
        }
    }
}

/// The manual names the rules that all outputs follow.
#[test]
fn the_table_of_values_is_that_of_the_rules() {
    let page = read(&root().join("docs/trust.md"));
    let rows = heaplens_heap::value_rules::RULES
        .iter()
        .map(|rule| format!("| {} | {} | {} |", rule.data, rule.disclosure.name(), rule.reason));
    let table = ["| data | others see it | what remains, or why |", "|---|---|---|"].map(str::to_owned);
    let table = table.into_iter().chain(rows).collect::<Vec<_>>().join("\n");
    assert!(page.contains(&table), "docs/trust.md, \"What is a value\":\n{table}");
}
