//! Implementation of the actions of menus, palette and keys on what is selected at the current location.

use eframe::egui;
use egui::{Context, ThemePreference, ViewportCommand};

use super::App;
use super::output::copy::CopyAs;
use crate::ui::page_kind::PageKind;
use crate::ui::panes::{Docks, InspectorTab, Side};
use crate::ui::shell::help::Section;
use crate::ui::shell::palette::providers::REMOVE;
use crate::ui::shell::removals;
use crate::ui::tab::Tab;
use crate::ui::view_request::{CopyTarget, ViewRequest};
use crate::ui::{DumpKey, Location, Pane, Target, Verb, View};
use heaplens_base::Bytes;
use heaplens_heap::{ObjectId, Rules, VmRoots};
use heaplens_tables::export::copy::CopyFormat;

/// Memory limits offered by the menu, in bytes.
const FOUR_GIGABYTES: u64 = 4_000_000_000;
const ONE_GIGABYTE: u64 = 1_000_000_000;

impl App {
    /// State of a toggle or choice; `None` for other actions.
    pub(super) fn is_set(&self, verb: Verb) -> Option<bool> {
        let (memory, theme) = (self.options.storage.memory, self.session.settings.theme);
        Some(match verb {
            Verb::MemoryAll => memory.is_none(),
            Verb::MemoryFourGigabytes => memory == Some(FOUR_GIGABYTES),
            Verb::MemoryOneGigabyte => memory == Some(ONE_GIGABYTE),
            Verb::ThemeDark => theme == ThemePreference::Dark,
            Verb::ThemeLight => theme == ThemePreference::Light,
            Verb::ThemeSystem => theme == ThemePreference::System,
            Verb::BeforeAfter => self.tab_now().is_some_and(Tab::wants_after),
            Verb::KeepUnreachable => self.rules().keep_unreachable,
            Verb::IgnoreVmRoots => self.rules().vm_roots == VmRoots::Ignore,
            Verb::OwnerRules => self.tab_now().is_some_and(|tab| tab.opened().owner_rules),
            Verb::ExactSizes => self.session.settings.exact_sizes,
            Verb::Redact => self.tab_now().is_some_and(|tab| tab.opened().redacted),
            Verb::ShareWithAssistant => self.session.sharing.is_on(),
            Verb::GrewEveryTime => self.tab_now().is_some_and(|tab| tab.views.growth.is_every_time()),
            Verb::ViewList => self.navigation.names_views,
            Verb::MoreViews => self.session.settings.more_views,
            Verb::PathPane => self.session.settings.docks.in_view(self.navigation.view()).path.shown,
            Verb::InspectorPane => self.session.settings.docks.inspector.shown,
            verb if let Some((pane, side)) = docking(verb) => {
                let mut docks = self.session.settings.docks;
                docks.of(pane).is_some_and(|dock| dock.side == side)
            }
            _ => return None,
        })
    }

    pub(super) fn run_on_selection(&mut self, ctx: &Context, verb: Verb) {
        let location = self.navigation.location();
        let dump = location.map(|location| location.dump);
        let object = location.and_then(|location| location.object);
        match verb {
            Verb::Open => self.session.files.ask_dump(),
            Verb::OpenFolder => self.session.files.ask_folder(),
            Verb::TakeDump => self.navigation.pages.open_processes(self.session.files.prompts.handle(), &self.jobs),
            Verb::Redact => self.toggle_redacted(ctx),
            Verb::OpenLast => self.open_offered(ctx),
            Verb::ShareWithAssistant => self.toggle_sharing(ctx),
            Verb::UseMapping => dump.into_iter().for_each(|dump| self.session.files.ask_mapping(dump)),
            Verb::ReadRecord => dump.into_iter().for_each(|dump| self.session.files.ask_record(dump)),
            Verb::ReadReport => dump.into_iter().for_each(|dump| self.session.files.ask_report(dump)),
            Verb::ForgetMapping => self.forget_mapping(ctx),
            Verb::ExportReport => self.export_report(),
            Verb::CloseTab if let Some(kind) = self.navigation.pages.shown() => self.navigation.pages.close(kind),
            Verb::NextTab => self.navigation.step_tab(&self.tabs, 1),
            Verb::PreviousTab => self.navigation.step_tab(&self.tabs, -1),
            Verb::CloseTab | Verb::StopOpening => dump.into_iter().for_each(|dump| self.run_on_tab(ctx, dump, verb)),
            Verb::MemoryAll => self.set_memory(ctx, None),
            Verb::MemoryFourGigabytes => self.set_memory(ctx, Some(FOUR_GIGABYTES)),
            Verb::MemoryOneGigabyte => self.set_memory(ctx, Some(ONE_GIGABYTE)),
            Verb::KeepUnreachable => self.change_rules(ctx, |rules| rules.keep_unreachable ^= true),
            Verb::IgnoreVmRoots => self.change_rules(ctx, |Rules { vm_roots, .. }| {
                *vm_roots = if *vm_roots == VmRoots::Count { VmRoots::Ignore } else { VmRoots::Count };
            }),
            Verb::OwnerRules => self.toggle_owner_rules(ctx),
            Verb::ForgetStored => self.session.delete_stored(&self.options, &self.jobs),
            Verb::RuntimeClasses => self.lists.runtime_classes.edit(&self.options, &self.jobs),
            Verb::ReloadRuntimeClasses => self.lists.runtime_classes.reload(&self.options, &self.jobs),
            Verb::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            Verb::ExportTable => self.navigation.requests.add(ViewRequest::Export),
            Verb::ShowAsQuery => self.navigation.requests.add(ViewRequest::ShowAsQuery),
            Verb::StopExport => self.output.exporting.stop(),
            Verb::CopyRows => self.ask_copy(CopyTarget::Rows, CopyAs::LastForm),
            Verb::CopyPath => self.ask_copy(CopyTarget::Path, CopyAs::LastForm),
            Verb::CopyObject => self.ask_copy(CopyTarget::Object, CopyAs::LastForm),
            Verb::CopyInspector => self.ask_copy(CopyTarget::Inspector, CopyAs::LastForm),
            Verb::CopyCommand => self.ask_copy(CopyTarget::Rows, CopyAs::As(CopyFormat::Command)),
            Verb::CopyAs => self.ask_copy(CopyTarget::Rows, CopyAs::Chosen),
            Verb::CopyText => self.ask_copy(CopyTarget::Rows, CopyAs::As(CopyFormat::Text)),
            Verb::CopyMarkdown => self.ask_copy(CopyTarget::Rows, CopyAs::As(CopyFormat::Markdown)),
            Verb::CopyTrace => {
                let in_leaks = location.is_some_and(|location| location.view == View::Leaks);
                let is_leak = in_leaks && self.tab_now().is_some_and(|tab| tab.views.leaks.has_trace());
                self.ask_copy(if is_leak { CopyTarget::Rows } else { CopyTarget::Path }, CopyAs::As(CopyFormat::Trace));
            }
            Verb::CopyReport => self.ask_copy(CopyTarget::Report, CopyAs::As(CopyFormat::Trace)),
            Verb::CopyCells => self.ask_copy(CopyTarget::Rows, CopyAs::As(CopyFormat::Cells)),
            Verb::CopyJson => self.ask_copy(CopyTarget::Rows, CopyAs::As(CopyFormat::Json)),
            Verb::MorePaths => self.tab_now_mut().into_iter().for_each(|tab| tab.views.paths.more()),
            Verb::CopyId => object.into_iter().for_each(|object| self.copy_id(ctx, object)),
            Verb::CopyLink => {
                if let Some(location) = self.navigation.now() {
                    self.output.links.copy(&self.tabs, location, &self.jobs);
                }
            }
            Verb::ViewList => self.session.settings.names_views = Some(!self.navigation.names_views),
            Verb::MoreViews => self.session.settings.more_views ^= true,
            Verb::PathsStrong
            | Verb::PathsAll
            | Verb::RetainedClasses
            | Verb::ImmediateDominators
            | Verb::ReferrersByClass
            | Verb::ReferencesByClass => {
                let result = self.navigation.ask_of_selection(&mut self.tabs, verb);
                self.hint_if(ctx, result);
            }
            Verb::CopyName => self.copy_name(ctx),
            Verb::Picture => self.navigation.requests.add(ViewRequest::NextMode),
            Verb::Filter => self.navigation.requests.add(ViewRequest::Filter),
            Verb::Palette => self.navigation.palette.toggle(),
            Verb::CutNamed => self.navigation.palette.open_with(REMOVE),
            Verb::Back => self.navigation.travel(&mut self.tabs, |history| history.back_by(1)),
            Verb::Forward => self.navigation.travel(&mut self.tabs, |history| history.forward_by(1)),
            Verb::Show(view) => {
                self.navigation.switch_to(&mut self.tabs, view);
                if view == View::Query {
                    self.navigation.requests.add(ViewRequest::EditQuery);
                }
            }
            Verb::RunQuery => self.navigation.requests.add(ViewRequest::RunQuery),
            Verb::Verdict => self.ask_verdict(self.navigation.verdict_targets(&self.tabs)),
            Verb::Verdicts => self.lists.verdicts.toggle_list(),
            Verb::CloseAll => {
                let keys: Vec<DumpKey> = self.tabs.list().iter().map(|tab| tab.key).collect();
                keys.into_iter().for_each(|key| self.close_by_user(ctx, key));
                PageKind::ALL.into_iter().for_each(|kind| self.navigation.pages.close(kind));
            }
            Verb::Tour => self.begin_tour(ctx),
            Verb::ReopenTab => self.reopen_last_closed(ctx),
            Verb::GrewEveryTime => {
                self.tab_now_mut().into_iter().for_each(|tab| tab.views.growth.toggle_every_time());
                self.navigation.switch_to(&mut self.tabs, View::Growth);
            }
            Verb::Compare => self.compare_or_swap(),
            Verb::CompareWith => self.navigation.palette.open_with("Compare with "),
            Verb::CutReference => self.cut_chosen(ctx, false),
            Verb::CutField => self.cut_chosen(ctx, true),
            Verb::Undo => self.undo(ctx, false),
            Verb::Redo => self.undo(ctx, true),
            Verb::CutSmallest => object.into_iter().for_each(|object| self.search_smallest(object)),
            Verb::BeforeAfter => {
                let is_wanted = self.tab_now().is_some_and(|tab| !tab.wants_after());
                self.show_after(self.navigation.dump(), is_wanted);
            }
            Verb::ListCuts => removals::toggle_list(ctx),
            Verb::CopyCuts => self.copy_cuts(ctx),
            Verb::SaveFix => self.ask_fix_output(),
            Verb::ApplyFix => self.offer_fixes(),
            Verb::ApplyFixFile => self.ask_fix(),
            Verb::Find => self.navigation.requests.add(ViewRequest::Find),
            Verb::ShowInTree | Verb::AccumulationPoint => {
                if let Some(object) = object {
                    self.navigation.reveal(&mut self.tabs, object);
                    if verb == Verb::AccumulationPoint {
                        self.navigation.requests.add(ViewRequest::AccumulationPoint);
                    }
                }
            }
            Verb::AllObjects => {
                let all = |location: Location| Location { view: View::Objects, ..location.with(None, None) };
                self.navigation.go(&mut self.tabs, all);
            }
            Verb::ObjectsOfClass => {
                let of_object = object.and_then(|object| self.navigation.class_of(&self.tabs, object));
                let class = location.and_then(|location| location.class).or(of_object);
                class.into_iter().for_each(|class| self.navigation.list_objects_of(&mut self.tabs, class));
            }
            Verb::PathPane => self.change_docks(|docks, focus| docks.step(Pane::Path, focus)),
            Verb::MainPane => self.navigation.focus = Pane::Main,
            Verb::InspectorPane => self.change_docks(|docks, focus| docks.step(Pane::Inspector, focus)),
            Verb::PathLeft
            | Verb::PathRight
            | Verb::PathBelow
            | Verb::InspectorLeft
            | Verb::InspectorRight
            | Verb::InspectorBelow => {
                if let Some((pane, side)) = docking(verb) {
                    self.change_docks(|docks, _| docks.put(pane, side));
                }
            }
            Verb::ExactSizes => self.session.toggle_exact_sizes(ctx),
            Verb::Incoming => self.inspect(InspectorTab::Incoming),
            Verb::Outgoing => self.inspect(InspectorTab::Outgoing),
            Verb::PreviousOfClass | Verb::NextOfClass => {
                let forwards = verb == Verb::NextOfClass;
                let result = self.navigation.step_object(&mut self.tabs, &self.jobs, forwards);
                self.hint_if(ctx, result);
            }
            Verb::OpenInNewTab => self.open_in_new_tab(),
            Verb::RetainedSet => {
                let tab = self.navigation.tab_mut(&mut self.tabs);
                tab.into_iter().for_each(|tab| tab.search_selection(&self.jobs));
            }
            Verb::RouteFrom => self.route(ctx, object, None),
            Verb::RouteTo => self.route(ctx, None, object),
            Verb::RouteBetween => {
                if let Some([from, to]) = self.tab_now().and_then(|tab| tab.selection().pair()) {
                    self.route(ctx, Some(from), Some(to));
                }
            }
            Verb::Star => {
                if let Some((dump, object)) = dump.zip(object) {
                    self.mark(dump, object, |mark| mark.star ^= true);
                }
            }
            Verb::Note => {
                self.session.settings.docks.inspector.shown = true;
                self.navigation.requests.add(ViewRequest::EditNote);
            }
            Verb::ZoomIn => zoom(ctx, ctx.zoom_factor() + 0.1),
            Verb::ZoomOut => zoom(ctx, ctx.zoom_factor() - 0.1),
            Verb::ZoomReset => zoom(ctx, 1.0),
            Verb::ThemeDark => self.set_theme(ctx, ThemePreference::Dark),
            Verb::ThemeLight => self.set_theme(ctx, ThemePreference::Light),
            Verb::ThemeSystem => self.set_theme(ctx, ThemePreference::System),
            Verb::DismissWarnings => self.toasts.dismiss(),
            Verb::Help => {
                let has = |view: &View| self.is_available(Verb::Show(*view), &Target::Selection);
                let views = View::ALL.into_iter().filter(has).collect();
                let view = location
                    .filter(|location| self.tabs.get(location.dump).is_some_and(|tab| tab.open_dump().is_some()));
                self.navigation.help.open_keys(view.map(|location| location.view), views);
            }
            Verb::Glossary => self.navigation.help.open(Section::Glossary),
            Verb::Manual => self.navigation.help.open_manual(location.map(|location| location.view)),
        }
    }

    /// Changes the panes as the current view shows them.
    pub(super) fn change_docks(&mut self, change: impl FnOnce(&mut Docks, &mut Pane)) {
        let view = self.navigation.view();
        let mut docks = self.session.settings.docks.in_view(view);
        change(&mut docks, &mut self.navigation.focus);
        self.session.settings.docks = docks.in_view(view);
    }

    /// Searches the path once both ends are set; otherwise asks for the missing one.
    fn route(&mut self, ctx: &Context, from: Option<ObjectId>, to: Option<ObjectId>) {
        let result = self.navigation.route(&mut self.tabs, from, to);
        self.hint_if(ctx, result);
    }

    fn toggle_sharing(&mut self, ctx: &Context) {
        match self.session.sharing.toggle(&self.options, &self.lists.verdicts.rules) {
            Ok(message) => self.toasts.done(ctx, message.to_owned()),
            Err(why) => self.toasts.warn(ctx, format!("The open dumps cannot be shared: {why}")),
        }
    }

    fn set_memory(&mut self, ctx: &Context, limit: Option<u64>) {
        // An option of the command line takes precedence in the next window.
        (self.session.settings.memory, self.options.storage.memory) = (limit, limit);
        let message = limit.map_or_else(
            || "Memory limit removed for dumps opened from now on".to_owned(),
            |limit| format!("Memory limited to {} for dumps opened from now on", Bytes(limit)),
        );
        self.toasts.done(ctx, message);
    }
}

/// Pane and side that a docking action names.
fn docking(verb: Verb) -> Option<(Pane, Side)> {
    Some(match verb {
        Verb::PathLeft => (Pane::Path, Side::Left),
        Verb::PathRight => (Pane::Path, Side::Right),
        Verb::PathBelow => (Pane::Path, Side::Below),
        Verb::InspectorLeft => (Pane::Inspector, Side::Left),
        Verb::InspectorRight => (Pane::Inspector, Side::Right),
        Verb::InspectorBelow => (Pane::Inspector, Side::Below),
        _ => return None,
    })
}

fn zoom(ctx: &Context, factor: f32) {
    ctx.set_zoom_factor((factor.clamp(0.5, 3.0) * 10.0).round() / 10.0);
}
