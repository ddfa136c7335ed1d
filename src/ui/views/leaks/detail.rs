//! Details and actions of one finding.

use heaplens_tables::RowTarget;
use std::fmt::Debug;
use std::hash::Hash;

use eframe::egui::{self, Button, Frame, Label, Margin, RichText, ScrollArea, Sense, Ui, vec2};
use egui::text::{LayoutJob, TextFormat};

use super::chain;
use crate::ui::shell::verdict::judgement;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::verb::keys_text;
use crate::ui::views::object_facts;
use crate::ui::widgets::controls;
use crate::ui::{Command, Verb, View, ViewContext};
use heaplens_analysis::clock::EntryAges;
use heaplens_analysis::leaks::words;
use heaplens_analysis::leaks::{Evidence, Group, Kind, Likelihood, MOST_CUT};
use heaplens_analysis::{Cut, LeakFinding, WasteKind};
use heaplens_base::Count;
use heaplens_heap::split_class;
use heaplens_session::VerdictTargets;

/// Maximum height of a low pane, in points.
const LOW: f32 = 360.0;

/// Draws the details of a finding or leak into a pane that scrolls; `add` gets true in a low pane.
pub(super) fn page_ui(ui: &mut Ui, id: impl Hash + Debug, add: impl FnOnce(&mut Ui, bool)) {
    let is_low = ui.available_height() < LOW;
    let margin = if is_low { Margin::symmetric(16, 6) } else { Margin::symmetric(16, 12) };
    ScrollArea::vertical().id_salt(id).auto_shrink(false).show(ui, |ui| {
        Frame::NONE.inner_margin(margin).show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing = if is_low { vec2(8.0, 3.0) } else { vec2(8.0, 6.0) };
            add(ui, is_low);
        });
    });
}

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding, cuts: Option<&[Cut]>) {
    page_ui(ui, ("finding", &finding.fingerprint), |ui, is_low| {
        let t = tokens(ui);
        let title = words::title(finding);
        let font = if is_low { fonts::medium() } else { fonts::heading() };
        let text = RichText::new(&title).font(font).color(t.text);
        // In a low pane, the path comes first.
        if is_low {
            ui.add(Label::new(text).truncate()).on_hover_text(title);
            actions_ui(ui, context, finding, cuts, is_low);
            chain::ui(ui, context, finding, is_low);
            known_by_ui(ui, context, finding);
        } else {
            ui.add(Label::new(text).wrap());
            known_by_ui(ui, context, finding);
            actions_ui(ui, context, finding, cuts, is_low);
        }
        ui.add_space(2.0);
        for fact in words::facts(finding) {
            ui.add(Label::new(RichText::new(fact).color(t.text)).wrap());
        }
        if let Some(point) = finding.point.as_ref().filter(|_| finding.likelihood().is_some()) {
            // Evidence may know more than the ages of single objects: it says what is likely.
            let is_known = |ages: EntryAges| ages.is_known();
            if context.labels.entry_ages(point.object).flatten().is_some_and(is_known) {
                object_facts::entries_fact(ui, context, point.object);
            }
        }
        signs_ui(ui, finding);
        if !is_low {
            chain::ui(ui, context, finding, is_low);
        }
    });
}

/// Draws the evidence for and against a leak.
fn signs_ui(ui: &mut Ui, finding: &LeakFinding) {
    if finding.evidence.is_empty() {
        return;
    }
    let t = tokens(ui);
    ui.add_space(6.0);
    for for_leak in [true, false] {
        let weighs = |sign: &&Evidence| if for_leak { sign.is_for() } else { sign.is_against() };
        finding.evidence.iter().filter(weighs).for_each(|sign| {
            let (name, color) = if for_leak { (words::FOR, t.grew) } else { (words::AGAINST, t.good) };
            let mut label = LayoutJob::default();
            label.append(&format!("{name}: "), 0.0, TextFormat::simple(fonts::medium(), color));
            label.append(&sign.to_string(), 0.0, TextFormat::simple(fonts::text(), t.muted));
            ui.add(Label::new(label).wrap());
        });
    }
}

/// Draws group, kind and fingerprint.
fn known_by_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding) {
    let t = tokens(ui);
    ui.horizontal(|ui| {
        let color = match finding.group {
            Group::Leak if finding.likelihood() == Some(Likelihood::Suspect) => t.warn,
            Group::Leak => t.grew,
            Group::Waste => t.warn,
            Group::Bounded | Group::Normal | Group::Expected => t.good,
        };
        let name = finding.likelihood().map_or_else(|| words::group(finding.group), Likelihood::title);
        controls::pill(ui, name, color, words::meaning(finding.group));
        if !matches!(finding.kind, Kind::Waste(_)) {
            ui.label(RichText::new(finding.kind.key()).color(t.muted));
        }
        let text = RichText::new(format!("fingerprint {}", finding.fingerprint)).font(fonts::mono()).color(t.faint);
        let shown = ui.add(Label::new(text).sense(Sense::click()).selectable(false));
        let label = format!("Copy fingerprint {}", finding.fingerprint);
        shown.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &label));
        let about = "Fingerprint: identifies this finding across dumps of the program. Click to copy";
        if shown.on_hover_text(about).clicked() {
            context.push(Command::Copy(finding.fingerprint.clone(), "the fingerprint".to_owned()));
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| instances_ui(ui, context, finding));
    });
}

/// Buttons that go to the previous and the next accumulated object.
fn instances_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding) {
    let Some(accumulated) = finding.accumulated.as_ref().filter(|_| finding.named_object.is_some()) else { return };
    let class = split_class(&accumulated.class).1;
    for (verb, icon, which) in
        [(Verb::NextOfClass, Icon::Forward, "Next"), (Verb::PreviousOfClass, Icon::Back, "Previous")]
    {
        let about = format!("{which} accumulated {class}{}", keys_text(ui.ctx(), verb));
        if controls::icon_button(ui, icon, &about, context.location.object.is_some()).clicked() {
            context.push(Command::from(verb));
        }
    }
}

fn actions_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding, cuts: Option<&[Cut]>, is_low: bool) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.spacing_mut().button_padding = if is_low { vec2(8.0, 2.0) } else { vec2(10.0, 4.0) };
        let is_waste = matches!(finding.kind, Kind::Waste(_));
        if !is_waste {
            cut_ui(ui, context, cuts);
        }
        let (name, about) = if is_waste {
            ("Show objects", "List the objects that waste the most memory".to_owned())
        } else {
            let about = "Show the object named in the title in the dominator tree";
            ("Show in dominator tree", format!("{about}{}", keys_text(ui.ctx(), Verb::ShowInTree)))
        };
        if ui.button(name).on_hover_text(about).clicked() {
            show(context, finding);
        }
        if is_low {
            let menu = ui.menu_button("Copy", |ui| copies_ui(ui, context));
            menu.response.on_hover_text("Copy as Markdown or as a command line");
        } else {
            copies_ui(ui, context);
        }
        verdict_buttons_ui(ui, context, finding);
    });
}

fn copies_ui(ui: &mut Ui, context: &mut ViewContext<'_>) {
    for (verb, name) in [(Verb::CopyMarkdown, "Copy Markdown"), (Verb::CopyCommand, "Copy command line")] {
        let about = format!("{}{}", verb.entry().about, keys_text(ui.ctx(), verb));
        if ui.button(name).on_hover_text(about).clicked() {
            context.push(Command::from(verb));
            ui.close_kind(egui::UiKind::Menu);
        }
    }
}

/// Cuts all references of the finding in one step, or undoes that.
fn cut_ui(ui: &mut Ui, context: &mut ViewContext<'_>, cuts: Option<&[Cut]>) {
    let t = tokens(ui);
    let known = cuts.unwrap_or_default();
    let is_made = !known.is_empty() && context.cuts.has(known);
    let name = match (is_made, known.len()) {
        (true, _) => "Put back".to_owned(),
        (false, 0 | 1) => "Remove (what if)".to_owned(),
        (false, 2) => "Remove both (what if)".to_owned(),
        (false, several) => format!("Remove all {} (what if)", Count(several as u64)),
    };
    let text = RichText::new(name).font(fonts::medium());
    let button = if is_made || known.is_empty() {
        Button::new(text)
    } else {
        Button::new(text.color(t.on_accent)).fill(t.accent).stroke(egui::Stroke::NONE)
    };
    let about = if cuts.is_none() {
        "Searching for references to cut…".to_owned()
    } else if known.is_empty() {
        "No reference to cut: only GC roots hold the object".to_owned()
    } else if known.len() >= MOST_CUT {
        format!(
            "Removes the first {} references; the line above the view shows what that frees",
            Count(MOST_CUT as u64)
        )
    } else {
        format!(
            "Exclude these references from the analysis; the status bar shows how much that frees{}",
            keys_text(ui.ctx(), Verb::CutReference)
        )
    };
    let shown = ui.add_enabled(!known.is_empty(), button);
    if shown.on_hover_text(&about).on_disabled_hover_text(&about).clicked() {
        context.cut(known.to_vec());
    }
}

fn verdict_buttons_ui(ui: &mut Ui, context: &mut ViewContext<'_>, finding: &LeakFinding) {
    let is_of_user = finding.verdict.as_ref().is_some_and(|verdict| verdict.is_of_user);
    let key = keys_text(ui.ctx(), Verb::Verdict);
    let choices = [
        (Group::Expected, "Expected…", "Mark this finding as expected, with a reason"),
        (Group::Leak, "Leaking…", "Mark this finding as a leak, with a reason"),
    ];
    for (group, name, about) in choices {
        let is_so = is_of_user && finding.group == group;
        if !is_so && ui.button(name).on_hover_text(format!("{about}{key}")).clicked() {
            context.push(Command::SetVerdict(Box::new(VerdictTargets::finding(finding, Some(group)))));
        }
    }
    if let Some(verdict) = finding.verdict.as_ref().filter(|verdict| verdict.is_of_user) {
        let about = format!("Remove the verdict for {}", verdict.pattern);
        if ui.button("Remove verdict").on_hover_text(about).clicked() {
            context.push(judgement(&verdict.pattern, None, ""));
        }
    }
}

/// Shows the object of the finding in the dominator tree, or for waste the view of its kind.
pub(super) fn show(context: &mut ViewContext<'_>, finding: &LeakFinding) {
    match (finding.named_object, finding.kind) {
        (Some(object), _) => context.open(RowTarget::Object(object)),
        (None, Kind::Waste(kind)) => {
            let view = match kind {
                WasteKind::DuplicateStrings => View::Strings,
                WasteKind::EmptyCollections | WasteKind::SparseCollections | WasteKind::UnusedRoom => View::Collections,
                WasteKind::DuplicateArrays
                | WasteKind::ZeroArrays
                | WasteKind::UnusedBuffers
                | WasteKind::DuplicateNumbers
                | WasteKind::ObjectHeaders => View::Waste,
            };
            context.push(Command::from(Verb::Show(view)));
        }
        (None, _) => {}
    }
}
