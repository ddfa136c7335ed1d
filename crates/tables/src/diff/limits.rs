//! Growth limits of owners, for scripts that fail when one is exceeded.

use heaplens_analysis::diff::{Growth, Matches};
use heaplens_analysis::leaks::OwnersName;
use heaplens_analysis::{Namer, naming::Unresolved};
use heaplens_base::{ByteDelta, Bytes, Cancelled, Task};
use heaplens_heap::ObjectId;
use heaplens_session::{OwnerSeries, series::Series};

use super::{name_over_time, owners_name};

/// A growth limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrowthLimit {
    /// Pattern of owner names; `*` matches anything.
    pub owner: String,
    /// Maximum allowed growth in bytes.
    pub bytes: Bytes,
}

/// Growth of an owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerGrowth {
    /// Owner name.
    pub owner: String,
    /// Growth in bytes.
    pub bytes: ByteDelta,
}

/// Data of compared heaps that limits need.
pub struct LimitCheck<'a> {
    /// Namers of both heaps, baseline first.
    namers: [Namer<'a>; 2],
    /// Growth attributed to each listed owner, and its other names: with packages, and from a GC root.
    charged: Vec<(OwnerGrowth, Vec<String>)>,
}

impl<'a> LimitCheck<'a> {
    /// Collects the owners of a comparison with their names.
    pub fn pair(matches: &Matches, growth: &Growth, namers: [Namer<'a>; 2]) -> Self {
        let charged = growth.rows.iter().filter_map(|row| {
            let first = row.owners.first()?;
            let OwnersName { short: owner, qualified } = owners_name(namers[1], matches, &row.owners);
            // This task is never cancelled.
            let name = first.structure().and_then(|object| namers[1].name(object, &Task::new()).ok().flatten());
            Some((OwnerGrowth { owner, bytes: row.bytes }, name.into_iter().chain([qualified]).collect()))
        });
        Self { namers, charged: charged.collect() }
    }

    /// Collects the owners of more than two dumps; the last is compared with the first.
    pub fn series(series: &Series, namers: &[Namer<'a>]) -> Option<Self> {
        let ends = [*namers.first()?, *namers.last()?];
        let grown = |row: &OwnerSeries| {
            let owner = name_over_time(namers, row).0;
            let last = row.last().and_then(|(dump, object)| Some((namers.get(dump)?, object)));
            // This task is never cancelled.
            let name = last.and_then(|(namer, object)| namer.name(object, &Task::new()).ok().flatten());
            (OwnerGrowth { owner, bytes: row.charged }, name.into_iter().collect())
        };
        Some(Self { namers: ends, charged: series.owners.iter().map(grown).collect() })
    }

    /// Growth of each owner that matches a limit; empty if no owner of either heap has such a name.
    pub fn grown(&self, limit: &GrowthLimit, task: &Task) -> Result<Vec<OwnerGrowth>, Cancelled> {
        let is_one = |(charged, names): &(OwnerGrowth, Vec<String>)| {
            is_meant(&limit.owner, &charged.owner) || names.iter().any(|name| is_meant(&limit.owner, name))
        };
        let mut growths: Vec<OwnerGrowth> =
            self.charged.iter().filter(|charged| is_one(charged)).map(|(charged, _)| charged.clone()).collect();
        if !limit.owner.contains('*')
            && let Some(bytes) = self.retained_more(&limit.owner, task)?
        {
            // Growth is attributed to the lowest owner, but its ancestors grew as well.
            match growths.first_mut() {
                Some(charged) => charged.bytes = charged.bytes.max(bytes),
                None => growths.push(OwnerGrowth { owner: limit.owner.clone(), bytes }),
            }
        }
        Ok(growths)
    }

    /// Growth of the retained size of the object with this name; `None` if there is none.
    fn retained_more(&self, name: &str, task: &Task) -> Result<Option<ByteDelta>, Cancelled> {
        let find = |namer: &Namer<'_>| -> Result<Option<ObjectId>, Cancelled> {
            match namer.resolve(name, task) {
                Ok(object) => Ok(Some(object)),
                Err(Unresolved::Cancelled) => Err(Cancelled),
                Err(_) => Ok(None),
            }
        };
        let (before, after) = (find(&self.namers[0])?, find(&self.namers[1])?);
        if before.is_none() && after.is_none() {
            return Ok(None);
        }
        let before = before.map_or(Bytes(0), |object| self.namers[0].analysis.retained(object));
        let after = after.map_or(Bytes(0), |object| self.namers[1].analysis.retained(object));
        Ok(Some(ByteDelta::between(before, after)))
    }
}

impl GrowthLimit {
    /// True if an owner exceeded the limit.
    pub fn is_passed(&self, grown: &OwnerGrowth) -> bool {
        u64::try_from(grown.bytes.0).is_ok_and(|bytes| bytes > self.bytes.0)
    }
}

/// True if a pattern matches a name: `*` matches anything, other text literally.
fn is_meant(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = name.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_anything() {
        for (pattern, name, meant) in [
            ("shop.Cache.ALL", "shop.Cache.ALL", true),
            ("shop.Cache.ALL", "shop.Cache.ALL2", false),
            ("shop.*", "shop.Cache.ALL", true),
            ("shop.*", "workshop.Cache", false),
            ("*", "", true),
            ("shop.*.A*L", "shop.Cache.ALL", true),
            ("shop.*.A*L", "shop.Cache.AL", true),
            ("a*a", "a", false),
            ("*ALL*", "shop.Cache.ALL[\"x\"]", true),
        ] {
            assert_eq!(is_meant(pattern, name), meant, "{pattern} {name}");
        }
    }

    #[test]
    fn a_limit_of_zero_is_exceeded_by_any_growth() {
        let limit = GrowthLimit { owner: "a".to_owned(), bytes: Bytes(0) };
        let grown = |bytes| OwnerGrowth { owner: "a".to_owned(), bytes: ByteDelta(bytes) };
        assert!(limit.is_passed(&grown(1)) && !limit.is_passed(&grown(0)) && !limit.is_passed(&grown(-1)));
    }
}
