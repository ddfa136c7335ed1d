//! What a finding is called, by its certainty: a leak, or a suspect. Headings, counts and reports of every kind read it
//! here.

use super::finding::LeakFinding;
use super::kinds::{Group, Kind};

/// What a finding of the group of leaks is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likelihood {
    /// Likely a leak, or a leak by a verdict of the user.
    Leak,
    /// Perhaps a leak.
    Suspect,
}

impl Likelihood {
    /// Stable key in JSON, CSV and SQL.
    pub fn key(self) -> &'static str {
        match self {
            Self::Leak => "leak",
            Self::Suspect => "suspect",
        }
    }

    /// Name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::Leak => "Leak",
            Self::Suspect => "Leak suspect",
        }
    }

    /// Name for people of several.
    pub fn plural(self) -> &'static str {
        match self {
            Self::Leak => "Leaks",
            Self::Suspect => "Leak suspects",
        }
    }
}

impl LeakFinding {
    /// What the finding is called; `None` of waste, and of memory that is no leak. A verdict of the user decides; else the
    /// certainty.
    pub fn likelihood(&self) -> Option<Likelihood> {
        if self.group != Group::Leak || matches!(self.kind, Kind::Waste(_)) {
            return None;
        }
        let is_said = self.verdict.as_ref().is_some_and(|verdict| verdict.is_of_user);
        Some(if is_said || self.is_likely() { Likelihood::Leak } else { Likelihood::Suspect })
    }

    /// The certainty that answers state: that of the evidence, from 0 to 1; `None` of waste, and of memory that is no leak.
    pub fn stated_certainty(&self) -> Option<f64> {
        self.likelihood().map(|_| self.certainty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::leaks::rules::Verdict;
    use heaplens_base::Bytes;

    fn finding(group: Group, certainty: f64) -> LeakFinding {
        let waste = crate::waste::WasteKind::DuplicateStrings;
        LeakFinding { kind: Kind::Cache, group, certainty, ..LeakFinding::of_waste(waste, 1, Bytes(1), Bytes(2)) }
    }

    #[test]
    fn a_finding_is_a_suspect_below_six_tenths_unless_the_user_says_that_it_leaks() {
        let likelihood = |group, certainty| finding(group, certainty).likelihood();
        assert_eq!(likelihood(Group::Leak, 0.59), Some(Likelihood::Suspect));
        assert_eq!(likelihood(Group::Leak, 0.6), Some(Likelihood::Leak));
        assert_eq!(likelihood(Group::Bounded, 0.9), None);
        let waste = LeakFinding { kind: Kind::Waste(crate::waste::WasteKind::ZeroArrays), ..finding(Group::Leak, 1.0) };
        assert_eq!(waste.likelihood(), None);
        let verdict = Some(Verdict {
            group: Group::Leak,
            pattern: "desk.Cache".to_owned(),
            reason: String::new(),
            is_of_user: true,
        });
        // What is no leak states no certainty, in any form of the answer.
        assert_eq!(finding(Group::Leak, 0.59).stated_certainty(), Some(0.59));
        assert_eq!([Group::Bounded, Group::Normal].map(|group| finding(group, 0.9).stated_certainty()), [None; 2]);
        let judged = LeakFinding { verdict, ..finding(Group::Leak, 0.1) };
        assert_eq!(judged.likelihood(), Some(Likelihood::Leak));
    }
}
