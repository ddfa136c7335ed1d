//! Findings as plain data, for the window, the command line and JSON.

use super::kinds::{Group, Kind};
use super::{evidence::Evidence, fingerprint::fingerprint, known_rules::KnownLeak, rules::Verdict};
use crate::answers::DumpData;
use crate::{paths::ReferencePath, structure::ShortName, waste::WasteKind};
use heaplens_base::{Bytes, Share};
use heaplens_heap::{LogicalKind, ObjectId};
use serde::{Deserialize, Serialize};

/// A finding of more than one part in so many of the heap dominates it.
const DOMINATING: u128 = 3;

/// An object with its id and label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedObject {
    /// The object.
    pub object: ObjectId,
    /// Its id as the format writes it.
    pub id: String,
    /// Its class.
    pub class: String,
    /// A short label, if its class has one.
    pub label: Option<String>,
}

/// A reference to cut, or the same field in many objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReferenceToCut {
    /// Its name: `desk.SessionCache.ENTRIES`.
    pub name: String,
    /// The holding object.
    pub from: ObjectId,
    /// Its id.
    pub from_id: String,
    /// The held object.
    pub to: ObjectId,
    /// Its id.
    pub to_id: String,
    /// Name of the reference within the holding object: `ENTRIES`, `[17]`.
    pub reference: String,
    /// Number of objects it is cut in: more than 1 for a field in all instances.
    pub times: u64,
    /// True for a local variable of a method that runs: it ends by itself.
    pub is_local: bool,
}

/// The class that accumulates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DominantClass {
    /// Name of the class. Classes of one name count as one, such as those of a plug-in that was loaded again.
    pub class: String,
    /// Number of its objects in the finding: the different entries of a collection or array, whether or not other
    /// objects hold them, too; else those that the finding retains. Never an estimate.
    pub objects: u64,
    /// Number of its objects among those that the cuts of the finding free.
    pub freed: u64,
    /// Number of its reachable objects in the heap.
    pub of_all: u64,
}

/// The holding collection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HoldingCollection {
    /// Its class.
    pub class: String,
    /// Map, list or set.
    pub kind: LogicalKind,
    /// Number of entries.
    pub size: u64,
}

/// A finding: memory that may leak or is wasted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeakFinding {
    /// Kind.
    pub kind: Kind,
    /// Group after rules and verdicts.
    pub group: Group,
    /// Group by the evidence of the dump alone, before rules and verdicts.
    pub unjudged: Group,
    /// Name of the holding reference, without addresses. Of waste, the key of its kind.
    pub name: String,
    /// The name to show: the short name of what holds it, else `name`.
    pub label: String,
    /// The same with packages, and as the dump has it.
    pub qualified: String,
    /// The file or package of the variable that `label` begins with, in V8 snapshots: others may have one of this name.
    pub source: Option<String>,
    /// What tells it from other findings of the same label: the source, the last steps of the path, or the id. `None` if no
    /// other has its label.
    pub distinction: Option<String>,
    /// How sure it is that the finding is a leak, from the evidence, from 0 to 1.
    pub certainty: f64,
    /// The holding object; `None` of waste.
    pub holder: Option<NamedObject>,
    /// The object that the title names and a click selects: the object that the named reference holds (the collection,
    /// never its internal array), the thread, the loader. Where several objects are one finding, the largest of them:
    /// `name` is its name, or it is one of the objects that the title counts. `None` of waste.
    pub named_object: Option<ObjectId>,
    /// The accumulation point: below it, many small objects add up.
    pub point: Option<NamedObject>,
    /// The class that accumulates in it.
    pub accumulated: Option<DominantClass>,
    /// The collection that holds the accumulated objects.
    pub collection: Option<HoldingCollection>,
    /// The shortest path to the accumulation point, root first.
    pub path: Option<ReferencePath>,
    /// References that must all be cut to free it.
    pub cut: Vec<ReferenceToCut>,
    /// Number of further references to cut in the same way that `cut` does not list.
    pub unlisted: u64,
    /// Bytes freed by these cuts.
    pub frees: Bytes,
    /// Number of objects freed; of waste, of wasteful objects.
    pub objects: u64,
    /// Reachable bytes of the heap.
    pub total: Bytes,
    /// Evidence for and against a leak.
    pub evidence: Vec<Evidence>,
    /// True if an application object holds it.
    pub is_of_application: bool,
    /// True if a JavaScript engine holds it, and nothing of the application.
    pub is_of_engine: bool,
    /// Number of similar locations combined in this finding.
    pub locations: u64,
    /// The label of a finding that holds these bytes, too, so that a sum has them once: of a leak, another leak; of waste,
    /// the first finding that holds nearly all of it.
    pub within: Option<String>,
    /// The name of the finding that states its growth, too, so that a sum has it once: objects that a structure shares with
    /// others grew because it did.
    pub growth_within: Option<String>,
    /// The entry of the list of known leaks that matches it.
    pub known: Option<Box<KnownLeak>>,
    /// The verdict of the user or of a built-in rule.
    pub verdict: Option<Verdict>,
    /// Names, classes and fields on every path to it: verdicts on them apply to the finding, too.
    pub explained_by: Vec<String>,
    /// Identifies the finding in later dumps of the program.
    pub fingerprint: String,
    /// The fingerprint that earlier versions made of the path to it, if it is another one.
    pub former_fingerprint: Option<String>,
}

impl NamedObject {
    pub(super) fn of(dump: DumpData<'_>, object: ObjectId) -> Self {
        let heap = dump.heap;
        let class = heap.class(object).name.to_string();
        Self { object, id: heap.id_text(object), class, label: dump.contents.label(heap, object) }
    }
}

impl LeakFinding {
    /// Gives it another name to show.
    pub(super) fn rename(&mut self, name: &ShortName) {
        self.label = name.to_string();
        self.qualified = name.qualified_text();
    }

    /// The objects that may have its entries: the one that it names, and the one at which they accumulate.
    pub fn structures(&self) -> impl Iterator<Item = ObjectId> + use<> {
        self.named_object.into_iter().chain(self.point.as_ref().map(|point| point.object))
    }

    /// Share of the reachable heap.
    pub fn share(&self) -> Share {
        Share::of(self.frees, self.total)
    }

    /// Its label, with what tells it from other findings of this label; the name of what has no label.
    pub fn whole_name(&self) -> String {
        match &self.distinction {
            _ if self.label.is_empty() => self.name.clone(),
            Some(distinction) => format!("{} ({distinction})", self.label),
            None => self.label.clone(),
        }
    }

    /// True of memory that one place holds and that is more than a third of the heap: it is shown among the first findings,
    /// whatever is known about it. Rules explain, they do not hide; only a verdict of the user does.
    pub fn is_dominating(&self) -> bool {
        let is_part = u128::from(self.frees.0) * DOMINATING > u128::from(self.total.0);
        // What the engine's own code shares is held by no one place, and has no name in the source.
        let is_nameless = self.kind == Kind::Shared && self.is_of_engine && self.label.is_empty();
        let is_one_place = !matches!(self.kind, Kind::Waste(_)) && !is_nameless;
        is_part && is_one_place && !self.verdict.as_ref().is_some_and(Verdict::hides)
    }

    /// The group that it is listed in: its own, but a bounded structure that dominates the heap is listed with the leaks.
    pub fn section(&self) -> Group {
        if self.group == Group::Bounded && self.is_dominating() { Group::Leak } else { self.group }
    }

    /// Waste of one kind in `objects` objects of the whole heap. Its name, which verdicts match, is the kind's key.
    pub fn of_waste(kind: WasteKind, objects: u64, wasted: Bytes, total: Bytes) -> Self {
        let name = kind.key().to_owned();
        Self {
            kind: Kind::Waste(kind),
            group: Group::Waste,
            unjudged: Group::Waste,
            fingerprint: fingerprint(Kind::Waste(kind), &name, "", ""),
            label: name.clone(),
            qualified: name.clone(),
            former_fingerprint: None,
            source: None,
            distinction: None,
            name,
            certainty: 1.0,
            holder: None,
            named_object: None,
            point: None,
            accumulated: None,
            collection: None,
            path: None,
            cut: Vec::new(),
            unlisted: 0,
            frees: wasted,
            objects,
            total,
            evidence: Vec::new(),
            is_of_application: false,
            is_of_engine: false,
            locations: 1,
            within: None,
            growth_within: None,
            known: None,
            verdict: None,
            explained_by: Vec::new(),
        }
    }
}

/// Bytes of all leaks together, those of leaks within others once.
pub fn leaking(findings: &[LeakFinding]) -> Bytes {
    let outer = findings.iter().filter(|finding| finding.group == Group::Leak && finding.within.is_none());
    outer.map(|finding| finding.frees).sum()
}
