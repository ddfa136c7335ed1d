//! Objects of this dump with a star or a note; below them, dimmed, objects with the same name as one marked in another
//! dump.

use eframe::egui::{Rect, Ui, vec2};

use crate::ui::ViewContext;
use crate::ui::controllers::{TableController, TableSource};
use crate::ui::theme::{Icon, Tokens, fonts, icons};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, ObjectName, Row, waiting};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Share;
use heaplens_heap::ObjectId;
use heaplens_session::marks::Mark;
use heaplens_session::{JobError, Slot};
use heaplens_tables::RowTarget;

const COLUMNS: [Column; 3] = [
    Column::words("Object", "Class, label and id", 230.0).unsorted(),
    Column::words("Note", "Note attached to the object", 260.0).fixed(7).unsorted(),
    Column::numbers("Retained size", "", 152.0, 8).unsorted(),
];

/// Maximum number of marks of other dumps that are searched for.
const MAX_SEARCHED: usize = 200;

/// A mark of another dump, and the name of its file.
type ForeignMark = (String, Mark);

/// The view.
#[derive(Default)]
pub struct Stars {
    table: TableController,
    /// Marks of other dumps found in this dump.
    requested: Option<Vec<ForeignMark>>,
    foreign_marks: Slot<Vec<(ObjectId, ForeignMark)>>,
}

impl ViewPage for Stars {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let dump = context.dump;
        self.look_for_others(context);
        let own = context.marks.in_dump(&dump.identity, &dump.heap).map(|(object, mark)| (object, mark, None));
        let others = self.foreign_marks.get().into_iter().flatten();
        let others = others.map(|(object, (file, mark))| (*object, mark, Some(&**file)));
        let marked: Vec<MarkedObject<'_>> = own.chain(others).collect();
        let area = ui.available_rect_before_wrap();
        if marked.is_empty() {
            if self.foreign_marks.is_running() {
                return waiting::line_ui(ui, "Searching for objects with stars or notes from other dumps…");
            }
            let hint = "Stars and notes mark objects to return to. Select an object and press M to add a star, N to write a note";
            return waiting::empty_ui(ui, area, Icon::Star, "No stars or notes", hint);
        }
        let at = marked.iter().position(|(object, ..)| Some(*object) == context.location.object);
        if let Some(at) = at {
            self.table.state.select(Some(at as u64));
        }
        self.table.ui(ui, context, &mut Marked(&marked));
    }
}

impl Stars {
    /// Searches for objects with the name of one marked in another dump.
    fn look_for_others(&mut self, context: &ViewContext<'_>) {
        self.foreign_marks.poll();
        let elsewhere = context.marks.elsewhere(&context.dump.identity).into_iter().take(MAX_SEARCHED);
        let wanted: Vec<ForeignMark> = elsewhere.map(|(file, mark)| (file.to_owned(), mark.clone())).collect();
        if self.requested.as_ref() == Some(&wanted) {
            return;
        }
        self.requested = Some(wanted.clone());
        let dump = context.dump.clone();
        self.foreign_marks.ask(context.jobs, "marked objects of other dumps", move |task| {
            let namer = dump.namer(task)?;
            let mut answer = Vec::new();
            for seen in wanted {
                match seen.1.name.as_deref().map(|name| namer.resolve(name, task)) {
                    Some(Ok(object)) => answer.push((object, seen)),
                    Some(Err(Unresolved::Cancelled)) => return Err(JobError::Cancelled),
                    _ => {}
                }
            }
            Ok(answer)
        });
    }
}

/// Marked objects, each with the file of another dump if it was marked there.
struct Marked<'a>(&'a [MarkedObject<'a>]);

/// Object, its mark, and the name of the other dump.
type MarkedObject<'a> = (ObjectId, &'a Mark, Option<&'a str>);

impl TableSource for Marked<'_> {
    const NAME: &'static str = "Starred objects";
    const COLUMNS: &'static [Column] = &COLUMNS;

    fn count(&self) -> u64 {
        self.0.len() as u64
    }

    fn target(&self, _context: &ViewContext<'_>, row: u64) -> Option<RowTarget> {
        self.0.get(row as usize).map(|&(object, ..)| RowTarget::Object(object))
    }

    fn text(&self, context: &ViewContext<'_>, row: u64) -> Option<String> {
        let (object, mark, _) = self.0.get(row as usize)?;
        let heap = &context.dump.heap;
        Some(format!("{} {} {}", heap.class(*object).name, heap.id_text(*object), mark.note))
    }

    fn draw(&mut self, row: &mut Row<'_>, context: &mut ViewContext<'_>) {
        let (Some((object, mark, seen_in)), Some(cell)) = (self.0.get(row.index as usize), row.cell(0)) else { return };
        let tokens = row.tokens;
        let icon = if mark.star { Icon::Starred } else { Icon::Star };
        let star = Rect::from_min_size(cell.min, vec2(14.0, cell.height()));
        // A mark of another dump is only a hint.
        let is_own = mark.star && seen_in.is_none();
        icons::paint(row.ui.painter(), icon, star, 11.0, if is_own { tokens.label } else { tokens.faint });
        let name = Rect::from_min_max(cell.min + vec2(22.0, 0.0), cell.max);
        let dimmed = Tokens { text: tokens.muted, label: tokens.muted, muted: tokens.faint, ..*tokens };
        let label = ObjectName::with(context.labels, &context.dump.heap, *object, |of| {
            of.paint(row.ui, if seen_in.is_some() { &dimmed } else { tokens }, name);
            of.plain()
        });
        let note = mark.note.replace('\n', " ");
        let (note, color) = match seen_in {
            Some(file) if note.is_empty() => (format!("Marked in {file}"), tokens.faint),
            Some(file) => (format!("{note} · from {file}"), tokens.faint),
            None => (note, tokens.muted),
        };
        row.text(1, note.clone(), fonts::text(), color);
        let retained = context.dump.analysis.retained(*object);
        row.size_with_bar(2, retained, Share::of(retained, context.dump.analysis.shown.shallow));
        row.object(*object);
        if row.pointer_in(1) && !note.is_empty() {
            row.hover(if seen_in.is_some() { note.clone() } else { mark.note.clone() });
        }
        row.name(match seen_in {
            Some(_) => format!("Marked in another dump: {label} {note}"),
            None if note.is_empty() => format!("Starred {label}"),
            None => format!("Starred {label}: {note}"),
        });
    }
}
