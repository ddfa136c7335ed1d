//! Objects related to a set: those that a class or the selected objects retain, or that dominate or refer to them.

use std::sync::Arc;

use eframe::egui::{self, RichText, Ui};

use super::class_chooser;
use super::report::{Kind, Report};
use crate::ui::theme::{fonts, tokens};
use crate::ui::views::page::ViewPage;
use crate::ui::widgets::{Column, controls};
use crate::ui::{ViewContext, ViewState};
use heaplens_analysis::dominator_tree::PartitionBy;
use heaplens_analysis::paths::merged::PathTargets;
use heaplens_analysis::related::RelatedKind;
use heaplens_base::{Count, Named};
use heaplens_heap::{ClassId, split_class};
use heaplens_session::JobError;
use heaplens_tables::dump::related::RelatedQuery;
use heaplens_tables::relations::{RELATED as TABLE, RELATED_GROUPS};
use heaplens_tables::reports::related;

const RELATED: Kind = Kind {
    filter: "Filter by class",
    nothing: ("No related objects", "No object has this relation to the set"),
    ..Kind::new(
        "Related objects",
        &[
            Column::naming(TABLE.column("class"), 240.0)
                .about("Class of the related objects; below it the largest of them"),
            Column::of(TABLE.column("objects"), 96.0, 6),
            Column::of(TABLE.column("shallow_bytes"), 152.0, 7),
            Column::of(TABLE.column("retained_bytes"), 152.0, 8),
            Column::of(TABLE.column("of_set"), 96.0, 5),
        ],
        |_, _| Err(JobError::Failed("no set is selected".to_owned())),
    )
};

/// A retained set is freed as a whole: its classes have neither a retained size nor a part of the set of their own.
const RETAINED_SET: Kind = Kind {
    hidden: "retained_bytes of_set",
    columns: &[RELATED.columns[0], RELATED.columns[1], RELATED.columns[2]],
    ..RELATED
};

/// Groups of classes.
const GROUPS: Kind = Kind {
    columns: &[
        Column::naming(RELATED_GROUPS.column("group"), 240.0)
            .about("Package or class loader of the related objects; below it their classes"),
        Column::of(RELATED_GROUPS.column("classes"), 84.0, 4),
        RELATED.columns[1],
        RELATED.columns[2],
        RELATED.columns[3],
        RELATED.columns[4],
    ],
    filter: "Filter by group or class",
    ..RELATED
};

/// Groups of classes of a retained set.
const RETAINED_GROUPS: Kind = Kind {
    hidden: RETAINED_SET.hidden,
    columns: &[GROUPS.columns[0], GROUPS.columns[1], GROUPS.columns[2], GROUPS.columns[3]],
    ..GROUPS
};

/// Width beside the lists from which the set is named, in points.
const NAMED_FROM: f32 = 280.0;

/// The view.
pub struct RelatedObjects {
    of: Option<PathTargets>,
    by: RelatedKind,
    group: PartitionBy,
    /// True if the cuts of the user apply to the retained set.
    with_cuts: bool,
    /// Set chosen by the user, to be shown in the next frame.
    wanted: Option<PathTargets>,
    requested: Option<RelatedQuery>,
    report: Report,
    /// Number of the frame in which it was drawn last, and the class selected then.
    drawn: u64,
    left: Option<ClassId>,
}

impl Default for RelatedObjects {
    fn default() -> Self {
        Self {
            of: None,
            by: RelatedKind::default(),
            group: PartitionBy::Class,
            with_cuts: true,
            wanted: None,
            requested: None,
            report: Report::new(&RETAINED_SET),
            drawn: 0,
            left: None,
        }
    }
}

impl ViewPage for RelatedObjects {
    fn ui(&mut self, ui: &mut Ui, context: &mut ViewContext<'_>) {
        self.choose(ui, context);
        let Some(of) = self.of.clone() else {
            let question = "What do the objects of a class retain, what dominates them, what refers to them?";
            return class_chooser::ui(ui, context, question);
        };
        let cuts = context.cuts.active();
        let can_cut = self.by == RelatedKind::Retained && !cuts.is_empty();
        let without = if can_cut && self.with_cuts { cuts.to_vec() } else { Vec::new() };
        let query = RelatedQuery { of, by: self.by, without, group: self.group };
        if self.requested.as_ref() != Some(&query) {
            self.requested = Some(query.clone());
            self.report.ask_again(match (self.by == RelatedKind::Retained, self.group) {
                (true, PartitionBy::Class) => &RETAINED_SET,
                (true, _) => &RETAINED_GROUPS,
                (false, PartitionBy::Class) => &RELATED,
                (false, _) => &GROUPS,
            });
            self.report.ask_with(Arc::new(move |dump, task| related::rows(dump, &query, task)));
        }
        let label = self.name_of_set(context);
        let (by, group, with_cuts) = (&mut self.by, &mut self.group, &mut self.with_cuts);
        self.report.ui_with(ui, context, |ui, _| {
            let combo = egui::ComboBox::from_id_salt("relation").width(150.0);
            let named = |by| format!("Relation: {}", name(by));
            controls::choice_ui(ui, combo, named, by, RelatedKind::NAMES.iter().map(|entry| entry.value), name);
            ui.add_space(6.0);
            let combo = egui::ComboBox::from_id_salt("grouping of related objects").width(116.0);
            let all = [PartitionBy::Class, PartitionBy::Package, PartitionBy::Loader];
            let named = |by| format!("Group {}", group_name(by).to_lowercase());
            controls::choice_ui(ui, combo, named, group, all, group_name).on_hover_text("Grouping of the rows");
            ui.add_space(6.0);
            if can_cut {
                let about = "Assume that the references you removed do not exist, as a customized retained set";
                ui.checkbox(with_cuts, "Without removed references").on_hover_text(about);
                ui.add_space(6.0);
            }
            // The filter needs the room in a narrow window.
            if ui.available_width() > NAMED_FROM {
                ui.scope(|ui| {
                    ui.set_max_width(ui.available_width() * 0.35);
                    let label = RichText::new(label).font(fonts::medium()).color(tokens(ui).text);
                    ui.add(egui::Label::new(label).truncate());
                });
                ui.add_space(6.0);
            }
        });
    }

    fn is_running(&self) -> bool {
        self.report.is_running()
    }

    fn view_state(&self) -> Option<ViewState> {
        self.report.view_state()
    }

    fn restore(&mut self, view_state: &ViewState) {
        self.report.restore(view_state);
    }
}

impl RelatedObjects {
    /// Shows objects related to another set.
    pub fn show(&mut self, of: PathTargets, by: RelatedKind) {
        (self.wanted, self.by) = (Some(of), by);
    }

    /// Sets the set: the requested one; when the view is entered with another class than it was left with, that class.
    fn choose(&mut self, ui: &Ui, context: &ViewContext<'_>) {
        let frame = ui.ctx().cumulative_frame_nr();
        let is_entered = std::mem::replace(&mut self.drawn, frame) + 1 < frame;
        let class = context.location.class;
        let is_other = is_entered && class != self.left;
        self.left = class;
        if let Some(wanted) = self.wanted.take() {
            self.of = Some(wanted);
        } else if (is_other || self.of.is_none())
            && let Some(class) = class
        {
            self.of = Some(PathTargets::Class(class));
        }
    }

    /// Name of the set.
    fn name_of_set(&self, context: &ViewContext<'_>) -> String {
        let heap = &context.dump.heap;
        match &self.of {
            Some(PathTargets::Class(class)) => format!("of {}", split_class(&heap.classes.get(*class).name).1),
            Some(PathTargets::Objects(objects)) => match &**objects {
                [object] => format!("of {} {}", split_class(&heap.class(*object).name).1, heap.id_text(*object)),
                several => format!("of {} selected objects", Count(several.len() as u64)),
            },
            None => String::new(),
        }
    }
}

/// Name of a grouping, as in the histogram.
fn group_name(by: PartitionBy) -> &'static str {
    match by {
        PartitionBy::Class => "By class",
        PartitionBy::Package => "By package",
        PartitionBy::Loader => "By class loader",
    }
}

/// Name of a relation in the window.
fn name(by: RelatedKind) -> &'static str {
    match by {
        RelatedKind::Retained => "Retained set",
        RelatedKind::Dominators => "Immediate dominators",
        RelatedKind::Incoming => "Referrers",
        RelatedKind::Outgoing => "Referenced objects",
    }
}
