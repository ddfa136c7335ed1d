//! Objects with a star or a note, by name and by note.

use super::hits::{Hit, Hits, class_hit};
use super::matching::Matcher;
use heaplens_heap::ObjectId;
use heaplens_session::{Marks, OpenDump, marks::Mark};

/// Matches, best first; without a text all of them.
pub fn marked(marks: &Marks, dump: &OpenDump, matcher: &mut Matcher) -> Hits {
    let marked = marks.in_dump(&dump.identity, &dump.heap);
    let mut hits: Vec<Hit> = marked.filter_map(|(object, mark)| hit(dump, object, mark, matcher)).collect();
    hits.sort_by_key(|hit| hit.fit);
    Hits::of(hits)
}

fn hit(dump: &OpenDump, object: ObjectId, mark: &Mark, matcher: &mut Matcher) -> Option<Hit> {
    let mut hit = class_hit(dump, object);
    // A name may contain a key of a map, which is a string of the program.
    if let Some(name) = mark.name.as_ref().filter(|_| !dump.opened.redacted) {
        (hit.title, hit.package) = (name.clone(), 0);
    }
    hit.aside = match mark.note.split_whitespace().collect::<Vec<_>>().join(" ") {
        note if note.is_empty() => dump.heap.id_text(object),
        note => note,
    };
    if matcher.is_empty() {
        return Some(hit);
    }
    let named = matcher.fit(&hit.title, hit.package).map(|fit| (fit, matcher.matched_parts()));
    let noted = matcher.fit(&mark.note, 0).map(|fit| (fit, Vec::new()));
    let (fit, matched_parts) = [named, noted].into_iter().flatten().min_by_key(|(fit, _)| *fit)?;
    (hit.fit, hit.matched_parts) = (fit, matched_parts);
    Some(hit)
}
