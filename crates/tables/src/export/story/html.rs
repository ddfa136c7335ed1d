//! The page as one HTML file: the story, and below it the views that it needs. No scripts, nothing from elsewhere.

use std::io::{self, Write};

use super::boxes::svg;
use super::tree::{TreeNode, tree};
use super::{link, title};
use crate::columns::Value;
use crate::export::html::{PageTable, bar, escaped, write_page, write_table};
use crate::export::identity::Identity;
use crate::export::report::{facts_of, sections_of, short, write_facts};
use crate::story::{EntrySample, SampledEntry, Story, StoryInput, sample};
use heaplens_base::{Cancelled, Count, Share, Task};

/// Entries of a holder that are shown.
const ENTRIES: u64 = 12;

/// What the page shows below the story.
pub struct StoryViews {
    nodes: Vec<TreeNode>,
    /// Entries of the first holder that has some.
    entries: Option<EntrySample>,
}

impl StoryViews {
    /// Computes them.
    ///
    /// # Errors
    /// When `task` is cancelled.
    pub fn new(input: StoryInput<'_>, story: &Story, task: &Task) -> Result<Self, Cancelled> {
        let first = story.holders.first();
        let entries = first.map_or(Ok(None), |finding| sample(input, finding, ENTRIES, task))?;
        Ok(Self { nodes: tree(input.shown, task)?, entries })
    }
}

/// Writes the page as one HTML file.
///
/// # Errors
/// If writing fails.
pub fn write_story_html(
    out: impl Write,
    identity: &Identity,
    input: StoryInput<'_>,
    (story, views): (&Story, &StoryViews),
) -> io::Result<()> {
    let heading = title(identity);
    write_page(out, &heading, |out| {
        writeln!(out, "<header>\n<h1>{}</h1>", escaped(&heading))?;
        writeln!(out, "<p class=\"lead\">{}</p>\n</header>", escaped(&identity.line()))?;
        for section in &story.sections {
            writeln!(out, "<section class=\"told\">\n<h2>{}</h2>\n<ul>", section.part.title())?;
            for claim in &section.claims {
                let text = escaped(&claim.text);
                match link(identity, &claim.lead) {
                    Some(link) => writeln!(out, "<li><a href=\"{}\">{text}</a></li>", escaped(&link.to_string()))?,
                    None => writeln!(out, "<li>{text}</li>")?,
                }
            }
            writeln!(out, "</ul>\n</section>")?;
        }
        if !story.path.is_empty() {
            write_path(out, &story.path)?;
        }
        if let Some(entries) = &views.entries {
            write_entries(out, entries)?;
        }
        let total = input.overview.glance.totals.shallow;
        writeln!(out, "<section>\n<h2>Largest objects</h2>\n{}", svg(&views.nodes, total))?;
        writeln!(out, "<ul class=\"tree\">")?;
        views.nodes.iter().try_for_each(|node| write_node(out, node, total))?;
        writeln!(out, "</ul>\n</section>")?;
        write_facts(out, &facts_of(input.overview))?;
        for section in sections_of(input.overview) {
            write_table(
                out,
                &PageTable { title: section.title, columns: section.columns, rows: &section.rows, bar: section.bar },
            )?;
        }
        Ok(())
    })
}

/// The path as a list, a step a line: the same that the claim about it says.
fn write_path(out: &mut impl Write, path: &[String]) -> io::Result<()> {
    writeln!(out, "<section>\n<h2>Path to GC root</h2>\n<ol class=\"path\">")?;
    path.iter().try_for_each(|step| writeln!(out, "<li>{}</li>", escaped(step)))?;
    writeln!(out, "</ol>\n</section>")
}

/// Some entries of a holder.
fn write_entries(out: &mut impl Write, EntrySample { size, entries }: &EntrySample) -> io::Result<()> {
    let title = format!("{} of {}", Count(entries.len() as u64), Count(*size).of("entry", "entries"));
    let has_keys = entries.iter().any(|entry| entry.key.is_some());
    let row = |entry: &SampledEntry| {
        let key = entry.key.clone().unwrap_or_default();
        let cells = [Value::Text(key.into()), Value::Text(entry.value.clone().into()), Value::Bytes(entry.retained)];
        cells.into_iter().skip(usize::from(!has_keys)).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<Value<'static>>> = entries.iter().map(row).collect();
    let columns = &["Key", "Entry", "Retained size"][usize::from(!has_keys)..];
    write_table(out, &PageTable { title: &title, columns, rows: &rows, bar: None })
}

/// An object with those below it.
fn write_node(out: &mut impl Write, node: &TreeNode, total: heaplens_base::Bytes) -> io::Result<()> {
    let share = Share::of(node.retained, total);
    let size = short(&Value::Bytes(node.retained));
    let (name, id) = (escaped(&node.name), escaped(&node.id));
    write!(out, "<li><span>{name} <code>{id}</code></span> <em>{size}, {share}{}</em>", bar(share))?;
    if !node.children.is_empty() {
        writeln!(out, "<ul>")?;
        // Three levels: the depth is bounded.
        node.children.iter().try_for_each(|child| write_node(out, child, total))?;
        write!(out, "</ul>")?;
    }
    writeln!(out, "</li>")
}
