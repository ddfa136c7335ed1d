//! Nodes sorted by key: in parallel, cancelled quickly, and with no more memory than a node and its key take. Keys are
//! looked up once per node, not once per comparison: each lookup is a cache miss.

use std::cmp::Reverse;

use rayon::prelude::*;

use heaplens_base::{CHECKPOINT_EVERY, Cancelled, Task};

/// Up to this number, sort on the calling thread: other work may occupy all threads of the pool.
const FEW: usize = 1 << 10;
/// Up to this number, sort without checks for cancellation.
const RUN: usize = 1 << 18;
/// Number of values sampled to find one near the median.
const SAMPLE: usize = 63;

/// Sorts nodes by descending key, equal ones ascending. The task counts nodes.
pub fn descending(nodes: Vec<u32>, key: impl Fn(u32) -> u64 + Sync, task: &Task) -> Result<Vec<u32>, Cancelled> {
    // Inverted key, and the node below it. Keys above 32 bits become 0 here, so that they come first.
    let turned = |node: u32| u64::from(!u32::try_from(key(node)).unwrap_or(u32::MAX)) << 32 | u64::from(node);
    let mut packed = packed(nodes, turned, task)?;
    sort(&mut packed, task)?;
    let wide = packed.partition_point(|&value| value >> 32 == 0);
    let mut largest: Vec<_> = packed[..wide].iter().map(|&value| (Reverse(key(value as u32)), value as u32)).collect();
    sort(&mut largest, task)?;
    for (value, (_, node)) in packed.iter_mut().zip(largest) {
        *value = u64::from(node);
    }
    Ok(unpacked(&packed, |value| value as u32))
}

/// Sorts nodes by ascending rank; equal ones keep their order.
pub fn by_rank(nodes: &[u32], rank: impl Fn(u32) -> u32 + Sync, task: &Task) -> Result<Vec<u32>, Cancelled> {
    let indexes: Vec<u32> = (0..nodes.len() as u32).collect();
    let ranked = |index: u32| u64::from(rank(nodes[index as usize])) << 32 | u64::from(index);
    let mut packed = packed(indexes, ranked, task)?;
    sort(&mut packed, task)?;
    Ok(unpacked(&packed, |value| nodes[value as u32 as usize]))
}

/// Sorts nodes.
pub fn ascending(nodes: &mut [u32], task: &Task) -> Result<(), Cancelled> {
    sort(nodes, task)
}

fn packed(nodes: Vec<u32>, pack: impl Fn(u32) -> u64 + Sync, task: &Task) -> Result<Vec<u64>, Cancelled> {
    if nodes.len() <= FEW {
        return Ok(nodes.into_iter().map(pack).collect());
    }
    let mut packed = vec![0_u64; nodes.len()];
    let blocks = packed.par_chunks_mut(CHECKPOINT_EVERY).with_max_len(1).zip(nodes.par_chunks(CHECKPOINT_EVERY));
    blocks.try_for_each(|(packed, nodes)| {
        packed.iter_mut().zip(nodes).for_each(|(packed, &node)| *packed = pack(node));
        task.advance_checked(nodes.len() as u64)
    })?;
    Ok(packed)
}

fn unpacked(packed: &[u64], node: impl Fn(u64) -> u32 + Sync) -> Vec<u32> {
    if packed.len() <= FEW {
        return packed.iter().map(|&value| node(value)).collect();
    }
    packed.par_iter().map(|&value| node(value)).collect()
}

/// Quicksort down to runs that take a few milliseconds.
fn sort<T: Ord + Copy + Send>(values: &mut [T], task: &Task) -> Result<(), Cancelled> {
    task.checkpoint()?;
    if values.len() <= RUN {
        values.sort_unstable();
        return Ok(());
    }
    let mut sample: Vec<T> = values.iter().step_by(values.len() / SAMPLE).copied().collect();
    sample.sort_unstable();
    let middle = sample[sample.len() / 2];
    let mut lower = 0;
    for at in 0..values.len() {
        // Branch-free: every value is moved, since the processor could not predict the comparison.
        let value = values[at];
        values.swap(at, lower);
        lower += usize::from(value < middle);
    }
    // Listed nodes are distinct; only a damaged file repeats them.
    if lower == 0 {
        values.sort_unstable();
        return Ok(());
    }
    let (below, above) = values.split_at_mut(lower);
    let (below, above) = rayon::join(|| sort(below, task), || sort(above, task));
    below.and(above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_sorted_for_any_keys() {
        let keys: [fn(u32) -> u64; 4] = [
            |_| 24,
            u64::from,
            |node| u64::from(node).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20,
            |node| if node % 3 == 0 { u64::from(node % 7) << 33 } else { u64::from(u32::MAX) - u64::from(node % 5) },
        ];
        for (at, key) in keys.into_iter().enumerate() {
            for len in if cfg!(miri) { [0, 1, 7, 63, 65, 1_100] } else { [0, 1, 63, 900, 2_000, 700_000] } {
                let nodes: Vec<u32> = (0..len).map(|n| (n * 7 + 3) % len).collect();
                let mut expected = nodes.clone();
                expected.sort_unstable_by_key(|&node| (Reverse(key(node)), node));
                let task = Task::new();
                let sorted = descending(nodes.clone(), key, &task).expect("nobody cancels");
                assert!(sorted == expected, "keys {at}, {len} nodes");
                let mut expected = nodes.clone();
                expected.sort_by_key(|&node| key(node) as u32 % 10);
                let ranked = by_rank(&nodes, |node| key(node) as u32 % 10, &task).expect("nobody cancels");
                assert!(ranked == expected, "ranks {at}, {len} nodes");
            }
        }
    }

    #[test]
    fn repeated_nodes_and_cancellation_end_the_sort() {
        let task = Task::new();
        let mut nodes = vec![5; if cfg!(miri) { 1_100 } else { 1_000_000 }];
        nodes[77] = 3;
        ascending(&mut nodes, &task).expect("nobody cancels");
        assert_eq!((nodes[0], nodes[1]), (3, 5));
        task.cancel();
        assert_eq!(descending(nodes, u64::from, &task), Err(Cancelled));
    }
}
