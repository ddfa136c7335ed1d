//! Chart of the dominator tree: every object inside its immediate dominator.

use super::{Answer, ColourBy, Name, OutlineJob, Source};
use crate::ui::widgets::picture::CaptionDetail;
use crate::ui::{Location, RowCommand, ViewContext};
use heaplens_analysis::outline::{DominatorBranches, Outline, OutlineLimits, outline};
use heaplens_base::{Count, Task};
use heaplens_core::heap::{ObjectId, split_class};
use heaplens_session::OpenDump;
use heaplens_session::compared_outline::compared;

/// Objects as cells.
#[derive(Debug, Default)]
pub struct Dominators;

impl Source for Dominators {
    type Item = ObjectId;
    const NAME: &'static str = "Dominator tree chart";
    const COLOURS: &'static [ColourBy] = &[ColourBy::Growth, ColourBy::Class, ColourBy::Package, ColourBy::Depth];
    const GROUPS: bool = true;

    fn weight(&self, dump: &OpenDump, root: Option<ObjectId>) -> u64 {
        root.map_or(dump.analysis.shown.shallow, |object| dump.analysis.retained(object)).0
    }

    fn outline(&self, dump: &OpenDump, root: Option<ObjectId>, cut: OutlineLimits) -> OutlineJob<ObjectId> {
        let dump = dump.clone();
        Box::new(move |task| {
            let tree = DominatorBranches { heap: &dump.heap, analysis: &dump.analysis };
            Ok(outline(&tree, root, cut, task)?)
        })
    }

    fn compared(dump: &OpenDump, outline: Outline<ObjectId>, cut: OutlineLimits, task: &Task) -> Answer<ObjectId> {
        compared(dump, outline, cut, task)
    }

    fn name(&self, context: &mut ViewContext<'_>, object: ObjectId, wanted: CaptionDetail) -> Name {
        let class = &context.dump.heap.class(object).name;
        let label = match wanted {
            CaptionDetail::Bare => context.labels.known(object),
            CaptionDetail::Drawn | CaptionDetail::Long => context.labels.of(object),
        };
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
        let shallow = dump.heap.shallow(object);
        let dominated = dump.analysis.dominated_count(object);
        let ends = if dominated == 1 { "object" } else { "objects" };
        vec![format!("shallow size {shallow} · dominates {} {ends}", Count(dominated)), dump.heap.id_text(object)]
    }

    fn kind(&self, dump: &OpenDump, object: ObjectId, by: ColourBy) -> String {
        let class = dump.heap.class(object);
        if by == ColourBy::Package { class.package().to_owned() } else { class.name.to_string() }
    }

    fn choose(&self, object: ObjectId, by_keys: bool) -> Option<RowCommand> {
        Some(if by_keys { RowCommand::MoveCursor(object) } else { RowCommand::Select(object) })
    }

    fn gone(&self, dump: &OpenDump, above: ObjectId) -> Option<RowCommand> {
        let (_, found) = dump.compared()?;
        Some(RowCommand::RevealBefore(found.matches.before(above)?))
    }

    fn has_more(&self, dump: &OpenDump, object: ObjectId) -> bool {
        dump.analysis.dominated_count(object) > 0
    }

    fn chosen(&self, place: &Location) -> Option<ObjectId> {
        place.object
    }

    fn is_inside(&self, dump: &OpenDump, above: ObjectId, object: ObjectId) -> bool {
        dump.analysis.dominates(above, object)
    }
}
