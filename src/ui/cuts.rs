//! Removals as text: the command line that computes what they free, and what is pasted into a ticket.

use heaplens_session::cuts::Removal;
use heaplens_session::files::file_name;
use heaplens_session::{Cuts, OpenDump};
use heaplens_tables::Question;

/// Command line that prints the effect of the removals; `None` if none is on.
pub fn command_line(cuts: &Cuts, dump: &OpenDump) -> Option<Question> {
    let line = Question::new("summary", &dump.opened);
    let with = |line: Question, text| line.option("cut", text);
    (!cuts.active().is_empty()).then(|| cuts.texts(&dump.heap).into_iter().fold(line, with))
}

/// The removals with their notes, what they free, and the command line, as Markdown.
pub fn as_ticket(cuts: &Cuts, dump: &OpenDump) -> String {
    let sum = cuts.sum().unwrap_or_default();
    let what = match cuts.fix_name() {
        "" => "What if".to_owned(),
        name => format!("Fix \"{name}\""),
    };
    let head = format!("**{what}**: {}, {sum}\n\n", file_name(&dump.opened.file));
    let row = |removal: &Removal| {
        let name = cuts.name(removal).map_or_else(|| removal.cut.text_with_ids(&dump.heap), str::to_owned);
        let name = if removal.is_on { format!("`{name}`") } else { format!("~~`{name}`~~ (off)") };
        let note = if removal.note.is_empty() { String::new() } else { format!(": {}", removal.note) };
        format!("- {name}{note}\n")
    };
    let missing = cuts.missing(dump).into_iter().map(|name| format!("- `{name}`: not in this dump\n"));
    let rows: String = cuts.all().iter().map(row).chain(missing).collect();
    let effect = cuts.effect().map(|effect| format!("\nIt {}.\n", effect.what));
    let command = command_line(cuts, dump).map(|command| format!("\n```sh\n{command}\n```\n"));
    [Some(head), Some(rows), effect, command].into_iter().flatten().collect()
}
