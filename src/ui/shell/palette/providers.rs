//! Who offers what: each kind of thing that can be gone to, compared with what is looked for.

use std::path::{Path, PathBuf};

use eframe::egui::Context;

use super::matching::{Fit, Matcher, Tier};
use super::objects;
use super::offers::{Group, Kind, Offer, Query};
use super::synonyms;
use crate::heap::ids::ObjectId;
use crate::session::jobs::Jobs;
use crate::ui::command::Command;
use crate::ui::location::{DumpKey, Location};
use crate::ui::marks::Marks;
use crate::ui::tab::{Tab, file_name};
use crate::ui::verb::{Menu, TABLE, Verb, written};
use crate::ui::view_context::OpenDump;

/// What the palette looks through.
pub struct PaletteContext<'a> {
    /// Whether a verb is of use now.
    pub usable: &'a dyn Fn(Verb) -> bool,
    /// The dump that is looked at, once it is open.
    pub answers: Option<(DumpKey, &'a OpenDump)>,
    /// All dumps.
    pub tabs: &'a [Tab],
    /// The dump that is looked at.
    pub shown: Option<DumpKey>,
    /// Files that were opened.
    pub recent: &'a [PathBuf],
    /// Places seen in this dump, the last first.
    pub places: &'a [Location],
    /// Stars and notes.
    pub marks: &'a Marks,
    /// Starts work in the background.
    pub jobs: &'a Jobs,
}

/// Sorts the best to the front; those of equal rank stay as they were.
fn ranked(kind: Kind, mut offers: Vec<Offer>) -> Group {
    // Letters that are merely there say little where something else says more.
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
        // Who has not typed anything yet wants to go somewhere.
        offers.sort_by_key(|offer| !matches!(offer.command, Command::Do(verb) if verb.entry().menu == Menu::Go));
        return Group::of(Kind::Commands, offers);
    }
    ranked(Kind::Commands, offers)
}

/// Objects by id.
pub fn objects(answers: &OpenDump, query: Query<'_>, most: usize) -> Group {
    let alone = query.only == Some(Kind::Objects);
    let (found, total) = objects::meant(&answers.heap, query.text, alone, most);
    let typed = query.text.trim_start_matches("0x").trim_start_matches("0X").to_lowercase();
    let offer = |object: ObjectId| {
        let id = answers.heap.id_text(object);
        let whole = id.trim_start_matches("0x") == typed;
        // Four letters may be a word: then what is called so goes first.
        let tier = match (whole, total == 1 || alone) {
            (true, _) => Tier::Exact,
            (false, true) => Tier::Prefix,
            (false, false) => Tier::Inside,
        };
        let mut offer = class_offer(answers, object);
        offer.aside = id;
        offer.fit = Fit { tier, skipped: 0 };
        offer
    };
    let mut group = Group { total, ..Group::of(Kind::Objects, found.into_iter().map(offer).collect()) };
    if alone && group.offers.is_empty() {
        let said = if typed.is_empty() { "Type an object id or its first digits" } else { "No object has this id" };
        group.note = Some(said.to_owned());
    }
    group
}

/// An object by its class; a class object by the class it stands for.
pub(super) fn class_offer(answers: &OpenDump, object: ObjectId) -> Offer {
    let stands_for = answers.heap.classes.of_object(object);
    let class = stands_for.unwrap_or_else(|| answers.heap.class_id(object));
    let name = &answers.heap.classes.get(class).name;
    let (package, own) = crate::ui::widgets::object_link::split_class(name);
    let (title, package) = match stands_for {
        Some(_) => (format!("{package}{own} (class)"), package.len()),
        None => (name.to_string(), package.len()),
    };
    Offer {
        package,
        more: answers.analyzed.retained(object).to_string(),
        ..Offer::plain(title, Command::Select(object))
    }
}

/// Dumps that are open beside the one looked at.
pub fn dumps(around: &PaletteContext<'_>, matcher: &mut Matcher) -> Group {
    let mut offers = Vec::new();
    for tab in around.tabs.iter().filter(|tab| Some(tab.key) != around.shown) {
        if tab.comparing().is_none() {
            offers.extend(file_offer(tab.dump.path(), Command::ShowTab(tab.key), matcher));
        } else {
            offers.extend(fitting(Offer::plain(tab.name(), Command::ShowTab(tab.key)), matcher));
        }
    }
    // What the one looked at can be compared with; who has typed nothing yet wants to go somewhere.
    let now = around.tabs.iter().find(|tab| Some(tab.key) == around.shown).filter(|_| !matcher.is_empty());
    for (now, tab) in now.into_iter().flat_map(|now| around.tabs.iter().map(move |tab| (now, tab))) {
        if tab.can_be_compared_with(now) {
            let title = format!("Compare with {}", tab.name());
            offers.extend(fitting(Offer::plain(title, Command::Compare(now.key, tab.key)), matcher));
        }
    }
    ranked(Kind::Dumps, offers)
}

/// Files that were opened once; and what was typed, if it can only be a path.
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
    fitting(Offer { aside: folder, ..Offer::plain(file_name(path), command) }, matcher)
}

/// The offer, if its title has what is looked for.
fn fitting(mut offer: Offer, matcher: &mut Matcher) -> Option<Offer> {
    if !matcher.is_empty() {
        offer.fit = matcher.fit(&offer.title, 0)?;
        offer.found = matcher.found();
    }
    Some(offer)
}

/// Where the reader was, without where it is now.
pub fn places(around: &PaletteContext<'_>, most: usize) -> Vec<Offer> {
    let Some((_, answers)) = around.answers else { return Vec::new() };
    let mut offers: Vec<Offer> = Vec::new();
    for place in around.places.iter().skip(1).filter(|place| Some(place.dump) == around.shown) {
        let offer = match (place.object, place.class) {
            (Some(object), _) => Offer { aside: answers.heap.id_text(object), ..class_offer(answers, object) },
            (None, Some(class)) => {
                let name = &answers.heap.classes.get(class).name;
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
