//! What was accepted: a section for each dump, with a line for each finding.
//!
//! The file is JSON with one entry a line, in the order of names, so that its changes can be reviewed. `grow_by`,
//! `grow_by_percent` and `reason` are written by people; accepting again keeps them.

use std::collections::BTreeSet;
use std::io::{self, Write};

use serde::Deserialize;

use super::entry::BaselineEntry;
use super::finding::{CheckedDump, CheckedFinding};
use super::part::CheckPart;
use crate::export::printable::one_line;

/// Version of the file. Files of a later one are refused.
const VERSION: u64 = 1;

/// What was accepted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Baseline {
    /// Sections by name.
    pub sections: Vec<BaselineSection>,
}

/// What was accepted of one dump.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineSection {
    /// Name: that of the file of the dump, without extensions.
    pub name: String,
    /// Leaks.
    #[serde(default)]
    pub leaks: Vec<BaselineEntry>,
    /// Kinds of waste.
    #[serde(default)]
    pub waste: Vec<BaselineEntry>,
    /// Owners of memory.
    #[serde(default)]
    pub owners: Vec<BaselineEntry>,
}

/// The version of any file.
#[derive(Deserialize)]
struct VersionOnly {
    heaplens_baseline: Option<u64>,
}

/// The content of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Content {
    #[serde(rename = "heaplens_baseline")]
    _version: u64,
    dumps: Vec<BaselineSection>,
}

impl BaselineSection {
    /// The entries of a part.
    pub fn part(&self, part: CheckPart) -> &[BaselineEntry] {
        match part {
            CheckPart::Leaks => &self.leaks,
            CheckPart::Waste => &self.waste,
            CheckPart::Owners => &self.owners,
        }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        CheckPart::ALL.into_iter().map(|part| self.part(part).len()).sum()
    }

    /// True if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn part_mut(&mut self, part: CheckPart) -> &mut Vec<BaselineEntry> {
        match part {
            CheckPart::Leaks => &mut self.leaks,
            CheckPart::Waste => &mut self.waste,
            CheckPart::Owners => &mut self.owners,
        }
    }

    /// Replaces the entries of a part by what a dump has now. What people wrote in entries is kept.
    fn accept(&mut self, part: CheckPart, findings: &[CheckedFinding]) {
        let entries = self.part_mut(part);
        let accepted = findings.iter().filter(|finding| finding.part == part).map(|finding| {
            let before = entries.iter().find(|entry| entry.fingerprint == finding.entry.fingerprint);
            let BaselineEntry { grow_by, grow_by_percent, reason, .. } = before.cloned().unwrap_or_default();
            BaselineEntry { grow_by, grow_by_percent, reason, ..finding.entry.clone() }
        });
        let mut accepted: Vec<BaselineEntry> = accepted.collect();
        accepted.sort_by(|a, b| (&a.owner, &a.title, &a.fingerprint).cmp(&(&b.owner, &b.title, &b.fingerprint)));
        *entries = accepted;
    }

    /// Reason why the section cannot be used.
    fn fault(&self) -> Option<String> {
        CheckPart::ALL.into_iter().find_map(|part| {
            let mut seen = BTreeSet::new();
            self.part(part).iter().find_map(|entry| {
                let why = match entry.fault() {
                    None if seen.insert(&entry.fingerprint) => return None,
                    None => "is there twice; keep one".to_owned(),
                    Some(why) => why,
                };
                Some(format!("dump '{}', {} '{}': {why}", self.name, part.name(), entry.fingerprint))
            })
        })
    }
}

impl Baseline {
    /// Reads the text of a file.
    ///
    /// # Errors
    /// What is wrong, in one line, if the text is no baseline, damaged, or of a later version.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.lines().any(|line| line.starts_with("<<<<<<< ")) {
            return Err("merge conflict in the file; resolve it, or use --accept on the merged program".to_owned());
        }
        let damaged = |error: serde_json::Error| one_line(&format!("the file is damaged: {error}"));
        let version: VersionOnly = serde_json::from_str(text).map_err(damaged)?;
        match version.heaplens_baseline {
            Some(VERSION) => {}
            Some(version) if version > VERSION => {
                return Err(format!("version {version} of the file is of a later heaplens; update heaplens"));
            }
            _ => return Err("the file is no baseline of 'heaplens check'".to_owned()),
        }
        let content: Content = serde_json::from_str(text).map_err(damaged)?;
        let mut names = BTreeSet::new();
        for section in &content.dumps {
            let twice = || (!names.insert(&section.name)).then(|| format!("dump '{}' is there twice", section.name));
            if let Some(why) = section.fault().or_else(twice) {
                return Err(one_line(&why));
            }
        }
        Ok(Self { sections: content.dumps })
    }

    /// The section of a dump.
    pub fn section(&self, name: &str) -> Option<&BaselineSection> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// Accepts what a dump has now, in these parts. Other parts and other sections are kept.
    pub fn accept(&mut self, name: &str, parts: &[CheckPart], dump: &CheckedDump) {
        let at = self.sections.iter().position(|section| section.name == name).unwrap_or(self.sections.len());
        if at == self.sections.len() {
            self.sections.push(BaselineSection { name: name.to_owned(), ..BaselineSection::default() });
        }
        if let Some(section) = self.sections.get_mut(at) {
            parts.iter().for_each(|&part| section.accept(part, &dump.findings));
        }
        self.sections.sort_by(|a, b| a.name.cmp(&b.name));
    }

    /// Writes the file: JSON, one entry a line.
    ///
    /// # Errors
    /// If writing fails.
    pub fn write(&self, mut out: impl Write) -> io::Result<()> {
        write!(out, "{{\n\"heaplens_baseline\": {VERSION},\n\"dumps\": [")?;
        for (number, section) in self.sections.iter().enumerate() {
            let gap = if number > 0 { "," } else { "" };
            write!(out, "{gap}\n{{\"name\": {}", serde_json::to_string(&section.name)?)?;
            for part in CheckPart::ALL.into_iter().filter(|&part| !section.part(part).is_empty()) {
                write!(out, ", \"{}\": [", part.name())?;
                for (number, entry) in section.part(part).iter().enumerate() {
                    let gap = if number > 0 { "," } else { "" };
                    write!(out, "{gap}\n{}", serde_json::to_string(entry)?)?;
                }
                write!(out, "\n]")?;
            }
            write!(out, "}}")?;
        }
        writeln!(out, "\n]\n}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(fingerprint: &str, owner: &str, bytes: u64) -> CheckedFinding {
        let entry = BaselineEntry {
            fingerprint: fingerprint.to_owned(),
            owner: owner.to_owned(),
            bytes,
            ..BaselineEntry::default()
        };
        CheckedFinding { part: CheckPart::Leaks, entry, ..CheckedFinding::default() }
    }

    fn dump(findings: Vec<CheckedFinding>) -> CheckedDump {
        CheckedDump { findings, ..CheckedDump::default() }
    }

    #[test]
    fn what_people_wrote_and_other_sections_stay() {
        let text = r#"{"heaplens_baseline": 1, "dumps": [
            {"name": "b", "waste": [{"fingerprint": "w", "bytes": 1}]},
            {"name": "a", "leaks": [{"fingerprint": "1", "bytes": 5, "grow_by": "2MB", "grow_by_percent": 7.5,
                "reason": "known"}, {"fingerprint": "gone", "bytes": 5}],
                "owners": [{"fingerprint": "o", "bytes": 9}]}]}"#;
        let mut baseline = Baseline::parse(text).expect("a baseline");
        let checked = dump(vec![finding("2", "shop.Z", 3), finding("1", "shop.A", 50)]);
        baseline.accept("a", &[CheckPart::Leaks], &checked);
        let mut bytes = Vec::new();
        baseline.write(&mut bytes).expect("a vector takes all");
        let text = String::from_utf8(bytes).expect("text");
        assert_eq!(Baseline::parse(&text), Ok(baseline.clone()));
        assert_eq!(baseline.sections.iter().map(|section| &*section.name).collect::<Vec<_>>(), ["a", "b"]);
        let section = baseline.section("a").expect("a section");
        assert_eq!(section.leaks.iter().map(|entry| &*entry.fingerprint).collect::<Vec<_>>(), ["1", "2"]);
        assert_eq!((section.leaks[0].bytes, section.leaks[0].grow_by.as_deref()), (50, Some("2MB")));
        assert_eq!((section.leaks[0].own_percent(), section.owners.len()), (Some(7.5), 1));
        assert_eq!(text.lines().filter(|line| line.starts_with("{\"fingerprint\"")).count(), 4);
    }

    #[test]
    fn a_file_that_is_no_baseline_is_told_in_one_line() {
        let entries =
            |entries: &str| format!(r#"{{"heaplens_baseline": 1, "dumps": [{{"name": "a", "leaks": [{entries}]}}]}}"#);
        for (text, why) in [
            (String::new(), "damaged"),
            ("[1, 2".to_owned(), "damaged"),
            ("{}".to_owned(), "no baseline"),
            ("{\"heaplens_baseline\": \"1\"}".to_owned(), "damaged"),
            ("{\"heaplens_baseline\": 2, \"more\": [{}]}".to_owned(), "later heaplens"),
            ("{\"heaplens_baseline\": 1}".to_owned(), "missing field"),
            ("<<<<<<< HEAD\n{}".to_owned(), "merge conflict"),
            (entries(r#"{"fingerprint": "1"}"#), "missing field `bytes`"),
            (entries(r#"{"fingerprint": "", "bytes": 1}"#), "empty"),
            (entries(r#"{"fingerprint": "1", "bytes": -1}"#), "damaged"),
            (entries(r#"{"fingerprint": "1", "bytes": 1, "grow_byy": "1MB"}"#), "unknown field"),
            (entries(r#"{"fingerprint": "1", "bytes": 1, "grow\nby": "1MB"}"#), "unknown field"),
            (entries(r#"{"fingerprint": "1", "bytes": 1, "grow_by": "much"}"#), "grow_by: unknown unit"),
            (entries(r#"{"fingerprint": "1", "bytes": 1, "grow_by_percent": -3}"#), "grow_by_percent"),
            (entries(r#"{"fingerprint": "1", "bytes": 1}, {"fingerprint": "1", "bytes": 1}"#), "twice"),
            (r#"{"heaplens_baseline": 1, "dumps": [{"name": "a"}, {"name": "a"}]}"#.to_owned(), "twice"),
            ("[".repeat(1 << 20), "damaged"),
        ] {
            let error = Baseline::parse(&text).expect_err(why);
            assert!(error.contains(why) && !error.contains('\n'), "{why}: {error}");
        }
    }
}
