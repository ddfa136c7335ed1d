//! Objects with a star or a note, by name and by note.

use super::matching::Matcher;
use super::offers::{Group, Kind, Offer};
use super::providers::{PaletteContext, class_offer};
use heaplens_core::heap::ids::ObjectId;
use heaplens_session::marks::Mark;
use heaplens_session::open_dump::OpenDump;

/// Matches, best first; without a text all of them.
pub(super) fn stars(around: &PaletteContext<'_>, dump: &OpenDump, matcher: &mut Matcher) -> Group {
    let marked = around.marks.in_dump(&dump.identity, &dump.heap);
    let mut offers: Vec<Offer> = marked.filter_map(|(object, mark)| offer(dump, object, mark, matcher)).collect();
    offers.sort_by_key(|offer| offer.fit);
    Group::of(Kind::Stars, offers)
}

fn offer(dump: &OpenDump, object: ObjectId, mark: &Mark, matcher: &mut Matcher) -> Option<Offer> {
    let mut offer = class_offer(dump, object);
    // A name may contain a key of a map, which is a string of the program.
    if let Some(name) = mark.name.as_ref().filter(|_| !dump.opened.redacted) {
        (offer.title, offer.package) = (name.clone(), 0);
    }
    offer.aside = match mark.note.split_whitespace().collect::<Vec<_>>().join(" ") {
        note if note.is_empty() => dump.heap.id_text(object),
        note => note,
    };
    if matcher.is_empty() {
        return Some(offer);
    }
    let named = matcher.fit(&offer.title, offer.package).map(|fit| (fit, matcher.found()));
    let noted = matcher.fit(&mark.note, 0).map(|fit| (fit, Vec::new()));
    let (fit, found) = [named, noted].into_iter().flatten().min_by_key(|(fit, _)| *fit)?;
    (offer.fit, offer.found) = (fit, found);
    Some(offer)
}
