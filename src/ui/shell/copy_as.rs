//! Dialog *Copy as*: selects the content and format of a copy, with a preview.

use eframe::egui;
use egui::{Context, Id, Key, Modal, Modifiers, RichText, Role, ScrollArea, Sense, Ui, vec2};

use crate::ui::theme::{fonts, tokens};
use crate::ui::view_request::CopyTarget;
use crate::ui::widgets::controls;
use heaplens_tables::export::copy::{Clip, CopyFormat};

/// Maximum number of lines of the preview.
const LINES: usize = 60;
/// Maximum number of characters of a preview line.
const CHARACTERS: usize = 240;
/// Keys of the formats, in menu order.
const DIGITS: [Key; 9] =
    [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];

/// The dialog while it is open.
pub struct Chooser {
    what: CopyTarget,
    at: usize,
    clip: Option<Clip>,
    /// Preview of the clip in the format at the cursor.
    preview: String,
    /// Enter was pressed.
    enter: bool,
    /// Other content requested by a key.
    requested: Option<CopyTarget>,
}

/// User input on the dialog in this frame.
pub enum ChooserResponse {
    /// No input.
    Nothing,
    /// The dialog was closed.
    Closed,
    /// Other content was selected.
    What(CopyTarget),
    /// Copy this clip in this format.
    Form(CopyFormat, Box<Clip>),
}

impl Chooser {
    /// A dialog with the cursor at a format.
    pub fn new(form: CopyFormat) -> Self {
        let at = CopyFormat::ALL.iter().position(|&of| of == form).unwrap_or(0);
        Self { what: CopyTarget::default(), at, clip: None, preview: String::new(), enter: false, requested: None }
    }

    /// Sets the content that is being read.
    pub fn wait_for(&mut self, what: CopyTarget) {
        (self.what, self.clip, self.preview) = (what, None, String::new());
    }

    /// Shows the content once it is read.
    pub fn show(&mut self, clip: Clip) {
        self.clip = Some(clip);
        self.read();
    }

    fn form(&self) -> CopyFormat {
        CopyFormat::ALL.get(self.at).copied().unwrap_or_default()
    }

    fn read(&mut self) {
        let text = self.clip.as_ref().map(|clip| clip.render(self.form())).unwrap_or_default();
        let line = |line: &str| line.chars().take(CHARACTERS).collect::<String>();
        let mut lines: Vec<String> = text.lines().take(LINES).map(line).collect();
        if text.lines().nth(LINES).is_some() {
            lines.push("…".to_owned());
        }
        self.preview = lines.join("\n");
    }

    fn step(&mut self, to: usize) {
        self.at = to.min(CopyFormat::ALL.len() - 1);
        self.read();
    }

    /// Handles keys, before the table below receives them.
    pub fn keys(&mut self, ctx: &Context) {
        // A key may be pressed more than once during a slow frame.
        let presses = |key| ctx.input_mut(|i| i.count_and_consume_key(Modifiers::NONE, key));
        let key = |key| presses(key) > 0;
        if ctx.input(|i| i.events.iter().any(|event| matches!(event, egui::Event::Key { pressed: true, .. }))) {
            self.enter = false;
        }
        self.enter |= key(Key::Enter);
        let (down, up) = (presses(Key::ArrowDown), presses(Key::ArrowUp));
        if down != up {
            self.step((self.at + down).saturating_sub(up));
        }
        if let Some(at) = DIGITS.into_iter().take(CopyFormat::ALL.len()).position(key) {
            self.step(at);
            self.enter = true;
        }
        let now = CopyTarget::ALL.iter().position(|&what| what == self.what).unwrap_or(0);
        let (right, left) = (presses(Key::ArrowRight), presses(Key::ArrowLeft));
        let target = (now + right).saturating_sub(left).min(CopyTarget::ALL.len() - 1);
        if target != now {
            self.requested = CopyTarget::ALL.get(target).copied();
        }
    }

    /// Draws the dialog.
    pub fn ui(&mut self, ctx: &Context) -> ChooserResponse {
        let mut enter = std::mem::take(&mut self.enter);
        let mut what = self.requested.take();
        let area = ctx.content_rect().size();
        let modal = Modal::new(Id::unique("copy as")).show(ctx, |ui| {
            ui.set_width(760.0_f32.min(area.x - 60.0));
            ui.horizontal(|ui| {
                ui.label(RichText::new("Copy as").font(fonts::heading()));
                ui.add_space(12.0);
                for of in CopyTarget::ALL {
                    if controls::tab(ui, of == self.what, of.name(), None).clicked() {
                        what = Some(of);
                    }
                }
            });
            ui.add_space(6.0);
            ui.horizontal_top(|ui| {
                ui.vertical(|ui| {
                    ui.set_width(210.0);
                    ui.spacing_mut().item_spacing.y = 1.0;
                    for (at, form) in CopyFormat::ALL.into_iter().enumerate() {
                        let response = form_ui(ui, form, at, at == self.at);
                        if response.clicked() {
                            self.step(at);
                        }
                        enter |= response.double_clicked();
                    }
                    ui.add_space(10.0);
                    enter |= ui
                        .add_enabled_ui(self.clip.is_some(), |ui| controls::primary_button(ui, "Copy"))
                        .inner
                        .clicked();
                });
                self.preview_ui(ui, area.y - 180.0);
            });
        });
        // Enter pressed before the clip is ready takes effect once it is.
        self.enter = enter;
        if let Some(what) = what.filter(|&what| what != self.what) {
            return ChooserResponse::What(what);
        }
        if self.enter
            && let Some(clip) = self.clip.take()
        {
            return ChooserResponse::Form(self.form(), Box::new(clip));
        }
        if modal.should_close() { ChooserResponse::Closed } else { ChooserResponse::Nothing }
    }

    fn preview_ui(&self, ui: &mut Ui, height: f32) {
        let t = tokens(ui);
        let frame = egui::Frame::NONE.fill(t.surface).stroke((1.0, t.border)).corner_radius(6.0).inner_margin(10.0);
        frame.show(ui, |ui| {
            let height = height.min(420.0);
            ui.set_min_size(vec2(ui.available_width(), height));
            ScrollArea::both().id_salt("preview").max_height(height).auto_shrink(false).show(ui, |ui| {
                let (text, color) = match &self.clip {
                    Some(_) => (self.preview.as_str(), t.text),
                    None => ("Nothing is selected, or the selection is still loading…", t.faint),
                };
                let label = egui::Label::new(RichText::new(text).font(fonts::mono()).color(color)).extend();
                let shown = ui.add(label);
                ui.ctx().accesskit_node_builder(shown.id, |node| node.set_description("Preview of the copy"));
            });
        });
    }
}

fn form_ui(ui: &mut Ui, form: CopyFormat, at: usize, is_selected: bool) -> egui::Response {
    let t = tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 30.0), Sense::CLICK);
    response.widget_info(|| egui::WidgetInfo::selected(Role::MenuItemRadio, true, is_selected, form.name()));
    controls::row_background(ui, rect, is_selected, response.hovered());
    let middle = egui::Align2::LEFT_CENTER;
    ui.painter().text(rect.left_center() + vec2(10.0, 0.0), middle, (at + 1).to_string(), fonts::mono(), t.faint);
    ui.painter().text(rect.left_center() + vec2(30.0, 0.0), middle, form.name(), fonts::text(), t.text);
    response
}
