//! Session of a window as it is stored.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use heaplens_session::files::file_name;

/// Session of one window.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct OpenTabs {
    pub(crate) tabs: Vec<SavedTab>,
    /// Comparisons, in the order of their tabs.
    pub(crate) comparisons: Vec<SavedComparison>,
    /// Index of the current tab among those of single dumps; `None` if a comparison is shown.
    pub(crate) shown: Option<usize>,
    /// True if a comparison was open, in sessions of versions that did not save which dumps it compared.
    #[serde(skip_serializing)]
    pub(crate) compared: bool,
    /// Tabs of the previous session, offered until they are opened or dismissed.
    pub(crate) offered: Vec<SavedTab>,
    /// Its comparisons.
    pub(crate) offered_comparisons: Vec<SavedComparison>,
}

/// A comparison with all that is needed to compare the two dumps again, whether or not they have tabs of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct SavedComparison {
    /// Baseline; its location is empty.
    pub(crate) before: SavedTab,
    /// Target, with the location in the comparison.
    pub(crate) after: SavedTab,
    /// Index of its tab among all.
    #[serde(rename = "place")]
    pub(crate) index: usize,
    /// True if it is the current tab.
    pub(crate) shown: bool,
}

/// Dump and location; object and class are stored by names that stay the same when it is opened again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[expect(clippy::struct_excessive_bools, reason = "independent options, stored by name")]
pub(crate) struct SavedTab {
    pub(crate) file: PathBuf,
    pub(crate) view: String,
    pub(crate) object: Option<String>,
    pub(crate) class: Option<String>,
    pub(crate) keep_unreachable: bool,
    pub(crate) ignore_vm_roots: bool,
    pub(crate) owner_rules: bool,
    pub(crate) redact: bool,
    pub(crate) mapping: Option<PathBuf>,
}

impl SavedTab {
    /// True if both are the same dump, opened with the same options.
    pub(crate) fn is_same_dump(&self, other: &Self) -> bool {
        let without_place = |tab: &Self| Self { view: String::new(), object: None, class: None, ..tab.clone() };
        without_place(self) == without_place(other)
    }
}

impl OpenTabs {
    /// True if there is nothing to reopen.
    pub(crate) fn is_empty(&self) -> bool {
        self.tabs.is_empty() && self.comparisons.is_empty()
    }

    /// Merges the sessions of several windows: the last one with the tabs of the others behind it.
    pub(crate) fn together(mut windows: Vec<Self>) -> Option<Self> {
        let mut last = windows.pop()?;
        let (tabs, comparisons) = (std::mem::take(&mut last.offered), std::mem::take(&mut last.offered_comparisons));
        windows.push(Self { tabs, comparisons, ..Self::default() });
        for window in windows {
            for tab in window.tabs.into_iter().chain(window.offered) {
                if !last.tabs.contains(&tab) {
                    last.tabs.push(tab);
                    // Which of them was compared is not known any more.
                    last.compared = false;
                }
            }
            for mut comparison in window.comparisons.into_iter().chain(window.offered_comparisons) {
                let is_it = |other: &SavedComparison| {
                    other.before.is_same_dump(&comparison.before) && other.after.is_same_dump(&comparison.after)
                };
                if !last.comparisons.iter().any(is_it) {
                    // Behind the tabs of the last window.
                    (comparison.index, comparison.shown) = (usize::MAX, false);
                    last.comparisons.push(comparison);
                }
            }
        }
        Some(last)
    }

    /// File names of all dumps.
    pub(crate) fn files(&self) -> Vec<String> {
        let compared = self.comparisons.iter().flat_map(|comparison| [&comparison.before, &comparison.after]);
        let mut names: Vec<String> = Vec::new();
        // A dump with several tabs is listed as often; one that is only compared, once.
        for (tab, is_alone) in self.tabs.iter().map(|tab| (tab, true)).chain(compared.map(|tab| (tab, false))) {
            let name = file_name(&tab.file);
            if is_alone || !names.contains(&name) {
                names.push(name);
            }
        }
        names
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
        assert_eq!(View::with_key(&tab.view), Some(View::RetainedBy));
        assert_eq!((tab.object.as_deref(), tab.keep_unreachable, left.shown), (Some("0x7f00"), true, Some(0)));
    }

    fn tab(file: &str) -> SavedTab {
        SavedTab { file: file.into(), view: "Overview".to_owned(), ..SavedTab::default() }
    }

    #[test]
    fn comparisons_are_saved_as_pairs() {
        let comparison = SavedComparison { before: tab("b"), after: tab("a"), index: 2, shown: true };
        let session = OpenTabs { tabs: vec![tab("a")], comparisons: vec![comparison], ..OpenTabs::default() };
        let text = serde_json::to_string(&session).expect("JSON");
        assert_eq!(serde_json::from_str::<OpenTabs>(&text).expect("a session"), session);
        // A dump that is only compared is named, too.
        assert_eq!(session.files(), ["a", "b"]);
        // An earlier version saved only that there was a comparison.
        let earlier: OpenTabs = serde_json::from_str(r#"{"tabs": [], "compared": true}"#).expect("a session");
        assert!(earlier.compared && earlier.is_empty());
    }

    #[test]
    fn comparisons_of_several_windows_are_kept_apart() {
        let of = |before: &str, after: &str, index| SavedComparison {
            before: tab(before),
            after: tab(after),
            index,
            shown: true,
        };
        let window = |tabs: &[&str], comparisons: Vec<SavedComparison>| OpenTabs {
            tabs: tabs.iter().map(|file| tab(file)).collect(),
            comparisons,
            ..OpenTabs::default()
        };
        let first = window(&["a", "b"], vec![of("a", "b", 2)]);
        let second = window(&["c", "d"], vec![of("c", "d", 0), of("a", "b", 3)]);
        let both = OpenTabs::together(vec![first, second]).expect("a session");
        assert_eq!(both.files(), ["c", "d", "a", "b"]);
        let indices: Vec<(String, usize)> =
            both.comparisons.iter().map(|pair| (file_name(&pair.before.file), pair.index)).collect();
        assert_eq!(indices, [("c".to_owned(), 0), ("a".to_owned(), 3)], "one pair is restored once");
    }
}
