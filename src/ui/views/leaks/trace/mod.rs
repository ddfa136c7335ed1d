//! Details of one Android leak: leaking class, retained size, leak trace as in LeakCanary, and actions.

mod chain;
mod rail;
mod step;

use eframe::egui::{self, Frame, Label, Margin, RichText, Role, Sense, Ui, WidgetInfo, vec2};
use heaplens_tables::RowTarget;

use self::step::objects;
use super::detail::page_ui;
use crate::ui::shell::verdict::judgement;
use crate::ui::theme::{Icon, fonts, tokens};
use crate::ui::verb::keys_text;
use crate::ui::widgets::{controls, units, verdict_mark};
use crate::ui::{Command, Verb, ViewContext};
use heaplens_analysis::android::shark::{Leak, LeakReport, LeakSubject, LeakTrace};
use heaplens_analysis::leaks::{Group, pattern_of};
use heaplens_base::Count;
use heaplens_heap::split_class;
use heaplens_session::VerdictTargets;
use heaplens_tables::export::printable::one_line;
use heaplens_tables::export::traces::metadata_rows;
use heaplens_tables::leak_list::android_leaks::{AndroidLeakGroup, AndroidLeaks};
use heaplens_tables::leak_list::lines::LeakLine;
use heaplens_tables::leak_list::verdicts::{held_name, verdict};

/// Maximum number of characters of a class in the title.
const LETTERS: usize = 300;

pub(super) fn ui(ui: &mut Ui, context: &mut ViewContext<'_>, traces: &mut AndroidLeaks, line: LeakLine) {
    let Some(report) = traces.report().cloned() else { return };
    let id = match line {
        LeakLine::Leak(at) => (at, traces.shown(at)),
        LeakLine::Lost(at) => (at, usize::MAX),
        LeakLine::Head(_) | LeakLine::Finding(_) => return,
    };
    page_ui(ui, ("leak", id), |ui, is_low| {
        match line {
            LeakLine::Leak(at) => {
                let Some(leak) = report.leaks.get(at) else { return };
                let mut shown = traces.shown(at);
                leak_ui(ui, context, (leak, &mut shown), is_low);
                if shown != traces.shown(at) {
                    context.select(traces.step(at, shown > traces.shown(at)));
                }
            }
            LeakLine::Lost(at) => {
                report.unreachable.get(at).into_iter().for_each(|object| lost_ui(ui, context, object));
            }
            LeakLine::Head(_) | LeakLine::Finding(_) => {}
        }
        if !is_low {
            metadata_ui(ui, &report);
        }
    });
}

fn leak_ui(ui: &mut Ui, context: &mut ViewContext<'_>, (leak, shown): (&Leak, &mut usize), is_low: bool) {
    let Some(trace) = leak.traces.get(*shown) else { return };
    title_ui(ui, leak.class(), is_low);
    if is_low {
        actions_ui(ui, context, leak, trace, is_low);
        ui.horizontal(|ui| known_by_ui(ui, context, leak));
    } else {
        ui.horizontal_wrapped(|ui| known_by_ui(ui, context, leak));
        actions_ui(ui, context, leak, trace, is_low);
    }
    if let Some(known) = &leak.known {
        let t = tokens(ui);
        let frame = Frame::NONE.fill(t.panel).corner_radius(6.0).inner_margin(Margin::symmetric(10, 8));
        frame.show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.add(Label::new(RichText::new(one_line(&known.pattern)).font(fonts::mono()).color(t.text)).wrap());
            if !known.cause.is_empty() {
                ui.add(Label::new(RichText::new(&known.cause).color(t.muted)).wrap());
            }
        });
    }
    which_ui(ui, leak, shown);
    chain::ui(ui, context, trace);
}

fn title_ui(ui: &mut Ui, class: &str, is_low: bool) {
    let t = tokens(ui);
    let class: String = one_line(class).chars().take(LETTERS).collect();
    let (package, name) = split_class(&class);
    let font = if is_low { fonts::medium() } else { fonts::heading() };
    let mut title = egui::text::LayoutJob::default();
    title.append(package, 0.0, egui::TextFormat::simple(font.clone(), t.muted));
    title.append(name, 0.0, egui::TextFormat::simple(font, t.text));
    title.wrap.break_anywhere = true;
    let shown = ui.add(if is_low { Label::new(title).truncate() } else { Label::new(title).wrap() });
    shown.on_hover_text(class.as_str());
}

/// Draws kind, verdict, retained size and fingerprint.
fn known_by_ui(ui: &mut Ui, context: &mut ViewContext<'_>, leak: &Leak) {
    let t = tokens(ui);
    let group = AndroidLeakGroup::of(leak);
    let color = if group == AndroidLeakGroup::Application { t.error } else { t.muted };
    controls::pill(ui, group.one(), color, group.meaning());
    if let Some(verdict) = verdict(context.rules, leak) {
        let (word, color) = verdict_mark::word(verdict.group, t);
        controls::pill(ui, word, color, &verdict_mark::sentence(verdict, t));
    }
    let bytes = units::written(ui.ctx(), leak.retained());
    let retains = format!("Retains {bytes} in {}", objects(leak.objects()));
    let about = "Bytes and objects retained only by the leaking objects, counted as in LeakCanary";
    ui.label(RichText::new(retains).color(t.text)).on_hover_text(about);
    let text = RichText::new(&leak.fingerprint).font(fonts::mono()).color(t.faint);
    let shown = ui.add(Label::new(text).sense(Sense::click()).selectable(false).truncate());
    shown.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Copy fingerprint {}", leak.fingerprint)));
    let about = "Leak fingerprint, as in LeakCanary: identifies this leak across dumps. Click to copy";
    if shown.on_hover_text(about).clicked() {
        context.push(Command::Copy(leak.fingerprint.clone(), "the leak fingerprint".to_owned()));
    }
}

fn actions_ui(ui: &mut Ui, context: &mut ViewContext<'_>, leak: &Leak, trace: &LeakTrace, is_low: bool) {
    let t = tokens(ui);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.spacing_mut().button_padding = if is_low { vec2(8.0, 2.0) } else { vec2(10.0, 4.0) };
        let text = RichText::new("Copy trace").font(fonts::medium()).color(t.on_accent);
        let button = egui::Button::new(text).fill(t.accent).stroke(egui::Stroke::NONE);
        let about = format!("Copy in the format of LeakCanary{}", keys_text(ui.ctx(), Verb::CopyRows));
        if ui.add(button).on_hover_text(about).clicked() {
            context.push(Command::from(Verb::CopyTrace));
        }
        let mut verb_ui = |ui: &mut Ui, name: &str, verb: Verb| {
            let about = format!("{}{}", verb.entry().about, keys_text(ui.ctx(), verb));
            if ui.button(name).on_hover_text(about).clicked() {
                context.push(Command::from(verb));
            }
        };
        verb_ui(ui, "Copy report", Verb::CopyReport);
        if !is_low {
            verb_ui(ui, "Copy as…", Verb::CopyAs);
        }
        if let Some(leaking) = trace.leaking() {
            let about = format!(
                "Expand the dominator tree down to the leaking object{}",
                keys_text(ui.ctx(), Verb::ShowInTree)
            );
            if ui.button("Show in dominator tree").on_hover_text(about).clicked() {
                context.open(RowTarget::Object(leaking.object));
            }
        }
        verdict_ui(ui, context, leak);
    });
}

fn verdict_ui(ui: &mut Ui, context: &mut ViewContext<'_>, leak: &Leak) {
    if let Some(verdict_of) = verdict(context.rules, leak) {
        let about = format!("Remove the verdict for {}", verdict_of.pattern);
        let pattern = verdict_of.pattern.clone();
        if ui.button("Remove verdict").on_hover_text(about).clicked() {
            context.push(judgement(&pattern, None, ""));
        }
    } else {
        let about = format!("Mark this leak as expected, with a reason{}", keys_text(ui.ctx(), Verb::Verdict));
        if ui.button("Expected…").on_hover_text(about).clicked() {
            context.push(Command::SetVerdict(Box::new(about_leak(leak))));
        }
    }
}

/// Targets of a verdict on a leak: the reference that holds it, and its class.
pub(in crate::ui) fn about_leak(leak: &Leak) -> VerdictTargets {
    let held = held_name(leak).filter(|name| pattern_of(name) != *"");
    let about = VerdictTargets { group: Some(Group::Expected), ..VerdictTargets::default() };
    let about = held.into_iter().fold(about, |about, held| about.with("Reference", &held));
    about.with("Leaking class", leak.class())
}

/// Draws the choice of the trace.
fn which_ui(ui: &mut Ui, leak: &Leak, shown: &mut usize) {
    let all = leak.traces.len();
    ui.add_space(6.0);
    ui.horizontal(|ui| {
        let heading = controls::caption(ui, "Leak trace");
        if all < 2 {
            return;
        }
        heading.on_hover_text("Paths to leaking objects that share this fingerprint");
        let buttons = [
            (Verb::PreviousOfClass, Icon::Back, "Previous trace", *shown > 0),
            (Verb::NextOfClass, Icon::Forward, "Next trace", *shown + 1 < all),
        ];
        let mut step = 0_isize;
        for (verb, icon, name, enabled) in buttons {
            if icon == Icon::Forward {
                let which = format!("{} of {}", Count(*shown as u64 + 1), Count(all as u64));
                let text = RichText::new(&which).font(fonts::small_medium()).color(tokens(ui).text);
                ui.label(text).widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("Trace {which}")));
            }
            let name = format!("{name} with this fingerprint{}", keys_text(ui.ctx(), verb));
            if controls::icon_button(ui, icon, &name, enabled).clicked() {
                step = if icon == Icon::Back { -1 } else { 1 };
            }
        }
        *shown = shown.saturating_add_signed(step);
    });
}

/// Draws an unreachable object.
fn lost_ui(ui: &mut Ui, context: &mut ViewContext<'_>, object: &LeakSubject) {
    let t = tokens(ui);
    title_ui(ui, &object.class, false);
    ui.horizontal_wrapped(|ui| {
        let group = AndroidLeakGroup::Unreachable;
        controls::pill(ui, group.one(), t.faint, group.meaning());
        let meaning = if context.dump.heap.is_incomplete() {
            "Not strongly reachable in what was read of the incomplete dump"
        } else {
            "Not strongly reachable: the next garbage collection frees it"
        };
        ui.label(RichText::new(meaning).color(t.text));
    });
    ui.horizontal_wrapped(|ui| {
        let about = format!("Copy in the format of LeakCanary{}", keys_text(ui.ctx(), Verb::CopyRows));
        if ui.button("Copy text").on_hover_text(about).clicked() {
            context.push(Command::from(Verb::CopyRows));
        }
        if ui.button("Copy report").on_hover_text(Verb::CopyReport.entry().about).clicked() {
            context.push(Command::from(Verb::CopyReport));
        }
    });
    ui.add_space(6.0);
    step::subject_ui(ui, context, object);
}

fn metadata_ui(ui: &mut Ui, report: &LeakReport) {
    let t = tokens(ui);
    ui.add_space(14.0);
    controls::caption(ui, "Dump metadata");
    let rows = metadata_rows(&report.metadata);
    egui::Grid::new("metadata").num_columns(2).min_row_height(0.0).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
        ui.spacing_mut().interact_size.y = 0.0;
        for (key, value) in rows.iter().take(MOST) {
            ui.label(RichText::new(key).font(fonts::small()).color(t.faint));
            ui.add(Label::new(RichText::new(one_line(value)).font(fonts::small()).color(t.muted)).truncate());
            ui.end_row();
        }
    });
}

/// Maximum number of lines of it: a dump may contain any number of databases.
const MOST: usize = 32;
