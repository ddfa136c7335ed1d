//! What a search finds: hits with the parts of their titles that match.

use std::ops::Range;

use super::matching::{Fit, Tier};
use heaplens_analysis::structure::{Origin, ShortName};
use heaplens_base::{Progress, Task};
use heaplens_heap::{ClassId, ObjectId, split_class};
use heaplens_session::OpenDump;

/// Where a hit leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitTarget {
    /// An object.
    Object(ObjectId),
    /// The objects of a class.
    Class(ClassId),
}

/// Something that a search found.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit<T = HitTarget> {
    /// Title.
    pub title: String,
    /// Number of bytes at the start of the title that are drawn muted: the package of a class.
    pub package: usize,
    /// Parts of the title that match.
    pub matched_parts: Vec<Range<usize>>,
    /// True if the title is the content of a string, shown in quotes.
    pub quoted: bool,
    /// Secondary text after the title: the id of an object, the description of a command.
    pub aside: String,
    /// Text at the right: keys, counts, bytes.
    pub more: String,
    /// Quality of the match.
    pub fit: Fit,
    /// Where it leads.
    pub target: T,
}

impl<T> Hit<T> {
    /// A hit with an exact match and no secondary text.
    pub fn plain(title: impl Into<String>, target: T) -> Self {
        Self {
            title: title.into(),
            package: 0,
            matched_parts: Vec::new(),
            quoted: false,
            aside: String::new(),
            more: String::new(),
            fit: Fit { tier: Tier::Exact, skipped: 0 },
            target,
        }
    }

    /// The same hit with another target.
    pub fn lead<U>(self, to: impl FnOnce(T) -> U) -> Hit<U> {
        let Self { title, package, matched_parts, quoted, aside, more, fit, target } = self;
        Hit { title, package, matched_parts, quoted, aside, more, fit, target: to(target) }
    }
}

/// Hits of one search.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    /// The best hits.
    pub hits: Vec<Hit>,
    /// Number of all hits.
    pub total: u64,
    /// Message instead of or below the hits.
    pub note: Option<String>,
    /// Progress of a running search.
    pub running: Option<Progress>,
}

impl Hits {
    /// All hits of a finished search.
    pub fn of(hits: Vec<Hit>) -> Self {
        Self { total: hits.len() as u64, hits, note: None, running: None }
    }
}

/// Hit for an object, titled by its short name once names were read, else by its class; class and id follow.
pub fn object_hit(dump: &OpenDump, object: ObjectId) -> Hit {
    let id = dump.heap.id_text(object);
    let by_class = class_hit(dump, object);
    let task = &Task::new();
    let name = || dump.namer(task).ok()?.short_name(object, task).ok()?;
    let is_member = |name: &ShortName| name.object != object && name.origin != Origin::Runtime;
    match dump.data().has_names().then(name).flatten().filter(is_member) {
        Some(name) => {
            let aside = format!("{} {id}", split_class(&dump.heap.class(object).name).1);
            Hit { aside, more: by_class.more, ..Hit::plain(name.to_string(), HitTarget::Object(object)) }
        }
        None => Hit { aside: id, ..by_class },
    }
}

/// Hit for an object, titled by its class; a class object by its class.
pub fn class_hit(dump: &OpenDump, object: ObjectId) -> Hit {
    let represented_class = dump.heap.classes.of_object(object);
    let class = represented_class.unwrap_or_else(|| dump.heap.class_id(object));
    let name = &dump.heap.classes.get(class).name;
    let (package, own) = split_class(name);
    let (title, package) = match represented_class {
        Some(_) => (format!("{package}{own} (class)"), package.len()),
        None => (name.to_string(), package.len()),
    };
    Hit { package, more: dump.analysis.retained(object).to_string(), ..Hit::plain(title, HitTarget::Object(object)) }
}
