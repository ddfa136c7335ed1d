//! Settings stored for the next window: recent files, theme, panes, limits, stars, notes, cuts and queries.

use std::path::{Path, PathBuf};

use eframe::egui::ThemePreference;
use serde::{Deserialize, Serialize};

use crate::ui::layout::Layout;
use crate::ui::panes::Docks;
use crate::ui::widgets::table::Arrangements;
use heaplens_session::recent_dumps::RecentDumps;
use heaplens_session::{Marks, SavedCuts, SavedQueries};
use heaplens_tables::export::copy::CopyFormat;

/// Maximum number of recent files.
const RECENT: usize = 12;

/// Stored settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct WindowSettings {
    pub(crate) recent: Vec<PathBuf>,
    /// What is known of them.
    pub(crate) recent_dumps: RecentDumps,
    pub(crate) theme: ThemePreference,
    pub(crate) docks: Docks,
    /// Exact sizes instead of `2.4 MB`.
    pub(crate) exact_sizes: bool,
    /// Stars and notes, by dump.
    pub(crate) marks: Marks,
    /// Cuts, by dump.
    pub(crate) cuts: SavedCuts,
    /// Memory limit in bytes for opening a dump.
    pub(crate) memory: Option<u64>,
    /// Copy format used last.
    pub(crate) form: CopyFormat,
    /// Columns of tables as the user arranged them.
    pub(crate) columns: Arrangements,
    /// Layout of new tabs.
    pub(crate) layout: Layout,
    /// True if the list of views shows names, false if it is folded; `None`: by the width of the window.
    pub(crate) names_views: Option<bool>,
    /// True if the list of views has all of them, false if it has those that a dump is usually opened for.
    pub(crate) more_views: bool,
    /// Queries of the user.
    pub(crate) queries: SavedQueries,
    /// Zoom factor.
    pub(crate) zoom: f32,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            recent: Vec::new(),
            recent_dumps: RecentDumps::default(),
            theme: ThemePreference::default(),
            memory: None,
            docks: Docks::default(),
            exact_sizes: false,
            marks: Marks::default(),
            cuts: SavedCuts::default(),
            form: CopyFormat::default(),
            columns: Arrangements::new(),
            layout: Layout::default(),
            names_views: None,
            more_views: false,
            queries: SavedQueries::default(),
            zoom: 1.0,
        }
    }
}

impl WindowSettings {
    /// Moves a file to the head of the list of recent files.
    pub(crate) fn remember(&mut self, path: &Path) {
        self.recent.retain(|p| p != path);
        self.recent.insert(0, path.to_owned());
        self.recent.truncate(RECENT);
        self.recent_dumps.retain(&self.recent);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heaplens_session::cuts::{Fix, SavedCut, SavedList};

    fn keys(value: &serde_json::Value) -> Vec<&str> {
        value.as_object().map(|object| object.keys().map(String::as_str).collect()).unwrap_or_default()
    }

    /// Settings are stored by the names of fields and variants: renaming one would lose what users have set.
    #[test]
    fn keys_of_stored_settings_never_change() {
        let saved = serde_json::to_value(WindowSettings::default()).expect("json");
        let mut top = keys(&saved);
        top.sort_unstable();
        let known = [
            "columns",
            "cuts",
            "docks",
            "exact_sizes",
            "form",
            "layout",
            "marks",
            "memory",
            "more_views",
            "names_views",
            "queries",
            "recent",
            "recent_dumps",
            "theme",
            "zoom",
        ];
        assert_eq!(top, known);
        let mut docks = keys(&saved["docks"]);
        docks.sort_unstable();
        assert_eq!(docks, ["held_by", "inspector", "path_in_leaks"]);
        let mut cuts = SavedCuts::default();
        let list = SavedList { steps: vec![vec![SavedCut::of("0x1:0x2".to_owned())]], ..SavedList::default() };
        cuts.set("a dump", list.clone());
        let stored = serde_json::json!([{"dump": "a dump", "steps": [["0x1:0x2"]]}]);
        assert_eq!(serde_json::to_value(&cuts).expect("json"), stored);
        let name = "bounded cache".to_owned();
        let removals = vec![SavedCut::of("a.B.c".to_owned())];
        cuts.set("a dump", SavedList { name: name.clone(), missing: removals.clone(), ..list });
        cuts.put_names("a dump", "a.hprof".to_owned(), Fix { name, removals, dump: None });
        let stored = serde_json::json!([{"dump": "a dump", "steps": [["0x1:0x2"]], "missing": ["a.B.c"],
            "fix": "bounded cache", "file": "a.hprof", "by_name": ["a.B.c"]}]);
        assert_eq!(serde_json::to_value(&cuts).expect("json"), stored);
        let recent = "{\"marks\":[],\"recent\":[\"a.hprof\"]}";
        let earlier: WindowSettings = serde_json::from_str(recent).expect("settings without cuts");
        assert!(earlier.recent_dumps.of(&earlier.recent[0]).is_none());
        assert!(earlier.cuts.of("a dump").steps.is_empty());
        let themes =
            [(ThemePreference::System, "System"), (ThemePreference::Dark, "Dark"), (ThemePreference::Light, "Light")];
        for (theme, stored) in themes {
            assert_eq!(serde_json::to_value(theme).expect("json"), stored);
        }
        for form in CopyFormat::ALL {
            let stored = serde_json::to_value(form).expect("json");
            assert!(["Text", "Markdown", "Trace", "Cells", "Json", "Command"].iter().any(|known| stored == *known));
        }
    }
}
