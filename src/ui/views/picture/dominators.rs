//! Chart of the dominator tree: every object inside its immediate dominator, with the groups of the table.

use std::sync::{Arc, OnceLock};

use super::colour::{self, ColourRole};
use super::legend::{of_names, of_roles};
use super::{Answer, ColourBy, Name, OutlineJob, Source, TotalsJob};
use crate::ui::theme::tokens::LEVELS;
use crate::ui::widgets::picture::CaptionDetail;
use crate::ui::{Location, ViewContext};
use heaplens_analysis::dominator_tree::{
    GroupRow, GroupedTree, Lead, Shared, SharedQuestion, Source as PartSource, TreeRow,
};
use heaplens_analysis::outline::{Outline, OutlineLimits, outline};
use heaplens_base::{Bytes, Count, Task};
use heaplens_heap::{Class, ObjectId, split_class};
use heaplens_session::OpenDump;
use heaplens_session::compared_outline::compared;
use heaplens_session::subtree_totals::{TreePart, changes_below, totals_below};
use heaplens_tables::RowTarget;
use heaplens_tables::dump::group_name::GroupName;
use heaplens_tables::trees::dominators::listing_of_group;

/// Rows of the grouped tree as cells: of the target, or of the baseline in a comparison.
#[derive(Debug, Default)]
pub struct Dominators {
    is_of_baseline: bool,
    /// Owners of shared objects, once the first outline is there.
    shared: Arc<OnceLock<Arc<Shared>>>,
}

impl Dominators {
    /// Dump whose objects are drawn.
    fn of<'a>(&self, dump: &'a OpenDump) -> &'a OpenDump {
        let before = if self.is_of_baseline { dump.compared() } else { None };
        before.map_or(dump, |(before, _)| before)
    }

    /// Label of an object, if it is known; requested if `wants` it. In the baseline only class objects have one, which
    /// is that of their match: other labels, such as the size of a collection, may differ.
    fn label<'a>(&self, context: &'a mut ViewContext<'_>, object: ObjectId, wants: bool) -> Option<&'a str> {
        let object = if self.is_of_baseline {
            let after = self.matched_object(context.dump, object);
            after.filter(|&after| context.dump.heap.classes.of_object(after).is_some())?
        } else {
            object
        };
        if wants { context.labels.of(object) } else { context.labels.known(object) }
    }

    /// Object of the other dump of the comparison that an object is matched with.
    fn matched_object(&self, dump: &OpenDump, object: ObjectId) -> Option<ObjectId> {
        let (_, comparison) = dump.compared()?;
        if self.is_of_baseline { comparison.matches.after(object) } else { comparison.matches.before(object) }
    }

    fn object_name(&self, context: &mut ViewContext<'_>, object: ObjectId, wanted: CaptionDetail) -> Name {
        let dump = context.dump;
        let class = &self.of(dump).heap.class(object).name;
        let label = self.label(context, object, wanted != CaptionDetail::Bare);
        let (lead, class, label) = match label {
            // A class object is named after its class.
            Some(label) if &**class == "java.lang.Class" => ("class ", label.to_owned(), String::new()),
            label => ("", class.to_string(), label.unwrap_or_default().to_owned()),
        };
        let (before, name) = split_class(&class);
        match self.source_name(context, object, wanted != CaptionDetail::Bare) {
            // What it is in the source comes first, then class and label.
            Some((text, qualified)) => {
                let label = format!("{lead}{name} {label}").trim_end().to_owned();
                let qualified = Some(qualified).filter(|qualified| *qualified != text).into_iter();
                let qualified = qualified.chain((!before.is_empty()).then(|| class.clone())).collect();
                Name { name: text, label, qualified, ..Name::default() }
            }
            None => Name { lead, before: before.to_owned(), name: name.to_owned(), label, ..Name::default() },
        }
    }

    /// What the row of an object leads with in the table, and the same with its package, if it is known; requested if
    /// `wants` it. In the baseline it is that of its match, if that is below the match of its dominator.
    fn source_name(&self, context: &mut ViewContext<'_>, object: ObjectId, wants: bool) -> Option<(String, String)> {
        let dump = context.dump;
        let lead = if self.is_of_baseline {
            let after = self.matched_object(dump, object)?;
            let above = self.of(dump).analysis.immediate_dominator(object);
            let is_at_same_place =
                above.and_then(|above| self.matched_object(dump, above)) == dump.analysis.immediate_dominator(after);
            // The index in an array may differ.
            let lead = context.labels.lead(&dump.analysis, after, wants).filter(|_| is_at_same_place)?;
            Some(lead).filter(|lead| !matches!(&**lead, Lead::Step(step) if step.starts_with('[')))?
        } else {
            context.labels.lead(&dump.analysis, object, wants)?
        };
        Some((lead.text(), lead.qualified_text()))
    }

    fn group_name(&self, context: &mut ViewContext<'_>, group: &GroupRow, wanted: CaptionDetail) -> Name {
        let dump = context.dump;
        let shared = self.shared.get().map(Arc::as_ref);
        let parts = GroupName::of_group(&self.of(dump).heap, group, shared);
        if let (PartSource::Shared(_), None) = (group.id.part.source, group.id.part.only) {
            let label = format!("{} shared", Count(group.objects));
            return Name { name: parts.name, label, ..Name::default() };
        }
        let (before, name) = if parts.is_class { split_class(&parts.name) } else { ("", &*parts.name) };
        let words = [&*parts.before, name, &*parts.times, &*parts.after];
        let name = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        // Groups of the baseline have no match, and shared objects are named by their owners.
        let lead = if self.is_of_baseline || !parts.is_class {
            None
        } else {
            context.labels.group_lead(group.id, wanted != CaptionDetail::Bare)
        };
        match lead.map(|lead| (lead.text(), lead.qualified_text())) {
            Some((lead, qualified)) => {
                let qualified = Some(qualified).filter(|qualified| *qualified != lead).into_iter();
                let qualified = qualified.chain((!before.is_empty()).then(|| parts.name.clone())).collect();
                Name { name: lead, label: name, qualified, ..Name::default() }
            }
            None => Name { before: before.to_owned(), name, ..Name::default() },
        }
    }
}

/// Kind of cells of shared objects, which are of many classes.
const SHARED: &str = "(shared objects)";

fn kind_of(class: &Class, by: ColourBy) -> String {
    if by == ColourBy::Package { class.package().to_owned() } else { class.name.to_string() }
}

/// Level of an object below `root` in the chart, as far as colours tell levels apart.
fn level(dump: &OpenDump, part: &TreePart, object: ObjectId) -> Option<ColourRole> {
    let above =
        |&object: &ObjectId| dump.analysis.immediate_dominator(object).filter(|_| !part.is_at_top(dump, object));
    let steps = std::iter::successors(Some(object), above).take(LEVELS + 1).count();
    // The whole heap, and a group, are above their objects; the root of a part is in it.
    let depth = if part.has_root() { steps - 1 } else { steps };
    (depth > 0).then(|| ColourRole::Level(depth.min(LEVELS) as u32))
}

impl Source for Dominators {
    type Item = TreeRow;
    const NAME: &'static str = "Dominator tree chart";
    const COLOURS: &'static [ColourBy] = &[ColourBy::Growth, ColourBy::Class, ColourBy::Package, ColourBy::Depth];
    const GROUPS: bool = true;

    fn of_baseline(&self) -> Option<Self> {
        Some(Self { is_of_baseline: true, ..Self::default() })
    }

    fn matched(&self, dump: &OpenDump, row: TreeRow) -> Option<TreeRow> {
        self.matched_object(dump, row.object()?).map(TreeRow::Object)
    }

    fn is_freed(&self, frees: &dyn Fn(ObjectId) -> bool, row: TreeRow) -> bool {
        let object = match row {
            TreeRow::Object(object) => Some(object),
            TreeRow::Group(group) => group.id.part.parent(),
        };
        !self.is_of_baseline && object.is_some_and(frees)
    }

    fn title(&self) -> &'static str {
        if self.is_of_baseline { "Dominator tree chart of the baseline" } else { Self::NAME }
    }

    fn weight(&self, dump: &OpenDump, root: Option<TreeRow>) -> u64 {
        let analysis = &self.of(dump).analysis;
        match root {
            None => analysis.shown.shallow,
            Some(TreeRow::Object(object)) => analysis.retained(object),
            Some(TreeRow::Group(group)) => group.retained,
        }
        .0
    }

    fn outline(&self, dump: &OpenDump, root: Option<TreeRow>, cut: OutlineLimits) -> OutlineJob<TreeRow> {
        let (dump, known) = (self.of(dump).clone(), Arc::clone(&self.shared));
        Box::new(move |task| {
            let shared = dump.data().answer(&SharedQuestion, task)?;
            // All answers of one dump are equal.
            let shared = known.get_or_init(|| shared);
            Ok(outline(&GroupedTree::with(dump.data(), Arc::clone(shared)), root, cut, task)?)
        })
    }

    fn compared(dump: &OpenDump, outline: Outline<TreeRow>, cut: OutlineLimits, task: &Task) -> Answer<TreeRow> {
        compared(dump, outline, cut, task)
    }

    fn totals(&self, dump: &OpenDump, root: Option<TreeRow>, by: ColourBy) -> TotalsJob {
        let dump = self.of(dump).clone();
        Box::new(move |task| {
            let part = TreePart::below(&dump, root, task)?;
            match by {
                ColourBy::Growth => Ok(of_roles(changes_below(&dump, &part, colour::of_change, task)?)),
                ColourBy::Depth => {
                    Ok(of_roles(totals_below(&dump, &part, |object| level(&dump, &part, object), task)?))
                }
                ColourBy::Class | ColourBy::Package => {
                    let classes = totals_below(&dump, &part, |object| Some(dump.heap.class_id(object)), task)?;
                    let kind = |class| kind_of(dump.heap.classes.get(class), by);
                    Ok(of_names(classes.into_iter().map(|(class, bytes)| (kind(class), bytes))))
                }
            }
        })
    }

    fn name(&self, context: &mut ViewContext<'_>, row: TreeRow, wanted: CaptionDetail) -> Name {
        match row {
            TreeRow::Object(object) => self.object_name(context, object, wanted),
            TreeRow::Group(group) => self.group_name(context, &group, wanted),
        }
    }

    fn more(&self, dump: &OpenDump, row: TreeRow) -> Vec<String> {
        let object = match row {
            TreeRow::Object(object) => object,
            TreeRow::Group(group) => {
                let each = Bytes(group.retained.0 / group.objects.max(1));
                return vec![format!("{}, {each} each on average", Count(group.objects).of("object", "objects"))];
            }
        };
        let dump_of = self.of(dump);
        let shallow = dump_of.heap.shallow(object);
        let dominated = dump_of.analysis.dominated_count(object);
        let ends = if dominated == 1 { "object" } else { "objects" };
        let mut more = vec![
            format!("shallow size {shallow} · dominates {} {ends}", Count(dominated)),
            dump_of.heap.id_text(object),
        ];
        if self.is_of_baseline && self.matched_object(dump, object).is_none() {
            more.push("Without a match in the target".to_owned());
        }
        more
    }

    fn kind(&self, dump: &OpenDump, row: TreeRow, by: ColourBy) -> String {
        let heap = &self.of(dump).heap;
        match row {
            TreeRow::Object(object) => kind_of(heap.class(object), by),
            TreeRow::Group(GroupRow { id, .. }) => match id.part.only {
                Some((_, class)) => kind_of(heap.classes.get(class), by),
                None => SHARED.to_owned(),
            },
        }
    }

    fn row_target(&self, dump: &OpenDump, row: TreeRow) -> Option<RowTarget> {
        Some(match row {
            // Groups of the baseline have no match.
            TreeRow::Group(_) if self.is_of_baseline => return None,
            TreeRow::Group(group) => RowTarget::Group(group.id),
            TreeRow::Object(object) if self.is_of_baseline => RowTarget::Object(self.matched_object(dump, object)?),
            TreeRow::Object(object) => RowTarget::Object(object),
        })
    }

    fn removed_below(&self, dump: &OpenDump, above: TreeRow) -> Option<RowTarget> {
        let (_, comparison) = dump.compared()?;
        Some(RowTarget::BaselineObject(comparison.matches.before(above.object()?)?))
    }

    fn has_more(&self, dump: &OpenDump, row: TreeRow) -> bool {
        row.object().is_none_or(|object| self.of(dump).analysis.dominated_count(object) > 0)
    }

    fn chosen(&self, dump: &OpenDump, location: &Location) -> Option<TreeRow> {
        match (location.object, location.group) {
            (Some(object), _) if self.is_of_baseline => {
                let before = dump.compared().and_then(|(_, comparison)| comparison.matches.before(object));
                before.map(TreeRow::Object)
            }
            (Some(object), _) => Some(TreeRow::Object(object)),
            // The figures of the group do not matter for where it is.
            (None, Some(id)) if !self.is_of_baseline => {
                Some(TreeRow::Group(GroupRow { id, objects: 0, shallow: Bytes(0), retained: Bytes(0) }))
            }
            (None, _) => None,
        }
    }

    fn is_group(&self, row: TreeRow) -> bool {
        row.group().is_some()
    }

    fn publish(&self, context: &mut ViewContext<'_>, row: TreeRow, version: usize) {
        let (Some(group), Some(shared)) = (row.group(), self.shared.get()) else { return };
        let is_selected = !self.is_of_baseline && context.location.group.is_some_and(|id| id.part == group.id.part);
        if !is_selected || context.selection.is_reported() {
            return;
        }
        let (dump, of) = (context.dump, u64::from(group.id.first.raw()));
        context.select_listed(of..=of, version, || listing_of_group(dump, group, Arc::clone(shared)));
    }

    fn is_inside(&self, dump: &OpenDump, above: TreeRow, row: TreeRow) -> bool {
        let shared = self.shared.get().map_or_else(Arc::default, Arc::clone);
        GroupedTree::with(self.of(dump).data(), shared).is_inside(above, row)
    }
}
