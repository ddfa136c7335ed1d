//! What removals made of a heap: its size before and after, in one line.

use std::fmt;
use std::slice;

use super::effect::CutEffect;
use super::what_if::{WhatIf, what_if};
use crate::naming::Namer;
use heaplens_base::{Bytes, Cancelled, Count, Task};
use heaplens_heap::Totals;

/// The removals after which a heap is analyzed.
#[derive(Debug, Clone)]
pub struct Reduction {
    /// The removed references, with what all of them free together.
    pub effect: CutEffect,
    /// What each of them frees by itself.
    pub alone: Vec<WhatIf>,
    /// Name of the dump, where references are removed from several.
    pub dump: Option<String>,
    /// Name of the fix that the removals form, if they have one.
    pub fix: Option<String>,
    /// Names that mean nothing in this dump, but something in another one: of the comparison, or that a fix was made on.
    pub missing: Vec<String>,
}

impl Reduction {
    /// Effect of the removals in the heap before them, each by itself too.
    ///
    /// # Errors
    /// If the task is cancelled.
    pub fn new(namer: Namer<'_>, effect: CutEffect, missing: Vec<String>, task: &Task) -> Result<Self, Cancelled> {
        let alone = match &effect.cuts[..] {
            [_] => vec![effect.what.clone()],
            several => {
                let alone = several.iter().map(|cut| what_if(namer.dump, slice::from_ref(cut), task));
                alone.collect::<Result<_, Cancelled>>()?
            }
        };
        Ok(Self { effect, alone, dump: None, fix: None, missing })
    }

    /// Reachable objects and bytes before the removals.
    pub fn before(&self) -> Totals {
        self.effect.what.of
    }

    /// Reachable objects and bytes after them.
    pub fn after(&self) -> Totals {
        let (before, freed) = (self.before(), self.effect.what.freed);
        let shallow = Bytes(before.shallow.0.saturating_sub(freed.shallow.0));
        Totals { objects: before.objects.saturating_sub(freed.objects), shallow }
    }

    /// Names of the removed references.
    pub fn names(&self) -> &[String] {
        &self.effect.names
    }
}

impl fmt::Display for Reduction {
    /// `After 2 removals: 63.1 → 33.8 MB (frees 29.3 MB in 412,003 objects)`, `Fix "bounded cache", after 2 removals: …`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (made, what) = (self.effect.cuts.len() as u64, &self.effect.what);
        self.dump.as_ref().map_or(Ok(()), |dump| write!(f, "{dump}: "))?;
        let (after, none) = match &self.fix {
            Some(fix) => (format!("Fix \"{fix}\", after"), format!("Fix \"{fix}\", no removals: ")),
            None => ("After".to_owned(), "No removals: ".to_owned()),
        };
        if made > 0 {
            write!(f, "{after} {}: ", Count(made).of("removal", "removals"))?;
            if what.freed.objects == 0 {
                write!(f, "{} ({what})", self.before().shallow)?;
            } else {
                let sizes = sizes(self.before().shallow, self.after().shallow);
                let objects = Count(what.freed.objects).of("object", "objects");
                write!(f, "{sizes} (frees {} in {objects})", what.freed.shallow)?;
            }
        }
        if !self.missing.is_empty() {
            let (gap, nothing) = if made > 0 { ("; ", "") } else { ("", &*none) };
            write!(f, "{gap}{nothing}{} not in this dump", self.missing.join(", "))?;
        }
        Ok(())
    }
}

/// `63.1 → 33.8 MB`, or both units where they differ.
pub fn sizes(before: Bytes, after: Bytes) -> String {
    let (before, after) = (before.to_string(), after.to_string());
    let unit = |text: &str| text.rsplit(' ').next().map(str::to_owned);
    let number = before.rsplit_once(' ').filter(|_| unit(&before) == unit(&after));
    format!("{} → {after}", number.map_or(&*before, |(number, _)| number))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cuts::Cut;
    use heaplens_heap::ObjectId;

    fn reduction(cuts: usize, before: u64, after: u64) -> Reduction {
        let totals = |bytes: u64| Totals { objects: bytes / 10, shallow: Bytes(bytes) };
        let what =
            WhatIf { freed: totals(before - after), of: totals(before), references: cuts as u64, ..WhatIf::default() };
        let cuts = (0..cuts).filter_map(ObjectId::new).map(Cut::Object).collect();
        let (freed, excluded) = Default::default();
        let effect = CutEffect { cuts, names: Vec::new(), what, freed, excluded, holder_names: Vec::new() };
        Reduction { effect, alone: Vec::new(), dump: None, fix: None, missing: Vec::new() }
    }

    #[test]
    fn one_line_has_both_sizes_with_one_unit_where_they_share_it() {
        let text = |cuts, before, after| reduction(cuts, before, after).to_string();
        assert_eq!(
            text(2, 63_100_000, 33_800_000),
            "After 2 removals: 63.1 → 33.8 MB (frees 29.3 MB in 2,930,000 objects)"
        );
        assert_eq!(text(1, 2_000_000, 5_000), "After 1 removal: 2.0 MB → 5.0 kB (frees 2.0 MB in 199,500 objects)");
        assert_eq!(text(1, 2_000_000, 2_000_000), "After 1 removal: 2.0 MB (frees nothing)");
        let missing = |made| Reduction { missing: vec!["shop.Cache".to_owned()], ..reduction(made, 1_000, 1_000) };
        assert_eq!(missing(0).to_string(), "No removals: shop.Cache not in this dump");
        assert_eq!(missing(1).to_string(), "After 1 removal: 1.0 kB (frees nothing); shop.Cache not in this dump");
        let fix = |made| Reduction { fix: Some("bounded cache".to_owned()), ..missing(made) }.to_string();
        assert_eq!(fix(0), "Fix \"bounded cache\", no removals: shop.Cache not in this dump");
        assert_eq!(
            fix(1),
            "Fix \"bounded cache\", after 1 removal: 1.0 kB (frees nothing); shop.Cache not in this dump"
        );
    }
}
