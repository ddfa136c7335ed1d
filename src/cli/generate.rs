//! `generate` and `version`: man pages and shell completions from the declared arguments; build information.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use super::args::{Arguments, GenerateArguments, GenerateWhat, listing_of};
use super::failure::Failure;
use super::print::Answer;
use crate::version;
use heaplens_session::output_file::{OutputFile, OutputKind};
use heaplens_tables::Job;

pub(super) fn generate(arguments: &GenerateArguments) -> Answer {
    match &arguments.what {
        GenerateWhat::Man { folder } => man(folder),
        GenerateWhat::Skill => skill(),
        GenerateWhat::Completions { shell } => completions(*shell),
    }
}

pub(super) fn version() -> Answer {
    writeln!(io::stdout(), "{}", version::long())?;
    Ok(())
}

/// Writes one page per command, without a date so that output is reproducible.
fn man(folder: &Path) -> Answer {
    let at = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| Failure::Unusable(format!("{path}: {error}"))
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    // It writes files of fixed names; they are moved as all outputs are.
    let pages = tempfile::tempdir()?;
    clap_mangen::generate_to(Arguments::command(), &pages).map_err(at(pages.path()))?;
    let first = pages.path().join("heaplens.1");
    fs::write(&first, first_page()?).map_err(at(&first))?;
    for page in fs::read_dir(&pages)? {
        let page = page?;
        let (path, text) = (folder.join(page.file_name()), fs::read(page.path())?);
        OutputFile::new(&path, OutputKind::Text, &[]).write(|out| out.write_all(&text)).map_err(at(&path))?;
    }
    Ok(())
}

/// Page of the program, with its commands by job.
fn first_page() -> io::Result<Vec<u8>> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let (man, mut page) = (Man::new(program.clone()), Vec::new());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    for job in Job::ALL {
        let is_other = |command: &Command| listing_of(command).is_none_or(|listing| listing.job != job);
        let of_job = program.clone().subcommand_help_heading(job.title());
        let of_job = of_job.mut_subcommands(|command| if is_other(&command) { command.hide(true) } else { command });
        let mut section = Vec::new();
        Man::new(of_job).render_subcommands_section(&mut section)?;
        // Headings of man pages are upper case; clap takes those of the program only.
        let section = String::from_utf8_lossy(&section).replacen(job.title(), &job.title().to_uppercase(), 1);
        page.write_all(section.as_bytes())?;
    }
    man.render_options_section(&mut page)?;
    man.render_version_section(&mut page)?;
    Ok(page)
}

/// Begin of a skill, as assistants read it: a name, and when to use it.
const SKILL_HEAD: &str = "\
---
name: heap-dumps
description: Find what holds the memory in a heap dump, with the tools of heaplens. Use it for a memory leak, growth between two dumps, an OutOfMemoryError, or a page that keeps detached nodes.
---

";
/// The page that has the skill, and the heading it begins with.
const SKILL_PAGE: &str = include_str!("../../docs/assistants.md");
const SKILL_HEADING: &str = "## Skill\n";

fn skill() -> Answer {
    let skill = SKILL_PAGE.split_once(SKILL_HEADING).map_or("", |(_, skill)| skill.trim_start());
    write!(io::stdout(), "{SKILL_HEAD}{skill}")?;
    Ok(())
}

/// Writes completions through a buffer: clap_complete panics on write errors such as a closed pipe.
fn completions(shell: Shell) -> Answer {
    io::stdout().write_all(&completion_script(shell))?;
    Ok(())
}

fn completion_script(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut shown_program(), "heaplens", &mut script);
    script
}

/// The program without its hidden commands, which scripts of completions would have.
fn shown_program() -> Command {
    let program = Arguments::command();
    let shown = program.get_subcommands().filter(|command| !command.is_hide_set()).cloned();
    let arguments = program.get_arguments().cloned();
    Command::new("heaplens").version(env!("CARGO_PKG_VERSION")).args(arguments).subcommands(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All visible commands, with their names joined by `-` from `heaplens` on.
    fn commands(command: &Command, words: &str) -> Vec<(String, Command)> {
        let below = command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help");
        let below = below.flat_map(|below| commands(below, &format!("{words}-{}", below.get_name())));
        [(words.to_owned(), command.clone())].into_iter().chain(below).collect()
    }

    fn options(command: &Command) -> Vec<String> {
        let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
        shown.filter_map(|argument| argument.get_long()).map(|long| format!("--{long}")).collect()
    }

    #[test]
    fn man_pages_list_every_command_and_option() {
        let folder = tempfile::tempdir().expect("a folder");
        man(folder.path()).expect("pages");
        let page = |name: &str| {
            let page = fs::read_to_string(folder.path().join(format!("{name}.1")));
            page.unwrap_or_else(|error| panic!("{name}: {error}")).replace("\\-", "-")
        };
        let mut table = Arguments::command();
        table.build();
        for (name, command) in commands(&table, "heaplens") {
            let above = name.strip_suffix(&format!("-{}", command.get_name())).unwrap_or("heaplens");
            assert!(page(above).contains(&name), "{above}.1 does not lead to {name}");
            for option in options(&command) {
                assert!(page(&name).contains(&option), "{name}.1 does not say {option}");
            }
        }
    }

    #[test]
    fn the_first_page_lists_commands_by_job() {
        let page = String::from_utf8(first_page().expect("a page")).expect("UTF-8").replace("\\-", "-");
        let mut program = Arguments::command();
        program.build();
        for job in Job::ALL {
            let heading = format!(".SH \"{}\"\n", job.title().to_uppercase());
            let (_, section) = page.split_once(&heading).unwrap_or_else(|| panic!("{heading}: {page}"));
            let section = section.split(".SH ").next().unwrap_or_default();
            for command in program.get_subcommands() {
                let is_of_job = listing_of(command).is_some_and(|listing| listing.job == job);
                let name = format!("heaplens-{}(1)", command.get_name());
                assert_eq!(section.contains(&name), is_of_job, "{heading}: {name}");
            }
        }
    }

    #[test]
    fn shells_complete_every_command_and_option() {
        let mut table = Arguments::command();
        table.build();
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = String::from_utf8(completion_script(shell)).expect("UTF-8");
            assert!(!script.contains("check-stripped"), "{shell}: it is hidden");
            for (_, command) in commands(&table, "heaplens") {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
                for option in options(&command) {
                    // Fish writes options without their dashes.
                    let word = if shell == Shell::Fish { format!("-l {}", &option[2..]) } else { option };
                    assert!(script.contains(&word), "{shell}: {word}");
                }
            }
        }
    }
}
