//! What the list of recent files says of each dump, for the start page.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// Facts about a dump that was opened.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RecentDump {
    /// Its file.
    pub dump: PathBuf,
    /// When it was taken, in milliseconds since 1970 UTC.
    pub taken_at_millis: Option<u64>,
    /// Size of the file.
    pub file_bytes: u64,
    /// Main class or archive; `None` of redacted dumps.
    pub program: Option<String>,
    /// What the overview says of it in a sentence; `None` of redacted dumps.
    pub finding: Option<String>,
}

/// Those of the recent files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RecentDumps(Vec<RecentDump>);

impl RecentDumps {
    /// What is known of a file.
    pub fn of(&self, file: &Path) -> Option<&RecentDump> {
        self.0.iter().find(|known| known.dump == file)
    }

    /// Replaces what is known of a file.
    pub fn put(&mut self, dump: RecentDump) {
        self.0.retain(|known| known.dump != dump.dump);
        self.0.push(dump);
    }

    /// Forgets all files but these.
    pub fn retain(&mut self, files: &[PathBuf]) {
        self.0.retain(|known| files.contains(&known.dump));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_entry_and_leaves_with_the_list() {
        let of = |file: &str, finding: &str| RecentDump {
            dump: file.into(),
            finding: Some(finding.to_owned()),
            ..RecentDump::default()
        };
        let mut dumps = RecentDumps::default();
        dumps.put(of("a.hprof", "Suspect: A.all"));
        dumps.put(of("b.hprof", "Leak: B.all"));
        dumps.put(of("a.hprof", "Leak: A.all"));
        assert_eq!(dumps.of(Path::new("a.hprof")).and_then(|dump| dump.finding.as_deref()), Some("Leak: A.all"));
        dumps.retain(&["a.hprof".into()]);
        assert!(dumps.of(Path::new("b.hprof")).is_none() && dumps.0.len() == 1);
        // Other versions may store other facts.
        let stored = r#"[{"dump":"c.hprof","colour":"red"}]"#;
        let read: RecentDumps = serde_json::from_str(stored).expect("it can be read");
        assert_eq!(read.0, [RecentDump { dump: "c.hprof".into(), ..RecentDump::default() }]);
    }
}
