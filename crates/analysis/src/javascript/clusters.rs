//! Clusters of similar leaks: first those whose paths are equal except for indices and keys, then those whose paths
//! share most of their steps, in their order.

use rustc_hash::FxHashMap;

use super::path_table::{ClassStep, PathTable};
use heaplens_base::{Bytes, Cancelled, Task, Unit};
use heaplens_heap::ObjectId;

/// Maximum number of paths compared with others; further ones form clusters by themselves.
const COMPARED: usize = 5_000;
/// Minimum percentage of steps that two similar paths share.
const ALIKE: usize = 80;

/// A leaked object that no other leaked one dominates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeakedObject {
    /// The object.
    pub object: ObjectId,
    /// Number of leaked objects it dominates, itself included.
    pub leaked: u64,
    /// Its retained size.
    pub retained: Bytes,
}

/// Leaks with similar paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeakCluster {
    /// Path with most of their bytes.
    pub path: u32,
    /// The leaks.
    pub members: Vec<LeakedObject>,
    /// Number of their different paths.
    pub paths: u64,
}

/// A path by its steps, the last first, and its cluster.
type Candidate<'a> = (Vec<&'a ClassStep>, usize);

/// Clusters leaks; most bytes first.
pub fn clustered(leaks: &[LeakedObject], table: &PathTable, task: &Task) -> Result<Vec<LeakCluster>, Cancelled> {
    let mut by_path: FxHashMap<u32, Vec<LeakedObject>> = FxHashMap::default();
    for leak in leaks {
        by_path.entry(table.of(leak.object).unwrap_or(u32::MAX)).or_default().push(*leak);
    }
    let bytes = |members: &[LeakedObject]| members.iter().map(|member| member.retained).sum::<Bytes>();
    let mut groups: Vec<(Bytes, u32, Vec<LeakedObject>)> =
        by_path.into_iter().map(|(path, members)| (bytes(&members), path, members)).collect();
    groups.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    task.step("Comparing paths", Unit::Objects, groups.len() as u64);
    let mut clusters: Vec<LeakCluster> = Vec::new();
    // By leaking class and nearest name: only those can be similar.
    let mut candidates: FxHashMap<(u32, u32), Vec<Candidate<'_>>> = FxHashMap::default();
    for (at, (_, path, members)) in groups.into_iter().enumerate() {
        task.advance_checked(1)?;
        let steps: Vec<&ClassStep> = table.steps(path).collect();
        let class = steps.first().map_or(u32::MAX, |step| step.class);
        let name = steps.iter().find(|step| step.named).map_or(u32::MAX, |step| step.edge);
        let near = candidates.entry((class, name)).or_default();
        let like = near.iter().filter(|_| at < COMPARED).find(|(other, _)| are_alike(other, &steps));
        match like.and_then(|&(_, cluster)| clusters.get_mut(cluster)) {
            Some(cluster) => {
                cluster.members.extend(members);
                cluster.paths += 1;
            }
            None => {
                near.push((steps, clusters.len()));
                clusters.push(LeakCluster { path, members, paths: 1 });
            }
        }
    }
    // Merging may have changed the order.
    clusters.sort_by(|a, b| bytes(&b.members).cmp(&bytes(&a.members)).then(a.path.cmp(&b.path)));
    Ok(clusters)
}

/// True if two paths share most of their steps, in their order.
fn are_alike(a: &[&ClassStep], b: &[&ClassStep]) -> bool {
    let both = a.len() + b.len();
    // Shorter paths cannot share enough.
    if a.len().min(b.len()) * 200 < both * ALIKE {
        return false;
    }
    let mut row = vec![0_usize; b.len() + 1];
    for step in a {
        let mut diagonal = 0;
        for (at, other) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if step == other { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()] * 200 >= both * ALIKE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_similar_if_they_share_four_of_five_steps() {
        let steps = |classes: &[u32]| -> Vec<ClassStep> {
            classes.iter().map(|&class| ClassStep { edge: 0, class, named: false }).collect()
        };
        let alike = |a: &[u32], b: &[u32]| {
            let (a, b) = (steps(a), steps(b));
            are_alike(&a.iter().collect::<Vec<_>>(), &b.iter().collect::<Vec<_>>())
        };
        assert!(alike(&[1, 2, 3, 4, 5], &[1, 2, 3, 4, 5]));
        assert!(alike(&[1, 2, 3, 4, 5], &[1, 2, 9, 4, 5]), "4 of 5");
        assert!(alike(&[1, 2, 3, 4, 5], &[1, 2, 3, 4]), "8 of 9");
        assert!(!alike(&[1, 2, 3, 4, 5], &[1, 9, 9, 4, 5]), "3 of 5");
        assert!(!alike(&[1, 2, 3, 4, 5], &[5, 4, 3, 2, 1]), "their order counts");
        assert!(!alike(&[1, 2], &[1, 2, 3, 4, 5, 6]));
    }
}
