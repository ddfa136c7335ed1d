//! Providers: for each kind, the results that match the query.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::command_words::TypedWords;
use super::offers::{Group, Kind, Offer, Query, offer};
use super::synonyms;
use crate::ui::tab::Tab;
use crate::ui::verb::{Menu, TABLE};
use crate::ui::{Command, DumpKey, Location, Target, Verb};
use heaplens_analysis::cuts::is_of_kind;
use heaplens_heap::ObjectId;
use heaplens_session::cuts::removals;
use heaplens_session::files::file_name;
use heaplens_session::{Jobs, Link, Marks, OpenDump, SavedCuts};
use heaplens_sql::is_query;
use heaplens_tables::export::printable::one_line;
use heaplens_tables::search::hits::object_hit;
use heaplens_tables::search::matching::{Fit, Matcher, Tier};

/// Data that the palette searches.
pub struct PaletteContext<'a> {
    /// True for verbs that are enabled.
    pub usable: &'a dyn Fn(Verb) -> bool,
    /// Current dump, once it is open.
    pub dump: Option<(DumpKey, &'a OpenDump)>,
    /// All tabs.
    pub tabs: &'a [Tab],
    /// Key of the current dump.
    pub shown: Option<DumpKey>,
    /// Selected object of the current dump.
    pub selected: Option<ObjectId>,
    /// Recently opened files.
    pub recent: &'a [PathBuf],
    /// Locations visited in this dump, newest first.
    pub locations: &'a [Location],
    /// Stars and notes.
    pub marks: &'a Marks,
    /// Removals of all dumps.
    pub cuts: &'a SavedCuts,
    /// Handle to start jobs.
    pub jobs: &'a Jobs,
}

/// Sorts by match, best first; the sort is stable.
fn ranked(kind: Kind, mut offers: Vec<Offer>) -> Group {
    // Scattered letters count only if nothing matches better.
    if offers.iter().any(|offer| offer.fit.tier < Tier::Scattered) {
        offers.retain(|offer| offer.fit.tier < Tier::Scattered);
    }
    offers.sort_by_key(|offer| (offer.fit, offer.title.len()));
    Group::of(kind, offers)
}

/// Actions whose name, synonym or tooltip matches, best first. One found by a synonym shows it before its tooltip.
pub fn commands(ctx: &Context, around: &PaletteContext<'_>, matcher: &mut Matcher, query: Query<'_>) -> Group {
    let (mut offers, mut named_offers) = (Vec::new(), Vec::new());
    let typed = query.text.to_lowercase();
    let words = TypedWords::of(query.text);
    for entry in TABLE.iter().filter(|e| e.verb != Verb::Palette && (around.usable)(e.verb)) {
        let mut offer = Offer {
            aside: entry.about.to_owned(),
            more: entry.key_label(ctx).unwrap_or_default(),
            ..Offer::plain(entry.name, Command::from(entry.verb))
        };
        if !matcher.is_empty() {
            let named = matcher.fit(entry.name, 0);
            offer.matched_parts = matcher.matched_parts();
            let synonym = synonyms::find(entry.verb, matcher);
            let by_words = words.find_in(entry);
            let is_named = |fit: &Fit| fit.tier < Tier::Scattered && synonym.is_none_or(|(other, _)| *fit <= other);
            let fit = if let Some(fit) = named.filter(is_named) {
                fit
            } else if let Some((fit, synonym)) = synonym {
                offer.aside = format!("{synonym} · {}", entry.about);
                offer.matched_parts.clear();
                fit
            } else if let Some(by_words) = by_words {
                if let Some(synonym) = by_words.synonym {
                    offer.aside = format!("{synonym} · {}", entry.about);
                }
                offer.matched_parts.clear();
                Fit { tier: Tier::AnyOrder, skipped: 0 }
            } else if typed.len() >= 3 && entry.about.to_lowercase().contains(&typed) {
                offer.matched_parts.clear();
                Fit { tier: Tier::Inside, skipped: 1 }
            } else {
                let Some(fit) = named else { continue };
                fit
            };
            offer.fit = fit;
            if by_words.is_some_and(|by_words| by_words.names_it) {
                named_offers.push(offer);
                continue;
            }
        }
        offers.push(offer);
    }
    if matcher.is_empty() {
        // Before anything is typed, navigation commands come first.
        offers.sort_by_key(
            |offer| !matches!(offer.target, Command::Do(verb, Target::Selection) if verb.entry().menu == Menu::Go),
        );
        return Group::of(Kind::Commands, offers);
    }
    let is_named = !named_offers.is_empty();
    let mut offers: Vec<Offer> =
        [named_offers, offers].into_iter().flat_map(|offers| ranked(Kind::Commands, offers).offers).collect();
    if is_named {
        offers.retain(|offer| offer.fit.tier < Tier::Scattered);
    }
    Group { is_named, ..Group::of(Kind::Commands, offers) }
}

/// Other open dumps.
pub fn dumps(around: &PaletteContext<'_>, matcher: &mut Matcher) -> Group {
    let mut offers = Vec::new();
    for tab in around.tabs.iter().filter(|tab| Some(tab.key) != around.shown) {
        if tab.comparing().is_none() {
            offers.extend(file_offer(tab.dump.path(), Command::ShowTab(tab.key), matcher));
        } else {
            offers.extend(if_matching(Offer::plain(tab.name(), Command::ShowTab(tab.key)), matcher));
        }
    }
    // Dumps to compare with, once something is typed: before that, navigation is more likely.
    let now = around.tabs.iter().find(|tab| Some(tab.key) == around.shown).filter(|_| !matcher.is_empty());
    for (now, tab) in now.into_iter().flat_map(|now| around.tabs.iter().map(move |tab| (now, tab))) {
        if tab.can_be_compared_with(now) {
            let title = format!("Compare with {}", tab.name());
            offers.extend(if_matching(Offer::plain(title, Command::Compare(now.key, tab.key)), matcher));
        }
    }
    ranked(Kind::Dumps, offers)
}

/// Fixes to apply to the current dump.
pub fn fixes(around: &PaletteContext<'_>, matcher: &mut Matcher) -> Group {
    let tab = around.tabs.iter().find(|tab| Some(tab.key) == around.shown);
    let mut offers = Vec::new();
    for (tab, known) in tab.into_iter().flat_map(|tab| tab.known_fixes(around.cuts).map(move |known| (tab, known))) {
        let aside = format!("{} · {}", known.file, removals(known.removals.len()));
        let command = Command::ApplyFix(tab.key, Box::new(known.fix()));
        offers.extend(if_matching(
            Offer { aside, ..Offer::plain(format!("Apply fix {}", known.name), command) },
            matcher,
        ));
    }
    ranked(Kind::Fixes, offers)
}

/// Recently opened files; and the typed text, if it can only be a path.
pub fn files(around: &PaletteContext<'_>, matcher: &mut Matcher, query: Query<'_>) -> Group {
    let mut offers = Vec::new();
    let is_open = |path: &PathBuf| around.tabs.iter().any(|tab| tab.dump.path() == path);
    for path in around.recent.iter().filter(|path| !is_open(path)) {
        offers.extend(file_offer(path, Command::Open(vec![path.clone()]), matcher));
    }
    let typed = Path::new(query.text);
    if offers.is_empty() && typed.is_absolute() && typed.extension().is_some() {
        offers.push(Offer {
            aside: "Open file".to_owned(),
            ..Offer::plain(query.text, Command::Open(vec![typed.to_owned()]))
        });
    }
    ranked(Kind::Files, offers)
}

/// The pasted link, or why it is none.
pub fn link(text: &str) -> Group {
    match Link::parse(text) {
        Ok(link) => {
            let name = link.object.or(link.class).or(link.view).or(link.file.as_deref().map(file_name));
            let aside = one_line(&name.unwrap_or_default());
            let command = Command::OpenLink(text.trim().to_owned());
            Group::of(Kind::Links, vec![Offer { aside, ..Offer::plain("Open link", command) }])
        }
        Err(why) => Group { note: Some(format!("Cannot open the link: {why}")), ..Group::of(Kind::Links, Vec::new()) },
    }
}

/// Word before the name of what to remove.
pub const REMOVE: &str = "remove ";

/// The removal that the text names; without a name, those of the selected object.
pub fn removal((of, dump): (DumpKey, &OpenDump), name: &str, selected: Option<ObjectId>) -> Group {
    let id = selected.map(|object| dump.heap.id_text(object)).unwrap_or_default();
    let name = if name.trim().is_empty() { &id } else { name.trim() };
    if name.is_empty() {
        let note =
            "Type what to remove: Class.field, name[..-1000], from package.*, root of name, loader name, or a query";
        return Group { note: Some(note.to_owned()), ..Group::of(Kind::Removals, Vec::new()) };
    }
    let offer = |title: &str, name: String| Offer {
        aside: one_line(&name),
        ..Offer::plain(title, Command::CutNamed(of, name))
    };
    let mut offers = vec![offer("Remove (what if)", name.to_owned())];
    if !is_of_kind(name) && !is_query(name) {
        offers.push(offer("Remove all entries", format!("{name}[*]")));
        offers.push(offer("Remove all entries but the last 1,000", format!("{name}[..-1000]")));
        offers.push(offer("Remove its references", format!("from {name}")));
        offers.push(offer("Remove its GC roots", format!("root of {name}")));
    }
    Group::of(Kind::Removals, offers)
}

fn file_offer(path: &Path, command: Command, matcher: &mut Matcher) -> Option<Offer> {
    let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    if_matching(Offer { aside: folder, ..Offer::plain(file_name(path), command) }, matcher)
}

/// The result if its title matches.
fn if_matching(mut offer: Offer, matcher: &mut Matcher) -> Option<Offer> {
    if !matcher.is_empty() {
        offer.fit = matcher.fit(&offer.title, 0)?;
        offer.matched_parts = matcher.matched_parts();
    }
    Some(offer)
}

/// Visited locations, without the current one.
pub fn locations(around: &PaletteContext<'_>, most: usize) -> Vec<Offer> {
    let Some((of, dump)) = around.dump else { return Vec::new() };
    let mut offers: Vec<Offer> = Vec::new();
    for location in around.locations.iter().skip(1).filter(|location| Some(location.dump) == around.shown) {
        let visited = match (location.object, location.class) {
            (Some(object), _) => offer(of, object_hit(dump, object)),
            (None, Some(class)) => {
                let name = &dump.heap.classes.get(class).name;
                let package = heaplens_heap::split_class(name).0.len();
                let command = Command::on_class(Verb::ObjectsOfClass, of, class);
                Offer { package, aside: "objects".to_owned(), ..Offer::plain(&**name, command) }
            }
            (None, None) => Offer::plain(location.view.name(), Command::from(Verb::Show(location.view))),
        };
        if !offers.iter().any(|known| known.target == visited.target) {
            offers.push(visited);
        }
        if offers.len() >= most {
            break;
        }
    }
    offers
}
