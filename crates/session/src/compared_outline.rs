//! Baseline weights of the pieces of an outline, and pieces for removed objects, so that one chart shows both heaps.
//! Computed in the job that computes the outline.

use std::collections::BTreeSet;

use crate::{JobError, OpenDump};
use heaplens_analysis::diff::{MatchStatus, Matches};
use heaplens_analysis::dominator_tree::{GroupedTree, TreeRow};
use heaplens_analysis::outline::{Outline, OutlineLimits, OutlineTree, Piece, PieceKind};
use heaplens_base::{ByteDelta, Bytes, Task};
use heaplens_heap::ObjectId;

/// State of a piece in the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaselineWeight {
    /// Its weight.
    Weighed(u64),
    /// Added since the baseline.
    Absent,
    /// Removed since the baseline.
    Gone,
    /// Ambiguous: not matched.
    Unknown,
}

/// An outline with the baseline state of its pieces.
pub struct ComparedOutline<T> {
    /// Outline, including pieces of removed objects.
    pub outline: Outline<T>,
    /// Baseline state by piece; empty without a comparison.
    pub was: Vec<BaselineWeight>,
    /// Weight of removed objects by piece; empty without a comparison.
    pub removed: Vec<u64>,
}

impl<T> ComparedOutline<T> {
    /// An outline without a comparison.
    pub fn alone(outline: Outline<T>) -> Self {
        Self { outline, was: Vec::new(), removed: Vec::new() }
    }

    /// Weight of a piece in the target.
    pub fn weight(&self, piece: usize) -> u64 {
        let all = self.outline.pieces.get(piece).map_or(0, |piece| piece.weight);
        all - self.removed.get(piece).copied().unwrap_or(0).min(all)
    }

    /// Description of the change of a piece.
    pub fn label(&self, piece: usize) -> Option<String> {
        let now = self.weight(piece);
        Some(match self.was.get(piece)? {
            BaselineWeight::Weighed(then) => {
                let delta = ByteDelta::between(Bytes(*then), Bytes(now));
                format!("{delta} since the baseline: {} before, {} after", Bytes(*then), Bytes(now))
            }
            BaselineWeight::Absent => "New since the baseline".to_owned(),
            BaselineWeight::Gone => "Removed: only in the baseline; click to show its dominator there".to_owned(),
            BaselineWeight::Unknown => "No match in the baseline: object could not be identified".to_owned(),
        })
    }
}

/// Compares the outline of a dominator tree with the baseline.
pub fn compared(
    dump: &OpenDump,
    outline: Outline<TreeRow>,
    cut: OutlineLimits,
    task: &Task,
) -> Result<ComparedOutline<TreeRow>, JobError> {
    let Some((before, comparison)) = dump.compared() else { return Ok(ComparedOutline::alone(outline)) };
    let tree = GroupedTree::new(dump.data(), task)?;
    let look = BaselineLookup { dump, before, matches: &comparison.matches, tree, task };
    let mut was = Vec::with_capacity(outline.pieces.len());
    let mut removed = Vec::with_capacity(outline.pieces.len());
    for piece in &outline.pieces {
        was.push(look.was(&outline, piece)?);
        let deep = piece.depth >= cut.depth || matches!(piece.what, PieceKind::Rest(..) | PieceKind::Gone(_));
        removed.push(if deep { (0, 0) } else { look.gone_below(piece.what)? });
    }
    let removed: Vec<(u64, u64)> =
        removed.into_iter().map(|removed| if removed.1 >= cut.least.max(1) { removed } else { (0, 0) }).collect();
    Ok(with_gone(&outline, &was, &removed))
}

struct BaselineLookup<'a> {
    dump: &'a OpenDump,
    before: &'a OpenDump,
    matches: &'a Matches,
    tree: GroupedTree<'a>,
    task: &'a Task,
}

impl BaselineLookup<'_> {
    fn was(&self, outline: &Outline<TreeRow>, piece: &Piece<TreeRow>) -> Result<BaselineWeight, JobError> {
        Ok(match piece.what {
            PieceKind::Whole => BaselineWeight::Weighed(self.before.analysis.shown.shallow.0),
            PieceKind::Gone(_) => BaselineWeight::Gone,
            PieceKind::Node(TreeRow::Object(object)) | PieceKind::Chain(TreeRow::Object(object), _) => {
                match self.matches.match_status_of_after(object) {
                    MatchStatus::Matched(old, _) => BaselineWeight::Weighed(self.before.analysis.retained(old).0),
                    MatchStatus::Alone => BaselineWeight::Absent,
                    MatchStatus::Unknown => BaselineWeight::Unknown,
                }
            }
            PieceKind::Node(row) | PieceKind::Chain(row, _) => self.several(&[row], piece.weight)?,
            PieceKind::Rest(..) => self.rest(outline, piece)?,
        })
    }

    /// Baseline weight of the rows below the parent of a piece that have no piece of their own.
    fn rest(&self, outline: &Outline<TreeRow>, piece: &Piece<TreeRow>) -> Result<BaselineWeight, JobError> {
        let Some(above) = outline.pieces.get(piece.above as usize) else { return Ok(BaselineWeight::Unknown) };
        let drawn: BTreeSet<TreeRow> =
            above.below.clone().filter_map(|n| outline.pieces.get(n as usize)?.what.node()).collect();
        let mut rest = Vec::new();
        self.tree.rows_below(
            above.what.node(),
            &mut |row| rest.extend(Some(row).filter(|row| !drawn.contains(row))),
            self.task,
        )?;
        self.several(&rest, piece.weight)
    }

    /// Baseline weight of the objects of some rows: the sum of those that were matched.
    fn several(&self, rows: &[TreeRow], weight: u64) -> Result<BaselineWeight, JobError> {
        let (mut then, mut unknown, mut all_new) = (0_u64, 0_u64, true);
        let mut add = |object: ObjectId| match self.matches.match_status_of_after(object) {
            MatchStatus::Matched(old, _) => {
                then += self.before.analysis.retained(old).0;
                all_new = false;
            }
            MatchStatus::Alone => {}
            MatchStatus::Unknown => {
                unknown += self.dump.analysis.retained(object).0;
                all_new = false;
            }
        };
        for row in rows {
            self.task.checkpoint()?;
            match *row {
                TreeRow::Object(object) => add(object),
                TreeRow::Group(group) => {
                    for object in self.tree.members(group.id.part, self.task)? {
                        self.task.checkpoint()?;
                        add(object);
                    }
                }
            }
        }
        Ok(match (all_new, unknown > weight / 2) {
            (true, _) => BaselineWeight::Absent,
            (_, true) => BaselineWeight::Unknown,
            // Ambiguous objects count as unchanged.
            _ => BaselineWeight::Weighed(then + unknown),
        })
    }

    /// Removed children of the match of a piece: number of objects and their retained size.
    fn gone_below(&self, what: PieceKind<TreeRow>) -> Result<(u64, u64), JobError> {
        let old = match what {
            PieceKind::Whole => None,
            // Removed objects of a group are among those of the object that it is below.
            what => match what.node().and_then(TreeRow::object).and_then(|object| self.matches.before(object)) {
                Some(old) => Some(old),
                None => return Ok((0, 0)),
            },
        };
        let mut removed = (0, 0);
        for object in self.before.analysis.dominator_children(old) {
            self.task.checkpoint()?;
            if self.matches.match_status_of_before(object) == MatchStatus::Alone {
                removed = (removed.0 + 1, removed.1 + self.before.analysis.retained(object).0);
            }
        }
        Ok(removed)
    }
}

/// Adds to each piece a child for its removed objects; ancestors grow accordingly.
fn with_gone(outline: &Outline<TreeRow>, was: &[BaselineWeight], removed: &[(u64, u64)]) -> ComparedOutline<TreeRow> {
    let mut more: Vec<u64> = removed.iter().map(|removed| removed.1).collect();
    // Parents come before children.
    for at in (1..outline.pieces.len()).rev() {
        more[outline.pieces[at].above as usize] += more[at];
    }
    let mut pieces: Vec<Piece<TreeRow>> = Vec::with_capacity(outline.pieces.len());
    let mut outline_before = ComparedOutline::alone(Outline { pieces: Vec::new() });
    // By piece of the new outline: index of the old piece, and the new parent.
    let mut order: Vec<Option<usize>> = Vec::new();
    let mut push = |old: Option<usize>, above: u32, lost_bytes: (u64, u64), depth: u32| {
        let piece = old.and_then(|old| outline.pieces.get(old));
        pieces.push(match (piece, old) {
            (Some(piece), Some(old)) => Piece { above, below: 0..0, weight: piece.weight + more[old], ..piece.clone() },
            _ => Piece { what: PieceKind::Gone(lost_bytes.0), above, below: 0..0, weight: lost_bytes.1, depth },
        });
        outline_before.was.push(old.and_then(|old| was.get(old)).copied().unwrap_or(BaselineWeight::Gone));
        outline_before.removed.push(old.map_or(0, |old| more[old]));
        pieces.len() - 1
    };
    let mut below_of: Vec<(usize, std::ops::Range<u32>)> = Vec::new();
    order.push(Some(0));
    push(Some(0), 0, (0, 0), 0);
    let mut at = 0;
    while at < order.len() {
        if let Some(old) = order[at]
            && let Some(piece) = outline.pieces.get(old)
        {
            let first = order.len() as u32;
            for child in piece.below.clone() {
                order.push(Some(child as usize));
                push(Some(child as usize), at as u32, (0, 0), 0);
            }
            if removed[old].1 > 0 {
                order.push(None);
                push(None, at as u32, removed[old], piece.depth + 1);
            }
            below_of.push((at, first..order.len() as u32));
        }
        at += 1;
    }
    for (at, below) in below_of {
        pieces[at].below = below;
    }
    outline_before.outline.pieces = pieces;
    outline_before
}
