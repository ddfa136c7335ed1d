//! Command palette: type part of a name, select a result. Finds commands, classes, fields, objects by id or address-free
//! name, stars and notes, strings by content, threads and dumps. Slow searches run in the background; their results appear
//! while the user types.
//!
//! [`heaplens_tables::search`] searches the dump, [`providers`] collects the results of other kinds, [`offers`] defines
//! a result; `draw` draws.

pub mod command_words;
pub mod offers;
pub mod providers;
pub mod synonyms;

mod draw;

use eframe::egui;
use egui::{Context, Key, Modifiers};

use self::offers::{Group, Kind, Offer, Query};
use self::providers::PaletteContext;
use crate::ui::{Command, DumpKey, Target, Verb};
use heaplens_session::Link;
use heaplens_tables::search::classes::ClassSearch;
use heaplens_tables::search::marked::marked;
use heaplens_tables::search::matching::{Matcher, Tier};
use heaplens_tables::search::names::NameSearch;
use heaplens_tables::search::objects::objects;
use heaplens_tables::search::strings::StringSearch;
use heaplens_tables::search::threads::ThreadSearch;
use heaplens_tables::search::variables::VariableSearch;

/// Rows of a group before it is expanded: among other groups, and as the only group.
const COLLAPSED: (usize, usize) = (5, 12);
/// Maximum number of rows of a group.
const EXPANDED: usize = 200;
/// Number of recent results that are remembered, and that are shown.
const REMEMBERED: (usize, usize) = (30, 6);
/// Number of rows for Page up and Page down.
const PAGE: usize = 8;

/// The command palette.
#[derive(Default)]
pub struct Palette {
    open: bool,
    text: String,
    at: usize,
    /// Row selected by keys: the cursor stays on it when other rows appear before it.
    held: Option<Row>,
    /// Focus the text field in the next frame.
    focus: bool,
    /// Enter was pressed before the searches had finished.
    entered: bool,
    expanded: Vec<Kind>,
    recent: Vec<(Option<DumpKey>, Offer)>,
    classes: ClassSearch,
    names: NameSearch,
    strings: StringSearch,
    threads: ThreadSearch,
    variables: VariableSearch,
}

/// A row that the cursor can be on.
#[derive(Debug, Clone, PartialEq)]
enum Row {
    /// A result, by kind and command.
    Offer(Kind, Command),
    /// The line that expands a group.
    More(Kind),
}

impl Palette {
    /// Opens or closes the palette.
    pub fn toggle(&mut self) {
        if self.open { self.close() } else { self.open_with("") }
    }

    /// Opens the palette with `text` in the field.
    pub fn open_with(&mut self, text: &str) {
        self.open = true;
        self.type_text(text.to_owned());
    }

    /// True if it is open.
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// Drops results of a dump whose names or redaction have changed.
    pub fn forget(&mut self, dump: DumpKey) {
        self.recent.retain(|(of, _)| *of != Some(dump));
        (self.classes, self.names) = (ClassSearch::default(), NameSearch::default());
        (self.strings, self.threads) = (StringSearch::default(), ThreadSearch::default());
        self.variables = VariableSearch::default();
    }

    /// True while a search is running.
    pub fn is_running(&self) -> bool {
        self.open && (self.is_searching_names() || self.strings.is_running())
    }

    /// True while a search by name is running.
    fn is_searching_names(&self) -> bool {
        let is_waited_for = self.classes.is_running() || self.names.is_running() || self.variables.is_running();
        is_waited_for || self.threads.is_running()
    }

    fn close(&mut self) {
        self.open = false;
        self.strings.stop();
    }

    fn type_text(&mut self, text: String) {
        self.text = text;
        (self.at, self.held, self.entered, self.focus) = (0, None, false, true);
        self.expanded.clear();
    }

    /// Starts searches for the text, and takes over their results.
    fn tick(&mut self, ctx: &Context, around: &PaletteContext<'_>) {
        let query = Query::parse(&self.text);
        let Some((dump, open_dump)) = around.dump else { return };
        if Link::is_meant(&self.text) || self.text.trim_start().starts_with(providers::REMOVE) {
            // Nothing in a dump matches a link, and what is removed is looked up once it is chosen.
            self.classes.stop();
            self.names.tick(dump, open_dump, around.jobs, "");
            self.threads.stop();
            self.variables.stop();
            return self.strings.stop();
        }
        let anything = !query.text.is_empty();
        if query.wants(Kind::Classes) && (anything || query.only.is_some()) {
            self.classes.tick(dump, open_dump, around.jobs, query.text);
        } else {
            // Drop the unused search for the previous text, or Enter would wait for it.
            self.classes.stop();
        }
        let wants_variables = query.wants(Kind::Variables);
        self.variables.tick(dump, open_dump, around.jobs, if wants_variables { query.text } else { "" });
        // A prefix that narrows the search cannot be the beginning of a name.
        self.names.tick(dump, open_dump, around.jobs, if query.only.is_none() { query.text } else { "" });
        if query.wants(Kind::Threads) && (anything || query.only.is_some()) {
            self.threads.tick(dump, open_dump, around.jobs);
        } else {
            self.threads.stop();
        }
        if query.wants(Kind::Strings) {
            let wanted = (query.text, query.only.is_some());
            let again = self.strings.tick(dump, open_dump, around.jobs, wanted, ctx.input(|i| i.time));
            if let Some(seconds) = again {
                ctx.request_repaint_after(std::time::Duration::from_secs_f64(seconds.max(0.005)));
            }
        } else {
            self.strings.stop();
        }
    }

    /// Groups of results, best first.
    fn groups(&self, ctx: &Context, around: &PaletteContext<'_>) -> Vec<Group> {
        if Link::is_meant(&self.text) {
            return vec![providers::link(&self.text)];
        }
        if let Some((name, of)) = self.text.trim_start().strip_prefix(providers::REMOVE).zip(around.dump) {
            return vec![providers::removal(of, name, around.selected)];
        }
        let query = Query::parse(&self.text);
        let mut matcher = Matcher::new(query.text);
        let mut groups = Vec::new();
        if query == (Query { only: None, text: "" }) {
            let mut recent: Vec<Offer> = Vec::new();
            let here = |of: &Option<DumpKey>| of.is_none() || *of == around.dump.map(|(dump, _)| dump);
            let usable =
                |offer: &Offer| !matches!(offer.target, Command::Do(verb, Target::Selection) if !(around.usable)(verb));
            let selected = self.recent.iter().rev().filter(|(of, offer)| here(of) && usable(offer));
            for offer in selected.map(|(_, offer)| offer.clone()).chain(providers::locations(around, REMEMBERED.1)) {
                if !recent.iter().any(|known| known.target == offer.target) {
                    recent.push(offer);
                }
            }
            recent.truncate(REMEMBERED.1);
            groups.push(Group::of(Kind::Recent, recent));
            if let Some((of, open_dump)) = around.dump {
                groups.push(Group::of_hits(Kind::Stars, of, marked(around.marks, open_dump, &mut matcher)));
            }
            groups.push(providers::dumps(around, &mut matcher));
            groups.push(providers::files(around, &mut matcher, query));
            groups.push(providers::commands(ctx, around, &mut matcher, query));
            groups.retain(|group| !group.is_empty());
            return groups;
        }
        if query.wants(Kind::Commands) {
            groups.push(providers::commands(ctx, around, &mut matcher, query));
        }
        if query.only.is_none() {
            groups.push(providers::dumps(around, &mut matcher));
            groups.push(providers::files(around, &mut matcher, query));
            groups.push(providers::fixes(around, &mut matcher));
        }
        if let Some((of, open_dump)) = around.dump {
            let most = |kind| if self.expanded.contains(&kind) { EXPANDED } else { COLLAPSED.1 };
            if query.only.is_none() {
                groups.push(Group::of_hits(Kind::Names, of, self.names.hits(open_dump)));
                groups.push(Group::of_hits(Kind::Stars, of, marked(around.marks, open_dump, &mut matcher)));
            }
            // Node ids of JavaScript begin with the prefix for threads.
            let node = offers::node_id(&self.text).map(|id| Query { only: None, text: id });
            if let Some(query) = node.or_else(|| query.wants(Kind::Objects).then_some(query)) {
                let is_only = query.only == Some(Kind::Objects);
                groups.push(Group::of_hits(
                    Kind::Objects,
                    of,
                    objects(open_dump, query.text, is_only, most(Kind::Objects)),
                ));
            }
            if query.wants(Kind::Classes) {
                let hits = self.classes.hits(open_dump, &mut matcher, most(Kind::Classes));
                groups.push(Group::of_hits(Kind::Classes, of, hits));
            }
            if query.wants(Kind::Variables) {
                let mut hits = self.variables.hits(open_dump, &mut matcher, most(Kind::Variables));
                if query.only.is_some() && query.text.is_empty() {
                    hits.note = Some("Type part of the name of a field, static or variable".to_owned());
                }
                groups.push(Group::of_hits(Kind::Variables, of, hits));
            }
            if query.wants(Kind::Threads) {
                groups.push(Group::of_hits(Kind::Threads, of, self.threads.hits(open_dump, &mut matcher)));
            }
            if query.wants(Kind::Strings) {
                let mut group = Group::of_hits(Kind::Strings, of, self.strings.hits(open_dump, most(Kind::Strings)));
                if query.only.is_some() && query.text.is_empty() {
                    group.note = Some("Type part of a string; /…/ is a regular expression".to_owned());
                }
                groups.push(group);
            }
        } else if query.only.is_some_and(|kind| kind != Kind::Commands) {
            let mut group = Group::of(query.only.unwrap_or(Kind::Classes), Vec::new());
            group.note = Some("No dump is open to search".to_owned());
            groups.push(group);
        }
        groups.retain(|group| !group.is_empty());
        // Scattered letters match many long names: they count only if nothing matches better. Strings arrive too late
        // to decide that.
        if groups
            .iter()
            .any(|group| group.kind != Kind::Strings && group.best().is_some_and(|fit| fit.tier < Tier::Scattered))
        {
            groups.retain(|group| group.best().is_none_or(|fit| fit.tier < Tier::Scattered));
        }
        groups.sort_by_key(Group::rank);
        groups
    }

    /// Number of visible rows of a group.
    fn shown(&self, group: &Group, groups: usize) -> usize {
        let collapsed = if groups == 1 { COLLAPSED.1 } else { COLLAPSED.0 };
        // A line that expands a single row would take as much space as that row.
        let collapsed = if group.total == collapsed as u64 + 1 { collapsed + 1 } else { collapsed };
        let most = if self.expanded.contains(&group.kind) { EXPANDED } else { collapsed };
        most.min(group.offers.len())
    }

    /// All rows that the cursor can be on, from top to bottom.
    fn rows(&self, groups: &[Group]) -> Vec<Row> {
        let mut rows = Vec::new();
        for group in groups {
            let shown = self.shown(group, groups.len());
            let offers = group.offers.iter().take(shown);
            rows.extend(offers.map(|offer| Row::Offer(group.kind, offer.target.clone())));
            if (shown as u64) < group.total && !self.expanded.contains(&group.kind) {
                rows.push(Row::More(group.kind));
            }
        }
        rows
    }

    /// Handles keys; returns whether Enter was pressed and whether the cursor moved.
    fn keys(&mut self, ctx: &Context, rows: &[Row]) -> (bool, bool) {
        let key = |key| ctx.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        let back = ctx.input_mut(|i| i.consume_key(Modifiers::SHIFT, Key::Tab));
        let kind = |row: &Row| match row {
            Row::Offer(kind, _) | Row::More(kind) => *kind,
        };
        let before = self.at;
        let last = rows.len().saturating_sub(1);
        let here = rows.get(self.at).map(kind);
        if key(Key::ArrowDown) {
            self.at += 1;
        }
        if key(Key::ArrowUp) {
            self.at = self.at.saturating_sub(1);
        }
        if key(Key::PageDown) {
            self.at += PAGE;
        }
        if key(Key::PageUp) {
            self.at = self.at.saturating_sub(PAGE);
        }
        if key(Key::Tab) {
            let next = rows.iter().skip(self.at).position(|row| Some(kind(row)) != here);
            self.at = next.map_or(0, |by| self.at + by);
        }
        if back {
            let above = rows.iter().take(self.at).rposition(|row| Some(kind(row)) != here);
            let above = above.and_then(|at| rows.get(at)).map(kind);
            self.at = above.and_then(|above| rows.iter().position(|row| kind(row) == above)).unwrap_or(0);
        }
        self.at = self.at.min(last);
        let moved = self.at != before;
        if moved {
            self.held = rows.get(self.at).cloned();
        }
        (key(Key::Enter), moved)
    }

    /// Draws the palette and runs the selected result.
    pub fn ui(&mut self, ctx: &Context, around: &PaletteContext<'_>, commands: &mut Vec<Command>) {
        if !self.open {
            return;
        }
        self.tick(ctx, around);
        let groups = self.groups(ctx, around);
        let rows = self.rows(&groups);
        let again = Verb::Palette.entry().keys.iter().any(|keys| ctx.input_mut(|i| i.consume_shortcut(keys)));
        if again || ctx.input_mut(|i| i.consume_key(Modifiers::NONE, Key::Escape)) {
            self.close();
            return;
        }
        // The row with the cursor may be at another index now.
        let held = self.held.as_ref().and_then(|held| rows.iter().position(|row| row == held));
        self.at = held.unwrap_or(self.at).min(rows.len().saturating_sub(1));
        let (entered, moved) = self.keys(ctx, &rows);
        self.entered |= entered;
        let shown: Vec<usize> = groups.iter().map(|group| self.shown(group, groups.len())).collect();
        let searching = self.is_searching_names();
        let drawn = draw::ui(
            ctx,
            &mut self.text,
            &draw::PaletteStyle {
                groups: &groups,
                shown: &shown,
                expanded: &self.expanded,
                at: self.at,
                scroll: moved,
                focus: std::mem::take(&mut self.focus),
                searching,
            },
        );
        if drawn.typed {
            let text = std::mem::take(&mut self.text);
            let entered = self.entered && drawn.selected.is_none();
            self.type_text(text);
            self.entered = entered;
            self.focus = false;
            ctx.request_repaint();
            return;
        }
        if let Some(sign) = drawn.sign {
            let text = Query::parse(&self.text).text.to_owned();
            self.type_text(format!("{sign}{text}"));
            ctx.request_repaint();
            return;
        }
        // Enter right after typing selects from the results for the whole text.
        // The first list of variables may take seconds: a result that matches is not held up by it.
        let best = groups.first().and_then(|group| group.rank().1);
        let has_match = best.is_some_and(|fit| fit.tier < Tier::Scattered);
        let has_variables = has_match || !self.variables.is_running();
        let complete = !self.classes.is_running() && !self.names.is_running() && has_variables;
        let selected = drawn.selected.or_else(|| (self.entered && complete).then_some(self.at));
        if let Some(row) = selected.and_then(|at| rows.get(at)) {
            self.entered = false;
            self.run(row, &groups, around, commands);
        } else if complete {
            self.entered = false;
        }
        if drawn.outside {
            self.close();
        }
    }

    fn run(&mut self, row: &Row, groups: &[Group], around: &PaletteContext<'_>, commands: &mut Vec<Command>) {
        match row {
            Row::More(kind) => {
                self.expanded.push(*kind);
                self.held = None;
            }
            Row::Offer(kind, command) => {
                let offers = groups.iter().filter(|group| group.kind == *kind).flat_map(|group| &group.offers);
                if let Some(offer) = offers.into_iter().find(|offer| offer.target == *command) {
                    let everywhere = matches!(kind, Kind::Commands | Kind::Files | Kind::Dumps | Kind::Links);
                    let of = around.dump.map(|(dump, _)| dump).filter(|_| !everywhere);
                    self.recent.retain(|(_, known)| known.target != *command);
                    // A tab may be closed later; its file can still be opened.
                    if *kind != Kind::Dumps {
                        self.recent.push((of, Offer { matched_parts: Vec::new(), ..offer.clone() }));
                    }
                    let many = self.recent.len().saturating_sub(REMEMBERED.0);
                    self.recent.drain(..many);
                }
                commands.push(command.clone());
                self.close();
            }
        }
    }
}
