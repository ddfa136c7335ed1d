//! Copying: content goes to the clipboard in the format used last, in a given format, or in one selected in the *Copy
//! as* dialog.

use eframe::egui::Context;

use super::App;
use super::copy_state::CopyAs;
use crate::ui::clipboard::{Content, Copied};
use crate::ui::shell::copy_as::{Chooser, ChooserResponse};
use crate::ui::tab::Tab;
use crate::ui::view_request::{CopyTarget, ViewRequest};
use heaplens_base::Count;
use heaplens_heap::{ClassId, ObjectId};
use heaplens_tables::export::copy::{Clip, ClipBody, CopyFormat};
use heaplens_tables::export::printable::printable;

impl App {
    /// Starts to build the content to copy.
    pub(super) fn ask_copy(&mut self, what: CopyTarget, how: CopyAs) {
        self.copying.how = how;
        if how == CopyAs::Chosen && self.copying.chooser.is_none() {
            self.copying.chooser = Some(Chooser::new(self.saved.form));
        }
        if let Some(chooser) = &mut self.copying.chooser {
            chooser.wait_for(what);
        }
        self.requests.add(ViewRequest::Copy(what));
    }

    /// Copies a clip, or shows it in the open *Copy as* dialog.
    pub(super) fn copy(&mut self, ctx: &Context, clip: Clip) {
        match self.copying.how {
            CopyAs::LastForm => self.put(ctx, &clip, self.saved.form),
            CopyAs::As(form) => self.put(ctx, &clip, form),
            CopyAs::Chosen => {
                if let Some(chooser) = &mut self.copying.chooser {
                    chooser.show(clip);
                }
            }
        }
    }

    /// Copies the name of the selected class, or the address-free name of the selected object once it is known.
    pub(super) fn copy_name(&mut self, ctx: &Context) {
        let Some(location) = self.history.now() else { return };
        if let Some(object) = location.object {
            self.copying.naming = Some((location.dump, object));
        } else if let Some(class) = location.class {
            self.copy_class_name(ctx, class);
        }
    }

    /// Copies the name of a class of the current dump.
    pub(super) fn copy_class_name(&mut self, ctx: &Context, class: ClassId) {
        if let Some(dump) = self.tab_now().and_then(Tab::open_dump) {
            let name = dump.heap.classes.get(class).name.to_string();
            self.put_on_clipboard(ctx, Content::Text(name), "the name of the class".to_owned());
        }
    }

    /// Copies the id of an object of the current dump.
    pub(super) fn copy_id(&mut self, ctx: &Context, object: ObjectId) {
        if let Some(dump) = self.tab_now().and_then(Tab::open_dump) {
            let id = dump.heap.id_text(object);
            self.put_on_clipboard(ctx, Content::Text(id.clone()), id);
        }
    }

    /// Copies the name that was asked for, once it is known.
    pub(super) fn take_name(&mut self, ctx: &Context) {
        let Some((dump, object)) = self.copying.naming else { return };
        let Some(tab) = self.tab_mut(dump) else {
            self.copying.naming = None;
            return;
        };
        let Some(name) = tab.object_name_if_any(object).map(|name| name.map(str::to_owned)) else { return };
        self.copying.naming = None;
        match name {
            Some(name) => self.put_on_clipboard(ctx, Content::Text(name), "the name".to_owned()),
            None => self.toasts.hint(ctx, "This object has no name that is stable across dumps".to_owned()),
        }
    }

    fn put(&mut self, ctx: &Context, clip: &Clip, form: CopyFormat) {
        let text = clip.render(form);
        let text = if form == CopyFormat::Command { self.with_cuts(&text) } else { text };
        let what = match &clip.body {
            _ if form == CopyFormat::Command => "the command line".to_owned(),
            ClipBody::Path(_) => "the path".to_owned(),
            ClipBody::Object(..) if clip.excerpt.is_some() => format!("the object with {}", clip.counted()),
            ClipBody::Object(..) => "the object".to_owned(),
            ClipBody::Traces(_, rows) if rows.rows.len() == 1 => "the leak".to_owned(),
            ClipBody::Traces(_, rows) => format!("{} leaks", Count(rows.rows.len() as u64)),
            ClipBody::Findings(found, _) if found.len() == 1 => "the finding".to_owned(),
            ClipBody::Findings(found, _) => format!("{} findings", Count(found.len() as u64)),
            ClipBody::Rows(_) => clip.counted(),
        };
        let hint = clip.excerpt.as_ref().map(|excerpt| &excerpt.hint).filter(|hint| !hint.is_empty());
        let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        let form = if form == CopyFormat::Command { String::new() } else { format!(" as {}", form.name_in_sentence()) };
        self.put_on_clipboard(ctx, Content::Text(text), format!("{what}{form}{hint}"));
    }

    /// Copies content to the clipboard; `name` describes it in messages.
    pub(super) fn put_on_clipboard(&mut self, ctx: &Context, content: Content, name: String) {
        let content = match content {
            Content::Text(text) => Content::Text(printable(&text).into_owned()),
            picture @ Content::Picture(_) => picture,
        };
        let copied = self.clipboard.copy(ctx, content, name);
        copied.into_iter().for_each(|copied| self.report_copy(ctx, copied));
    }

    /// Reports the result of the pending copy.
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

    /// Draws the *Copy as* dialog if it is open.
    pub(super) fn choose_form_ui(&mut self, ctx: &Context) {
        let Some(mut chooser) = self.copying.chooser.take() else { return };
        match chooser.ui(ctx) {
            ChooserResponse::Nothing => self.copying.chooser = Some(chooser),
            ChooserResponse::Closed => {}
            ChooserResponse::What(what) => {
                self.copying.chooser = Some(chooser);
                self.ask_copy(what, CopyAs::Chosen);
            }
            ChooserResponse::Form(form, clip) => {
                // The command line has a key of its own.
                if form != CopyFormat::Command {
                    self.saved.form = form;
                }
                self.put(ctx, &clip, form);
            }
        }
    }
}
