//! Requests to the view on screen in one frame, besides drawing: to copy, to export, to move the focus.

use std::mem::discriminant;

use super::panes::InspectorTab;

/// Content to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CopyTarget {
    /// Selected rows.
    #[default]
    Rows,
    /// Path to the object.
    Path,
    /// Object with its fields.
    Object,
    /// Rows of the inspector.
    Inspector,
    /// All leaks of an Android dump.
    Report,
}

impl CopyTarget {
    /// Targets that the dialog *Copy as* lists.
    pub const ALL: [Self; 4] = [Self::Rows, Self::Path, Self::Object, Self::Inspector];

    /// Name in the user interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rows => "Rows",
            Self::Path => "Path",
            Self::Object => "Object",
            Self::Inspector => "Inspector",
            Self::Report => "Report",
        }
    }
}

/// A request to the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewRequest {
    /// Focus the filter.
    Filter,
    /// Open the search for a row.
    Find,
    /// Show this tab of the inspector.
    Inspect(InspectorTab),
    /// Edit the note of the object.
    EditNote,
    /// Move the keyboard focus to the editor of queries.
    EditQuery,
    /// Run the query in the editor.
    RunQuery,
    /// Copy content.
    Copy(CopyTarget),
    /// Export the whole table.
    Export,
    /// Show the rows of the table as a query.
    ShowAsQuery,
    /// Switch to the next mode: table, chart or both.
    NextMode,
    /// Go to the accumulation point below the selected object.
    AccumulationPoint,
}

/// The requests of a frame, at most one of each kind.
#[derive(Debug, Clone, Default)]
pub struct ViewRequests(Vec<ViewRequest>);

impl ViewRequests {
    /// Adds a request; it replaces an earlier one of its kind.
    pub fn add(&mut self, request: ViewRequest) {
        self.0.retain(|other| discriminant(other) != discriminant(&request));
        self.0.push(request);
    }

    /// True if this is requested.
    pub fn has(&self, request: ViewRequest) -> bool {
        self.0.contains(&request)
    }

    /// Content to copy, if a copy is requested.
    pub fn copy(&self) -> Option<CopyTarget> {
        self.0.iter().find_map(|request| if let ViewRequest::Copy(target) = request { Some(*target) } else { None })
    }

    /// Tab of the inspector to show, if one is requested.
    pub fn inspector_tab(&self) -> Option<InspectorTab> {
        self.0.iter().find_map(|request| if let ViewRequest::Inspect(tab) = request { Some(*tab) } else { None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_request_of_a_kind_counts() {
        let mut requests = ViewRequests::default();
        for copied in [CopyTarget::Path, CopyTarget::Rows] {
            requests.add(ViewRequest::Copy(copied));
            requests.add(ViewRequest::Export);
        }
        assert_eq!(requests.copy(), Some(CopyTarget::Rows));
        assert!(requests.has(ViewRequest::Export) && !requests.has(ViewRequest::Copy(CopyTarget::Path)));
        assert_eq!(requests.inspector_tab(), None);
    }
}
