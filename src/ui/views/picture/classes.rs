//! Chart of the histogram: classes inside their packages.

use heaplens_tables::RowTarget;
use std::collections::BTreeMap;

use eframe::egui::{self, Ui};

use super::colour::ColourRole;
use super::legend::{of_names, of_roles};
use super::{Answer, ColourBy, Name, OutlineJob, Source, TotalsJob};
use crate::ui::widgets::controls;
use crate::ui::widgets::picture::CaptionDetail;
use crate::ui::{Location, ViewContext};
use heaplens_analysis::outline::{Outline, OutlineLimits, OutlineTree, outline};
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::{ClassId, split_class};
use heaplens_session::OpenDump;
use heaplens_session::compared_outline::ComparedOutline;

/// Size that the area of a class represents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum SizeKind {
    /// Shallow size of its objects.
    #[default]
    Shallow,
    /// Retained size of its objects.
    Retained,
}

impl SizeKind {
    fn name(self) -> &'static str {
        match self {
            Self::Shallow => "Shallow size",
            Self::Retained => "Retained size",
        }
    }

    fn of(self, dump: &OpenDump, class: ClassId) -> u64 {
        match self {
            Self::Shallow => dump.analysis.class_totals(class).shallow.0,
            Self::Retained => dump.analysis.class_retained(class).0,
        }
    }
}

/// A package, identified by its first class, or a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ClassNode {
    /// A package.
    Package(ClassId),
    /// A class.
    Class(ClassId),
}

/// Packages and classes.
#[derive(Debug, Default)]
pub struct Classes {
    by: SizeKind,
}

/// Classes with objects, by package.
struct Packages {
    members: BTreeMap<ClassId, Vec<ClassId>>,
    weights: Vec<u64>,
}

impl Packages {
    fn new(dump: &OpenDump, by: SizeKind) -> Self {
        let mut first: BTreeMap<String, ClassId> = BTreeMap::new();
        let mut members: BTreeMap<ClassId, Vec<ClassId>> = BTreeMap::new();
        let mut weights = vec![0; dump.heap.classes.len()];
        for (id, class) in dump.heap.classes.iter() {
            if dump.analysis.class_totals(id).objects > 0 {
                weights[id.index()] = by.of(dump, id);
                members.entry(*first.entry(class.package().to_owned()).or_insert(id)).or_default().push(id);
            }
        }
        Self { members, weights }
    }

    /// Packages, or classes of a package.
    fn children(&self, node: Option<ClassNode>) -> impl Iterator<Item = ClassNode> {
        let packages = node.is_none().then(|| self.members.keys().copied().map(ClassNode::Package));
        let classes = match node {
            Some(ClassNode::Package(first)) => self.members.get(&first).map_or(&[][..], Vec::as_slice),
            _ => &[],
        };
        packages.into_iter().flatten().chain(classes.iter().copied().map(ClassNode::Class))
    }

    fn sum(&self, classes: &[ClassId]) -> u64 {
        classes.iter().fold(0, |sum: u64, class| sum.saturating_add(self.weights[class.index()]))
    }
}

impl OutlineTree for Packages {
    type Node = ClassNode;

    fn weight(&self, node: Option<ClassNode>) -> u64 {
        match node {
            None => self.members.values().fold(0, |sum: u64, classes| sum.saturating_add(self.sum(classes))),
            Some(ClassNode::Package(first)) => self.members.get(&first).map_or(0, |classes| self.sum(classes)),
            Some(ClassNode::Class(class)) => self.weights[class.index()],
        }
    }

    fn rows_below(
        &self,
        node: Option<ClassNode>,
        offer: &mut dyn FnMut(ClassNode),
        _task: &Task,
    ) -> Result<u64, Cancelled> {
        self.children(node).for_each(offer);
        Ok(1)
    }

    fn links(&self, _node: ClassNode, _task: &Task) -> Result<u64, Cancelled> {
        Ok(1)
    }

    fn is_alike(&self, _: ClassNode, _: ClassNode) -> bool {
        false
    }

    fn below(&self, _: Option<ClassNode>) -> u64 {
        self.weights.len() as u64
    }
}

fn kind_of(dump: &OpenDump, thing: ClassNode, by: ColourBy) -> String {
    let (ClassNode::Package(class) | ClassNode::Class(class)) = thing;
    let class = dump.heap.classes.get(class);
    match (thing, by) {
        (ClassNode::Class(_), ColourBy::Class) => class.name.to_string(),
        _ => class.package().to_owned(),
    }
}

impl Source for Classes {
    type Item = ClassNode;
    const NAME: &'static str = "Histogram chart";
    const COLOURS: &'static [ColourBy] = &[ColourBy::Package, ColourBy::Class, ColourBy::Depth];
    const GROUPS: bool = false;

    fn variant(&self) -> u8 {
        self.by as u8
    }

    fn weight(&self, dump: &OpenDump, root: Option<ClassNode>) -> u64 {
        match root {
            // Called in every frame: the total is known without summing.
            None | Some(ClassNode::Package(_)) => dump.analysis.shown.shallow.0,
            Some(ClassNode::Class(class)) => self.by.of(dump, class),
        }
    }

    fn outline(&self, dump: &OpenDump, root: Option<ClassNode>, cut: OutlineLimits) -> OutlineJob<ClassNode> {
        let (dump, by) = (dump.clone(), self.by);
        Box::new(move |task| {
            let tree = Packages::new(&dump, by);
            // Retained sizes overlap and a package is a small part of the heap, so the threshold is relative to the
            // drawn part.
            let total = dump.analysis.shown.shallow.0.max(1);
            let least = (cut.least as f64 / total as f64 * tree.weight(root) as f64) as u64;
            Ok(outline(&tree, root, OutlineLimits { least, ..cut }, task)?)
        })
    }

    fn compared(_: &OpenDump, outline: Outline<ClassNode>, _: OutlineLimits, _: &Task) -> Answer<ClassNode> {
        Ok(ComparedOutline::alone(outline))
    }

    fn totals(&self, dump: &OpenDump, root: Option<ClassNode>, by: ColourBy) -> TotalsJob {
        let (dump, size) = (dump.clone(), self.by);
        Box::new(move |_| {
            let tree = &Packages::new(&dump, size);
            let below = |root| tree.children(root).map(move |node| (node, tree.weight(Some(node))));
            let nodes: Vec<(ClassNode, u64)> = match root {
                // Classes are two levels below the whole heap, and one below their package.
                None => tree.children(None).flat_map(|package| below(Some(package))).collect(),
                root => below(root).collect(),
            };
            let level = ColourRole::Level(if root.is_none() { 2 } else { 1 });
            Ok(match by {
                ColourBy::Depth => of_roles([(level, nodes.iter().map(|&(_, bytes)| bytes).sum())].into()),
                by => of_names(nodes.into_iter().map(|(node, bytes)| (kind_of(&dump, node, by), bytes))),
            })
        })
    }

    fn name(&self, context: &mut ViewContext<'_>, thing: ClassNode, _: CaptionDetail) -> Name {
        let classes = &context.dump.heap.classes;
        match thing {
            ClassNode::Package(first) => Name { name: classes.get(first).package().to_owned(), ..Name::default() },
            ClassNode::Class(class) => {
                let (before, name) = split_class(&classes.get(class).name);
                Name { before: before.to_owned(), name: name.to_owned(), ..Name::default() }
            }
        }
    }

    fn more(&self, dump: &OpenDump, thing: ClassNode) -> Vec<String> {
        match thing {
            ClassNode::Package(_) if self.by == SizeKind::Retained => {
                vec!["Sum of the retained sizes of its classes; objects retained by several classes count more than once".to_owned()]
            }
            ClassNode::Package(_) => Vec::new(),
            ClassNode::Class(class) => {
                let totals = dump.analysis.class_totals(class);
                let retained: Bytes = dump.analysis.class_retained(class);
                let ends = if totals.objects == 1 { "object" } else { "objects" };
                vec![format!("{} {ends} · shallow {} · retained {retained}", Count(totals.objects), totals.shallow)]
            }
        }
    }

    fn kind(&self, dump: &OpenDump, thing: ClassNode, by: ColourBy) -> String {
        kind_of(dump, thing, by)
    }

    fn row_target(&self, _dump: &OpenDump, thing: ClassNode) -> Option<RowTarget> {
        match thing {
            ClassNode::Package(_) => None,
            ClassNode::Class(class) => Some(RowTarget::Class(class)),
        }
    }

    fn open(&self, thing: ClassNode) -> Option<RowTarget> {
        match thing {
            ClassNode::Package(_) => None,
            ClassNode::Class(class) => Some(RowTarget::Class(class)),
        }
    }

    fn has_more(&self, _: &OpenDump, thing: ClassNode) -> bool {
        matches!(thing, ClassNode::Package(_))
    }

    fn chosen(&self, _dump: &OpenDump, location: &Location) -> Option<ClassNode> {
        location.class.map(ClassNode::Class)
    }

    fn is_inside(&self, dump: &OpenDump, above: ClassNode, thing: ClassNode) -> bool {
        let classes = &dump.heap.classes;
        match (above, thing) {
            (ClassNode::Package(first), ClassNode::Class(class)) => {
                classes.get(first).package() == classes.get(class).package()
            }
            _ => above == thing,
        }
    }

    fn tools_ui(&mut self, ui: &mut Ui) {
        let combo = egui::ComboBox::from_id_salt("area of the chart").width(112.0);
        let label = |by: SizeKind| format!("Area: {}", by.name().to_lowercase());
        let all = [SizeKind::Shallow, SizeKind::Retained];
        let shown = controls::choice_ui(ui, combo, label, &mut self.by, all, SizeKind::name);
        shown.on_hover_text("Size that the area of a class represents");
    }
}
