//! Query: SQL over the dump. Rows with the id of an object are objects, as everywhere.

mod answer;
mod editor;
mod library;

use crate::ui::export_content::ExportContent;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use eframe::egui::{self, Id, RichText, Ui, vec2};

use self::answer::{Answer, AnswerRows};
use self::editor::Editor;
use self::library::Library;
use crate::ui::answered_query::{AnsweredQuery, sources};
use crate::ui::controllers::TableController;
use crate::ui::theme::{fonts, sizes, tokens};
use crate::ui::verb::keys_text;
use crate::ui::view_request::ViewRequest;
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{TableState, controls, toolbar};
use crate::ui::{Command, SelectedBy, Verb, ViewContext, ViewState};
use heaplens_base::Count;
use heaplens_session::{JobError, Slot};
use heaplens_sql::{CollectedAnswer, Completions, Database, Limits, QueryError, QuerySource, classes_in, gallery};
use heaplens_tables::RowTarget;

/// Longest query for which fields of classes are suggested, in bytes.
const LONGEST_NAMED: usize = 8_192;
/// Maximum number of rows on screen.
const MOST_ROWS: usize = 100_000;

/// The view.
#[derive(Default)]
pub struct QueryPage {
    editor: Editor,
    library: Library,
    /// Names for suggestions.
    names: Slot<Completions>,
    /// Text and its classes that the names are for.
    seen: String,
    named: Option<BTreeSet<String>>,
    answer: Slot<Result<Answer, QueryError>>,
    /// The last answer that had rows or none: it stays while a wrong query is corrected.
    shown: Option<Answer>,
    error: Option<QueryError>,
    table: TableController,
    /// True before the first frame.
    has_begun: bool,
    /// True to run the query in the next frame.
    wants_run: bool,
}

impl ViewPage for QueryPage {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.begin(context);
        self.take_answer(context);
        let id = Id::unique("query");
        if context.requests.has(ViewRequest::EditQuery) {
            self.editor.focus();
        }
        let runs = context.requests.has(ViewRequest::RunQuery);
        let margin = egui::Margin { left: 12, right: 12, top: 8, bottom: 4 };
        egui::Frame::NONE.inner_margin(margin).show(ui, |ui| {
            let wrong = match &self.error {
                Some(QueryError::Wrong { position, .. }) => *position,
                _ => None,
            };
            self.editor.ui(ui, id, self.names.get(), wrong);
        });
        self.tools_ui(ui, context);
        self.error_ui(ui);
        if (runs || std::mem::take(&mut self.wants_run)) && !self.editor.text.trim().is_empty() {
            self.run(context);
        }
        self.export(context);
        let (is_running, progress) = (self.answer.is_running(), self.answer.progress());
        let mut rows = AnswerRows { answer: self.shown.as_mut(), is_running, progress };
        self.table.ui(ui, context, &mut rows);
    }

    fn is_running(&self) -> bool {
        self.answer.is_at_work() || self.names.is_at_work()
    }

    fn view_state(&self) -> Option<ViewState> {
        Some(ViewState { filter: self.editor.text.clone(), ..self.table.view_state() })
    }

    fn restore(&mut self, view_state: &ViewState) {
        if !view_state.filter.is_empty() {
            self.editor.set(view_state.filter.clone());
            self.has_begun = true;
        }
    }
}

impl QueryPage {
    /// Shows a query and runs it.
    pub fn show(&mut self, query: String) {
        self.editor.set(query);
        (self.has_begun, self.wants_run) = (true, true);
    }

    /// Begins with the last query, or with the answer to an example, so that the page is no riddle.
    fn begin(&mut self, context: &ViewContext<'_>) {
        if !std::mem::replace(&mut self.has_begun, true) {
            let last = context.queries.recent().first().cloned();
            self.wants_run = last.is_none();
            let example = || gallery(&context.dump.heap).next().map(|example| example.query.to_owned());
            self.editor.set_example(last.or_else(example).unwrap_or_default());
        }
        // Fields of a class are names once the query names the class.
        let named = if self.editor.text.len() > LONGEST_NAMED || self.editor.text == self.seen {
            None
        } else {
            Some(classes_in(&context.dump.heap, &self.editor.text))
        };
        if let Some(named) = named {
            self.seen.clone_from(&self.editor.text);
            if self.named.replace(named.clone()) != Some(named) {
                let source = QuerySource::of(context.dump, (**context.rules).clone());
                let query = self.editor.text.clone();
                self.names.ask(context.jobs, "names for queries", move |_| Ok(Completions::of(&source, &query)));
            }
        }
        self.names.poll();
    }

    fn run(&mut self, context: &ViewContext<'_>) {
        let query = self.editor.text.clone();
        let (source, before) = sources(context.dump, context.rules);
        self.error = None;
        self.editor.close_list();
        self.answer.ask(context.jobs, "query", move |task| {
            let begin = Instant::now();
            let mut answer = CollectedAnswer::new(MOST_ROWS);
            let mut database = Database::new(source, before).map_err(failed)?;
            match database.run(&query, Limits::default(), task, &mut answer) {
                Ok(()) => Ok(Ok(Answer::new(query, answer, begin.elapsed()))),
                Err(QueryError::Cancelled) => Err(JobError::Cancelled),
                Err(error) => Ok(Err(error)),
            }
        });
    }

    /// Takes over a finished answer.
    fn take_answer(&mut self, context: &mut ViewContext<'_>) {
        match self.answer.take_ended() {
            Some(Ok(Ok(answer))) => {
                context.push(Command::RememberQuery(answer.query.clone()));
                (self.table.state, self.table.sort) = (TableState::default(), None);
                // The panes show the first row: most queries are asked for one.
                if answer.count() > 0 {
                    self.table.state.select(Some(0));
                    let object = answer.object(&context.dump.heap, 0);
                    let target = object.map_or(RowTarget::None, RowTarget::Object);
                    context.select_target(target, SelectedBy::View);
                }
                self.shown = Some(answer);
            }
            Some(Ok(Err(error))) => self.error = Some(error),
            Some(Err(message)) => {
                self.error = Some(QueryError::Wrong { message, position: None, advice: String::new() });
            }
            None => {}
        }
    }

    /// Exports all rows of the answer.
    fn export(&self, context: &mut ViewContext<'_>) {
        if let Some(answer) = self.shown.as_ref().filter(|_| context.exports()) {
            let rows = (!answer.is_cut).then(|| answer.all());
            let answer = AnsweredQuery { query: answer.query.clone(), rules: Arc::clone(context.rules), rows };
            context.export(ExportContent::Answer(Arc::new(answer)), "Answer");
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        let run = format!("Run the query{}", keys_text(ui.ctx(), Verb::RunQuery));
        toolbar::tools(ui, |ui| {
            if self.answer.is_running() {
                if ui.button("Cancel").on_hover_text("End the query; the rows on screen stay").clicked() {
                    self.answer.cancel();
                }
            } else if controls::primary_button(ui, "Run").on_hover_text(run).clicked() {
                self.wants_run = true;
            }
            ui.add_space(6.0);
            if let Some(chosen) = self.library.ui(ui, context, &self.editor.text) {
                self.show(chosen);
            }
            let words = self.shown.as_ref().map_or_else(String::new, |answer| {
                let rows = Count(answer.count() as u64).of("row", "rows");
                let rows = if answer.is_cut { format!("first {rows}") } else { rows };
                format!("{rows} · {:.2} s", answer.took.as_secs_f64())
            });
            toolbar::hint(ui, &words);
        });
    }

    /// What is wrong, below the tools.
    fn error_ui(&self, ui: &mut Ui) {
        let Some(error) = &self.error else { return };
        let t = tokens(ui);
        let margin = egui::Margin { left: 12, right: 12, top: 0, bottom: 8 };
        egui::Frame::NONE.inner_margin(margin).show(ui, |ui| {
            ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
            ui.set_max_width((ui.available_width() - sizes::PAD).max(0.0));
            ui.label(RichText::new(error.to_string()).font(fonts::text()).color(t.error));
            if self.shown.is_some() {
                let text = "The rows are of the query before";
                ui.label(RichText::new(text).font(fonts::small()).color(t.muted));
            }
        });
    }
}

fn failed(error: QueryError) -> JobError {
    match error {
        QueryError::Cancelled => JobError::Cancelled,
        error => JobError::Failed(error.to_string()),
    }
}
