//! Queries for a path to an object, or an alternative from one of its steps; and their answers.

use std::sync::Arc;

use heaplens_analysis::paths::chains::{Chain, chains};
use heaplens_analysis::paths::ignored::{IgnoredReference, IgnoredReferences};
use heaplens_analysis::paths::{finder::Finder, weakest_of};
use heaplens_base::Task;
use heaplens_heap::{ObjectId, RootKind, Strength};
use heaplens_session::{DeferredDrop, JobError, Jobs, OpenDump};

/// Path from a root to the object.
pub type Steps = Arc<DeferredDrop<Vec<ObjectId>>>;

/// Path to find.
#[derive(Debug, Clone, PartialEq)]
pub struct PathQuery {
    /// Object at its end.
    pub object: ObjectId,
    /// Weakest reference to follow.
    pub min_strength: Strength,
    /// References to ignore.
    pub ignored: Vec<IgnoredReference>,
}

/// Alternative path to one step of a known path.
pub struct AlternativePath {
    /// The path.
    pub path: Steps,
    /// Position of the step.
    pub at: usize,
    /// Referrers to exclude.
    pub barred: Vec<ObjectId>,
    /// Referrer to use, if it was found earlier.
    pub by: Option<ObjectId>,
}

/// Path with its overall properties.
pub struct ShownPath {
    /// Its objects, the root first.
    pub steps: Steps,
    /// Kind of its GC root.
    pub root_kind: RootKind,
    /// Its weakest reference.
    pub strength: Strength,
    /// Chains in it.
    pub chains: Vec<Chain>,
}

/// Answer.
pub struct PathAnswer {
    /// The query.
    pub options: PathQuery,
    /// The path, if there is one.
    pub path: Option<ShownPath>,
}

/// Finds a path with the options; if there is none, one with the strongest possible references. With a turn, only that
/// alternative is searched for.
pub fn find(
    dump: &OpenDump,
    jobs: &Jobs,
    options: PathQuery,
    turn: Option<&AlternativePath>,
    task: &Task,
) -> Result<PathAnswer, JobError> {
    let (heap, analysis) = (&dump.heap, &dump.analysis);
    let ignoring = IgnoredReferences::new(heap, &options.ignored);
    let mut path = None;
    let weaker = [Strength::Soft, Strength::Final, Strength::Weak, Strength::Phantom];
    let weaker = weaker.into_iter().filter(|&weaker| weaker > options.min_strength && turn.is_none());
    for min_strength in std::iter::once(options.min_strength).chain(weaker) {
        let mut finder = Finder::new(dump.data(), min_strength, &ignoring);
        path = match turn {
            None => finder.next_path(options.object, &[], &[], task)?,
            Some(turn) => turned(&mut finder, turn, task)?,
        };
        if path.is_some() {
            break;
        }
    }
    let Some(steps) = path else { return Ok(PathAnswer { options, path: None }) };
    let root_kind =
        steps.first().and_then(|&root| analysis.roots().of(root).first()).map_or(RootKind::Unknown, |r| r.kind);
    let strength = weakest_of(heap, &steps, task)?;
    let chains = chains(dump.data(), &steps, task)?;
    Ok(PathAnswer {
        options,
        path: Some(ShownPath { steps: Arc::new(jobs.defer_drop(steps)), root_kind, strength, chains }),
    })
}

/// Steps up to the turn by the alternative path, followed by the unchanged rest.
fn turned(finder: &mut Finder<'_>, turn: &AlternativePath, task: &Task) -> Result<Option<Vec<ObjectId>>, JobError> {
    let behind = turn.path.as_slice().get(turn.at..).unwrap_or_default();
    let Some((&step, after)) = behind.split_first() else { return Ok(None) };
    let turned_path = match turn.by {
        Some(by) => finder.next_path(by, &[], behind, task)?.map(|mut path| {
            path.push(step);
            path
        }),
        None => finder.next_path(step, &turn.barred, after, task)?,
    };
    Ok(turned_path.map(|mut path| {
        path.extend_from_slice(after);
        path
    }))
}
