//! Chart of the dominator tree: every object inside its immediate dominator.

use super::colour::{self, ColourRole};
use super::legend::{of_names, of_roles};
use super::{Answer, ColourBy, Name, OutlineJob, Source, TotalsJob};
use crate::ui::theme::tokens::LEVELS;
use crate::ui::widgets::picture::CaptionDetail;
use crate::ui::{Location, ViewContext};
use heaplens_analysis::outline::{Outline, OutlineLimits, outline};
use heaplens_base::{Count, Task};
use heaplens_heap::{Class, ObjectId, split_class};
use heaplens_session::OpenDump;
use heaplens_session::compared_outline::compared;
use heaplens_session::subtree_totals::{changes_below, totals_below};
use heaplens_tables::RowTarget;

/// Objects as cells: of the target, or of the baseline in a comparison.
#[derive(Debug, Default)]
pub struct Dominators {
    is_of_baseline: bool,
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
            self.matched(context.dump, object).filter(|&after| context.dump.heap.classes.of_object(after).is_some())?
        } else {
            object
        };
        if wants { context.labels.of(object) } else { context.labels.known(object) }
    }
}

fn kind_of(class: &Class, by: ColourBy) -> String {
    if by == ColourBy::Package { class.package().to_owned() } else { class.name.to_string() }
}

/// Level of an object below `root` in the chart, as far as colours tell levels apart.
fn level(dump: &OpenDump, root: Option<ObjectId>, object: ObjectId) -> Option<ColourRole> {
    let above = |&object: &ObjectId| dump.analysis.immediate_dominator(object).filter(|_| Some(object) != root);
    let steps = std::iter::successors(Some(object), above).take(LEVELS + 1).count();
    // The whole heap is above all objects, the root of a part is in it.
    let depth = if root.is_some() { steps - 1 } else { steps };
    (depth > 0).then(|| ColourRole::Level(depth.min(LEVELS) as u32))
}

impl Source for Dominators {
    type Item = ObjectId;
    const NAME: &'static str = "Dominator tree chart";
    const COLOURS: &'static [ColourBy] = &[ColourBy::Growth, ColourBy::Class, ColourBy::Package, ColourBy::Depth];
    const GROUPS: bool = true;

    fn of_baseline(&self) -> Option<Self> {
        Some(Self { is_of_baseline: true })
    }

    fn matched(&self, dump: &OpenDump, object: ObjectId) -> Option<ObjectId> {
        let (_, comparison) = dump.compared()?;
        if self.is_of_baseline { comparison.matches.after(object) } else { comparison.matches.before(object) }
    }

    fn title(&self) -> &'static str {
        if self.is_of_baseline { "Dominator tree chart of the baseline" } else { Self::NAME }
    }

    fn weight(&self, dump: &OpenDump, root: Option<ObjectId>) -> u64 {
        let analysis = &self.of(dump).analysis;
        root.map_or(analysis.shown.shallow, |object| analysis.retained(object)).0
    }

    fn outline(&self, dump: &OpenDump, root: Option<ObjectId>, cut: OutlineLimits) -> OutlineJob<ObjectId> {
        let dump = self.of(dump).clone();
        Box::new(move |task| {
            let tree = dump.data();
            Ok(outline(&tree, root, cut, task)?)
        })
    }

    fn compared(dump: &OpenDump, outline: Outline<ObjectId>, cut: OutlineLimits, task: &Task) -> Answer<ObjectId> {
        compared(dump, outline, cut, task)
    }

    fn totals(&self, dump: &OpenDump, root: Option<ObjectId>, by: ColourBy) -> TotalsJob {
        let dump = self.of(dump).clone();
        Box::new(move |task| match by {
            ColourBy::Growth => Ok(of_roles(changes_below(&dump, root, colour::of_change, task)?)),
            ColourBy::Depth => Ok(of_roles(totals_below(&dump, root, |object| level(&dump, root, object), task)?)),
            ColourBy::Class | ColourBy::Package => {
                let classes = totals_below(&dump, root, |object| Some(dump.heap.class_id(object)), task)?;
                let kind = |class| kind_of(dump.heap.classes.get(class), by);
                Ok(of_names(classes.into_iter().map(|(class, bytes)| (kind(class), bytes))))
            }
        })
    }

    fn name(&self, context: &mut ViewContext<'_>, object: ObjectId, wanted: CaptionDetail) -> Name {
        let dump = context.dump;
        let class = &self.of(dump).heap.class(object).name;
        let label = self.label(context, object, wanted != CaptionDetail::Bare);
        let split = |lead, class: &str, label: &str| {
            let (before, name) = split_class(class);
            Name { lead, before: before.to_owned(), name: name.to_owned(), label: label.to_owned() }
        };
        match label {
            // A class object is named after its class.
            Some(label) if &**class == "java.lang.Class" => split("class ", label, ""),
            label => split("", class, label.unwrap_or_default()),
        }
    }

    fn more(&self, dump: &OpenDump, object: ObjectId) -> Vec<String> {
        let dump_of = self.of(dump);
        let shallow = dump_of.heap.shallow(object);
        let dominated = dump_of.analysis.dominated_count(object);
        let ends = if dominated == 1 { "object" } else { "objects" };
        let mut more = vec![
            format!("shallow size {shallow} · dominates {} {ends}", Count(dominated)),
            dump_of.heap.id_text(object),
        ];
        if self.is_of_baseline && self.matched(dump, object).is_none() {
            more.push("Without a match in the target".to_owned());
        }
        more
    }

    fn kind(&self, dump: &OpenDump, object: ObjectId, by: ColourBy) -> String {
        kind_of(self.of(dump).heap.class(object), by)
    }

    fn row_target(&self, dump: &OpenDump, object: ObjectId) -> Option<RowTarget> {
        let object = if self.is_of_baseline { self.matched(dump, object)? } else { object };
        Some(RowTarget::Object(object))
    }

    fn removed_below(&self, dump: &OpenDump, above: ObjectId) -> Option<RowTarget> {
        let (_, comparison) = dump.compared()?;
        Some(RowTarget::BaselineObject(comparison.matches.before(above)?))
    }

    fn has_more(&self, dump: &OpenDump, object: ObjectId) -> bool {
        self.of(dump).analysis.dominated_count(object) > 0
    }

    fn chosen(&self, dump: &OpenDump, location: &Location) -> Option<ObjectId> {
        let object = location.object?;
        if !self.is_of_baseline {
            return Some(object);
        }
        dump.compared().and_then(|(_, comparison)| comparison.matches.before(object))
    }

    fn is_inside(&self, dump: &OpenDump, above: ObjectId, object: ObjectId) -> bool {
        self.of(dump).analysis.dominates(above, object)
    }
}
