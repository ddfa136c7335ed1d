//! What becomes of a clip: it goes to the clipboard in the form used last, in
//! the one that was named, or in the one that is chosen from a list.

use eframe::egui::Context;

use super::App;
use crate::export::copy::{Body, Clip, Form};
use crate::ui::clipboard::{Content, Copied};
use crate::ui::shell::copy_as::{Chooser, Chosen};
use crate::ui::tab::What;
use crate::units::Count;

/// In which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum How {
    /// That of the last time.
    #[default]
    LastForm,
    /// This one, this time.
    As(Form),
    /// That which is chosen now.
    Chosen,
}

/// What was asked for, and what is being chosen.
#[derive(Default)]
pub(super) struct Copying {
    how: How,
    chooser: Option<Chooser>,
}

impl Copying {
    /// Whether a form is being chosen.
    pub(super) fn is_choosing(&self) -> bool {
        self.chooser.is_some()
    }

    /// Takes the keys of the list of forms.
    pub(super) fn keys(&mut self, ctx: &Context) {
        self.chooser.iter_mut().for_each(|chooser| chooser.keys(ctx));
    }
}

impl App {
    /// Has something made to be copied.
    pub(super) fn ask_copy(&mut self, what: What, how: How) {
        self.copying.how = how;
        if how == How::Chosen && self.copying.chooser.is_none() {
            self.copying.chooser = Some(Chooser::new(self.saved.form));
        }
        if let Some(chooser) = &mut self.copying.chooser {
            chooser.wait_for(what);
        }
        self.asked.copy = Some(what);
    }

    /// Copies a clip, or shows it where the form is being chosen.
    pub(super) fn copy(&mut self, ctx: &Context, clip: Clip) {
        match self.copying.how {
            How::LastForm => self.put(ctx, &clip, self.saved.form),
            How::As(form) => self.put(ctx, &clip, form),
            How::Chosen => {
                if let Some(chooser) = &mut self.copying.chooser {
                    chooser.show(clip);
                }
            }
        }
    }

    fn put(&mut self, ctx: &Context, clip: &Clip, form: Form) {
        let text = clip.render(form);
        let text = if form == Form::Command { self.with_cuts(&text) } else { text };
        let what = match &clip.body {
            _ if form == Form::Command => "the command line".to_owned(),
            Body::Path(_) => "the path".to_owned(),
            Body::Object(..) => "the object".to_owned(),
            Body::Traces(_, rows) if rows.rows.len() == 1 => "the leak".to_owned(),
            Body::Traces(_, rows) => format!("{} leaks", Count(rows.rows.len() as u64)),
            Body::Findings(found) if found.len() == 1 => "the finding".to_owned(),
            Body::Findings(found) => format!("{} findings", Count(found.len() as u64)),
            Body::Rows(rows) if rows.rows.len() == 1 => "1 row".to_owned(),
            Body::Rows(rows) => format!("{} rows", Count(rows.rows.len() as u64)),
        };
        let form = if form == Form::Command { String::new() } else { format!(" as {}", form.name_in_sentence()) };
        self.put_on_clipboard(ctx, Content::Text(text), format!("{what}{form}"));
    }

    /// Hands something to the clipboard; `name` says what it is.
    pub(super) fn put_on_clipboard(&mut self, ctx: &Context, content: Content, name: String) {
        let copied = self.clipboard.copy(ctx, content, name);
        copied.into_iter().for_each(|copied| self.report_copy(ctx, copied));
    }

    /// Reports the copy that the desktop returned, or did not.
    pub(super) fn take_copied(&mut self, ctx: &Context) {
        let copied = self.clipboard.poll(ctx);
        copied.into_iter().for_each(|copied| self.report_copy(ctx, copied));
    }

    fn report_copy(&mut self, ctx: &Context, (name, result): Copied) {
        match result {
            Ok(()) => self.toasts.done(ctx, format!("Copied {name}")),
            Err(error) => self.toasts.warn(ctx, format!("Cannot copy {name}: {error}")),
        }
    }

    /// The list of forms, while one is being chosen.
    pub(super) fn choose_form_ui(&mut self, ctx: &Context) {
        let Some(mut chooser) = self.copying.chooser.take() else { return };
        match chooser.ui(ctx) {
            Chosen::Nothing => self.copying.chooser = Some(chooser),
            Chosen::Closed => {}
            Chosen::What(what) => {
                self.copying.chooser = Some(chooser);
                self.ask_copy(what, How::Chosen);
            }
            Chosen::Form(form, clip) => {
                // The command line is asked for by a key of its own.
                if form != Form::Command {
                    self.saved.form = form;
                }
                self.put(ctx, &clip, form);
            }
        }
    }
}
