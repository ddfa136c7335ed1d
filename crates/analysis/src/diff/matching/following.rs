//! Follows matches by the references of both objects, round by round, until no match is left to follow.

use rayon::prelude::*;

use super::context::{MatchContext, MatchUpdates};
use super::{collections, fields, prefetching, state::Matching};
use heaplens_base::{Cancelled, Task};
use heaplens_heap::ObjectId;

/// Pairs processed per round on all cores: their candidates are accepted before the next round.
const ROUND: usize = 1 << 16;
/// Pairs that one core takes at a time; collections may be large.
const PLAIN_AT_ONCE: usize = 512;
const COLLECTIONS_AT_ONCE: usize = 8;

/// Pairs that are prefetched together.
const AHEAD: usize = 32;

impl Matching<'_> {
    /// Follows all queued matches, and those that result from them.
    pub(super) fn follow(&mut self, task: &Task) -> Result<(), Cancelled> {
        loop {
            let (mut turn, is_collections) = if self.plain.is_empty() {
                (std::mem::take(&mut self.collections), true)
            } else {
                (std::mem::take(&mut self.plain), false)
            };
            if turn.is_empty() {
                return Ok(());
            }
            // Objects allocated together reference objects allocated together: in this order most
            // reads are near the last one. The order is the same for the swapped pair.
            turn.par_sort_by_key(|&(before, after)| (before.min(after), before.max(after)));
            let at_once = if is_collections { COLLECTIONS_AT_ONCE } else { PLAIN_AT_ONCE };
            for round in turn.chunks(ROUND) {
                let this = self.known();
                let updates =
                    round.par_chunks(at_once).with_max_len(1).map(|pairs| this.follow(pairs, is_collections, task));
                let updates: Vec<MatchUpdates> = updates.collect::<Result<_, Cancelled>>()?;
                for updates in updates {
                    self.take_all(updates);
                }
            }
        }
    }
}

impl MatchContext<'_> {
    /// Valid candidates from some matches.
    fn follow(
        self,
        pairs: &[(ObjectId, ObjectId)],
        is_collections: bool,
        task: &Task,
    ) -> Result<MatchUpdates, Cancelled> {
        task.checkpoint()?;
        let mut updates = MatchUpdates::default();
        if is_collections {
            for &(before, after) in pairs {
                collections::follow(self, before, after, &mut updates, task)?;
            }
        } else {
            for pairs in pairs.chunks(AHEAD) {
                prefetching::prefetch_plain(self, pairs);
                pairs.iter().for_each(|&(before, after)| fields::follow(self, before, after, &mut updates));
            }
        }
        updates.candidates.retain(|&candidate| self.may_be(candidate));
        Ok(updates)
    }
}
