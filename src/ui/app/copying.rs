//! Copying: content goes to the clipboard in the format used last, in a given format, or in one selected in the *Copy
//! as* dialog.

use eframe::egui::Context;

use super::App;
use super::output::copy::CopyAs;
use crate::ui::clipboard::Content;
use crate::ui::cuts::command_line;
use crate::ui::shell::copy_as::ChooserResponse;
use crate::ui::tab::Tab;
use crate::ui::view_request::{CopyTarget, ViewRequest};
use heaplens_heap::{ClassId, ObjectId};
use heaplens_tables::export::copy::{Clip, CopyFormat};

impl App {
    /// Starts to build the content to copy.
    pub(super) fn ask_copy(&mut self, target: CopyTarget, format: CopyAs) {
        self.output.copying.begin(target, format, self.session.settings.form);
        self.navigation.requests.add(ViewRequest::Copy(target));
    }

    /// Copies a clip, or shows it in the open *Copy as* dialog.
    pub(super) fn copy(&mut self, ctx: &Context, clip: Clip) {
        let cuts = self.cuts_as_command();
        self.output.copy(ctx, &mut self.toasts, clip, self.session.settings.form, &cuts);
    }

    /// Command line of the cuts of the current dump, for the clipboard; empty without cuts.
    fn cuts_as_command(&self) -> String {
        let cuts = self.tab_now().and_then(|tab| command_line(&tab.cuts, tab.open_dump()?));
        cuts.map(|cuts| format!("{cuts}\n")).unwrap_or_default()
    }

    /// Copies the name of the selected class, or the address-free name of the selected object once it is known.
    pub(super) fn copy_name(&mut self, ctx: &Context) {
        let Some(location) = self.navigation.now() else { return };
        match (location.object, location.class) {
            (Some(object), _) => {
                self.tabs.get_mut(location.dump).into_iter().for_each(|tab| tab.ask_name(object));
            }
            (None, Some(class)) => self.copy_class_name(ctx, class),
            (None, None) => {}
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

    /// Copies content to the clipboard; `name` describes it in messages.
    pub(super) fn put_on_clipboard(&mut self, ctx: &Context, content: Content, name: String) {
        self.output.put_on_clipboard(ctx, &mut self.toasts, content, name);
    }

    /// Draws the *Copy as* dialog if it is open.
    pub(super) fn choose_form_ui(&mut self, ctx: &Context) {
        let Some(mut chooser) = self.output.copying.chooser.take() else { return };
        match chooser.ui(ctx) {
            ChooserResponse::Nothing => self.output.copying.chooser = Some(chooser),
            ChooserResponse::Closed => {}
            ChooserResponse::What(target) => {
                self.output.copying.chooser = Some(chooser);
                self.ask_copy(target, CopyAs::Chosen);
            }
            ChooserResponse::Form(form, clip) => {
                // The command line has a key of its own.
                if form != CopyFormat::Command {
                    self.session.settings.form = form;
                }
                let cuts = self.cuts_as_command();
                self.output.put(ctx, &mut self.toasts, &clip, form, &cuts);
            }
        }
    }
}
