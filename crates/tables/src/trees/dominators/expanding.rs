//! Expanding and collapsing rows of the dominator tree: one row, or all rows below it, level by level.

use std::{collections::VecDeque, time::Instant};

use super::levels::{Level, Levels};
use super::reveal_path::PATIENCE;
use crate::TypedFilter;
use crate::trees::tree::{NodeId, Spot};
use heaplens_analysis::dominator_tree::Source;
use heaplens_session::{Jobs, OpenDump};

/// Maximum number of rows that are expanded below one row.
const BRANCH: u64 = 2_000;

impl Levels {
    /// Expands or collapses a row.
    pub fn toggle(&mut self, dump: &OpenDump, jobs: &Jobs, row: u64, filter: &TypedFilter) {
        let Some(spot) = self.tree.locate(row) else { return };
        self.stop_branch();
        match spot.open {
            Some(node) => self.tree.close(node),
            None => drop(self.unfold(dump, jobs, (spot.parent, spot.index), filter)),
        }
    }

    /// Collapses a row, or its parent if it is collapsed; returns the row to go to in that case.
    pub fn fold(&mut self, row: u64) -> Option<u64> {
        let spot = self.tree.locate(row)?;
        self.stop_branch();
        if let Some(node) = spot.open {
            self.tree.close(node);
            return None;
        }
        let (above, index) = self.tree.above(spot.parent)?;
        self.tree.close(spot.parent);
        Some(self.tree.row_of(above, index))
    }

    /// Expands all rows below a row, up to a few thousand.
    pub fn branch(&mut self, dump: &OpenDump, jobs: &Jobs, row: u64, filter: &TypedFilter) {
        let Some(spot) = self.tree.locate(row) else { return };
        let open = spot.open.or_else(|| self.unfold(dump, jobs, (spot.parent, spot.index), filter));
        if let Some(node) = open {
            self.unfold_branch(node, BRANCH);
        }
    }

    /// Expands row `index` of an expanded node, if it has children.
    pub(super) fn unfold(
        &mut self,
        dump: &OpenDump,
        jobs: &Jobs,
        (parent, index): (NodeId, u64),
        filter: &TypedFilter,
    ) -> Option<NodeId> {
        let spot = Spot { parent, index, depth: 0, open: None };
        let part = self.shown(dump, &spot)?.below?;
        let node = self.tree.open(parent, index, 1, Level::new(part));
        if self.tree.payload(node).is_some_and(|l| l.rows.is_none() && !l.slot.is_running()) {
            self.ask(dump, jobs, node, filter);
        }
        Some(node)
    }

    /// Expands all rows below a row, level by level, up to `most` rows.
    fn unfold_branch(&mut self, node: NodeId, most: u64) {
        self.branch = (VecDeque::from([node]), self.tree.rows() + most);
    }

    /// Stops expanding rows automatically.
    fn stop_branch(&mut self) {
        self.branch.0.clear();
    }

    pub(super) fn grow_branch(&mut self, dump: &OpenDump, jobs: &Jobs) {
        let began = Instant::now();
        while let Some(&node) = self.branch.0.front() {
            let Some(level) = self.tree.payload(node) else {
                self.branch.0.pop_front();
                continue;
            };
            let Some(rows) = level.rows() else { break };
            let (part, count) = (level.part, rows.rows.len() as u64);
            self.branch.0.pop_front();
            // Very long levels are not expanded further.
            for index in 0..count.min(self.branch.1.saturating_sub(self.tree.rows())) {
                let object = self.tree.payload(node).and_then(Level::rows).and_then(|r| r.rows.get(index as usize));
                let Some(&object) = object else { break };
                let below = self.tree.payload(node).and_then(Level::rows);
                let below = below.and_then(|rows| rows.below(&dump.analysis, part, object));
                let is_list = below.is_none_or(|below| matches!(below.source, Source::Members(_)));
                if self.tree.rows() >= self.branch.1 || is_list {
                    continue;
                }
                if let Some(open) = self.unfold(dump, jobs, (node, index), &TypedFilter::default()) {
                    self.branch.0.push_back(open);
                }
            }
            if self.tree.rows() >= self.branch.1 {
                self.branch.0.clear();
            }
            if began.elapsed() > PATIENCE {
                jobs.wake();
                break;
            }
        }
    }
}
