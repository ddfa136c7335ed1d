//! Names of rows of the grouped dominator tree: the same in the table, in charts, in copies and in exports.

use heaplens_analysis::dominator_tree::shared::SharedSet;
use heaplens_analysis::dominator_tree::{FoldKind, GroupRow, LevelPart, PartitionBy, Shared, Source};
use heaplens_base::Count;
use heaplens_heap::{ClassId, Heap, ObjectId};

/// Parts of the name of a row of several objects.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GroupName {
    /// Text before the name: `chain members:`.
    pub before: String,
    /// Name; for a class with its package.
    pub name: String,
    /// True if it is the name of a class.
    pub is_class: bool,
    /// Number of objects: `×12`.
    pub times: String,
    /// Text after the name: `via .next`.
    pub after: String,
}

impl GroupName {
    /// Name of `objects` objects. `label` is asked for the label of a class loader.
    pub fn new(
        heap: &Heap,
        (kind, objects): (&FoldKind, u64),
        shared: Option<&Shared>,
        label: impl FnOnce(ObjectId) -> Option<String>,
    ) -> Self {
        let times = format!("×{}", Count(objects));
        let class = |object| heap.class(object).name.to_string();
        match kind {
            FoldKind::Chain { chain, via } => {
                let after = if via.is_empty() { String::new() } else { format!("via {via}") };
                Self { name: class(chain.head), is_class: true, times, after, ..Self::default() }
            }
            FoldKind::Members(chain) => {
                let before = "chain members:".to_owned();
                Self { before, name: class(chain.head), is_class: true, times, ..Self::default() }
            }
            FoldKind::Group(by, of) => {
                let name = group_name(heap, *by, *of, label);
                Self { name, is_class: *by == PartitionBy::Class, times, ..Self::default() }
            }
            FoldKind::Shared(set) => {
                let name = set_of(shared, *set).map(SharedSet::owners_text).unwrap_or_default();
                Self { before: format!("{} shared by", Count(objects)), name, ..Self::default() }
            }
        }
    }

    /// Name of a group of a chart.
    pub fn of_group(heap: &Heap, group: &GroupRow, shared: Option<&Shared>) -> Self {
        kind_of(group.id.part).map(|kind| Self::new(heap, (&kind, group.objects), shared, |_| None)).unwrap_or_default()
    }

    /// The name as plain text.
    pub fn plain(&self) -> String {
        let parts = [&*self.before, &*self.name, &*self.times, &*self.after];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// What the objects of a part have in common; `None` for all children of one parent.
fn kind_of(part: LevelPart) -> Option<FoldKind> {
    match (part.only, part.source) {
        (Some((by, class)), _) => Some(FoldKind::Group(by, class)),
        (None, Source::Shared(set)) => Some(FoldKind::Shared(set)),
        (None, Source::Members(chain)) => Some(FoldKind::Members(chain)),
        (None, Source::Below(_) | Source::Chain(_)) => None,
    }
}

fn group_name(heap: &Heap, by: PartitionBy, class: ClassId, label: impl FnOnce(ObjectId) -> Option<String>) -> String {
    let class = heap.classes.get(class);
    match (by, class.loader) {
        (PartitionBy::Class, _) => class.name.to_string(),
        (PartitionBy::Package, _) => class.package().to_owned(),
        (PartitionBy::Loader, None) => "<system class loader>".to_owned(),
        (PartitionBy::Loader, Some(loader)) => {
            let label = label(loader).map(|label| format!(" {label}")).unwrap_or_default();
            format!("{} @ {}{label}", heap.class(loader).name, heap.id_text(loader))
        }
    }
}

/// Set of owners with an index.
pub(crate) fn set_of(shared: Option<&Shared>, set: u32) -> Option<&SharedSet> {
    shared.and_then(|shared| shared.sets.get(set as usize))
}
