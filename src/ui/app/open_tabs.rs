//! Session of a window as it is stored.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use heaplens_session::files::file_name;

/// Session of one window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct OpenTabs {
    pub(super) tabs: Vec<SavedTab>,
    /// Index of the current tab; `None` if the comparison is shown.
    pub(super) shown: Option<usize>,
    /// True if a comparison was open.
    pub(super) compared: bool,
    /// Tabs of the previous session, offered until they are opened or dismissed.
    pub(super) offered: Vec<SavedTab>,
}

/// Dump and location; object and class are stored by names that stay the same when it is opened again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "independent options, stored by name")]
pub(super) struct SavedTab {
    pub(super) file: PathBuf,
    pub(super) view: String,
    pub(super) object: Option<String>,
    pub(super) class: Option<String>,
    pub(super) keep_unreachable: bool,
    pub(super) ignore_vm_roots: bool,
    pub(super) owner_rules: bool,
    pub(super) redact: bool,
    pub(super) mapping: Option<PathBuf>,
}

impl OpenTabs {
    /// Merges the sessions of several windows: the last one with the tabs of the others behind it.
    pub(super) fn together(mut windows: Vec<Self>) -> Option<Self> {
        let mut last = windows.pop()?;
        let offered = std::mem::take(&mut last.offered);
        let others = windows.into_iter().flat_map(|window| window.tabs.into_iter().chain(window.offered));
        for tab in others.chain(offered) {
            if !last.tabs.contains(&tab) {
                last.tabs.push(tab);
                // Dumps opened together would be compared, but these were not.
                last.compared = false;
            }
        }
        Some(last)
    }

    /// File names of all tabs.
    pub(super) fn files(&self) -> Vec<String> {
        self.tabs.iter().map(|tab| file_name(&tab.file)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::View;

    #[test]
    fn sessions_of_earlier_versions_are_restored() {
        let stored = r#"{"tabs":[{"file":"/dumps/a.hprof","view":"Kept by","object":"0x7f00","class":null,
            "keep_unreachable":true,"ignore_vm_roots":false,"redact":false,"mapping":null}],
            "shown":0,"compared":false,"offered":[]}"#;
        let left: OpenTabs = serde_json::from_str(stored).expect("a session");
        let [tab] = left.tabs.as_slice() else { panic!("{left:?}") };
        assert_eq!(View::with_key(&tab.view), Some(View::KeptBy));
        assert_eq!((tab.object.as_deref(), tab.keep_unreachable, left.shown), (Some("0x7f00"), true, Some(0)));
    }
}
