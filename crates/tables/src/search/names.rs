//! Objects by address-free name, and objects named in a copied line: by id, or by name in a command line. Looked up in
//! the background. If a name resolves only partly, the result says what is missing.

use super::hits::{Hit, HitTarget, Hits, class_hit, object_hit};
use super::matching::{Fit, Tier};
use heaplens_analysis::naming::Unresolved;
use heaplens_base::Task;
use heaplens_heap::ObjectId;
use heaplens_session::{JobError, Jobs, OpenDump, Slot};

/// Maximum number of objects from one line.
const MAX_OBJECTS: usize = 12;

/// Search for objects of one dump.
#[derive(Default)]
pub struct NameSearch {
    key: Option<u64>,
    /// Builds the name index once, independent of typing.
    ready: Slot<()>,
    requested: Option<String>,
    matches: Slot<Vec<NameMatch>>,
}

/// An object found for a text.
#[derive(Debug, Clone, PartialEq)]
enum NameMatch {
    /// The whole name resolves.
    Whole(ObjectId, String),
    /// Found by its id.
    Id(ObjectId),
    /// A prefix of the name resolves; the second text explains the rest.
    Partly(ObjectId, String, String),
    /// Nothing resolves, with the reason.
    Missing(String),
}

impl NameSearch {
    /// Starts a search if the text changed, and takes over its result.
    pub fn tick(&mut self, key: u64, open_dump: &OpenDump, jobs: &Jobs, text: &str) {
        if self.key != Some(key) {
            *self = Self { key: Some(key), ..Self::default() };
        }
        self.ready.poll();
        self.matches.poll();
        if !may_be_name(text) {
            self.requested = None;
            self.matches = Slot::default();
            return;
        }
        if self.requested.as_deref() == Some(text) {
            return;
        }
        if !open_dump.data().has_names() {
            if !self.ready.is_running() && self.ready.error().is_none() {
                let open_dump = open_dump.clone();
                self.ready.ask(jobs, "gather names", move |task| Ok(open_dump.namer(task).map(|_| ())?));
            }
            return;
        }
        self.requested = Some(text.to_owned());
        let (open_dump, text) = (open_dump.clone(), text.to_owned());
        self.matches.ask(jobs, "find an object by its name", move |task| find(&open_dump, &text, task));
    }

    /// True while a search is running.
    pub fn is_running(&self) -> bool {
        self.ready.is_running() || self.matches.is_running()
    }

    /// Hits for the current text. The result for a previous text is not shown.
    pub fn hits(&self, dump: &OpenDump) -> Hits {
        let matches = self.matches.get().filter(|_| !self.matches.is_running()).map_or(&[][..], Vec::as_slice);
        let mut hits = Hits::of(matches.iter().filter_map(|named| hit(dump, named)).collect());
        hits.note = matches.iter().find_map(|named| match named {
            NameMatch::Missing(why) => Some(why.clone()),
            _ => None,
        });
        hits
    }
}

/// Hit for a found object.
fn hit(dump: &OpenDump, named: &NameMatch) -> Option<Hit> {
    let heap = &dump.heap;
    let (object, title, aside, tier) = match named {
        NameMatch::Whole(object, name) => (*object, Some(name), heap.id_text(*object), Tier::Exact),
        NameMatch::Id(object) => (*object, None, heap.id_text(*object), Tier::Exact),
        // The reason is the interesting part; but results with exactly this name come first.
        NameMatch::Partly(object, name, why) => (*object, Some(name), why.clone(), Tier::Inside),
        NameMatch::Missing(_) => return None,
    };
    let fit = Fit { tier, skipped: 0 };
    Some(match title {
        None => Hit { fit, ..object_hit(dump, object) },
        Some(name) => {
            let more = class_hit(dump, object).more;
            Hit { aside, more, fit, ..Hit::plain(name, HitTarget::Object(object)) }
        }
    })
}

/// True if the text can be a name: a name contains one of these characters, ordinary words do not.
fn may_be_name(text: &str) -> bool {
    is_surely_name(text) || text.contains('.') || text.contains("0x")
}

/// True if the text can only be an object name.
fn is_surely_name(text: &str) -> bool {
    let begins = |with: &&str| text.starts_with(with);
    ["thread \"", "root <", "bootstrap loader"].iter().any(begins) || text.contains("[\"") || text.contains('{')
}

fn find(dump: &OpenDump, text: &str, task: &Task) -> Result<Vec<NameMatch>, JobError> {
    let namer = dump.namer(task)?;
    let words = words(text);
    let is_command = words.first().is_some_and(|word| word.rsplit('/').next() == Some("heaplens"));
    // In a command line the object follows an option or is the last word; other words are skipped.
    let wanted: Vec<&str> = if is_command { words[1..].iter().rev().map(String::as_str).collect() } else { vec![text] };
    let mut matches = Vec::new();
    for wanted in wanted {
        task.checkpoint()?;
        if let Some(object) = dump.heap.find(wanted) {
            // A whole id has its own group.
            if is_command {
                return Ok(vec![NameMatch::Id(object)]);
            }
            return Ok(Vec::new());
        }
        match namer.resolve(wanted, task) {
            // A class is found as a class, unless the text names its class object.
            Ok(object) if dump.heap.classes.of_object(object).is_none() || wanted.strip_suffix(".class").is_some() => {
                return Ok(vec![NameMatch::Whole(object, wanted.to_owned())]);
            }
            Err(Unresolved::Cancelled) => return Err(JobError::Cancelled),
            Err(Unresolved::Partly { object, name, why }) if matches.is_empty() => {
                matches.push(NameMatch::Partly(object, name, why));
            }
            Err(Unresolved::NotFound(why)) if matches.is_empty() && is_surely_name(wanted) && !is_command => {
                matches.push(NameMatch::Missing(why));
            }
            Ok(_) | Err(_) => {}
        }
    }
    // A copied row, heading or path contains object ids.
    let mut ids: Vec<ObjectId> = Vec::new();
    for id in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| word.starts_with("0x")) {
        let object = dump.heap.find(id);
        ids.extend(object.filter(|object| !ids.contains(object) && ids.len() < MAX_OBJECTS));
    }
    if ids.is_empty() { Ok(matches) } else { Ok(ids.into_iter().map(NameMatch::Id).collect()) }
}

/// Words of a command line, split as a POSIX shell does, as far as the command lines of heaplens need it.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut began) = (Vec::new(), String::new(), None, false);
    let mut letters = line.trim_start_matches("$ ").chars();
    while let Some(c) = letters.next() {
        match (quoted, c) {
            (Some(quote), c) if c == quote => quoted = None,
            (Some('"') | None, '\\') => word.extend(letters.next()),
            (None, '\'' | '"') => (quoted, began) = (Some(c), true),
            (None, c) if c.is_whitespace() => {
                if began || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                began = false;
            }
            (_, c) => word.push(c),
        }
    }
    if began || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_is_parsed_as_typed() {
        let name = r#"a.B.MAP["it's \"x\""].n"#;
        let line = ["heaplens", "object", "my dump.hprof", name, "--owner", ""];
        let written = line.map(|word| crate::export::command_line::quoted(word.as_ref())).join(" ");
        assert_eq!(words(&written), line, "{written}");
        assert_eq!(words("$ heaplens  a"), ["heaplens", "a"]);
        assert_eq!(words(""), [""; 0]);
    }

    #[test]
    fn ordinary_words_are_not_object_names() {
        for (text, may, surely) in [
            ("session", false, false),
            ("desk.Session", true, false),
            ("thread \"main\"", true, true),
            ("a.B.MAP[\"x", true, true),
            ("Step 3 0xfe00", true, false),
            ("HashMap$Node[]", false, false),
        ] {
            assert_eq!((may_be_name(text), is_surely_name(text)), (may, surely), "{text}");
        }
    }
}
