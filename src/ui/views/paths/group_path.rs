//! The path pane of several objects: the part of their merged paths that most of them share, the GC root on top.

use std::sync::Arc;

use eframe::egui::{self, Id, Label, Rect, RichText, Ui, pos2, vec2};

use crate::ui::theme::{Icon, fonts, sizes, tokens};
use crate::ui::views::group;
use crate::ui::widgets::{ObjectName, controls, line_at_right_ui, line_ui, waiting};
use crate::ui::{Command, Target, Verb, ViewContext};
use heaplens_base::Count;
use heaplens_heap::split_class;
use heaplens_session::Slot;
use heaplens_session::open_dump::selection::{ObjectSet, Objects};
use heaplens_tables::trees::merged_trunk::{MergedTrunk, TrunkStep};

/// Height of a step, in points.
const STEP: f32 = 40.0;

/// The common path of the selected objects.
#[derive(Default)]
pub(super) struct GroupPath {
    of: Option<Objects>,
    slot: Slot<MergedTrunk>,
}

impl GroupPath {
    /// Starts the search for the paths of selected objects; forgets those of others.
    pub(super) fn tick(&mut self, context: &ViewContext<'_>) {
        self.slot.poll();
        let selected = match context.selection.set() {
            ObjectSet::Objects(objects) if group::count(context).is_some() => Some(objects),
            _ => None,
        };
        let is_known = match (selected, &self.of) {
            (Some(now), Some(of)) => Arc::ptr_eq(now, of),
            (None, None) => true,
            _ => false,
        };
        if is_known {
            return;
        }
        self.of = selected.cloned();
        self.slot = Slot::default();
        if let Some(objects) = self.of.clone() {
            let dump = context.dump.clone();
            self.slot.ask(context.jobs, "merged path of a group", move |task| {
                MergedTrunk::find(&dump, objects.as_slice(), task)
            });
        }
    }

    pub(super) fn is_running(&self) -> bool {
        self.slot.is_at_work()
    }

    /// Draws the path of `count` objects.
    pub(super) fn ui(&self, ui: &mut Ui, context: &mut ViewContext<'_>, count: u64) {
        let area = ui.available_rect_before_wrap();
        if let Some(error) = self.slot.error() {
            return waiting::empty_ui(ui, area, Icon::Warning, "Cannot merge the paths", error);
        }
        let Some(trunk) = self.slot.get() else { return waiting::line_ui(ui, "Merging paths…") };
        let frame = egui::Frame::NONE.inner_margin(egui::Margin::symmetric(sizes::PAD as i8, 6));
        frame.show(ui, |ui| {
            let t = tokens(ui);
            egui::ScrollArea::vertical().id_salt("merged path").auto_shrink(false).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                for (at, step) in trunk.steps.iter().enumerate() {
                    step_ui(ui, context, trunk, (at, step));
                }
                let name = group::name(context.selection, count);
                ui.add_space(4.0);
                ui.add(Label::new(RichText::new(&name).font(fonts::medium()).color(t.text)).wrap());
                for text in notes(trunk) {
                    ui.add(Label::new(RichText::new(text).font(fonts::small()).color(t.muted)).wrap());
                }
                ui.add_space(6.0);
                let about = "Show the paths from GC roots to these objects as one tree";
                if controls::labelled_button(ui, Icon::Search, "All merged paths").on_hover_text(about).clicked() {
                    context.push(Command::Do(Verb::PathsStrong, Target::Selection));
                }
            });
        });
    }
}

/// What the steps do not say.
fn notes(trunk: &MergedTrunk) -> Vec<String> {
    let mut notes = Vec::new();
    match trunk.steps.last() {
        None if trunk.objects > 0 => notes.push("The objects have no path in common".to_owned()),
        Some(last) if last.objects < trunk.objects => {
            notes.push(format!("{} of {} objects on this path", Count(last.objects), Count(trunk.objects)));
        }
        _ => {}
    }
    if trunk.unreached > 0 {
        notes
            .push(format!("{} without a path along strong references", Count(trunk.unreached).of("object", "objects")));
    }
    notes
}

/// Draws a step: the reference, and the object or class below it.
fn step_ui(ui: &mut Ui, context: &mut ViewContext<'_>, trunk: &MergedTrunk, (at, step): (usize, &TrunkStep)) {
    let t = tokens(ui);
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), STEP), egui::Sense::HOVER);
    let (upper, lower) = rect.split_top_bottom_at_fraction(0.5);
    let heap = &context.dump.heap;
    match &step.reference {
        Some(reference) => line_ui(ui, upper, reference.as_str(), fonts::mono(), t.field),
        None => {
            let root = context.dump.analysis.roots().of(step.object).first();
            line_ui(ui, upper, root.map_or("GC root", |root| root.kind.name()), fonts::small_medium(), t.root)
        }
    };
    let mut lower = lower;
    if step.objects < trunk.objects {
        let text = format!("{} of {}", Count(step.objects), Count(trunk.objects));
        let shown = line_at_right_ui(ui, lower, text, fonts::small(), t.faint);
        lower = lower.with_max_x((lower.right() - shown.size().x - 8.0).max(lower.left()));
    }
    let salt = Id::unique(("step of a merged path", at));
    if step.steps == 1 {
        let link = ObjectName::with(context.labels, heap, step.object, |name| name.link_ui(ui, lower, salt));
        context.follow(&link, step.object);
        return;
    }
    let class = heap.class(step.object).name.to_string();
    let times = format!("×{}", Count(step.steps));
    let name = ObjectName { class: &class, label: None, id: "" };
    let (galley, _) = name.galley(ui, t, (lower.width() - 60.0).max(20.0));
    let width = galley.size().x;
    ui.painter().galley(pos2(lower.left(), lower.center().y - galley.size().y / 2.0), galley, t.text);
    let after = Rect::from_min_max(pos2(lower.left() + width + 6.0, lower.top()), lower.max);
    line_ui(ui, after, times.as_str(), fonts::medium(), t.accent);
    let response = ui.interact(lower, salt, egui::Sense::HOVER);
    let text = format!("{} {times}", split_class(&class).1);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
    response.on_hover_text(class);
}
