//! Providers: for each kind, the results that match the query.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::matching::{Fit, Matcher, Tier};
use super::objects;
use super::offers::{Group, Kind, Offer, Query};
use super::synonyms;
use crate::ui::command::Command;
use crate::ui::location::{DumpKey, Location};
use crate::ui::tab::Tab;
use crate::ui::verb::{Menu, TABLE, Verb, written};
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::files::file_name;
use heaplens_session::jobs::Jobs;
use heaplens_session::marks::Marks;
use heaplens_session::open_dump::OpenDump;

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
    /// Recently opened files.
    pub recent: &'a [PathBuf],
    /// Locations visited in this dump, newest first.
    pub places: &'a [Location],
    /// Stars and notes.
    pub marks: &'a Marks,
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
    let mut offers = Vec::new();
    let typed = query.text.to_lowercase();
    for entry in TABLE.iter().filter(|e| e.verb != Verb::Palette && (around.usable)(e.verb)) {
        let mut offer = Offer {
            aside: entry.about.to_owned(),
            more: entry.keys.first().map(|keys| written(ctx, keys)).unwrap_or_default(),
            ..Offer::plain(entry.name, Command::Do(entry.verb))
        };
        if !matcher.is_empty() {
            let named = matcher.fit(entry.name, 0);
            offer.found = matcher.found();
            let synonym = synonyms::find(entry.verb, matcher);
            let is_named = |fit: &Fit| fit.tier < Tier::Scattered && synonym.is_none_or(|(other, _)| *fit <= other);
            let fit = if let Some(fit) = named.filter(is_named) {
                fit
            } else if let Some((fit, synonym)) = synonym {
                offer.aside = format!("{synonym} · {}", entry.about);
                offer.found.clear();
                fit
            } else if typed.len() >= 3 && entry.about.to_lowercase().contains(&typed) {
                offer.found.clear();
                Fit { tier: Tier::Inside, skipped: 1 }
            } else {
                let Some(fit) = named else { continue };
                fit
            };
            offer.fit = fit;
        }
        offers.push(offer);
    }
    if matcher.is_empty() {
        // Before anything is typed, navigation commands come first.
        offers.sort_by_key(|offer| !matches!(offer.command, Command::Do(verb) if verb.entry().menu == Menu::Go));
        return Group::of(Kind::Commands, offers);
    }
    ranked(Kind::Commands, offers)
}

/// Objects by id.
pub fn objects(dump: &OpenDump, query: Query<'_>, most: usize) -> Group {
    let is_only = query.only == Some(Kind::Objects);
    let (found, total) = objects::find(&dump.heap, query.text, is_only, most);
    let typed = query.text.trim_start_matches("0x").trim_start_matches("0X").to_lowercase();
    let offer = |object: ObjectId| {
        let id = dump.heap.id_text(object);
        let whole = id.trim_start_matches("0x") == typed;
        // Four hexadecimal digits may be a word: then results with that name come first.
        let tier = match (whole, total == 1 || is_only) {
            (true, _) => Tier::Exact,
            (false, true) => Tier::Prefix,
            (false, false) => Tier::Inside,
        };
        let mut offer = class_offer(dump, object);
        offer.aside = id;
        offer.fit = Fit { tier, skipped: 0 };
        offer
    };
    let mut group = Group { total, ..Group::of(Kind::Objects, found.into_iter().map(offer).collect()) };
    if is_only && group.offers.is_empty() {
        let note = if typed.is_empty() { "Type an object id or its first digits" } else { "No object has this id" };
        group.note = Some(note.to_owned());
    }
    group
}

/// Result for an object, titled by its class; a class object by its class.
pub(super) fn class_offer(dump: &OpenDump, object: ObjectId) -> Offer {
    let represented_class = dump.heap.classes.of_object(object);
    let class = represented_class.unwrap_or_else(|| dump.heap.class_id(object));
    let name = &dump.heap.classes.get(class).name;
    let (package, own) = crate::ui::widgets::object_link::split_class(name);
    let (title, package) = match represented_class {
        Some(_) => (format!("{package}{own} (class)"), package.len()),
        None => (name.to_string(), package.len()),
    };
    Offer { package, more: dump.analysis.retained(object).to_string(), ..Offer::plain(title, Command::Select(object)) }
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

/// Recently opened files; and the typed text, if it can only be a path.
pub fn files(around: &PaletteContext<'_>, matcher: &mut Matcher, query: Query<'_>) -> Group {
    let mut offers = Vec::new();
    let is_open = |path: &PathBuf| around.tabs.iter().any(|tab| tab.dump.path() == path);
    for path in around.recent.iter().filter(|path| !is_open(path)) {
        offers.extend(file_offer(path, Command::OpenFile(path.clone()), matcher));
    }
    let typed = Path::new(query.text);
    if offers.is_empty() && typed.is_absolute() && typed.extension().is_some() {
        offers.push(Offer {
            aside: "Open file".to_owned(),
            ..Offer::plain(query.text, Command::OpenFile(typed.to_owned()))
        });
    }
    ranked(Kind::Files, offers)
}

fn file_offer(path: &Path, command: Command, matcher: &mut Matcher) -> Option<Offer> {
    let folder = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    if_matching(Offer { aside: folder, ..Offer::plain(file_name(path), command) }, matcher)
}

/// The result if its title matches.
fn if_matching(mut offer: Offer, matcher: &mut Matcher) -> Option<Offer> {
    if !matcher.is_empty() {
        offer.fit = matcher.fit(&offer.title, 0)?;
        offer.found = matcher.found();
    }
    Some(offer)
}

/// Visited locations, without the current one.
pub fn places(around: &PaletteContext<'_>, most: usize) -> Vec<Offer> {
    let Some((_, dump)) = around.dump else { return Vec::new() };
    let mut offers: Vec<Offer> = Vec::new();
    for place in around.places.iter().skip(1).filter(|place| Some(place.dump) == around.shown) {
        let offer = match (place.object, place.class) {
            (Some(object), _) => Offer { aside: dump.heap.id_text(object), ..class_offer(dump, object) },
            (None, Some(class)) => {
                let name = &dump.heap.classes.get(class).name;
                let package = crate::ui::widgets::object_link::split_class(name).0.len();
                Offer { package, aside: "objects".to_owned(), ..Offer::plain(&**name, Command::ObjectsOf(class)) }
            }
            (None, None) => Offer::plain(place.view.name(), Command::Show(place.view)),
        };
        if !offers.iter().any(|known| known.command == offer.command) {
            offers.push(offer);
        }
        if offers.len() >= most {
            break;
        }
    }
    offers
}
