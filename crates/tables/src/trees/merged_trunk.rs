//! The part of merged paths that most of their objects share: from the GC root down, as long as one branch has more than
//! half of the objects.

use heaplens_analysis::paths::merged::{MergeBy, PathTargets, TOP, merged_paths};
use heaplens_analysis::paths::text::dotted;
use heaplens_base::Task;
use heaplens_heap::{ObjectId, Strength};
use heaplens_session::{JobError, OpenDump};

/// Maximum number of steps.
const LONGEST: usize = 64;

/// The common part of the paths to some objects.
#[derive(Debug, Clone, Default)]
pub struct MergedTrunk {
    /// Its steps, the GC root first.
    pub steps: Vec<TrunkStep>,
    /// Number of objects with a path.
    pub objects: u64,
    /// Number of objects without a path along strong references.
    pub unreached: u64,
}

/// A step: objects of one class that are referred to in the same way.
#[derive(Debug, Clone)]
pub struct TrunkStep {
    /// The object; one of them if there are several.
    pub object: ObjectId,
    /// Number of objects in the step.
    pub steps: u64,
    /// Name of the reference to them: `.entries`; `None` for GC roots.
    pub reference: Option<String>,
    /// Number of the objects whose paths go through it.
    pub objects: u64,
}

impl MergedTrunk {
    /// Merges the strong paths to `objects`, by class and field, and follows the largest branch.
    ///
    /// # Errors
    /// Those of [`merged_paths`].
    pub fn find(dump: &OpenDump, objects: &[ObjectId], task: &Task) -> Result<Self, JobError> {
        let targets = PathTargets::Objects(objects.into());
        let tree = merged_paths(dump.data(), &targets, MergeBy::Class, Strength::Strong, task)?;
        let total = tree.node(TOP).map_or(0, |top| u64::from(top.objects));
        let (mut steps, mut at) = (Vec::new(), TOP);
        while let Some(next) = tree.child(at, 0).filter(|_| steps.len() < LONGEST) {
            let Some((node, object)) = tree.node(next).and_then(|node| Some((node, node.object()?))) else { break };
            let objects = u64::from(node.objects);
            if objects * 2 <= total {
                break;
            }
            let reference = node.before().and_then(|_| tree.name(next)).map(dotted);
            steps.push(TrunkStep { object, steps: u64::from(node.steps), reference, objects });
            at = next;
        }
        Ok(Self { steps, objects: total, unreached: tree.unreached })
    }
}
