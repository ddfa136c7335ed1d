//! Leaks as LeakCanary's engine, Shark, finds them: objects that should be gone by
//! what their own fields say, the path that holds each, the reference to look at,
//! and a fingerprint that is Shark's to the letter.
//!
//! `leaking` finds the objects with the table in `inspectors` and what LeakCanary
//! `watched`; `search` finds paths over `references`, known leaks (`matchers`) last;
//! `status` says what follows for each object on the way. Where Shark gives up, on a
//! field, a text or a class that is missing, this goes on: what is not there is no
//! verdict. `docs/android.md` says what else differs.

mod collections;
mod device;
mod fingerprint;
mod inspectors;
mod leaking;
mod matchers;
mod metadata;
mod references;
mod search;
mod sizes;
mod status;
mod trace;
mod watched;

use rustc_hash::FxHashMap;

pub use self::device::Device;
pub use self::matchers::{Kind, Matcher, Matchers};
pub use self::status::Status;
pub use self::trace::{Known, Leak, LeakReference, LeakReport, LeakStep, LeakTrace, Metadata, Subject, root_text};

use self::inspectors::{Remarks, Scene};
use self::references::{Name, Reference, References};
use self::search::{Kept, Paths};
use self::sizes::Sizes;
use crate::analysis::android::phone::Phone;
use crate::heap::classes::ClassKind;
use crate::heap::contents::Contents;
use crate::heap::facts::Heap;
use crate::heap::ids::ObjectId;
use crate::heap::roots::RootKind;
use crate::task::{Cancelled, Task};

/// What is looked for.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The dump.
    pub heap: &'a Heap,
    /// What is inside of its objects.
    pub contents: &'a dyn Contents,
    /// Known leaks, and references that do not count.
    pub matchers: &'a Matchers,
    /// What the user says of the device; the dump says the rest.
    pub device: &'a Device,
}

/// Reads leaks off a dump.
struct Reader<'a, 's> {
    scene: &'s Scene<'a>,
    references: &'s References<'a>,
    paths: &'s Paths,
}

/// All leaks of a dump.
///
/// # Errors
/// [`Cancelled`] when the task is.
pub fn leak_report(question: Question<'_>, task: &Task) -> Result<LeakReport, Cancelled> {
    let phone = Phone::new(question.heap, question.contents);
    let device = Device::of(&phone, question.device);
    let matchers = question.matchers.of(&device);
    let references = References::new(&phone, &matchers);
    let sizes = Sizes::new(&phone);
    let scene = Scene::new(&phone, watched::watched(&phone, task)?, watched::dumped_at(&phone));
    let leaking = leaking::leaking(&scene, task)?;
    let paths = search::search(&references, &sizes, &leaking, task)?;
    let reader = Reader { scene: &scene, references: &references, paths: &paths };
    let mut leaks: Vec<Leak> = Vec::new();
    let mut known: FxHashMap<(String, String), usize> = FxHashMap::default();
    for (&object, kept) in paths.found.iter().zip(&paths.kept) {
        task.checkpoint()?;
        let (trace, matched) = reader.trace(object, kept);
        let (fingerprint, apart) = identity(&trace, matched.as_ref());
        let at = *known.entry((fingerprint.clone(), apart)).or_insert(leaks.len());
        match leaks.get_mut(at) {
            Some(leak) => leak.traces.push(trace),
            None => leaks.push(Leak { fingerprint, known: matched, traces: vec![trace] }),
        }
    }
    let unreachable = paths.unreachable.iter().map(|&object| {
        let remarks = scene.remarks(object);
        let reason = status::statuses(std::slice::from_ref(&remarks), &[]).pop().map(|(_, why)| why);
        reader.subject(object, remarks, reason.unwrap_or_default())
    });
    let unreachable = unreachable.collect();
    let metadata = metadata::metadata(&phone, &sizes, device, task)?;
    Ok(LeakReport { leaks, unreachable, metadata })
}

/// The fingerprint of a leak, and what else tells it from others: all paths of no reference have one fingerprint in
/// Shark, and have it here, but they are leaks of different things.
fn identity(trace: &LeakTrace, known: Option<&Known>) -> (String, String) {
    if let Some(known) = known {
        return (fingerprint::sha1(&known.pattern), String::new());
    }
    let suspects = trace.steps.iter().filter_map(|step| {
        let reference = step.reference.as_ref().filter(|reference| reference.is_suspect)?;
        Some(format!("{}{}", step.subject.class, reference.generic))
    });
    let text: String = suspects.collect();
    let class = trace.steps.last().map(|step| step.subject.class.clone()).filter(|_| text.is_empty());
    (fingerprint::sha1(&text), class.unwrap_or_default())
}

impl Reader<'_, '_> {
    fn trace(&self, object: ObjectId, kept: &Kept) -> (LeakTrace, Option<Known>) {
        let phone = self.scene.phone;
        let (start, way) = self.paths.to(self.references, object);
        let mut remarks: Vec<Remarks> = way.iter().map(|&(object, _)| self.scene.remarks(object)).collect();
        if let Some(last) = remarks.last_mut() {
            last.labels.splice(0..0, self.also(kept));
        }
        let names: Vec<&str> = way.iter().map(|&(object, _)| phone.simple_name(object)).collect();
        let statuses = status::statuses(&remarks, &names);
        let of_root = start.and_then(|start| self.references.known(start.matcher));
        let first = of_root
            .or_else(|| way.iter().find_map(|(_, reference)| self.references.known(reference.as_ref()?.matcher)));
        let known = first.map(|found| Known { pattern: found.pattern(), cause: found.cause.clone() });
        let steps = way.iter().zip(remarks).enumerate().map(|(at, (&(object, reference), mut remarks))| {
            let (status, reason) = statuses.get(at).cloned().unwrap_or((Status::Unknown, String::new()));
            let reference =
                reference.map(|reference| self.reference(object, &reference, status::is_suspect(&statuses, at)));
            if let Some(pattern) = reference.as_ref().and_then(|reference| reference.known.as_ref()) {
                remarks.labels.insert(0, format!("Library leak match: {pattern}"));
            }
            LeakStep { subject: self.subject(object, remarks, reason), status, reference }
        });
        let steps = steps.collect();
        let root = start.map_or(RootKind::Unknown, |start| start.kind);
        (LeakTrace { root, steps, retained: kept.bytes, objects: kept.objects }, known)
    }

    fn reference(&self, from: ObjectId, reference: &Reference<'_>, is_suspect: bool) -> LeakReference {
        let (owner, name) = self.references.name(from, reference);
        let is_field = matches!(reference.name, Name::Field(_) | Name::Static(_));
        let generic = if is_field || reference.name == Name::Local { name.clone() } else { "[x]".to_owned() };
        let known = self.references.known(reference.matcher).map(Matcher::pattern);
        let is_static = matches!(reference.name, Name::Static(_));
        LeakReference { owner, name, generic, is_field, is_static, is_suspect, known }
    }

    /// Other leaking objects that a leaking object keeps, or is kept by.
    fn also(&self, kept: &Kept) -> Vec<String> {
        let phone = self.scene.phone;
        let id = |object: ObjectId| phone.heap.address(object).0;
        let mut by_class: Vec<(&str, Vec<ObjectId>)> = Vec::new();
        for &object in &kept.leaking {
            let class = phone.class_name(object);
            match by_class.iter_mut().find(|(known, _)| *known == class) {
                Some((_, all)) => all.push(object),
                None => by_class.push((class, vec![object])),
            }
        }
        let retained = by_class.into_iter().map(|(class, all)| match *all {
            [one] => format!("Also retains leaking object {} ({class})", id(one)),
            _ => format!("Also retains {} leaking {class} objects", all.len()),
        });
        let by = kept.by.iter().map(|&object| {
            let class = phone.class_name(object);
            format!("Also retained by leaking object {} ({class}), which has its own leak trace", id(object))
        });
        retained.chain(by).collect()
    }

    fn subject(&self, object: ObjectId, remarks: Remarks, reason: String) -> Subject {
        let phone = self.scene.phone;
        let is = match phone.heap.class(object).kind {
            _ if phone.heap.classes.of_object(object).is_some() => "class",
            ClassKind::Plain => "instance",
            _ => "array",
        };
        Subject { object, class: phone.class_name(object).to_owned(), is, labels: remarks.labels, reason }
    }
}
