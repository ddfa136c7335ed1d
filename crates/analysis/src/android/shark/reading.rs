//! From paths to leaks: annotates the objects of each path, and groups paths with the same suspect references.

use rustc_hash::FxHashMap;

use super::inspectors::{InspectorContext, Remarks};
use super::matchers::{Applied, Matcher};
use super::reference::{Name, Reference};
use super::search::{self, LeakRetainedSize, Paths};
use super::status::{self, Status};
use super::trace::{KnownLeak, Leak, LeakReference, LeakReferenceKind, LeakStep, LeakSubject, LeakTrace, SubjectKind};
use super::{fingerprint, references::References, roots::Roots, sizes::Sizes};
use crate::android::android_heap::AndroidHeap;
use heaplens_base::{Cancelled, Task};
use heaplens_graph::Bits;
use heaplens_heap::{ClassKind, ObjectId, RootKind};

/// Search options.
pub(super) struct Search<'a, 's> {
    pub(super) phone: &'a AndroidHeap<'a>,
    pub(super) matchers: &'a Applied<'a>,
    pub(super) sizes: &'s Sizes<'a>,
    /// Inspectors of objects; without them objects have no remarks, and collections are followed through
    /// their internal structure.
    pub(super) scene: Option<&'s InspectorContext<'a>>,
    pub(super) roots: Roots,
}

/// Maximum number of trace objects kept: a long list may hold a leaking object at every node.
const MOST_STEPS: usize = 1 << 20;

/// Result of the search.
pub(super) struct TracedLeaks {
    /// Leaks in order of discovery.
    pub(super) leaks: Vec<Leak>,
    /// Leaking objects that are unreachable.
    pub(super) unreachable: Vec<LeakSubject>,
    /// Number of further leaking objects whose paths are too long to keep.
    pub(super) untraced: u64,
}

/// Builds leaks from paths.
struct Reader<'a, 's> {
    phone: &'a AndroidHeap<'a>,
    scene: Option<&'s InspectorContext<'a>>,
    references: &'s References<'a>,
    paths: &'s Paths,
}

impl Search<'_, '_> {
    /// Leaks for some objects.
    pub(super) fn leaks(&self, leaking: &Bits, task: &Task) -> Result<TracedLeaks, Cancelled> {
        let references = References::new(self.phone, self.matchers, self.scene.is_some(), self.roots);
        let paths = search::search(&references, self.sizes, leaking, self.roots, task)?;
        let reader = Reader { phone: self.phone, scene: self.scene, references: &references, paths: &paths };
        let mut leaks: Vec<Leak> = Vec::new();
        let mut known: FxHashMap<(String, String), usize> = FxHashMap::default();
        let (mut steps, mut untraced) = (0, 0);
        for (&object, retained) in paths.leaking.iter().zip(&paths.retained) {
            task.checkpoint()?;
            if steps > MOST_STEPS {
                untraced += 1;
                continue;
            }
            let (trace, matched) = reader.trace(object, retained);
            steps += trace.steps.len();
            let (fingerprint, apart) = identity(&trace, matched.as_ref());
            let at = *known.entry((fingerprint.clone(), apart)).or_insert(leaks.len());
            match leaks.get_mut(at) {
                Some(leak) => leak.traces.push(trace),
                None => leaks.push(Leak { fingerprint, known: matched, traces: vec![trace] }),
            }
        }
        let unreachable = paths.unreachable.iter().map(|&object| {
            let remarks = reader.remarks(object);
            let reason = status::statuses(std::slice::from_ref(&remarks), &[]).pop().map(|(_, why)| why);
            reader.subject(object, remarks, reason.unwrap_or_default())
        });
        let unreachable = unreachable.collect();
        Ok(TracedLeaks { leaks, unreachable, untraced })
    }
}

/// Fingerprint of a leak, and what else distinguishes it: all paths without references share one fingerprint in
/// Shark and here, but are leaks of different objects.
fn identity(trace: &LeakTrace, known: Option<&KnownLeak>) -> (String, String) {
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

impl<'a> Reader<'a, '_> {
    fn remarks(&self, object: ObjectId) -> Remarks {
        self.scene.map(|scene| scene.remarks(object)).unwrap_or_default()
    }

    fn trace(&self, object: ObjectId, retained: &LeakRetainedSize) -> (LeakTrace, Option<KnownLeak>) {
        let phone = self.phone;
        let (start, path) = self.paths.to(self.references, object);
        let mut remarks: Vec<Remarks> = path.iter().map(|&(object, _)| self.remarks(object)).collect();
        if let Some(last) = remarks.last_mut() {
            last.labels.splice(0..0, self.also(retained));
        }
        let names: Vec<&str> = path.iter().map(|&(object, _)| phone.simple_name(object)).collect();
        let statuses = status::statuses(&remarks, &names);
        let of_root = start.and_then(|start| self.references.known(start.matcher));
        let first = of_root
            .or_else(|| path.iter().find_map(|(_, reference)| self.references.known(reference.as_ref()?.matcher)));
        let known = first.map(|matcher| KnownLeak { pattern: matcher.pattern(), cause: matcher.cause.clone() });
        let steps = path.iter().zip(remarks).enumerate().map(|(at, (&(object, reference), mut remarks))| {
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
        (LeakTrace { root, steps, retained: retained.bytes, objects: retained.objects }, known)
    }

    fn reference(&self, from: ObjectId, reference: &Reference<'a>, is_suspect: bool) -> LeakReference {
        let name = self.references.name(from, reference);
        let kind = match reference.name {
            Name::Field(_) => LeakReferenceKind::InstanceField,
            Name::Static(_) => LeakReferenceKind::StaticField,
            Name::Local => LeakReferenceKind::Local,
            Name::Index(_) | Name::Key | Name::Element | Name::Of(_) => LeakReferenceKind::Entry,
        };
        let generic = if kind == LeakReferenceKind::Entry { "[x]".to_owned() } else { name.clone() };
        let known = self.references.known(reference.matcher).map(Matcher::pattern);
        let declared_by = self.phone.name_of(reference.declared_by).to_owned();
        LeakReference { declared_by, name, generic, kind, is_suspect, known }
    }

    /// Other leaking objects that a leaking object retains or is retained by.
    fn also(&self, retained_set: &LeakRetainedSize) -> Vec<String> {
        let phone = self.phone;
        let id = |object: ObjectId| phone.heap.address(object).0;
        let mut by_class: Vec<(&str, Vec<ObjectId>)> = Vec::new();
        for &object in &retained_set.leaking {
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
        let by = retained_set.by.iter().map(|&object| {
            let class = phone.class_name(object);
            format!("Also retained by leaking object {} ({class}), which has its own leak trace", id(object))
        });
        retained.chain(by).collect()
    }

    fn subject(&self, object: ObjectId, remarks: Remarks, reason: String) -> LeakSubject {
        let phone = self.phone;
        let is = match phone.heap.class(object).kind {
            _ if phone.heap.classes.of_object(object).is_some() => SubjectKind::Class,
            ClassKind::Plain => SubjectKind::Instance,
            ClassKind::ObjectArray | ClassKind::PrimitiveArray => SubjectKind::Array,
        };
        LeakSubject { object, class: phone.class_name(object).to_owned(), is, labels: remarks.labels, reason }
    }
}
